// ends: Fine, OutOfMemory, Thrown, TimedOut
let o = {};
for (let i = 0; i < 100; i++) o = { a: o, b: o, c: o };
o
