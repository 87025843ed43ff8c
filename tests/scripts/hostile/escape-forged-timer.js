// ends: Thrown
await globalThis["$timer"](0)
