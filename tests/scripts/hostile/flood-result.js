// ends: Fine, OutOfMemory
"x".repeat(5e7)
