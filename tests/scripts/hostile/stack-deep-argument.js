// ends: Thrown, Crashed
let a = [];
for (let i = 0; i < 300; i++) a = [a];
await echo.args(a)
