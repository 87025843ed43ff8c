// ends: TimedOut
/^(a|a|aa)+$/.test("a".repeat(60) + "!")
