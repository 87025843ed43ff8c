// ends: Thrown
const e = new Error("telegram.sendText failed");
e.call = "telegram.sendText";
throw e
