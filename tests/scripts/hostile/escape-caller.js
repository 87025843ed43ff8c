// ends: Fine, Thrown
function f() { return f.caller; }
typeof f()
