// ends: Crashed, Thrown, Fine, OutOfMemory, TimedOut
JSON.parse("[".repeat(1e5) + "]".repeat(1e5))
