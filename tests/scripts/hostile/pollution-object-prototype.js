// ends: Fine
Object.prototype.path = "telegram.sendText";
Object.prototype.then = undefined;
Object.prototype.value = "forged";
await telegram.sendText("a")
