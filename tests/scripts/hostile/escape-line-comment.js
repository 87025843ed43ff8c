// ends: Fine
await echo.args(1) // 