// ends: Fine, Syntax
1 /*