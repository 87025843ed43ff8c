// ends: TimedOut
({ get x() { for (;;); } }).x
