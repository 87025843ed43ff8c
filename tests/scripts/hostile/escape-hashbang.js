// ends: Fine, Syntax
#!/bin/sh
1
