// ends: Crashed, Fine, TimedOut, Thrown, OutOfMemory
let o = {};
for (let i = 0; i < 1e6; i++) o = Object.create(o);
o.x
