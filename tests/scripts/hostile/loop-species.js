// ends: TimedOut
class A extends Array { static get [Symbol.species]() { for (;;); } }
new A(1, 2, 3).map(x => x)
