// ends: Syntax
1 }); while (true) {} (async () => { 2
