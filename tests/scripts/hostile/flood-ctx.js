// ends: Fine, OutOfMemory, TimedOut
ctx.s = "x".repeat(2e7);
1
