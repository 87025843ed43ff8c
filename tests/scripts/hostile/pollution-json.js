// ends: Fine
JSON.stringify = () => "forged";
JSON.parse = () => ({ forged: true });
await telegram.sendText("a")
