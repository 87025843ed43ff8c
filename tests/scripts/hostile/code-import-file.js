// ends: Thrown, Syntax
await import("/etc/passwd")
