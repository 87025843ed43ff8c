// ends: Crashed, Thrown, OutOfMemory, TimedOut
const a = [];
a.push(a);
a.flat(Infinity)
