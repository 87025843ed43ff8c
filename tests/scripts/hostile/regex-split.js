// ends: TimedOut
("a".repeat(45) + "!").split(/(a*)*$b/)
