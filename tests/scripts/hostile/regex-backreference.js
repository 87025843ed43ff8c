// ends: TimedOut, Fine
/(x+x+)+\1y/.test("x".repeat(60))
