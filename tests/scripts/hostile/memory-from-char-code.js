// ends: OutOfMemory, Thrown, TimedOut, Crashed
let s = String.fromCharCode.apply(null, new Array(9e4).fill(65));
for (;;) s = s.concat(s, s);
