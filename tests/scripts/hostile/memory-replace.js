// ends: OutOfMemory, Thrown, TimedOut
let s = "aaaaaaaa";
for (;;) s = s.replaceAll("a", "aaaaaaaa");
