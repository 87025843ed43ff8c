// ends: TimedOut
await 0;
for (;;) {}
