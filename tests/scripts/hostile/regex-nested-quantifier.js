// ends: TimedOut
/(a+)+$/.test("a".repeat(40) + "!")
