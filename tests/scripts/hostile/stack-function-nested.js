// ends: Crashed, Thrown, Fine
new Function("return " + "[".repeat(1e5) + "]".repeat(1e5))()
