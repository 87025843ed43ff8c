// ends: TimedOut
while (true) {}
