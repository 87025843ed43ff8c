// ends: Thrown, Syntax
await import("https://example.org/x.js")
