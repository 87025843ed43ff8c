// ends: Fine, Crashed, Thrown, Syntax
await using x = { async [Symbol.asyncDispose]() {} };
1
