// ends: Fine, Thrown
console.log("\ud800");
ctx.s = "\udfff";
await echo.args("\ud800x", { "\udc00": 1 })
