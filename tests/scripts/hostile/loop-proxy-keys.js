// ends: TimedOut
Object.keys(new Proxy({}, { ownKeys() { for (;;); } }))
