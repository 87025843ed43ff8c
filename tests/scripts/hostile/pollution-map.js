// ends: Fine, Thrown, Stuck, TimedOut, Crashed
Map.prototype.get = () => undefined;
Map.prototype.values = function* () {};
Map.prototype.delete = () => false;
await telegram.sendText("a")
