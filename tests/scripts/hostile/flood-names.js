// ends: Fine, OutOfMemory, TimedOut
for (let i = 0; i < 1e5; i++) globalThis["n" + i] = i;
1
