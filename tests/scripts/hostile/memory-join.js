// ends: OutOfMemory, Thrown, TimedOut
new Array(2 ** 28).join("abcdefgh").length
