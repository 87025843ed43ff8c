// ends: TimedOut, Fine
/^(?=(a+)+$)b/.test("a".repeat(45) + "!")
