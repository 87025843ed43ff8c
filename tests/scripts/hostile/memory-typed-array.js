// ends: OutOfMemory, Thrown, TimedOut
new Uint8Array(4e9).length
