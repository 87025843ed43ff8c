// ends: OutOfMemory, Thrown, TimedOut
Array.from({ length: 4e9 })
