// ends: Thrown
const f = () => f();
f();
