// ends: TimedOut
+{ [Symbol.toPrimitive]() { for (;;); } }
