// ends: Fine, OutOfMemory, Thrown, TimedOut, Crashed, Syntax
new RegExp("((a{1,1000}){1,1000}){1,1000}b").test("a".repeat(50))
