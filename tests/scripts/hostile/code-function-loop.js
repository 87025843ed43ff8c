// ends: TimedOut
new Function("for (;;);")()
