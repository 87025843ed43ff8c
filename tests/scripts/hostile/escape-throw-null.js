// ends: Thrown
throw null
