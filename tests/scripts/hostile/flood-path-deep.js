// ends: Thrown, OutOfMemory, TimedOut, Crashed
let t = telegram;
for (let i = 0; i < 1e5; i++) t = t.x;
await t()
