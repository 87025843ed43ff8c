// ends: Thrown
await telegram["a\u0000b.c\n$timer"]("x")
