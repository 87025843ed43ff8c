// ends: Fine, Crashed, Thrown, TimedOut
const p = new Proxy([1, 2, 3], { get: (t, k) => k === "length" ? Math.floor(Math.random() * 1000) : t[k] });
Array.prototype.splice.call(p, 0, 2, 1, 2, 3, 4);
1
