// ends: Thrown
setTimeout("globalThis.x = 1", 0);
