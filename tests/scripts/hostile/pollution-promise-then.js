// ends: Fine, Thrown, Stuck, TimedOut, Crashed
Promise.prototype.then = () => { throw 1; };
await telegram.sendText("a")
