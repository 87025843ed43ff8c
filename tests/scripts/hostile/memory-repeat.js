// ends: OutOfMemory, Thrown, TimedOut
"x".repeat(1e9).length
