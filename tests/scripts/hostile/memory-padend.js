// ends: OutOfMemory, Thrown, TimedOut
"x".padEnd(2e9, "ab").length
