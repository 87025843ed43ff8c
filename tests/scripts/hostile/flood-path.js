// ends: Thrown, OutOfMemory
await telegram["x".repeat(1e7)]("a")
