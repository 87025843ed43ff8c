// ends: Fine, Thrown
for (const name of Object.getOwnPropertyNames(globalThis)) { try { Object.freeze(globalThis[name]); Object.freeze(globalThis[name].prototype); } catch {} }
Object.freeze(globalThis);
await telegram.sendText("a")
