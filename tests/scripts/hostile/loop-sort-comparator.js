// ends: TimedOut
[3, 1, 2].sort(() => { for (;;); })
