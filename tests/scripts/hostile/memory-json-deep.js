// ends: OutOfMemory, Thrown, TimedOut
let o = ["x".repeat(100)];
for (let i = 0; i < 60; i++) o = [o, o];
JSON.stringify(o).length
