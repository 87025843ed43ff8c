// ends: Fine, Thrown, Stuck, TimedOut, Crashed
for (const name of Object.getOwnPropertyNames(Array.prototype)) { try { Array.prototype[name] = () => { throw new Error(name); }; } catch {} }
await telegram.sendText("a")
