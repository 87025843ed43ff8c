// ends: Fine
eval("var evaluated = 1; typeof process")
