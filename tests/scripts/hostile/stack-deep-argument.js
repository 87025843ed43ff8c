// ends: Thrown, Crashed, TimedOut
let a = [];
for (let i = 0; i < 300; i++) a = [a];
await echo.args(a)
