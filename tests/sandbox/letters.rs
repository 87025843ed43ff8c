//! What the author of a script is told about common mistakes: the place, what the code said, and what to do.

use super::run;

#[tokio::test]
async fn messages_name_what_the_code_said() {
    let recall = "it is a promise: write `await memory.recall('x')`";
    let in_line = "is a promise and has no `map`: write `await memory.recall('x')` in line 1";
    let rows: &[(&str, (u32, u32), &[&str])] = &[
        // A member that is not there.
        (
            "const o = {};\no.search('x')",
            (2, 3),
            &["`o.search` is not a function", "undefined", "`o` is an empty object"],
        ),
        ("const o = { search() {} }; o.serach('x')", (1, 30), &["`o.serach`", "did you mean `search`?"]),
        ("const f = await memory.recall('x'); f.mapp(x => x)", (1, 39), &["did you mean `map`?"]),
        ("const s = 'a'; s.toUpercase()", (1, 18), &["did you mean `toUpperCase`?"]),
        ("const m = new Map(); m.foo()", (1, 24), &["`m` has", "get", "set"]),
        ("'abc'.foo()", (1, 7), &["`'abc'.foo` is not a function"]),
        ("const a = 5; a()", (1, 14), &["`a` is not a function: it is a number"]),
        ("const o = {}; new o.Foo()", (1, 21), &["`o.Foo` is not a constructor", "undefined"]),
        ("class A { constructor() { this.x() } } new A()", (1, 32), &["`this.x` is not a function"]),
        ("const o = {}; function f(o) { return o.foo() } f({})", (1, 40), &["`o.foo` is not a function"]),
        // Reading from nothing.
        ("const o = null; o.x", (1, 19), &["cannot use `x` of `o`, which is null"]),
        ("const o = { b: 1 };\nconst z = o.bb.c.d;", (2, 16), &["`c` of `o.bb`, which is undefined"]),
        ("const o = { a: {} }; o.a.b.c('x')", (1, 28), &["`c` of `o.a.b`", "`o.a` is an empty object"]),
        ("const o = {}; o?.a.b", (1, 20), &["`b` of `o?.a`"]),
        ("const o = {}; o.a.b = 5", (1, 19), &["`b` of `o.a`, which is undefined"]),
        ("const o = {}; delete o.a.b", (1, 26), &["`b` of `o.a`, which is undefined"]),
        ("const o = {}; `${o.a.b}`", (1, 22), &["`b` of `o.a`, which is undefined"]),
        ("const o = {};\nconst p = o\n  .a\n  .b();", (4, 4), &["which is undefined"]),
        ("const a = [1, 2]; a[5].x", (1, 24), &["`x` of `a[5]`, which is undefined"]),
        ("(await memory.recall('x'))[3].text", (1, 31), &["`text` of `(await memory.recall('x'))[3]`"]),
        ("const r = await memory.recall('x'); r.results.map(x => x)", (1, 47), &["`r.results`", "`r` is an array"]),
        ("const r = await memory.recall('x'); r[0].txet.length", (1, 47), &["did you mean `text`?"]),
        ("await Promise.all([1].map(async n => { await 0; return n.foo.bar }))", (1, 62), &["`bar` of `n.foo`"]),
        ("const f = a => a.b.c; f({})", (1, 20), &["`c` of `a.b`"]),
        ("undefined.foo", (1, 11), &["`foo` of `undefined`"]),
        // A promise that was not awaited.
        ("const f = memory.recall('x');\nf.map(x => x)", (2, 3), &["`f`", in_line]),
        ("memory.recall('x').map(x => x)", (1, 20), &["has no `map`: write `(await memory.recall('x')).map`"]),
        ("for (const f of memory.recall('x')) console.log(f)", (1, 17), &["cannot be iterated", recall]),
        ("const [a] = memory.recall('x')", (1, 13), &["cannot be iterated", recall]),
        ("[...memory.recall('x')]", (1, 5), &["cannot be iterated", recall]),
        ("const r = memory.recall('x'); r[0].text", (1, 33), &["`r` is a promise and has no `[0]`"]),
        ("await Promise.all(memory.recall('x'))", (1, 19), &[recall]),
        (
            "const g = async () => { const q = memory.recall('x'); return q.map(x => x) }; await g()",
            (1, 64),
            &["`q`", in_line],
        ),
        // What cannot be gone through or taken apart.
        ("const o = {}; [...o]", (1, 19), &["`o` cannot be iterated: it is an object"]),
        ("Math.max(...5)", (1, 13), &["`5` cannot be iterated: it is a number"]),
        ("const { a } = null", (1, 15), &["`null`", "cannot be taken apart"]),
        ("const { a: { b } } = {}", (1, 22), &["`{}`", "undefined"]),
        // Names that are not there.
        ("const total = 5; console.log(totl)", (1, 30), &["totl is not defined; did you mean `total`?"]),
        ("telegam.sendText('x')", (1, 1), &["did you mean `telegram`?"]),
        ("const fs = require('fs')", (1, 12), &["require is not defined", "skill objects telegram"]),
        ("const r = await fetch('https://e.example')", (1, 17), &["fetch is not defined", "skill objects"]),
        ("process.exit(1)", (1, 1), &["process is not defined"]),
        ("document.title", (1, 1), &["there is no `document` here"]),
        // Calls that failed.
        ("const a = 1;\n  await tavily.serach('x')", (2, 16), &["tavily.serach is not a function"]),
        ("memory.nothing('x'); 5", (1, 8), &["memory.nothing"]),
        ("const f = () => f();\nf()", (1, 18), &["too much recursion"]),
        ("telegram.sendText(() => 1)", (1, 10), &["telegram.sendText", "function"]),
    ];
    let mut wrong = Vec::new();
    for (source, place, parts) in rows {
        let Some(error) = run(source).await.error else {
            wrong.push(format!("{source}\n  → no error"));
            continue;
        };
        if error.position != Some(*place) || !parts.iter().all(|part| error.message.contains(part)) {
            wrong.push(format!("{source}\n  → {:?} {}\n  expected {place:?} {parts:?}", error.position, error.message));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
