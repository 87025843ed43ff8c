// ends: Fine, Thrown, Stuck
Object.defineProperty(Promise, Symbol.species, { get() { return function (f) { f(() => {}, () => {}); }; } });
await telegram.sendText("a")
