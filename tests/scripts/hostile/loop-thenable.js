// ends: TimedOut
const t = { then(r) { r(t); } };
await t;
