// ends: TimedOut
({ get x() { for (;;); } })
