// ends: Crashed, TimedOut
for (let i = 0; i < 1e5; i++) telegram.sendText("x" + i);
