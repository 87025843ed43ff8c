use super::*;

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
        ("if (await memory.recall('x')) { while (true) { await telegram.sendText('x') } }", "memory.recall telegram.sendText"),
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
