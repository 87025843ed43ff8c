// ends: Fine
new Proxy({}, { ownKeys() { for (;;); } })
