// ends: Fine, Crashed, Thrown
const all = [];
for (const f of [() => class extends null { constructor() { super(); } }, () => new (class extends null {})(), () => class extends Proxy {}, () => Reflect.construct(Promise, [() => {}], Proxy)]) { try { all.push(typeof new (f())()); } catch (e) { all.push(e.name); } }
all
