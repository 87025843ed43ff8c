// ends: OutOfMemory, Thrown, TimedOut
let s = "x";
for (;;) s += s;
