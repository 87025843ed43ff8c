// ends: TimedOut
out: for (;;) { for (;;) continue out; }
