// ends: Fine, Thrown, Crashed, TimedOut
let a = [];
for (let i = 0; i < 300; i++) a = [a];
ctx.a = a;
1
