// ends: TimedOut
const again = () => Promise.resolve().then(again);
await again();
