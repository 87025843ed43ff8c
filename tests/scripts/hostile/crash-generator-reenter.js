// ends: Fine, Crashed, Thrown
let it;
function* g() { it.next(); yield 1; }
it = g();
it.next()
