// ends: Fine, Crashed, Thrown
const all = [];
for (const [p, f] of [["(?<a>.)(?<a>.)", ""], ["[b-a]", "u"], ["\\u{110000}", "u"], ["(?<=a{2,1})", ""], ["[\\p{L}--[a-z]]", "v"], ["x", "uv"], ["(", ""], ["\\k<a>", "u"]]) { try { new RegExp(p, f).test("abc"); all.push("ok"); } catch (e) { all.push(e.name); } }
all
