// ends: OutOfMemory, Thrown, TimedOut
new Array(2 ** 32 - 1).fill(0).length
