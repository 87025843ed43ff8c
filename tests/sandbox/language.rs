//! The language inside: what the engine alone gets wrong, dies of or does not have.

use groupmate::call::Fault;
use groupmate::sandbox::Child;

use super::{Desk, pool, run, script};

/// Runs each source in one child and compares what it gave, as shown, or the error's `name: message`.
pub async fn check(rows: &[(&str, &str)]) {
    let mut child: Child = pool().await.take().await.unwrap();
    let mut wrong = Vec::new();
    for (number, (source, expected)) in rows.iter().enumerate() {
        let report = child.run(script(u32::try_from(number).unwrap() + 1, source), &Desk).await;
        let given = match &report.error {
            Some(error) => format!("{}: {}", error.name, error.message),
            None => format!("{}{}", report.output, report.value.clone().unwrap_or_default()),
        };
        if given != *expected {
            wrong.push(format!("{source}\n     gave {given}\n   wanted {expected}"));
        }
        if report.variables_gone {
            child = pool().await.take().await.unwrap();
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[tokio::test]
async fn a_sort_survives_any_comparator_and_keeps_to_the_standard() {
    let numbers = "Array.from({ length: 500 }, (_, i) => i)";
    let all = format!("{numbers}.sort(() => Math.random() - 0.5).sort((a, b) => a - b).join() === {numbers}.join()");
    let copied = format!("{numbers}.toSorted(() => Math.random() - 0.5).toSorted((a, b) => a - b)[499]");
    let typed = format!("new Int32Array({numbers}).sort(() => Math.random() - 0.5).toSorted((a, b) => b - a)[0]");
    let odd = format!("{numbers}.sort((a, b) => [NaN, 'x', -1, {{}}, 1][(a * b) % 5]).length");
    let stable = "Array.from({ length: 100 }, (_, i) => [i % 3, i]).sort((a, b) => a[0] - b[0]).map(p => p[1]).slice(30, 38).join()";
    check(&[
        (&all, "true"),
        (&copied, "499"),
        (&typed, "499"),
        (&odd, "500"),
        (stable, "90,93,96,99,1,4,7,10"),
        // As Node prints them.
        ("[3, 20, 100, undefined, 'b', null].sort().map(String).join()", "100,20,3,b,null,undefined"),
        ("const h = [3, , 1, undefined, , 2]; h.sort(); [Object.keys(h).join(), h.length].join('|')", "0,1,2,3|6"),
        ("const t = [3, , 1].toSorted(); [t.join(), 2 in t].join('|')", "1,3,|true"),
        ("[2, 3, 1].sort((a, b) => a > b).join()", "2,3,1"),
        ("Array.prototype.sort.call({ 0: 'b', 1: 'a', length: 2 })[0]", "a"),
        (
            "[Array.prototype.sort.name, Array.prototype.sort.length, 'prototype' in Array.prototype.sort].join()",
            "sort,1,false",
        ),
        ("[1, 2].sort(5)", "TypeError: the comparator of a sort is neither a function nor undefined"),
        ("try { [1, 2].sort(() => { throw new Error('mine') }) } catch (e) { e.message }\n0", "0"),
        ("Object.freeze([2, 1]).toSorted().join()", "1,2"),
        ("new Float64Array([0, -0, NaN, -1]).sort().join()", "-1,0,0,NaN"),
        ("[...'zäaé'].sort().join('')", "azäé"),
    ])
    .await;
}

#[tokio::test]
async fn using_is_refused_with_its_place_and_the_child_lives() {
    let words = "`using` declarations are not available here: use `const` and dispose of it in `finally`";
    let error = run("let a = 1;\nfunction f() { using x = null; }\nf()").await.error.unwrap();
    assert_eq!((error.kind, error.message.as_str(), error.position), (Fault::Syntax, words, Some((2, 16))));
    let said = format!("SyntaxError: {words}");
    check(&[
        ("{ await using x = null }", &said),
        ("for (using x of []) {}", &said),
        ("eval('{ using x = null }')", &said),
        ("new Function('using x = null')()", &said),
        ("(0, eval)('function f() { using /**/ x = null } f()')", &said),
        ("const o = { using: 3 }; o.using + eval('o.using + 1')", "7"),
        ("new Function('a', 'return `using a ${a}`')(1)", "using a 1"),
    ])
    .await;
}

#[tokio::test]
async fn dates_and_temporal_are_in_the_rooms_zone_and_a_child_serves_several() {
    let mut child: Child = pool().await.take().await.unwrap();
    let source = "[Temporal.Now.timeZoneId(), Temporal.Now.zonedDateTimeISO().toString(), Temporal.Now.plainDateISO().toString(), \
        new Date().getHours(), new Date().toLocaleString(), Intl.DateTimeFormat().resolvedOptions().timeZone, \
        Temporal.Now.zonedDateTimeISO().toLocaleString('zh-CN', { timeStyle: 'short' }), \
        Temporal.PlainDate.from('2026-12-07').toLocaleString('en-GB', { dateStyle: 'long' })].join(' | ')";
    let rows = [
        (
            "Asia/Shanghai",
            "Asia/Shanghai | 2027-01-15T16:00:00+08:00[Asia/Shanghai] | 2027-01-15 | 16 | 1/15/2027, 4:00:00 PM | Asia/Shanghai | 16:00 | 7 December 2026",
        ),
        (
            "Pacific/Auckland",
            "Pacific/Auckland | 2027-01-15T21:00:00+13:00[Pacific/Auckland] | 2027-01-15 | 21 | 1/15/2027, 9:00:00 PM | Pacific/Auckland | 21:00 | 7 December 2026",
        ),
    ];
    for (number, (zone, expected)) in (1..).zip(rows) {
        let mut script = script(number, source);
        zone.clone_into(&mut script.zone);
        let report = child.run(script, &Desk).await;
        assert_eq!((report.error, report.value.as_deref()), (None, Some(expected)));
    }
}

#[tokio::test]
async fn globals_that_node_20_lacks_and_clocks_that_stand_still() {
    check(&[
        ("(await Array.fromAsync([1, Promise.resolve(2)])).join()", "1,2"),
        ("(await Array.fromAsync((async function* () { yield 1; yield 2 })(), x => x * 2)).join()", "2,4"),
        ("(await Array.fromAsync({ length: 2, 0: 'a', 1: Promise.resolve('b') })).join()", "a,b"),
        ("await Array.fromAsync(null).catch(e => e.name)", "TypeError"),
        ("Promise.try(() => 5)", "5"),
        ("console.time('t'); console.timeEnd('t')", "t: 0ms\n"),
        ("console.timeEnd('t')", "(no timer \"t\" was begun)\n"),
        // Its time is nobody's to wait for: not a word about it.
        ("AbortSignal.timeout(100000).aborted", "false"),
        ("crypto.randomUUID() === crypto.randomUUID()", "false"),
        ("Object.keys(globalThis).filter(name => /URL|Intl|Abort/.test(name)).join()", ""),
    ])
    .await;
}

#[tokio::test]
async fn code_given_to_eval_is_checked_as_a_script_is() {
    let using = "SyntaxError: `using` declarations are not available here: use `const` and dispose of it in `finally`";
    let deep = "SyntaxError: the code given to eval or Function is too long or nests too deep";
    check(&[
        ("new Function('a = () => { using x = null }', '')", using),
        ("new Function('{ b } = {}', 'a = (() => { using x = null })()', 'return 1')", using),
        ("Function('a', 'b', 'return a + b')(1, 2)", "3"),
        ("eval('('.repeat(100000) + '1' + ')'.repeat(100000))", deep),
        ("new Function('a = ' + '['.repeat(50000) + ']'.repeat(50000), '')", deep),
        (
            "setTimeout(() => { (0, eval)('[' + '{a:['.repeat(30000)) }, 0); await new Promise(r => setTimeout(r, 5))",
            deep,
        ),
        ("(async () => {}).constructor('return ' + '!'.repeat(100000) + '1')", deep),
        ("(function* () {}).constructor('yield ' + '-+'.repeat(50000) + '1')", deep),
        ("eval('1 + 1')", "2"),
        ("eval(5)", "5"),
    ])
    .await;
}

#[tokio::test]
async fn patterns_and_comments_of_all_kinds_work_at_the_top_level() {
    check(&[
        ("const k = 'a', { [k]: v, ...rest } = { a: 1, b: 2 }; [v, rest.b].join()", "1,2"),
        ("const { [await Promise.resolve('z')]: [q = await 7], w = 5 } = { z: [] }; [q, w].join()", "7,5"),
        ("v + k", "1a"),
        ("const { ['x']: y } = null", "TypeError: `null` or a part of it is null and cannot be taken apart"),
        ("var z1 = 1; <!-- a comment\n--> and another\nz1", "1"),
        ("var let = 3; let + 1", "4"),
        (
            "try {} catch (a) { for (var a of []); }",
            "SyntaxError: Identifier `a` has already been declared: it is what `catch` caught",
        ),
        ("try { throw 1 } catch (a) { (() => { for (var a of [5]); })(); a }\n6", "6"),
    ])
    .await;
}

#[tokio::test]
async fn a_text_that_grows_for_too_long_is_told_what_to_do_instead() {
    let mut child: Child = pool().await.take().await.unwrap();
    let mut script = script(1, "let s = ''; for (;;) { s += 'x'; if (s.length > 1000) s = '' }");
    script.deadline = groupmate::time::Span::secs(1);
    let error = child.run(script, &Desk).await.error.unwrap();
    assert!(error.message.ends_with("push the parts to an array and join them"), "{}", error.message);
}
