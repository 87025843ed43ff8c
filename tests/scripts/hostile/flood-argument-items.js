// ends: Thrown, Crashed, OutOfMemory, TimedOut
await echo.args(new Array(1e6).fill([]))
