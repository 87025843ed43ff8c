// ends: Fine, Crashed, Thrown
const a = Array.from({ length: 100 }, (_, i) => i);
a.sort((x, y) => { a.length = 0; return x - y; }).length
