// ends: Thrown
Object.setPrototypeOf(telegram, { sendText: () => "forged" });
