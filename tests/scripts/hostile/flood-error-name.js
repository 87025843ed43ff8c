// ends: Thrown, OutOfMemory
const e = new Error("x");
e.name = "N".repeat(2e7);
throw e
