use std::path::Path;

use super::*;

fn read(text: &str) -> (Declaration, Vec<Problem>) {
    parse("x", "x", &[("x.d.ts", text)])
}

fn paths(declaration: &Declaration) -> String {
    declaration.methods.iter().map(|method| method.path.as_str()).collect::<Vec<_>>().join(" ")
}

/// Every form of declaration, with the paths that it gives.
const FORMS: &[(&str, &str)] = &[
    ("declare const x: { f(): void; g(a: string): number };", "x.f x.g"),
    ("export declare const x: { f(): void };", "x.f"),
    ("export const x: { f: () => void };", "x.f"),
    ("declare let x: { f: ((a: number) => void) | undefined };", "x.f"),
    ("declare const x: { a: { b: { c(): void }; d(): void } };", "x.a.b.c x.a.d"),
    ("declare const x: { readonly version: string; f(): void };", "x.version x.f"),
    ("declare const x: { data: { size: number }; f(): void };", "x.data x.f"),
    ("declare const x: { 'f-g'(): void; 'h': () => void; [Symbol.iterator](): void };", "x.f-g x.h"),
    ("declare const x: { get size(): number; set size(v: number); f?(): void };", "x.size x.f"),
    ("declare const x: { [key: string]: unknown; f(): void };", "x.f"),
    ("declare const x: { (a: string): void; f(): void };", "x x.f"),
    ("declare function x(a: string): void; declare namespace x { function f(): void; }", "x x.f"),
    (
        "declare namespace x { function f(): void; namespace y { function g(): void; const h: () => void; } }",
        "x.f x.y.g x.y.h",
    ),
    ("declare namespace x.y { function f(): void; } declare namespace x { function g(): void; }", "x.y.f x.g"),
    ("declare module x { function f(): void; }", "x.f"),
    ("declare module 'x' { const x: { f(): void }; export default x; }", "x.f"),
    (
        "declare module 'x' { function f(): void; const g: () => void; namespace h { function i(): void } }",
        "x.f x.g x.h.i",
    ),
    ("declare module 'x' { function f(): void; function g(): void; export { g } }", "x.g"),
    ("declare global { const x: { f(): void } } export {};", "x.f"),
    (
        "declare const x: Api; interface Api { f(): void; issues: Issues } interface Issues { create(): void }",
        "x.f x.issues.create",
    ),
    ("declare const x: Api; interface Api { f(): void } interface Api { g(): void }", "x.f x.g"),
    ("declare const x: Api; interface Api extends Base { f(): void } interface Base { g(): void }", "x.f x.g"),
    ("declare const x: Api & { g(): void }; type Api = { f(): void };", "x.f x.g"),
    ("declare const x: Readonly<Api>; type Api = { f: Fn }; type Fn = (a: string) => void;", "x.f"),
    ("declare const x: Api<string>; interface Api<T> { f(a: T): T; g<U extends T>(a: U): Promise<U> }", "x.f x.g"),
    (
        "declare const x: Api; declare class Api { constructor(); f(): void; private g(): void; static h(): void; i: () => void }",
        "x.f x.i",
    ),
    ("declare class x { static f(): void; g(): void; static h: () => void }", "x.f x.h"),
    ("declare const x: Api; declare class Base { g(): void } declare class Api extends Base { f(): void }", "x.f x.g"),
    ("declare const x: typeof y; declare const y: { f(): void };", "x.f"),
    ("declare const x: ns.Api; declare namespace ns { interface Api { f(): Other } interface Other { a: 1 } }", "x.f"),
    ("declare const x: { f(a: string): void; f(a: number): string; };", "x.f"),
    ("declare const y: { f(): void }; export default y;", "x.f"),
    ("declare const y: { f(): void }; export = y;", "x.f"),
    ("export default function y(a: string): void;", "x"),
    ("declare const y: { f(): void }; export { y as x };", "x.f"),
    ("export function f(): void; export declare const g: () => void; export interface T { a: 1 }", "x.f x.g"),
    (
        "declare const x: { self: Loop; f(): void }; interface Loop { next: Loop; go(): void }",
        "x.self.next x.self.go x.f",
    ),
    ("type A = B; type B = A; declare const x: A;", ""),
    (
        "declare const x: { m: { [K in 'a' | 'b']: K }; c: string extends 'a' ? 1 : 2; f(): import('pkg').T };",
        "x.m x.c x.f",
    ),
    ("declare const x: { f(this: Window, ...rest: any[]): asserts rest is string[]; new (a: string): Date };", "x.f x"),
    ("declare namespace x { const DAY = 86400000; const s = 'a'; function f(): void; }", "x.DAY x.s x.f"),
    // A type and its namespace of types are nothing to call; beside a value they do not add to it.
    ("export interface T { f(): void } export namespace T { type A = () => void } export function f(): T;", "x.f"),
    (
        "declare namespace x { interface x { g(): void } namespace T { interface U { h(): void } } function f(): void }",
        "x.f",
    ),
    ("declare class x { static f(): void } interface x { g(): void }", "x.f"),
    ("declare const x: { big: Big; f(): void }; interface Big { a: Big; b: { c: Big[] } }", "x.big x.f"),
    (
        "declare const x: { deep: Deep }; interface Deep { a: { b: Fns } } type Fns = { f(): void } | undefined;",
        "x.deep.a.b.f",
    ),
    ("declare enum E { A, B } declare const x: { e: E; f(e: E): void };", "x.e x.f"),
    ("", ""),
    ("/** Only a comment. */", ""),
];

#[test]
fn every_form_of_declaration_gives_its_methods() {
    let mut wrong = Vec::new();
    for (text, expected) in FORMS {
        let (declaration, problems) = read(text);
        let found = paths(&declaration);
        if found != *expected || (!expected.is_empty() && !problems.is_empty()) {
            wrong.push(format!("{text}\n  expected: {expected}\n  found:    {found}\n  {problems:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), FORMS.len(), wrong.join("\n"));
}

#[test]
fn comments_keep_their_text() {
    let text = "/**\r\n * x.d.ts — Things。\r\n */\r\ndeclare const x: {\r\n    /**\r\n     * Finds {@link Thing | a thing}, see `a*b`。\r\n     * More.\r\n     *\r\n     * @param {string} q - the query\r\n     * @param [n=3] how many\r\n     * @returns {Promise<Thing>} it\r\n     * @throws Error if not\r\n     * @effect read\r\n     * @risk ask\r\n     * @deprecated use g\r\n     * @example Two of them\r\n     * @Decorator()\r\n     * await x.f(\"<star><star>/a\"); // *<star>/\r\n     * @example\r\n     * ```ts\r\n     * x.f({\r\n     *     q: 1,\r\n     * });\r\n     * ```\r\n     */\r\n    f(q: string, n?: number): Promise<Thing>;\r\n};\r\n/** One. */\r\ninterface Thing { a: Other }\r\ntype Other = Thing[];\r\n";
    let (declaration, problems) = read(text);
    assert_eq!(problems, Vec::new());
    assert_eq!(declaration.summary, "Things。");
    let doc = &declaration.method("x.f").unwrap().doc;
    assert_eq!(doc.line(), "Finds a thing, see `a*b`。 More.");
    assert_eq!(doc.params, [("q".to_owned(), "the query".to_owned()), ("n".to_owned(), "how many".to_owned())]);
    assert_eq!(doc.returns.as_deref(), Some("it"));
    assert_eq!((doc.effect, doc.risk), (Some(Effect::Read), Some(Risk::Ask)));
    assert_eq!(doc.deprecated.as_deref(), Some("use g"));
    assert_eq!(doc.examples[0].title, "Two of them");
    assert_eq!(doc.examples[0].code, "@Decorator()\nawait x.f(\"**/a\"); // **/");
    assert_eq!(doc.examples[1].code, "x.f({\n    q: 1,\n});");
    let method = declaration.method("x.f").unwrap();
    assert_eq!(method.signatures, ["f(q: string, n?: number): Promise<Thing>"]);
    assert_eq!(method.types, ["Thing"]);
    assert_eq!(method.place, "x.d.ts:26:5");
    assert_eq!(declaration.types["Thing"].text, "/** One. */\ninterface Thing { a: Other }");
    assert_eq!(declaration.types["Other"].types, ["Thing"]);
}

#[test]
fn overloads_share_one_entry() {
    let (declaration, _) = read(
        "declare const x: { /** First. @risk safe */ f(a: string): void; /** Second.\n * @risk deny */ f(a: number): void };",
    );
    let method = declaration.method("x.f").unwrap();
    assert_eq!(method.signatures, ["f(a: string): void", "f(a: number): void"]);
    assert!(method.doc.text.starts_with("First."));
    assert_eq!(method.doc.risk, Some(Risk::Deny));
}

#[test]
fn every_overload_says_what_it_says() {
    let text = "declare const x: { /** First. */ f(a: string): void; /** Second. */ f(a: number): void; /** First. */ f(): void };";
    let doc = &read(text).0.methods[0].doc;
    assert_eq!((doc.text.as_str(), doc.others.as_slice()), ("First.", &["Second.".to_owned()][..]));
}

#[test]
fn groups_and_names_of_other_names_have_their_own_text() {
    let text = "declare function y(): void;\n/** All of it. */\ndeclare namespace x {\n/** Work with issues. */\nnamespace issues { function create(): void; }\n/** Lists. */ const lists: { /** All. */ all(): void };\nexport { /** The other one. */ y as z };\n/** Types. */ namespace t { type A = 1 } }";
    let (declaration, problems) = read(text);
    assert_eq!((paths(&declaration).as_str(), problems), ("x.issues.create x.lists.all x.z", Vec::new()));
    assert_eq!(declaration.groups["x.issues"], "Work with issues.");
    assert_eq!(declaration.groups["x.lists"], "Lists.");
    assert_eq!(declaration.groups.len(), 2);
    assert_eq!(declaration.method("x.z").unwrap().doc.text, "The other one.");
}

#[test]
fn examples_stay_as_they_are() {
    let doc = |body: &str| Doc::parse(&format!("/**\n{body}\n */"));
    let example = |body: &str| doc(body).examples.remove(0);
    let found = example(" * @example \u{200b} ````A title.  In four:\n```html\n<p>\n  {@link x} *\n\n</p>\n```");
    assert_eq!((found.title.as_str(), found.code.as_str()), ("A title.  In four:", "<p>\n  {@link x} *\n\n</p>"));
    let found = example(" * @example\n * First:\n * ```ts\n * a\n * ```\n * then:\n * ```\n * b\n * ```\n * @see c");
    assert_eq!(found.code, "First:\n```ts\na\n```\nthen:\n```\nb\n```");
    assert_eq!(example(" * @example <caption>Cap</caption>\n * `a`").title, "Cap");
    let found = doc(" * @name f\n * @summary Short.\n *\n * @description\n * Long {@link y|why}.\n * @returns {X} it");
    assert_eq!((found.text.as_str(), found.returns.as_deref()), ("Short.\n\nLong why.", Some("it")));
}

/// Where each block went: nobody writes documentation to have it lost.
#[test]
fn every_block_is_accounted_for() {
    let text = "/** Head. */\n\nimport 'y';\n/** Shown. */\nexport const x: { /** Shown. */ f(): void; /** Nothing. */ };\n/** Two. */ /** Shown. */\ninterface T { /** Shown. */ a: 1 }\n/** Block. */ declare namespace n { type A = 1 }\n/** Links. */ export { y as q } from 'y';\nexport { /** Elsewhere. */ z as w };\n/** The end. */\n";
    let fates: Vec<Fate> = survey(&[("x.d.ts", text)]).into_iter().map(|block| block.fate).collect();
    use Fate::{Documents as D, Heads as H, Orphan as O, Overlooked as L};
    assert_eq!(fates, [H, D, D, O, O, D, D, H, O, L, O]);
    assert_eq!(survey(&[("x.d.ts", "/** @license MIT */\nimport 'y';")])[0].fate, Fate::Notice);
    for skill in crate::skills::bundled::bundled() {
        for (name, text) in skill.files.iter().filter(|(name, _)| name.ends_with(".d.ts")) {
            let lost: Vec<_> = survey(&[(name, text)]).into_iter().filter(|b| matches!(b.fate, L | O)).collect();
            assert_eq!(lost, Vec::new());
        }
    }
}

/// Types that mention each other in all directions, and lead to a method only far away, still end.
#[test]
fn a_web_of_types_ends() {
    let mut text = String::from("declare const x: { go: T0; f(): void };\n");
    for n in 0..40 {
        let members: Vec<String> = (0..40).map(|m| format!("m{m}: T{m}")).collect();
        text.push_str(&format!("interface T{n} {{ {}; next: Deep }}\n", members.join("; ")));
    }
    text.push_str("interface Deep { a: { b: { c: { d: { e: { f: { g: { h: T1 } } } } } } } ; (): void }");
    let (declaration, problems) = read(&text);
    assert!(declaration.methods.len() <= 5_000 && !problems.is_empty(), "{}", declaration.methods.len());
}

#[test]
fn files_of_a_skill_see_each_other() {
    let main = "import type { T } from './types'; export * from './more'; declare const x: { f(): T; g: import('./more').Fn };";
    let (declaration, problems) = parse(
        "x",
        "x",
        &[
            ("x.d.ts", main),
            ("more.d.ts", "export type Fn = () => void;"),
            ("types.d.ts", "export interface T { a: 1 }"),
        ],
    );
    assert_eq!(problems, Vec::new());
    assert_eq!(paths(&declaration), "x.f x.g");
    assert_eq!(declaration.method("x.f").unwrap().types, ["T"]);
    assert!(declaration.method("x.g").unwrap().is_callable);
}

#[test]
fn a_broken_file_gives_its_problems_and_the_rest() {
    for (text, expected, line) in [
        ("declare const x: {\n  f(): void;\n  g(a: : string): void;\n  h(): void;\n};", "x.f x.h", 3),
        ("declare const x: {\n  f(): void;\n  g(): void;\n", "x.f x.g", 4),
        ("interface {{ }\ndeclare const x: {\n  f(): void;\n};", "x.f", 1),
    ] {
        let (declaration, problems) = read(text);
        assert_eq!(paths(&declaration), expected, "{text}\n{problems:?}");
        assert!(problems.iter().any(|p| p.place.starts_with(&format!("x.d.ts:{line}:"))), "{text}\n{problems:?}");
    }
    for junk in [
        "}}}}",
        "\u{0}\u{1}",
        "declare const x",
        "<html>",
        "`${`${",
        "/** open",
        "declare const x: {".repeat(9_000).as_str(),
    ] {
        let (_, problems) = read(junk);
        assert!(!problems.is_empty(), "{junk:.40}");
    }
}

#[test]
fn no_cut_of_a_declaration_panics() {
    let long = crate::skills::bundled::bundled().into_iter().find_map(|s| s.files.get("tavily.d.ts").cloned()).unwrap();
    for (at, _) in long.char_indices().step_by(23) {
        read(&long[..at]);
        read(&long[at..]);
    }
    for (text, _) in FORMS {
        for (at, _) in text.char_indices().step_by(3) {
            read(&text[..at]);
            read(&text[at..]);
        }
    }
}

/// The published example of this kind of agent: the same methods, in the same order, with the same texts.
#[test]
#[allow(clippy::print_stderr)]
fn the_published_declaration_gives_its_brief() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/declarations");
    let (Ok(text), Ok(expected)) = (
        std::fs::read_to_string(folder.join("playwright.d.ts")),
        std::fs::read_to_string(folder.join("playwright.brief.txt")),
    ) else {
        eprintln!("LEFT OUT: {} is not here", folder.display());
        return;
    };
    let (declaration, problems) = parse("playwright", "playwright", &[("playwright.d.ts", &text)]);
    assert_eq!(problems, Vec::new());
    let found: Vec<String> = declaration
        .methods
        .iter()
        .map(|m| format!("- {}: {}", m.path.trim_start_matches("playwright."), m.doc.line()))
        .collect();
    let wanted: Vec<String> = expected.lines().filter(|line| line.starts_with("- ")).map(jsdoc::joined).collect();
    assert_eq!(found, wanted);
    // The example leaves its title out of the summary; we leave the file's name out.
    assert!(
        declaration.summary.starts_with("Playwright 浏览器自动化 Skill 通过环境变量配置"),
        "{}",
        declaration.summary
    );
    let page = declaration.method("playwright.getPage").unwrap();
    let titles: Vec<&str> = page.doc.examples.iter().map(|e| e.title.as_str()).collect();
    assert_eq!(titles, ["基础导航与截图", "表单填写与提交", "提取页面数据"]);
    assert!(page.doc.examples[1].code.contains("\"**/dashboard\""));
}

/// Blocks in a row and long unions are flat, whatever their number.
#[test]
fn large_declarations_are_read() {
    let mut text = String::from("declare const x: { f(): A0 };\n");
    for n in 0..3_000 {
        text.push_str(&format!("/** Number {n}. */\nexport interface A{n} {{\n  a: A{}\n  f(): string\n}}\n", n + 1));
    }
    text.push_str(&format!("type U = {};\n", (0..3_000).map(|n| format!("'{n}'")).collect::<Vec<_>>().join(" | ")));
    let (declaration, problems) = read(&text);
    assert_eq!(problems, Vec::new());
    assert_eq!((paths(&declaration).as_str(), declaration.types.len()), ("x.f", 3_001));
}
