//! Every form of use, crossed with everything that it can stand in: the same paths, wherever it stands.

use super::super::member_paths;

/// A way of calling `tavily.search`: statements that come first, and the expression that calls.
const FORMS: &[(&str, &str)] = &[
    ("", "tavily.search(q)"),
    ("", "tavily?.search?.(q)"),
    ("", "(tavily?.search)(q)"),
    ("", "tavily['search'](q)"),
    ("", "tavily?.[`search`]?.(q)"),
    ("", "(0, tavily.search)(q)"),
    ("", "tavily.search`q`"),
    ("", "tavily.search.call(null, q)"),
    ("", "tavily.search.apply(tavily, [q])"),
    ("", "tavily.search.bind(tavily)(q)"),
    ("", "tavily.search(...q)"),
    ("", "globalThis.tavily.search(q)"),
    ("", "{ ...tavily }.search(q)"),
    ("", "[tavily][0].search(q)"),
    ("", "[q].map(tavily.search)"),
    ("", "((s) => s.search(q))(tavily)"),
    ("", "Reflect.apply(tavily.search, tavily, [q])"),
    ("const t = tavily;", "t.search(q)"),
    ("let t; t = tavily;", "t.search(q)"),
    ("let t = null; t ??= tavily;", "t.search(q)"),
    ("let t = {}; if (q) t = tavily;", "t.search(q)"),
    ("const t = await tavily;", "t.search(q)"),
    ("const s = tavily.search;", "s(q)"),
    ("const s = tavily.search.bind(tavily);", "s(q)"),
    ("const { search } = tavily;", "search(q)"),
    ("const { search: find } = tavily;", "find(q)"),
    ("const { search = () => 1 } = tavily;", "search(q)"),
    ("const { search: find = null } = tavily ?? {};", "find?.(q)"),
    ("const { t: { search } } = { t: tavily };", "search(q)"),
    ("const { ['search']: find } = tavily;", "find(q)"),
    ("const key = 'search';", "tavily[key](q)"),
    ("const { ...all } = tavily;", "all.search(q)"),
    ("const all = { ...tavily };", "all.search(q)"),
    ("const box = { deep: { t: tavily } };", "box.deep.t.search(q)"),
    ("const [t] = [tavily];", "t.search(q)"),
    ("const t = Object.assign({}, tavily);", "t.search(q)"),
    ("function call(s) { return s.search(q) }", "call(tavily)"),
    ("const call = ({ search }) => search(q);", "call(tavily)"),
    ("const call = (f, ...rest) => f(...rest);", "call(tavily.search, q)"),
    ("const get = () => tavily;", "get().search(q)"),
    ("async function get() { return tavily }", "(await get()).search(q)"),
    ("class A { t = tavily; go() { return this.t.search(q) } }", "new A().go()"),
    ("const o = { get t() { return tavily } };", "o.t.search(q)"),
    ("const o = { t: tavily, go() { return this.t.search(q) } };", "o.go()"),
    ("class A { #t; constructor(t) { this.#t = t } go() { return this.#t.search(q) } }", "new A(tavily).go()"),
    ("class A { t = tavily } class B extends A { go() { return super.t.search(q) } }", "new B().go()"),
    ("class A { static get t() { return tavily } }", "A.t.search(q)"),
    ("const o = {}; o[k] = tavily;", "o[k].search(q)"),
    ("const m = new Map([['t', tavily]]);", "m.get('t').search(q)"),
    ("const m = new Map(); m.set('t', tavily);", "m.get('t').search(q)"),
];

/// What reading alone does not find: values that only running the script gives. Its error names the method itself.
const BEYOND: &[&str] = &[
    "tavily[q](1)",
    "tavily['hcraes'.split('').reverse().join('')](q)",
    "JSON.parse(JSON.stringify({ t: 1 }), () => tavily).search(q)",
    "Object.values({ t: tavily })[0].search(q)",
    "[[tavily]].flat()[0].search(q)",
    "eval('tavily.search(q)')",
    "new Proxy(tavily, {}).search(q)",
    "function A() { this.t = tavily } new A().t.search(q)",
    "import('x').then((m) => m.search(q))",
];

#[test]
fn what_only_running_gives_is_not_guessed() {
    for script in BEYOND {
        assert_eq!(member_paths(&[script], &["tavily".to_owned()]), Vec::<String>::new(), "{script}");
    }
}

/// What such a call can stand in; `%` is the call, `§` what comes first.
const PLACES: &[&str] = &[
    "§ (%)",
    "§ await (%)",
    "§ return await (%);",
    "§ const r = (await (%)).results[0].title;",
    "§ (await (%))?.results?.map((r) => r.url)",
    "§ (%).then((r) => r.answer).catch(() => null)",
    "§ await Promise.all([(%), 1])",
    "§ const [a, b] = await Promise.all([1, (%)]);",
    "§ console.log(`${await (%)}`)",
    "§ for (const x of (await (%)).results) { x.y() }",
    "§ for await (const x of (%)) { x.y() }",
    "§ if (x) { while (y) { try { await (%) } catch { z() } } }",
    "§ switch (x) { case 1: await (%); break; default: }",
    "§ const r = x ? await (%) : null;",
    "§ const r = { a: [{ b: await (%) }] };",
    "§ const go = async () => { return await (%) }; await go();",
    "§ async function go(n = (%)) { return n } await go();",
    "§ class B { static async go() { return (%) } } await B.go();",
    "§ const { answer, results: [first] = [] } = await (%);",
    "§ function* gen() { yield (%) } [...gen()]",
    "§ x?.y?.(await (%))",
    "§ await (async () => { const r = await (%); return r })();",
    "§ label: for (;;) { void (%); break label }",
    "async function all() { § return (%) } await all();",
    "{ § (%) }",
    "try { § await (%) } finally { x() }",
];

#[test]
fn every_form_of_use_is_found_wherever_it_stands() {
    let globals = ["tavily", "telegram", "memory", "github"].map(str::to_owned).to_vec();
    let mut wrong = Vec::new();
    for (first, call) in FORMS {
        for place in PLACES {
            let script = place.replace('§', first).replace('%', call);
            let found = member_paths(&[&script], &globals).join(" ");
            if found != "tavily.search" {
                wrong.push(format!("{script}\n    found {found:?}"));
            }
        }
        // The same as two steps of one turn.
        let found = member_paths(&[first, &format!("const r = await ({call});")], &globals).join(" ");
        if found != "tavily.search" {
            wrong.push(format!("{first}  ⏎  {call}\n    found {found:?}"));
        }
    }
    let all = FORMS.len() * (PLACES.len() + 1);
    assert!(all >= 1000, "{all}");
    assert!(wrong.is_empty(), "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The same forms where the name is somebody else's: nothing is found.
#[test]
fn nothing_is_found_where_the_name_is_shadowed() {
    let globals = ["tavily".to_owned()];
    let shadows = [
        "const tavily = other; ",
        "function tavily() {} ",
        "class tavily {} ",
        "let { tavily } = other; ",
        "const [tavily] = other; ",
        "import tavily from 'x'; ",
    ];
    let mut wrong = Vec::new();
    for (first, call) in FORMS.iter().filter(|(_, call)| !call.contains("globalThis")) {
        for shadow in shadows {
            let script = format!("{shadow}{first} await ({call});");
            let found = member_paths(&[&script], &globals).join(" ");
            if !found.is_empty() {
                wrong.push(format!("{script}\n    found {found:?}"));
            }
        }
        for hidden in
            ["async function f(tavily) { § await (%) }", "try {} catch (tavily) { § (%) }", "// § %\n1", "/* § % */ 1"]
        {
            let script = hidden.replace('§', first).replace('%', call);
            let found = member_paths(&[&script], &globals).join(" ");
            if !found.is_empty() {
                wrong.push(format!("{script}\n    found {found:?}"));
            }
        }
        let text = format!("console.log({:?})", format!("{first} {call}"));
        if !member_paths(&[&text], &globals).is_empty() {
            wrong.push(text);
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
