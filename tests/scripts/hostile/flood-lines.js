// ends: TimedOut
for (;;) console.log("y");
