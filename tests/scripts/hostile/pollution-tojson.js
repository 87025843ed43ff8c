// ends: Fine, Thrown
Object.prototype.toJSON = () => "forged";
Array.prototype.toJSON = () => ["forged"];
await echo.args("a")
