// ends: OutOfMemory, Thrown
let s = "x";
for (;;) s += s;
