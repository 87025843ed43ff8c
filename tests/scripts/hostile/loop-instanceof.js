// ends: TimedOut
1 instanceof { [Symbol.hasInstance]() { for (;;); } }
