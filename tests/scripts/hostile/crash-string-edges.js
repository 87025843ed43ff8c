// ends: Fine, Crashed, Thrown
["abc".at(-(2 ** 53)), "abc".slice(-Infinity, Infinity), "abc".substring(NaN, 1e309), "a".codePointAt(2 ** 32), "abc".lastIndexOf("", -1), [1, 2, 3].copyWithin(-1e309, 1e309).length, (25).toString(36), (1e21).toFixed(2), (1.005).toPrecision(100)]
