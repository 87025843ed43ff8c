// ends: TimedOut
throw Object.defineProperty(new Error(), "message", { get() { for (;;); } })
