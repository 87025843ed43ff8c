// ends: TimedOut
const end = Date.now() + 100;
while (Date.now() < end);
