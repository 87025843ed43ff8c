// ends: Fine, OutOfMemory, Thrown, TimedOut, Crashed
new RegExp("(a|b)?".repeat(5e5)).test("c")
