// ends: TimedOut
await echo.args({ toJSON() { for (;;); } })
