// ends: Thrown, OutOfMemory
await echo.args("x".repeat(5e7))
