// ends: OutOfMemory, Thrown
"x".repeat(1e9).length
