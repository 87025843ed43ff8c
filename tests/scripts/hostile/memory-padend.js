// ends: OutOfMemory, Thrown
"x".padEnd(2e9, "ab").length
