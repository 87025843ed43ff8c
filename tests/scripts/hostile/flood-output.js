// ends: Fine, TimedOut
const s = "x".repeat(1 << 20);
for (let i = 0; i < 200; i++) console.log(s);
"done"
