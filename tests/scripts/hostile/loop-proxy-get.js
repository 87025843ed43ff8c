// ends: TimedOut
new Proxy({}, { get() { for (;;); } }).x
