// ends: Thrown, Crashed, Fine, TimedOut
const a = { toString() { return `${this}`; } };
`${a}`
