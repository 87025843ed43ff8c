// ends: Fine, Thrown
const c = telegram.sendText.constructor;
await c("return globalThis")()
