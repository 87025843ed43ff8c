// ends: Thrown, OutOfMemory, TimedOut
const e = new Error("x");
e.name = "N".repeat(2e7);
throw e
