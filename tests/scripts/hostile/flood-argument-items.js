// ends: Thrown, Crashed, OutOfMemory
await echo.args(new Array(1e6).fill([]))
