// ends: TimedOut
("a".repeat(45) + "!").replace(/^(a+)+$/, "")
