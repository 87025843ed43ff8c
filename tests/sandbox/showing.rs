//! How values look in output and as the value of a script, to the letter.

use super::{pool, script};
use crate::sandbox::Desk;

#[tokio::test]
async fn values_are_shown_to_the_letter() {
    let rows: &[(&str, &str)] = &[
        // Plain values.
        ("[1, -0, NaN, Infinity, 1n, true, null, undefined]", "[1, -0, NaN, Infinity, 1n, true, null, undefined]"),
        ("['a\"b\\n', Symbol('s'), Symbol.iterator]", r#"["a\"b\n", Symbol(s), Symbol(Symbol.iterator)]"#),
        ("({ a: 1, 'b c': { d: [] }, 2: 'x' })", r#"{ 2: "x", a: 1, "b c": { d: [] } }"#),
        ("({ [Symbol('k')]: 1, [Symbol.for('m')]: { n: 2 } })", "{ [Symbol(k)]: 1, [Symbol(m)]: { n: 2 } }"),
        ("Object.create(null)", "{}"),
        ("Object.defineProperty({ a: 1 }, 'hidden', { value: 2 })", "{ a: 1 }"),
        // Nothing is run.
        (
            "({ get a() { throw new Error('ran') }, set b(v) {}, get c() { return 1 }, set c(v) {} })",
            "{ a: [getter], b: [setter], c: [getter, setter] }",
        ),
        ("Object.defineProperty([1], 0, { get() { throw 1 }, enumerable: true })", "[[getter]]"),
        ("new Proxy({}, { has() { throw 1 }, ownKeys() { throw 2 }, getPrototypeOf() { throw 3 } })", "[proxy]"),
        ("[new Proxy(() => 1, {}), Proxy.revocable({}, {}).proxy]", "[[proxy], [proxy]]"),
        ("Object.create(new Proxy({}, { has() { throw 1 }, getOwnPropertyDescriptor() { throw 2 } }))", "{}"),
        (
            "({ toString() { throw 1 }, toJSON() { throw 2 }, [Symbol.toPrimitive]() { throw 3 } })",
            "{ toString: [function toString], toJSON: [function toJSON], [Symbol(Symbol.toPrimitive)]: [function [Symbol.toPrimitive]] }",
        ),
        ("({ constructor: { get name() { throw 1 } } })", "{ constructor: { name: [getter] } }"),
        // Arrays.
        ("[1, , , 4]", "[1, <2 empty>, 4]"),
        ("new Array(5)", "[<5 empty>]"),
        ("const a = [1]; a[7] = 2; a", "[1, <6 empty>, 2]"),
        ("const far = []; far[4e9] = 1; far", "[<100000 empty>, … 3999900001 more]"),
        ("'a1b'.match(/(?<n>\\d)/)", r#"["1", "1", index: 1, input: "a1b", groups: { n: "1" }]"#),
        ("Object.assign([1], { more: true })", "[1, more: true]"),
        ("class List extends Array {} ; List.of(1, 2)", "List(2) [1, 2]"),
        ("[[[[[1]]]]]", "[[[[[array of 1]]]]]"),
        ("({ a: { b: { c: { d: { e: 1 } } } } })", "{ a: { b: { c: { d: {…} } } } }"),
        ("Array.from({ length: 103 }, (_, n) => n).slice(100).concat(Array(0))", "[100, 101, 102]"),
        ("Array(102).fill(0).length + ' ' + String(Array(102).fill(0)).length", "102 203"),
        // Cycles are named; what is met twice is shown twice.
        ("const o = { a: 1 }; o.self = o; o", "{ a: 1, self: [circular] }"),
        ("const m = new Map(); m.set('m', m); m", r#"Map(1) { "m" => [circular] }"#),
        ("const s = { x: 1 }; [s, s]", "[{ x: 1 }, { x: 1 }]"),
        // Collections.
        ("new Map([['a', 1], [{ k: 2 }, new Set([1, 'x'])]])", r#"Map(2) { "a" => 1, { k: 2 } => Set(2) { 1, "x" } }"#),
        ("[new Map(), new Set(), new WeakMap(), new WeakSet()]", "[Map(0) {}, Set(0) {}, [WeakMap], [WeakSet]]"),
        ("class Bag extends Set {} ; new Bag([1])", "Bag(1) { 1 }"),
        ("const t = new Map([[1, 2]]); t.entries = t[Symbol.iterator] = () => { throw 1 }; t", "Map(1) { 1 => 2 }"),
        // Binary data is summarised.
        ("new Uint8Array([1, 2, 3])", "Uint8Array(3) [1, 2, 3]"),
        (
            "new Float64Array(1e5)",
            "Float64Array(100000) [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, … 99980 more]",
        ),
        ("new BigInt64Array([1n])", "BigInt64Array(1) [1n]"),
        ("[new ArrayBuffer(16), new DataView(new ArrayBuffer(8), 2)]", "[ArrayBuffer(16 bytes), DataView(6 bytes)]"),
        // Texts.
        ("'as it is\\n\"quoted\"'", "as it is\n\"quoted\""),
        (
            "[new String('a'), new Number(-0), new Boolean(false), Object(1n), Object(Symbol('q'))]",
            r#"[[String: "a"], [Number: -0], [Boolean: false], [BigInt: 1n], [Symbol: Symbol(q)]]"#,
        ),
        // Errors.
        ("new Error('a')", "Error: a"),
        ("new TypeError()", "TypeError"),
        ("new Error('outer', { cause: new RangeError('inner') })", "Error: outer { cause: RangeError: inner }"),
        ("new Error('outer', { cause: { code: 5 } })", "Error: outer { cause: { code: 5 } }"),
        ("Object.assign(new Error('a'), { code: 'ENOENT' })", r#"Error: a { code: "ENOENT" }"#),
        ("new AggregateError([new Error('1'), 2], 'many')", "AggregateError: many { errors: [Error: 1, 2] }"),
        ("class NotFound extends Error {} ; new NotFound('x')", "NotFound: x"),
        (
            "class Named extends Error { constructor(m) { super(m); this.name = 'Called' } } ; new Named('x')",
            "Called: x",
        ),
        ("const bad = new Error('x'); Object.defineProperty(bad, 'message', { get() { throw 1 } }); bad", "Error"),
        // Classes, functions, dates, patterns.
        ("class P { x = 1; #secret = 2; get y() { return 3 } } ; new P()", "P { x: 1 }"),
        (
            "class Q {} ; [Q, new Q(), class {}, () => 1, function f() {}, Math.max]",
            "[[class Q], Q {}, [class without name], [function without name], [function f], [function max]]",
        ),
        ("[new Date(0), new Date(NaN)]", "[1970-01-01T00:00:00.000Z, Invalid Date]"),
        ("[/a.b/gi, new RegExp('')]", "[/a.b/gi, /(?:)/]"),
        ("const r = /x/; Object.defineProperty(r, 'source', { get() { throw 1 } }); r", "/x/"),
        ("[Promise.resolve(1), (async () => 1)()]", "[[promise, not awaited], [promise, not awaited]]"),
        ("[(function* () {})(), [1][Symbol.iterator]()]", "[Generator {}, Array Iterator {}]"),
        (
            "[new URL('https://a.example/b?c=1'), Temporal.PlainDate.from('2026-05-14'), Temporal.Duration.from('PT5M')]",
            "[[URL https://a.example/b?c=1], [Temporal.PlainDate 2026-05-14], [Temporal.Duration PT5M]]",
        ),
        ("({ t: telegram, s: telegram.sendText })", "{ t: [skill telegram], s: [skill telegram.sendText] }"),
        ("[Math, JSON, globalThis.Reflect]", "[Math {}, JSON {}, Reflect {}]"),
        ("(function () { return arguments })(1, 2)", "{ 0: 1, 1: 2 }"),
        // What a script did to the engine's own objects changes nothing.
        (
            "Map.prototype.entries = Array.prototype.join = Object.keys = JSON.stringify = () => 'tampered'; [new Map([[1, 'a']])]",
            r#"[Map(1) { 1 => "a" }]"#,
        ),
    ];
    let pool = pool().await;
    let mut wrong = Vec::new();
    for (source, expected) in rows {
        let mut child = pool.take().await.unwrap();
        // As the value of a script, and as a line of output.
        let (head, last) = source.rsplit_once("; ").unwrap_or(("", source));
        let printed = format!("{head};\nconst it = ({last});\nconsole.log(it);\nit");
        let report = child.run(script(1, &printed), &Desk).await;
        let value = report.value.clone().unwrap_or_default();
        if report.error.is_some() || report.output.trim_end_matches('\n') != *expected || value != *expected {
            wrong.push(format!(
                "{source}\n  {:?}\n  expected {expected}\n  output   {}\n  value    {value}",
                report.error,
                report.output.trim_end()
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[tokio::test]
async fn what_is_long_is_cut_with_its_count_and_never_inside_a_character() {
    let mut child = pool().await.take().await.unwrap();
    let mut long = script(
        1,
        "const t = { text: 'x' + '👍'.repeat(5000) }; console.log(t); console.log(Array.from({ length: 5000 }, (_, n) => n)); const o = {}; for (let i = 0; i < 200; i++) o['k' + i] = i; console.log(o); console.log(new Set(Array(101).keys()))",
    );
    long.output_limit = 64 << 10;
    let report = child.run(long, &Desk).await;
    assert_eq!(report.error, None);
    let lines: Vec<&str> = report.output.lines().collect();
    let head = format!(
        "{{ text: \"x{}\" … 6502 of 10001 characters left out … \"{}\" }}",
        "👍".repeat(1499),
        "👍".repeat(250)
    );
    assert_eq!(lines[0], head);
    assert!(lines[1].ends_with("98, 99, … 4900 more]"), "{}", lines[1]);
    assert!(lines[2].ends_with("k99: 99, … 100 more }"), "{}", lines[2]);
    assert!(lines[3].ends_with("98, 99, … 1 more }"), "{}", lines[3]);
}

#[tokio::test]
async fn a_value_that_branches_without_end_is_bounded() {
    let mut child = pool().await.take().await.unwrap();
    let source = "let o = { leaf: 1 }; for (let i = 0; i < 4; i++) o = Array(100).fill(o); console.log(o); 'after'";
    let report = child.run(script(1, source), &Desk).await;
    assert_eq!((report.error, report.value.as_deref()), (None, Some("after")));
}
