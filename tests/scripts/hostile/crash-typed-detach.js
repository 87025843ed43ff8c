// ends: Fine, Crashed, Thrown
const b = new ArrayBuffer(64);
const v = new Uint8Array(b);
v.fill({ valueOf() { b.transfer(); return 1; } });
v.length
