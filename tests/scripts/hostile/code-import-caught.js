// ends: Fine
let n = 0;
for (const s of ["fs", "./x.js", "/proc/self/environ", "groupmate"]) { try { await import(s); } catch { n++; } }
n
