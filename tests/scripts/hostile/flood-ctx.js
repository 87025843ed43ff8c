// ends: Fine, OutOfMemory
ctx.s = "x".repeat(2e7);
1
