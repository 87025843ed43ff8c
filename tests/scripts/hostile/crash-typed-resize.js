// ends: Fine, Crashed, Thrown
const b = new ArrayBuffer(64, { maxByteLength: 1024 });
const v = new Uint8Array(b);
v.forEach((x, i) => b.resize(i % 2 ? 0 : 1024));
v.set({ get length() { b.resize(0); return 8; } });
1
