// ends: Thrown
await telegram.__proto__.constructor.prototype("x")
