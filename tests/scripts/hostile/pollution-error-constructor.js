// ends: Thrown, Fine, Stuck
globalThis.TypeError = globalThis.Error = function () { for (;;); };
await telegram.nothing()
