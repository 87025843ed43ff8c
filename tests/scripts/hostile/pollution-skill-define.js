// ends: Thrown
Object.defineProperty(telegram, "sendText", { value: () => "forged" });
await telegram.sendText("a")
