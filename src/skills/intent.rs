//! Which methods a script meant, read from its syntax tree, or from its tokens where it has none.

pub(crate) mod scan;
mod tree;

use std::collections::HashMap;

use scan::{Depth, Scan, Token};

/// Brackets open at once beyond which nothing is parsed: the parser recurses, and so do those who walk its tree.
/// Scripts that people write stay below 20.
pub const MAX_NESTING: usize = 64;
/// Tokens in a row without a separator beyond which nothing is parsed, since operators and members nest as well.
const MAX_RUN: usize = 1000;
/// `else`s beyond which nothing is parsed.
const MAX_ELSES: usize = 100;
/// Bytes beyond which nothing is parsed.
const MAX_SOURCE: usize = 4 * 1024 * 1024;

/// How deep brackets are nested, by a token scan that itself does not recurse.
pub fn nesting(source: &str) -> usize {
    Depth::of(source).brackets
}

/// Whether a parser's stack can bear this source.
pub fn is_parseable(source: &str) -> bool {
    let depth = Depth::of(source);
    source.len() <= MAX_SOURCE && depth.brackets <= MAX_NESTING && depth.run <= MAX_RUN && depth.elses <= MAX_ELSES
}

/// The member paths that the scripts use of these globals, the last script's first, each once. Names that an earlier
/// script of the turn gave are known in the later ones.
pub fn member_paths(scripts: &[&str], globals: &[String]) -> Vec<String> {
    let mut known: HashMap<String, Option<String>> =
        globals.iter().map(|name| (name.clone(), Some(name.clone()))).collect();
    let mut of_each: Vec<Vec<String>> = Vec::new();
    for source in scripts {
        let parsed = if is_parseable(source) { tree::paths(source, &mut known) } else { None };
        of_each.push(parsed.unwrap_or_else(|| from_tokens(source, &known)));
    }
    let mut paths: Vec<String> = Vec::new();
    for path in of_each.into_iter().rev().flatten() {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// `a.b.c` and `a["b"]` in a source that no parser takes, where `a` is a known name.
fn from_tokens(source: &str, known: &HashMap<String, Option<String>>) -> Vec<String> {
    let tokens: Vec<Token<'_>> = Scan::of(source).map(|(_, token)| token).collect();
    let mut found: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_member = at > 0 && matches!(tokens.get(at - 1), Some(Token::Mark('.')));
        at += 1;
        let Token::Word(name) = token else { continue };
        let Some(Some(meaning)) = known.get(*name).filter(|_| !is_member) else { continue };
        let mut path = meaning.clone();
        loop {
            let step = tokens.get(at..).unwrap_or_default();
            let (member, length) = match step {
                [Token::Mark('.'), Token::Word(member), ..] => (*member, 2),
                [Token::Optional, Token::Mark('.'), Token::Word(member), ..] => (*member, 3),
                [Token::Mark('['), Token::Text(member), Token::Mark(']'), ..] => (*member, 3),
                _ => break,
            };
            at += length;
            if !matches!(member, "call" | "apply" | "bind") {
                path = format!("{path}.{member}");
            }
        }
        if path.contains('.') && !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(script: &str) -> Vec<String> {
        member_paths(&[script], &["tavily".to_owned(), "github".to_owned(), "memory".to_owned()])
    }

    #[test]
    fn paths_are_found_through_every_form() {
        let rows: [(&str, &[&str]); 34] = [
            ("await tavily.search('x')", &["tavily.search"]),
            ("tavily\n  .search('x')", &["tavily.search"]),
            ("tavily?.search?.('x')", &["tavily.search"]),
            ("tavily['search']('x')", &["tavily.search"]),
            ("tavily[`search`]('x')", &["tavily.search"]),
            ("(tavily).search('x')", &["tavily.search"]),
            ("(0, tavily.search)('x')", &["tavily.search"]),
            ("const t = tavily; t.search('x')", &["tavily.search"]),
            ("let t; t = tavily; t.search('x')", &["tavily.search"]),
            ("const { search } = tavily; search('x')", &["tavily.search"]),
            ("const { search: s = 5 } = tavily; s('x')", &["tavily.search"]),
            ("const { issues: { create } } = github; create()", &["github.issues", "github.issues.create"]),
            ("let search; ({ search } = tavily); search('x')", &["tavily.search"]),
            ("let s; ({ search: s } = tavily); s('x')", &["tavily.search"]),
            ("const f = tavily.search; f('x')", &["tavily.search"]),
            ("const f = tavily.search.bind(tavily); f('x')", &["tavily.search"]),
            ("tavily.search.call(null, 'x')", &["tavily.search"]),
            ("tavily.search.apply(null, ['x'])", &["tavily.search"]),
            ("github.issues.create({})", &["github.issues.create"]),
            ("const g = github.issues; g.create({})", &["github.issues", "github.issues.create"]),
            ("['a'].map(tavily.search)", &["tavily.search"]),
            ("tavily.search`x`", &["tavily.search"]),
            ("async function f() { return tavily.search('x') } f()", &["tavily.search"]),
            ("const f = async () => await tavily.search('x')", &["tavily.search"]),
            ("try { tavily.search('x') } catch (e) { memory.recall(e) }", &["tavily.search", "memory.recall"]),
            ("const x = a ? tavily.search : tavily.extract; x()", &["tavily.search", "tavily.extract"]),
            ("await Promise.all([tavily.search('a'), memory.recall('b')])", &["tavily.search", "memory.recall"]),
            ("`${await tavily.search('x')}`", &["tavily.search"]),
            ("// tavily.search()\n'tavily.search'; `tavily.search`; /tavily.search/", &[]),
            ("function f(tavily) { return tavily.search('x') }", &[]),
            ("const f = ({ tavily }) => tavily.search('x')", &[]),
            ("{ const tavily = {}; tavily.search('x') }", &[]),
            ("x.tavily.search('x')", &[]),
            ("const r: Result = await tavily.search('x') as Result", &["tavily.search"]),
        ];
        for (script, expected) in rows {
            assert_eq!(of(script), expected, "{script}");
        }
    }

    #[test]
    fn a_script_that_does_not_parse_is_scanned() {
        assert_eq!(of("await tavily.search({ query: 'x' )"), ["tavily.search"]);
        assert_eq!(of("const = tavily?.['search'](; // memory.recall"), ["tavily.search"]);
    }

    #[test]
    fn names_of_earlier_scripts_are_known_in_later_ones() {
        let globals = ["tavily".to_owned()];
        assert_eq!(
            member_paths(&["const s = tavily.search", "s('x'); tavily.extract()"], &globals),
            ["tavily.search", "tavily.extract"]
        );
    }

    proptest::proptest! {
        #[test]
        fn nothing_panics(source in "(tavily|\\.|search|\\(|\\)|\\{|\\}|\\[|\\]|'|`|\\$\\{|=|=>|const |\n|/|\\?\\.|[a-z好]){0,60}") {
            of(&source);
        }
    }
}
