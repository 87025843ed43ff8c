// ends: Fine, Thrown
for (const name of Object.getOwnPropertyNames(globalThis)) { try { if (name !== "telegram") delete globalThis[name]; } catch {} }
await telegram.sendText("a")
