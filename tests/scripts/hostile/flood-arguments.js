// ends: Thrown, Crashed, OutOfMemory, TimedOut
const s = "x".repeat(200000);
for (let i = 0; i < 900; i++) echo.args(s);
