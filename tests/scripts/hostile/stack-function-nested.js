// ends: Crashed, Thrown, Fine, TimedOut
new Function("return " + "[".repeat(1e5) + "]".repeat(1e5))()
