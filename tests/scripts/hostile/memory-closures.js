// ends: OutOfMemory, TimedOut
let f = () => 0;
for (;;) { const g = f; f = () => g; }
