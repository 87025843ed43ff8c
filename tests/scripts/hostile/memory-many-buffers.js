// ends: OutOfMemory, Thrown, TimedOut
const all = [];
for (;;) all.push(new Uint8Array(1 << 20).fill(1));
