// ends: TimedOut
const f = () => queueMicrotask(f);
f();
await new Promise(r => setTimeout(r, 10));
