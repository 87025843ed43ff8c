// ends: Syntax
function f() { using x = { [Symbol.dispose]() {} }; return 1; }
f()
