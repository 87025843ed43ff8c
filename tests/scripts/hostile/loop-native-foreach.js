// ends: TimedOut
Array.prototype.forEach.call({ length: 2 ** 53 - 1 }, x => x)
