// ends: TimedOut, OutOfMemory, Thrown
let x = 3n;
for (;;) x = x ** 3n;
