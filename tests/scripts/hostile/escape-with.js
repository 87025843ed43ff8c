// ends: Syntax, Fine, Thrown
with (new Proxy({}, { has: () => true, get: () => () => 1 })) { telegram.sendText("a"); }
