// ends: Fine, Syntax, OutOfMemory, TimedOut
// xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
const source = "1;".repeat(1.5e6);
eval(source)
