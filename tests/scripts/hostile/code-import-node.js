// ends: Thrown, Syntax
await import("node:fs")
