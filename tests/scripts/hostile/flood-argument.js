// ends: Thrown, OutOfMemory, TimedOut
await echo.args("x".repeat(5e7))
