// ends: TimedOut
eval("for (;;);")
