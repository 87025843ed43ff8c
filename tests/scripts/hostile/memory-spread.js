// ends: OutOfMemory, Thrown, TimedOut, Crashed
Math.max(...new Array(5e7).fill(1))
