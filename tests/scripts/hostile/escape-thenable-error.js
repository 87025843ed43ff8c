// ends: Thrown
throw { get name() { throw 1; }, get message() { throw 2; }, toString() { throw 3; } }
