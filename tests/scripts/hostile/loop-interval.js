// ends: TimedOut, Crashed, Fine
setInterval(() => {}, 1);
await new Promise(r => setTimeout(r, 1e9));
