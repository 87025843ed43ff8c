// ends: Crashed, TimedOut
for (let i = 0; i < 1e5; i++) setTimeout(() => {}, 1e9);
await new Promise(() => {})
