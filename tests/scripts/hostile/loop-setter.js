// ends: TimedOut
({ set x(v) { for (;;); } }).x = 1
