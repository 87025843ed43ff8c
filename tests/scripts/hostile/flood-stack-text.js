// ends: Thrown, OutOfMemory, TimedOut
const e = new Error("x");
e.stack = "at f (x:1:1)\n".repeat(1e6);
throw e
