// ends: Fine, OutOfMemory, Thrown, TimedOut
const a = [];
a.length = 2 ** 32 - 1;
a.sort().length
