// ends: OutOfMemory, Thrown
new Uint8Array(4e9).length
