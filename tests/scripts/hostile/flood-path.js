// ends: Thrown, OutOfMemory, TimedOut
await telegram["x".repeat(1e7)]("a")
