// ends: TimedOut, OutOfMemory, Thrown
(2n ** 20000000n).toString().length
