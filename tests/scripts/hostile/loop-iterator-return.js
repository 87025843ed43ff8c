// ends: TimedOut
const it = { [Symbol.iterator]() { return { next: () => ({ value: 1, done: false }), return() { for (;;); } }; } };
const [a] = it;
