// ends: Fine, Crashed, TimedOut
const s = "x".repeat(20000);
const all = [];
for (let i = 0; i < 300; i++) all.push(echo.args(s));
(await Promise.all(all)).length
