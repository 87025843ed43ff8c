// ends: Fine, OutOfMemory, TimedOut
"x".repeat(5e7)
