// ends: Thrown
telegram.sendText = () => "forged";
await telegram.sendText("a")
