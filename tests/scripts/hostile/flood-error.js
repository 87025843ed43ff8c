// ends: Thrown, OutOfMemory, TimedOut
throw new Error("x".repeat(2e7))
