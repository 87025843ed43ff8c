// ends: Thrown, OutOfMemory
throw new Error("x".repeat(2e7))
