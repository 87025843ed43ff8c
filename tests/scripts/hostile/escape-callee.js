// ends: Fine, Thrown
let seen = "none";
await echo.args({ get x() { try { seen = typeof arguments.callee.caller; } catch (e) { seen = "refused"; } return 1; } });
seen
