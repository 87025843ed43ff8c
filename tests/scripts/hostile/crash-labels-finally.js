// ends: Fine, Crashed, Thrown
let n = 0;
a: for (let i = 0; i < 5; i++) { try { for (const x of [1, 2, 3]) { try { if (x === 2) continue a; } finally { n++; if (n === 4) break a; } } } finally { n += 10; } }
n
