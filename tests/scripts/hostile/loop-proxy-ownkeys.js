// ends: TimedOut
new Proxy({}, { ownKeys() { for (;;); } })
