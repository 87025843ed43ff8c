// ends: TimedOut
for (;;) await 0;
