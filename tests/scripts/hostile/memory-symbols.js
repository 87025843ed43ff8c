// ends: OutOfMemory, TimedOut
const o = {};
for (let i = 0; ; i++) o["name" + i + "x".repeat(1000)] = i;
