//! What becomes of a script's text.

use super::*;

fn body(source: &str) -> String {
    let code = prepare(source).unwrap().code;
    let (head, rest) = code.split_once('\n').unwrap();
    let kept = head.strip_prefix(HEAD).unwrap();
    format!("{kept}{}", rest.strip_suffix("\n})").unwrap())
}

#[test]
fn top_level_names_become_names_of_the_turn() {
    let rows = [
        ("const a = 1, b = 2;", ";(a = 1), (b = 2);"),
        ("let x", ";(x = undefined)"),
        ("const { a, b: [c] } = await f();", ";({ a, b: [c] } = await f());"),
        ("function f() { return 1 }", "$keep('f', f);function f() { return 1 }"),
        ("class C {}", ";C = class C {};"),
        ("var v = v || 1", "typeof v === 'undefined' && (v = undefined);;(v = v || 1)"),
        ("for (const x of y) { z(x) }", "for (const x of y) { z(x) }"),
    ];
    for (source, expected) in rows {
        assert_eq!(body(source), expected, "{source}");
    }
}

#[test]
fn a_last_expression_tells_where_its_value_comes_from() {
    let rows = [
        ("await telegram.sendText('x')", ";return ($result(telegram.sendText('x')))"),
        ("telegram.sendText('x');", ";return ($result(telegram.sendText('x')));"),
        ("a ? await b() : await c()", ";return (a ? $result(b()) : $result(c()))"),
        ("1 + 1", ";return ($result(1 + 1))"),
        ("if (a) { return 5 }", "if (a) { return $returned(5) }"),
        ("return", "return $returned()"),
        ("const f = () => { return 1 }", ";(f = () => { return 1 })"),
    ];
    for (source, expected) in rows {
        assert_eq!(body(source), expected, "{source}");
    }
}

#[test]
fn what_cannot_be_is_said_with_its_place() {
    assert_eq!(prepare("let a = 1;\nimport x from 'y'").unwrap_err().position, Some((2, 1)));
    assert!(prepare("const = 5").is_err());
    assert!(prepare(&"(".repeat(5000)).unwrap_err().message.contains("nest"));
}

#[test]
fn positions_are_the_authors_own() {
    let prepared = prepare("const a = 1;\nconst b = a.x.y;").unwrap();
    // In the changed code: line 3 is `;(b = a.x.y);`.
    assert_eq!(prepared.position(3, 7), Some((2, 11)));
    assert_eq!(prepared.position(1, 5), None);
}

#[test]
fn early_errors_are_refused_within_functions_and_redeclaring_at_the_top_is_not() {
    let refused = ["function f() { let a; let a }", "'use strict'; function eval() {}", "'use strict'; 019"];
    for source in refused {
        assert!(prepare(source).is_err(), "{source}");
    }
    for source in ["let a = 1; let a = 2", "const { a, b: a } = c", "class C {} class C {}"] {
        assert!(prepare(source).is_ok(), "{source}");
    }
}
