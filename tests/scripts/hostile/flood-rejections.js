// ends: Thrown, OutOfMemory, TimedOut
for (let i = 0; i < 1e5; i++) Promise.reject(new Error("e" + i));
