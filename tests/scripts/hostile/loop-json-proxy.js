// ends: TimedOut, OutOfMemory
JSON.stringify(new Proxy([], { get: (t, k) => k === "length" ? 2 ** 53 - 1 : k === "toJSON" ? undefined : 1 }))
