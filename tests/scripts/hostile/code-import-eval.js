// ends: Thrown, Syntax, Stuck
await eval("import(\"/etc/hostname\")")
