// ends: OutOfMemory, TimedOut
const all = [];
for (;;) all.push(new Promise(() => {}));
