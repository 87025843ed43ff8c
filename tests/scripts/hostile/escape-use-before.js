// ends: Fine, Syntax, Thrown
var $keep, $result, $returned;
await telegram.sendText("a")
