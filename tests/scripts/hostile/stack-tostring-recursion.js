// ends: Thrown, Crashed, Fine
const a = { toString() { return `${this}`; } };
`${a}`
