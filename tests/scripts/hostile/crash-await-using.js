// ends: Syntax
await using x = { async [Symbol.asyncDispose]() {} };
1
