// ends: TimedOut
Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 5)
