// ends: TimedOut, Fine
/\s+$/.test(" ".repeat(200000) + "x")
