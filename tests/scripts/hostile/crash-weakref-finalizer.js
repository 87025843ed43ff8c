// ends: Fine, Crashed, Thrown
const r = new FinalizationRegistry(() => { throw 1; });
for (let i = 0; i < 1e4; i++) { const o = {}; r.register(o, i); new WeakRef(o); }
1
