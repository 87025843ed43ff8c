// ends: Crashed, TimedOut
for (let i = 0; i < 1e4; i++) await telegram.sendText("x" + i);
