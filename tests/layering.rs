//! The architecture as a test: floors, the order within them, fences around foreign crates, and sizes.
//!
//! The floors are read from `src/lib.rs`, so that the map and the check cannot differ. Test code is exempt.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A foreign name and where it may be used: modules, or single files as `module/file`.
const FENCES: &[(&str, &[&str])] = &[
    ("teloxide", &["telegram"]),
    ("teloxide_core", &["telegram"]),
    ("boa_engine", &["sandbox"]),
    ("boa_gc", &["sandbox"]),
    ("boa_runtime", &["sandbox"]),
    ("landlock", &["sandbox"]),
    ("seccompiler", &["sandbox"]),
    ("oxc_allocator", &["skills", "sandbox"]),
    ("oxc_ast", &["skills", "sandbox"]),
    ("oxc_ast_visit", &["skills", "sandbox"]),
    ("oxc_codegen", &["skills", "sandbox"]),
    ("oxc_parser", &["skills", "sandbox"]),
    ("oxc_semantic", &["skills", "sandbox"]),
    ("oxc_span", &["skills", "sandbox"]),
    ("oxc_syntax", &["skills", "sandbox"]),
    ("oxc_transformer", &["skills", "sandbox"]),
    ("saphyr_parser", &["skills"]),
    ("sled", &["store"]),
    ("reqwest", &["llm", "telegram", "calls"]),
    ("axum", &["playground"]),
    ("fastrand", &["clock"]),
    ("SystemTime", &["clock"]),
    ("clap", &["cli"]),
    ("anyhow", &["cli"]),
];

/// Crates of input and output, which the pure floors must not know.
const IMPURE: &[&str] = &["tokio", "futures_util", "tracing_subscriber", "rustix"];
/// The floors without input and output.
const PURE: usize = 1;
/// A file longer than this (tests aside) says why in its head, after these words.
const LONG: usize = 400;
const LONG_REASON: &str = "//! Long because";
/// Most files are shorter than this.
const USUAL: usize = 300;

#[derive(Clone, Debug, PartialEq)]
struct Token {
    text: String,
    line: usize,
}

/// Names, and single characters of punctuation; comments, texts and characters left out.
fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let (mut out, mut i, mut line) = (Vec::new(), 0, 1);
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    while i < chars.len() {
        let start = i;
        match chars[i] {
            '/' if at(i + 1) == '/' => {
                while i < chars.len() && chars[i] != '\n' {
                    i += 1;
                }
            }
            '/' if at(i + 1) == '*' => {
                let mut depth = 0;
                loop {
                    match (at(i), at(i + 1)) {
                        ('/', '*') => (depth, i) = (depth + 1, i + 2),
                        ('*', '/') => (depth, i) = (depth - 1, i + 2),
                        _ => i += 1,
                    }
                    if depth == 0 || i >= chars.len() {
                        break;
                    }
                }
            }
            '"' => i = end_of_text(&chars, i + 1),
            '\'' if at(i + 1) == '\\' || at(i + 2) == '\'' => {
                i += if at(i + 1) == '\\' { 3 } else { 2 };
                while i < chars.len() && chars[i] != '\'' {
                    i += 1;
                }
                i += 1;
            }
            c if c.is_alphabetic() || c == '_' => {
                while at(i).is_alphanumeric() || at(i) == '_' {
                    i += 1;
                }
                let word: String = chars[start..i].iter().collect();
                let hashes = chars[i.min(chars.len())..].iter().take_while(|c| **c == '#').count();
                if matches!(word.as_str(), "r" | "br" | "cr") && at(i + hashes) == '"' {
                    let close: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
                    i += hashes + 1;
                    while i < chars.len() && !chars[i..].starts_with(&close) {
                        i += 1;
                    }
                    i += close.len();
                } else {
                    out.push(Token { text: word, line });
                }
            }
            c => {
                i += 1;
                if !c.is_whitespace() {
                    out.push(Token { text: c.to_string(), line });
                }
            }
        }
        line += chars[start..i.min(chars.len())].iter().filter(|c| **c == '\n').count();
    }
    out
}

fn end_of_text(chars: &[char], mut i: usize) -> usize {
    while i < chars.len() && chars[i] != '"' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

fn starts(tokens: &[Token], pattern: &[&str]) -> bool {
    tokens.len() >= pattern.len() && tokens.iter().zip(pattern).all(|(token, wanted)| token.text == *wanted)
}

/// Leaves out every item that stands under `#[cfg(test)]`.
fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let (mut out, mut i) = (Vec::new(), 0);
    while i < tokens.len() {
        if starts(&tokens[i..], &["#", "[", "cfg", "(", "test", ")", "]"]) {
            let mut depth = 0;
            while i < tokens.len() {
                let text = tokens[i].text.as_str();
                depth += match text {
                    "{" | "(" | "[" => 1,
                    "}" | ")" | "]" => -1,
                    _ => 0,
                };
                i += 1;
                if depth == 0 && (text == "}" || text == ";") {
                    break;
                }
            }
        } else {
            out.push(tokens[i].clone());
            i += 1;
        }
    }
    out
}

/// The first names after `prefix::`, also those of a group: `crate::{a::b, c}` gives `a` and `c`.
fn heads(tokens: &[Token]) -> Vec<&Token> {
    match tokens.first() {
        Some(first) if first.text != "{" => vec![first],
        Some(_) => {
            let (mut depth, mut is_head, mut out) = (0, false, Vec::new());
            for token in tokens {
                match token.text.as_str() {
                    "{" => (depth, is_head) = (depth + 1, depth == 0),
                    "}" => depth -= 1,
                    "," => is_head = depth == 1,
                    _ if is_head => {
                        out.push(token);
                        is_head = false;
                    }
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
            out
        }
        None => vec![],
    }
}

/// The top-level modules that a file names, by `crate::…` or by climbing with `super::`.
fn uses(tokens: &[Token], depth: usize) -> Vec<&Token> {
    let mut out = Vec::new();
    for i in 0..tokens.len() {
        let is_inside_a_path = i > 1 && tokens[i - 1].text == ":" && tokens[i - 2].text == ":";
        if is_inside_a_path {
            continue;
        }
        if starts(&tokens[i..], &["crate", ":", ":"]) {
            out.extend(heads(&tokens[i + 3..]));
        }
        let (mut climbed, mut j) = (0, i);
        while starts(&tokens[j..], &["super", ":", ":"]) {
            (climbed, j) = (climbed + 1, j + 3);
        }
        if climbed > 0 && climbed >= depth {
            out.extend(heads(&tokens[j..]));
        }
    }
    out
}

/// Every module of `lib.rs` with its floor and its place in reading order.
fn map(lib: &str) -> BTreeMap<String, (usize, usize)> {
    let (mut floor, mut map) = (None, BTreeMap::new());
    for line in lib.lines() {
        if let Some(rest) = line.strip_prefix("// floor ") {
            floor = rest.split_whitespace().next().and_then(|n| n.parse::<usize>().ok());
        } else if let Some(name) = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';')) {
            let floor = floor.unwrap_or_else(|| panic!("src/lib.rs: `{name}` stands on no floor"));
            map.insert(name.to_owned(), (floor, map.len()));
        }
    }
    map
}

/// What is wrong with one file. `path` is seen from `src/`.
fn check(path: &str, source: &str, map: &BTreeMap<String, (usize, usize)>) -> Vec<String> {
    let mut wrong = Vec::new();
    let steps: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    let (own, depth) = (steps[0], steps.len());
    if !source.starts_with("//!") {
        wrong.push(format!("src/{path}:1: begins without saying what it is for (`//!`)"));
    }
    if depth > 1 && steps[depth - 1] == "mod" {
        wrong.push(format!("src/{path}:1: `foo.rs` stands beside `foo/`; there is no mod.rs"));
    }
    let lines = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default().lines().count();
    if lines > LONG && !source.contains(LONG_REASON) {
        wrong.push(format!("src/{path}:1: {lines} lines; over {LONG} needs a reason (`{LONG_REASON} …`)"));
    }
    let tokens = without_tests(&tokens(source));
    let is_edge = matches!(own, "main" | "lib");
    let place = map.get(own);
    if place.is_none() && !is_edge {
        wrong.push(format!("src/{path}:1: `{own}` is not in src/lib.rs"));
    }
    if let Some((floor, rank)) = place {
        for used in uses(&tokens, depth) {
            match map.get(&used.text) {
                Some((other, other_rank)) if *other > *floor || (other == floor && other_rank > rank) => wrong.push(format!(
                    "src/{path}:{}: `{own}` (floor {floor}) uses `{}` (floor {other}), which stands above it in the house",
                    used.line, used.text
                )),
                Some(_) | None => {}
            }
        }
        if *floor <= PURE {
            for token in tokens.iter().filter(|token| IMPURE.contains(&token.text.as_str())) {
                wrong.push(format!("src/{path}:{}: `{}` on floor {floor}, which is pure", token.line, token.text));
            }
        }
    }
    for (name, homes) in FENCES {
        if homes.contains(&own) || (own == "main" && homes.contains(&"cli")) {
            continue;
        }
        for (i, token) in tokens.iter().enumerate().filter(|(_, token)| token.text == *name) {
            // `store::sled` or a field called so is not the crate.
            let is_ours = i > 0 && tokens[i - 1].text == "." || starts(&tokens[i + 1..], &["."]);
            if !is_ours {
                wrong.push(format!("src/{path}:{}: `{name}` belongs to {} only", token.line, homes.join(", ")));
            }
        }
    }
    for i in 0..tokens.len() {
        let rest = &tokens[i..];
        if starts(rest, &["std", ":", ":", "env"]) && own != "config" {
            // Finding our own binary and its arguments tells nothing of the machine; the demo's folder is gone afterwards.
            let mut harmless = vec!["current_exe", "args", "args_os", "consts"];
            if own == "cli" {
                harmless.push("temp_dir");
            }
            if !harmless.iter().any(|name| starts(&rest[4..], &[":", ":", name])) {
                wrong.push(format!("src/{path}:{}: only config reads the environment", rest[0].line));
            }
        }
        if starts(rest, &["std", ":", ":", "time", ":", ":"]) && own != "clock" {
            for used in all_of(&rest[6..]).filter(|used| used.text == "Instant") {
                wrong.push(format!("src/{path}:{}: only clock reads the time", used.line));
            }
        }
    }
    wrong
}

/// The names of a group, or the one name.
fn all_of(tokens: &[Token]) -> impl Iterator<Item = &Token> {
    let is_group = tokens.first().is_some_and(|token| token.text == "{");
    let end = if is_group { tokens.iter().position(|token| token.text == "}").unwrap_or(tokens.len()) } else { 1 };
    tokens[..end.min(tokens.len())].iter()
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

#[test]
fn every_file_keeps_to_its_floor_its_fences_and_its_size() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let map = map(&fs::read_to_string(src.join("lib.rs")).unwrap());
    assert!(map.len() > 15, "the floors of src/lib.rs were not understood: {map:?}");
    let mut files = Vec::new();
    sources(&src, &mut files);
    files.sort();
    let (mut wrong, mut long, mut count) = (Vec::new(), 0, 0);
    for file in &files {
        let path = file.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
        let source = fs::read_to_string(file).unwrap();
        if path.ends_with("/tests.rs") || path.contains("/tests/") {
            continue;
        }
        wrong.extend(check(&path, &source, &map));
        let lines = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default().lines().count();
        (count, long) = (count + 1, long + usize::from(lines > USUAL));
    }
    if long * 5 > count {
        wrong.push(format!("{long} of {count} files are over {USUAL} lines; most should be shorter"));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn main_is_short() {
    let main = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs")).unwrap();
    assert!(main.lines().count() < 40, "src/main.rs parses, runs and exits; the rest belongs to cli");
}

#[test]
fn the_rules_find_what_they_forbid_and_nothing_else() {
    let map =
        map("// floor 0 · data\npub mod time;\npub mod chat;\n// floor 1 · x\npub mod attention;\npub mod memory;\n\
                   // floor 2 · y\npub mod clock;\npub mod config;\npub mod store;\n// floor 3\npub mod cli;\n");
    let rows = [
        ("attention.rs", "use crate::chat::ids;", None),
        ("attention.rs", "use crate::store::Store;", Some("`attention` (floor 1) uses `store`")),
        ("attention.rs", "use crate::memory::Fact;", Some("`attention` (floor 1) uses `memory`")),
        ("memory.rs", "use crate::attention::Mark;", None),
        ("attention/gate.rs", "use crate::{time::Span, store::{Store, Row}};", Some("uses `store`")),
        ("attention/gate.rs", "use super::store;", None),
        ("attention/gate.rs", "fn f() { super::super::store::open() }", Some("uses `store`")),
        ("attention.rs", "use super::store;", Some("uses `store`")),
        ("attention.rs", "// crate::store\n/* crate::store /* */ */ const S: &str = \"crate::store\";", None),
        ("attention.rs", "const S: &str = r#\"\"crate::store\"#; const C: char = '\"'; fn f<'a>(x: &'a str) {}", None),
        ("attention.rs", "const C: char = '\\''; use crate::store;", Some(":2: `attention`")),
        ("attention.rs", "#[cfg(test)]\nmod tests { use crate::store; }", None),
        ("attention.rs", "#[cfg(test)]\nmod tests;\nuse crate::store;", Some(":4: `attention`")),
        ("attention.rs", "use tokio::sync;", Some("`tokio` on floor 1")),
        ("store.rs", "use tokio::sync; use sled::Db;", None),
        ("memory.rs", "let db = sled::open(p);", Some("`sled` belongs to store only")),
        ("memory.rs", "self.sled.get(1)", None),
        ("store.rs", "std::env::var(\"X\")", Some("only config reads the environment")),
        ("store.rs", "std::env::current_exe()", None),
        ("store.rs", "std::env::temp_dir()", Some("only config reads the environment")),
        ("cli/demo.rs", "std::env::temp_dir()", None),
        ("config.rs", "std::env::var(\"X\")", None),
        ("store.rs", "use std::time::{Duration, Instant};", Some("only clock reads the time")),
        ("store.rs", "use std::time::Duration; use tokio::time::Instant;", None),
        ("clock.rs", "use std::time::{Instant, SystemTime};", None),
        ("store.rs", "use std::time::SystemTime;", Some("`SystemTime` belongs to clock only")),
        ("elsewhere.rs", "", Some("`elsewhere` is not in src/lib.rs")),
        ("store/mod.rs", "", Some("there is no mod.rs")),
        ("main.rs", "use groupmate::cli;", None),
    ];
    for (path, code, expected) in rows {
        let wrong = check(path, &format!("//! Doc.\n{code}\n"), &map);
        match expected {
            Some(expected) => {
                assert!(
                    wrong.len() == 1 && wrong[0].contains(expected),
                    "{path}: {code}\n{wrong:?}\nwanted {expected}"
                );
            }
            None => assert!(wrong.is_empty(), "{path}: {code}\n{wrong:?}"),
        }
    }
    let long = |head: &str| check("store.rs", &format!("{head}\n{}", "fn f() {}\n".repeat(LONG)), &map);
    assert!(long("//! Doc.")[0].contains("401 lines"));
    assert!(long("//! Doc.\n//! Long because it is one table.").is_empty());
    assert!(check("store.rs", "fn f() {}", &map)[0].contains("begins without saying"));
}
