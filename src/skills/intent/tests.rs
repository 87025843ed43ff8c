use super::*;

mod crossed;

fn globals() -> Vec<String> {
    ["tavily", "telegram", "memory", "github"].map(str::to_owned).to_vec()
}

fn paths(script: &str) -> String {
    member_paths(&[script], &globals()).join(" ")
}

/// Checks a whole table and shows every row that is wrong.
fn check(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter(|(script, expected)| paths(script) != *expected)
        .map(|(script, expected)| format!("{script}\n    expected {expected}\n    found    {}", paths(script)))
        .collect();
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn members_in_every_writing() {
    check(&[
        ("tavily.search('x')", "tavily.search"),
        ("await tavily.search({ query: 'x' })", "tavily.search"),
        ("await github.issues.create({})", "github.issues.create"),
        ("github\n  .issues\n  .create({})", "github.issues.create"),
        ("tavily?.search?.('x')", "tavily.search"),
        ("github?.issues?.create('x')", "github.issues.create"),
        ("(github?.issues).create('x')", "github.issues.create"),
        ("tavily['search']('x')", "tavily.search"),
        ("tavily[`search`]('x')", "tavily.search"),
        ("github['issues'].create()", "github.issues.create"),
        ("github?.['issues']?.['create']()", "github.issues.create"),
        ("const m = 'search'; tavily[m]('x')", "tavily.search"),
        ("tavily['sea' + 'rch']('x')", "tavily.search"),
        ("for (const m of ['search', 'extract']) await tavily[m]({})", "tavily.search tavily.extract"),
        ("tavily.search`x`", "tavily.search"),
        ("new github.Client()", "github.Client"),
        ("(0, tavily.search)('x')", "tavily.search"),
        ("tavily.search.call(null, 'x')", "tavily.search"),
        ("tavily.search.apply(tavily, ['x'])", "tavily.search"),
        ("tavily.search.bind(tavily)('x')", "tavily.search"),
        ("const s = tavily.search.bind(tavily); await s('x')", "tavily.search"),
        ("(await tavily.search('x')).results.map(r => r.url)", "tavily.search"),
        ("tavily.search('x').then(r => r.results)", "tavily.search"),
        ("(tavily as any).search('x')", "tavily.search"),
        ("tavily!.search!('x')", "tavily.search"),
        ("globalThis.tavily.search('x')", "tavily.search"),
        ("globalThis['tavily'].search('x')", "tavily.search"),
        ("return await tavily.search('x')", "tavily.search"),
        ("console.log(`${await tavily.search('x')}`)", "tavily.search"),
        (
            "if (await memory.recall('x')) { while (true) { await telegram.sendText('x') } }",
            "memory.recall telegram.sendText",
        ),
        ("await Promise.all([tavily.search('a'), memory.recall('b')])", "tavily.search memory.recall"),
        ("try { await tavily.search('x') } catch { await telegram.sendText('no') }", "tavily.search telegram.sendText"),
        ("const x = true ? tavily.search('x') : memory.recall('y')", "tavily.search memory.recall"),
        ("(true ? tavily : memory).recall('y')", "tavily.recall memory.recall"),
        ("(tavily || memory).search('y')", "tavily.search memory.search"),
        ("tavily('x')", "tavily"),
        ("class A { async go() { return tavily.search('x') } }", "tavily.search"),
        ("Reflect.get(tavily, 'search')('x')", "tavily.search"),
    ]);
}

#[test]
fn aliases_and_destructuring() {
    check(&[
        ("const t = tavily; await t.search('x')", "tavily.search"),
        ("let t; t = tavily; await t.search('x')", "tavily.search"),
        ("var t = tavily, u = t; u.search('x')", "tavily.search"),
        ("const s = tavily.search; await s('x')", "tavily.search"),
        ("const i = github.issues; await i.create({})", "github.issues.create"),
        ("const { search } = tavily; await search('x')", "tavily.search"),
        ("const { search: find } = tavily; await find('x')", "tavily.search"),
        ("const { issues: { create } } = github; await create({})", "github.issues.create"),
        ("const { issues: { create: make = null } = {} } = github; await make({})", "github.issues.create"),
        ("const { ['search']: s } = tavily; s('x')", "tavily.search"),
        ("const { search, ...rest } = tavily; rest.extract({})", "tavily.search tavily.extract"),
        ("let search; ({ search } = tavily); search('x')", "tavily.search"),
        ("let s; ({ search: s } = tavily); s('x')", "tavily.search"),
        ("const { tavily: t } = globalThis; t.search('x')", "tavily.search"),
        ("const api = { web: tavily }; await api.web.search('x')", "tavily.search"),
        ("const api = { find: tavily.search }; await api.find('x')", "tavily.search"),
        ("const api = { ...tavily }; await api.search('x')", "tavily.search"),
        ("const api = {}; api.web = tavily; await api.web.search('x')", "tavily.search"),
        ("const [t, m] = [tavily, memory]; t.search('x'); m.recall('y')", "tavily.search memory.recall"),
        ("for (const s of [tavily, github]) await s.search('x')", "tavily.search github.search"),
        ("[tavily, github].map(s => s.search('x'))", "tavily.search github.search"),
        ("const all = [tavily]; all[0].search('x')", "tavily.search"),
        ("const t = await tavily; t.search('x')", "tavily.search"),
        ("const t = await Promise.resolve(tavily); t.search('x')", "tavily.search"),
        ("Promise.resolve(tavily).then(t => t.search('x'))", "tavily.search"),
        ("const t = Object.freeze(tavily); t.search('x')", "tavily.search"),
        ("let t = memory; t = tavily; t.search('x')", "memory.search tavily.search"),
        ("const t = null ?? tavily; t.search('x')", "tavily.search"),
    ]);
}

#[test]
fn functions() {
    check(&[
        ("const go = async () => { await tavily.search('x') }; await go()", "tavily.search"),
        ("async function go() { return tavily.search('x') } await go()", "tavily.search"),
        ("['a', 'b'].map(tavily.search)", "tavily.search"),
        ("['a'].forEach(q => tavily.search(q))", "tavily.search"),
        ("function go(api) { return api.search('x') } go(tavily)", "tavily.search"),
        ("const go = ({ search }) => search('x'); go(tavily)", "tavily.search"),
        ("const go = (f) => f('x'); go(tavily.search)", "tavily.search"),
        ("function go(api = tavily) { return api.search('x') } go()", "tavily.search"),
        ("const api = () => tavily; api().search('x')", "tavily.search"),
        ("function api() { return github.issues } api().create({})", "github.issues.create"),
        ("(t => t.search('x'))(tavily)", "tavily.search"),
        ("(async function (t) { await t.search('x') })(tavily)", "tavily.search"),
        ("go(tavily); function go(t) { t.search('x') }", "tavily.search"),
        ("function go(t) { t.search('x') } go.call(null, tavily)", "tavily.search"),
        ("setTimeout(() => telegram.sendText('x'), 10)", "telegram.sendText"),
    ]);
}

#[test]
fn nothing_where_nothing_is_meant() {
    check(&[
        ("// tavily.search('x')\n1", ""),
        ("/* tavily.search('x') */ 1", ""),
        ("'tavily.search(1)'", ""),
        ("`tavily.search(1)`", ""),
        ("/tavily.search/.test('x')", ""),
        ("const x = { tavily: 1 }; x.tavily.search", ""),
        ("function f(tavily) { tavily.search('x') } f({})", ""),
        ("{ const tavily = {}; tavily.search('x') }", ""),
        ("[1].map(memory => memory.recall)", ""),
        ("try { x() } catch (github) { github.issues.create() }", ""),
        ("other.tavily.search('x')", ""),
        ("const { tavily } = other; tavily.search()", ""),
        ("tavily", ""),
        ("1 + 1", ""),
        ("", ""),
        ("class memory { recall() {} } new memory().recall()", ""),
        ("{ const tavily = {}; tavily.a() } tavily.search('x')", "tavily.search"),
    ]);
}

#[test]
fn earlier_steps_of_the_turn() {
    let rows: &[(&[&str], &str)] = &[
        (&["const t = tavily", "await t.search('x')"], "tavily.search"),
        (&["const { search } = tavily", "1", "await search('x')"], "tavily.search"),
        (&["async function find(q) { return tavily.search(q) }", "await find('x')"], "tavily.search"),
        (&["const find = (q) => tavily.search(q)", "['a'].map(find)"], "tavily.search"),
        (&["const memory = {}", "memory.recall('x')"], ""),
        (&["await memory.recall('x')", "await tavily.search('y')"], "tavily.search"),
        (&["t = tavily", "t.search('x')"], "tavily.search"),
        (&["const go = api => api.search('x')", "go(tavily)"], "tavily.search"),
        (&["not ( script", "tavily.search('x')"], "tavily.search"),
        (&[], ""),
    ];
    for (scripts, expected) in rows {
        assert_eq!(member_paths(scripts, &globals()).join(" "), *expected, "{scripts:?}");
    }
}

#[test]
fn what_does_not_parse_is_scanned() {
    check(&[
        ("await tavily.search({ query: 'x' ", "tavily.search"),
        ("const { search: s } = tavily; s('x'))", "tavily.search"),
        ("const t = github.issues; t.create({]", "github.issues.create"),
        ("tavily?.search('x'", "tavily.search"),
        ("tavily['search']('x'", "tavily.search"),
        ("// tavily.extract\n'memory.recall' + tavily.search(", "tavily.search"),
        ("x.tavily.search(", ""),
        ("const tavily = 1; tavily.search((", ""),
        ("telegram.sendText.call(null, 'x'", "telegram.sendText"),
    ]);
}

#[test]
fn hostile_scripts_end() {
    let deep = format!("{}tavily.search(1){}", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(paths(&deep), "tavily.search");
    let long = format!("tavily{}", ".a".repeat(5000));
    assert!(paths(&long).len() < 20_000);
    let circle = "const a = {}; const b = { ...a }; a.x = b; Object.assign(a, b); const c = { ...c }; c.d.e.f()";
    assert_eq!(paths(circle), "");
    let grows = "let t = tavily; t = t.a; for (;;) t = t.b; t()";
    assert!(paths(grows).len() < 4000);
    for broken in ["\u{feff}", "`${", "/", "'", "\\", "({", "a?.", "tavily.", "tavily[", "const {", "const x =", "\0"] {
        paths(broken);
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(text in "(tavily|\\.|\\[|\\]|\\(|\\)|\\{|\\}|'|`|\\$|const |=|;|=>|,|\\?\\.|a|\n|/|\\PC){0,60}") {
        member_paths(&[text.as_str(), text.as_str()], &globals());
    }
}

/// Each script with the paths that it uses, in order.
const SCRIPTS: &[(&str, &str)] = &[
    // plain, nested, awaited
    ("tavily.search('x')", "tavily.search"),
    ("await tavily.search('x')", "tavily.search"),
    ("(await tavily).search('x')", "tavily.search"),
    ("github.issues.create({})", "github.issues.create"),
    ("await github\n  .issues\n  .create({})", "github.issues.create"),
    ("const r = (await tavily.search({query: 'x'})).results[0].title", "tavily.search"),
    ("return tavily.search('x')", "tavily.search"),
    ("tavily.search('x').then((r) => telegram.sendText(r.answer))", "tavily.search telegram.sendText"),
    ("telegram.sendText((await tavily.search('x')).answer)", "telegram.sendText tavily.search"),
    ("await Promise.all([tavily.search('a'), memory.recall('b')])", "tavily.search memory.recall"),
    ("for (let i = 0; i < 3; i++) { if (i) { await telegram.react(i, '👍') } }", "telegram.react"),
    (
        "try { await tavily.search() } catch { await memory.recall() } finally { telegram.sendText('x') }",
        "tavily.search memory.recall telegram.sendText",
    ),
    ("console.log(`${await tavily.search('x')}`)", "tavily.search"),
    ("class A { go() { return tavily.search() } }", "tavily.search"),
    ("async function f() { return github.issues.list() } await f()", "github.issues.list"),
    // aliases
    ("const t = tavily; t.search('x')", "tavily.search"),
    ("let t; t = tavily; await t.search('x')", "tavily.search"),
    ("const t = await tavily; await t.search('x')", "tavily.search"),
    ("const i = github.issues; i.create()", "github.issues.create"),
    ("const g = github, i = g.issues, c = i.create; await c({})", "github.issues.create"),
    ("const s = tavily.search; await s('x')", "tavily.search"),
    ("const t = tavily || memory; t.search()", "tavily.search memory.search"),
    ("const t = x ? tavily : github; t.search()", "tavily.search github.search"),
    ("const t = tavily ?? null; t.search()", "tavily.search"),
    ("let t = tavily; t = github; t.search()", "tavily.search github.search"),
    ("const t = (0, tavily); t.search()", "tavily.search"),
    ("var a = b = tavily; a.search()", "tavily.search"),
    ("const run = () => t.search('x'); const t = tavily; run()", "tavily.search"),
    ("const t: any = tavily as any; t!.search('x')", "tavily.search"),
    ("const t = <any>tavily; t.search()", "tavily.search"),
    ("(tavily satisfies object).search('x')", "tavily.search"),
    // destructuring
    ("const { search } = tavily; search('x')", "tavily.search"),
    ("const { search: find } = tavily; find('x')", "tavily.search"),
    ("const { issues: { create } } = github; create({})", "github.issues.create"),
    ("const { issues: { create: c = null } = {} } = github; c({})", "github.issues.create"),
    ("const { search } = await tavily; await search('x')", "tavily.search"),
    ("const { 'search': find } = tavily; find('x')", "tavily.search"),
    ("const { ['search']: find } = tavily; find('x')", "tavily.search"),
    ("const key = 'search'; const { [key]: find } = tavily; find('x')", "tavily.search"),
    ("const { search = memory.recall } = tavily; search('x')", "tavily.search memory.recall"),
    ("let search; ({ search } = tavily); search('x')", "tavily.search"),
    ("let find; ({ search: find } = tavily); find('x')", "tavily.search"),
    ("let c; ({ issues: { create: c } } = github); c()", "github.issues.create"),
    (
        "const { issues, ...rest } = github; issues.create(); rest.pulls.list()",
        "github.issues.create github.pulls.list",
    ),
    ("const [a, b] = [tavily, github]; a.search(); b.issues.list()", "tavily.search github.issues.list"),
    ("let a; [a] = [tavily]; a.search()", "tavily.search"),
    ("const { search } = x ? tavily : memory", "tavily.search memory.search"),
    ("const { t } = { t: tavily }; t.search()", "tavily.search"),
    // optional chaining
    ("tavily?.search('x')", "tavily.search"),
    ("await tavily?.search?.('x')", "tavily.search"),
    ("github?.issues?.create?.({})", "github.issues.create"),
    ("(github?.issues).create()", "github.issues.create"),
    ("(await tavily?.search('x'))?.results?.[0]", "tavily.search"),
    ("const s = tavily?.search; s?.('x')", "tavily.search"),
    ("tavily?.['search']('x')", "tavily.search"),
    ("tavily!.search!('x')", "tavily.search"),
    // computed keys
    ("tavily['search']('x')", "tavily.search"),
    ("tavily[`search`]('x')", "tavily.search"),
    ("await github['issues']['create']({})", "github.issues.create"),
    ("const m = 'search'; tavily[m]('x')", "tavily.search"),
    ("tavily['sea' + 'rch']('x')", "tavily.search"),
    ("const o = { m: 'search' }; tavily[o.m]('x')", "tavily.search"),
    ("for (const m of ['search', 'extract']) await tavily[m]()", "tavily.search tavily.extract"),
    ("tavily[unknown]('x')", ""),
    // bind, call, apply
    ("tavily.search.call(tavily, 'x')", "tavily.search"),
    ("await tavily.search.apply(null, ['x'])", "tavily.search"),
    ("const s = tavily.search.bind(tavily); await s('x')", "tavily.search"),
    ("const { search } = tavily; search.call(null, 'x')", "tavily.search"),
    ("github.issues.create.bind(github.issues)({})", "github.issues.create"),
    ("(0, tavily.search)('x')", "tavily.search"),
    ("tavily.search.bind(null).call(null, 'x')", "tavily.search"),
    ("tavily?.search?.call(null, 'x')", "tavily.search"),
    // objects, lists, spreading
    ("const box = { t: tavily }; box.t.search('x')", "tavily.search"),
    ("const box = { find: tavily.search }; await box.find('x')", "tavily.search"),
    ("const box = { deep: { t: github } }; box.deep.t.issues.list()", "github.issues.list"),
    ("const box = {}; box.t = tavily; box.t.search()", "tavily.search"),
    ("const all = { ...tavily }; all.search('x')", "tavily.search"),
    ("const all = { ...tavily, ...github.issues }; all.create()", "tavily.create github.issues.create"),
    ("const list = [tavily, github]; list[1].issues.list()", "github.issues.list"),
    ("for (const s of [tavily, github]) s.search()", "tavily.search github.search"),
    ("[tavily, github].map((s) => s.search())", "tavily.search github.search"),
    ("[tavily.search, memory.recall].forEach(function (f) { f('x') })", "tavily.search memory.recall"),
    ("Object.assign({}, tavily).search()", "tavily.search"),
    ("tavily.search(...args)", "tavily.search"),
    // functions
    ("const go = (s) => s.search('x'); go(tavily)", "tavily.search"),
    ("function go({ issues }) { issues.create() } go(github)", "github.issues.create"),
    ("const get = () => tavily; get().search('x')", "tavily.search"),
    ("function get() { return github.issues } get().create()", "github.issues.create"),
    ("const get = async () => { return tavily }; (await get()).search()", "tavily.search"),
    ("((s) => s.search('x'))(tavily)", "tavily.search"),
    ("(function (s) { s.search('x') })(tavily)", "tavily.search"),
    ("ids.map(telegram.react)", "telegram.react"),
    ("setTimeout(() => telegram.sendText('x'), 10)", "telegram.sendText"),
    ("const f = (s = tavily) => s.search(); f()", "tavily.search"),
    // template calls
    ("tavily.search`x`", "tavily.search"),
    ("github.issues[`create`]`x`", "github.issues.create"),
    // nothing in comments, strings, other members or shadowed names
    ("// tavily.search('x')\n/* github.issues.create() */ 1", ""),
    ("const s = \"tavily.search('x')\"; `github.issues.create()`", ""),
    ("my.tavily.search('x'); ({ tavily: 1 })", ""),
    ("const tavily = { search() {} }; tavily.search('x')", ""),
    ("function f(tavily) { tavily.search('x') } f(other)", ""),
    ("{ const tavily = other; tavily.search() } memory.recall()", "memory.recall"),
    ("try { x() } catch (tavily) { tavily.search() }", ""),
    ("for (const tavily of list) tavily.search()", ""),
    ("/tavily.search()/.test('x')", ""),
    ("tavily", ""),
    ("run(tavily)", ""),
];

/// Scripts that do not parse.
const BROKEN: &[(&str, &str)] = &[
    ("await tavily.search('x'", "tavily.search"),
    ("const t = tavily; t.search('x'", "tavily.search"),
    ("const { search } = tavily; search('x'", "tavily.search"),
    ("const { search: find } = await tavily; find('x'", "tavily.search"),
    ("github?.issues?.create({ title: 'x'", "github.issues.create"),
    ("github['issues'].create({", "github.issues.create"),
    ("tavily?.['search']({", "tavily.search"),
    ("tavily.search.call(null, {", "tavily.search"),
    ("const r = await tavily.search('x'; r.results.map(", "tavily.search"),
    ("// tavily.search()\nconst a = 'memory.recall()'; ((", ""),
    ("`${tavily.search('x')} github.issues.create()` ((", "tavily.search"),
    ("my.tavily.search( {", ""),
    ("[...tavily.search( ", "tavily.search"),
    ("await telegram.sendText(\"it's \"ok\"\"); tavily.search()", "telegram.sendText tavily.search"),
    ("if (x { await memory.recall('a') } else { github.issues.list() }", "memory.recall github.issues.list"),
];

#[test]
fn every_form_of_use_is_found() {
    let mut wrong = Vec::new();
    for (script, expected) in SCRIPTS.iter().chain(BROKEN) {
        let found = member_paths(&[script], &globals()).join(" ");
        if found != *expected {
            wrong.push(format!("{script}\n  expected: {expected}\n  found:    {found}"));
        }
    }
    assert!(SCRIPTS.len() >= 100);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), SCRIPTS.len() + BROKEN.len(), wrong.join("\n"));
}

#[test]
fn names_live_on_across_the_steps_of_a_turn() {
    let globals = globals();
    let scripts = ["const t = tavily; const { issues } = github;", "t.search('x')", "await issues.create({})"];
    assert_eq!(member_paths(&scripts, &globals), ["github.issues.create"]);
    assert_eq!(member_paths(&["const tavily = 1", "tavily.search()"], &globals), Vec::<String>::new());
    assert_eq!(member_paths(&["const t = tavily", "t.search('x'"], &globals), ["tavily.search"]);
    assert_eq!(member_paths(&["t.search(", "memory.recall()"], &globals), ["memory.recall"]);
}

#[test]
fn nesting_is_counted_outside_texts_and_comments() {
    for (source, depth) in [
        ("", 0),
        ("a(b[c{d}])", 3),
        ("'((((' + \"[[[\" // {{{{\n + /* (( */ `((`", 0),
        ("`${a(`${b}`)}`", 3),
        ("/[(]{/.test(x)", 1),
        ("a / b(c) / d", 1),
        ("))))((", 2),
        ("'it\\'s ((' (", 1),
    ] {
        assert_eq!(nesting(source), depth, "{source}");
    }
}

/// Whatever nests must neither overflow an ordinary thread's stack nor be lost.
#[test]
fn deep_source_is_scanned_instead_of_parsed() {
    let many = |piece: &str, n: usize, end: &str| format!("tavily.search(); {}{}", piece.repeat(n), end);
    let shapes = [
        "(",
        "[",
        "{",
        "!",
        "a=>",
        "a=",
        "a?b:",
        "if(a)",
        "a.",
        "a+",
        "f(",
        "`${",
        "-",
        "a**",
        "x:",
        "new ",
        "await ",
        "else if(a){}",
        "if(a){}else ",
        "a.b(c).",
        "[]=",
        "({a:",
        "<",
        "A<",
        "typeof ",
        "/",
        "`",
        "'",
        "function(){",
        "class{[",
        "a?.",
        "a,",
    ];
    let handle = std::thread::Builder::new()
        .stack_size(2 * 1024 * 1024)
        .spawn(move || {
            for shape in shapes {
                for n in [10, 60, 90, 240, 400, 900, 5_000, 100_000] {
                    for end in ["", "1", "a;\nb"] {
                        let found = member_paths(&[&many(shape, n, end)], &globals());
                        assert_eq!(found, ["tavily.search"], "{shape} {n} {end}");
                    }
                }
            }
        })
        .unwrap();
    handle.join().unwrap();
}

#[test]
fn no_cut_of_a_script_panics() {
    for (script, _) in SCRIPTS.iter().chain(BROKEN) {
        for (at, _) in script.char_indices() {
            member_paths(&[&script[..at], &script[at..]], &globals());
        }
    }
}
