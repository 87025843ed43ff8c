//! The rewrite beside `test262-parser-tests`: what is a script stays one, what is none is refused in words.
//!
//! `.ci/conformance` fetches the programs; without them the test says that it was left out.
#![allow(clippy::print_stderr, reason = "a test says loudly what it had to leave out, and prints its counts")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use boa_engine::{Context, Script, Source};

/// As large as the child's own: the engine's parser is recursive.
const STACK: usize = crate::sandbox::limits::STACK;

/// Programs the wrapper treats otherwise, each with its reason: `folder/name reason`.
const EXCEPTIONS: &str = include_str!("conformance.txt");

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/conformance/test262-parser-tests");
    folder.is_dir().then_some(folder)
}

/// The programs of one kind that are scripts, by name.
fn programs(folder: &Path, kind: &str) -> BTreeMap<String, String> {
    let mut programs = BTreeMap::new();
    for entry in std::fs::read_dir(folder.join(kind)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.ends_with(".module.js") {
            programs.insert(format!("{kind}/{name}"), std::fs::read_to_string(path).unwrap());
        }
    }
    programs
}

/// How the wrapper takes a program: `Err` carries the words its author would read.
fn taken(context: &mut Context, source: &str) -> Result<(), String> {
    let prepared = super::prepare(source).map_err(|wrong| wrong.message)?;
    let parsed = Script::parse(Source::from_bytes(&prepared.code), None, context);
    parsed.map(drop).map_err(|error| error.to_string())
}

fn compare() {
    let Some(folder) = folder() else {
        eprintln!("LEFT OUT: test262-parser-tests is not in target/conformance (`.ci/conformance` fetches it)");
        return;
    };
    let context = &mut Context::default();
    let mut odd = Vec::new();
    for (kind, is_script) in [("pass", true), ("pass-explicit", true), ("fail", false), ("early", false)] {
        let programs = programs(&folder, kind);
        let mut as_told = 0;
        for (name, source) in &programs {
            match taken(context, source) {
                Ok(()) if is_script => as_told += 1,
                Err(words) if !is_script => {
                    assert!(!words.trim().is_empty(), "{name} is refused without a word");
                    as_told += 1;
                }
                outcome => {
                    let is_bare_odd = Script::parse(Source::from_bytes(source), None, context).is_ok() != is_script;
                    let engine = if is_bare_odd { "the engine alone does so too" } else { "ours" };
                    odd.push(format!(
                        "{name} {engine}: {}",
                        outcome.err().unwrap_or_else(|| "it is let through".to_owned())
                    ));
                }
            }
        }
        eprintln!("test262-parser-tests, {kind}: {as_told} of {} as told", programs.len());
    }
    let listed: Vec<&str> = EXCEPTIONS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    let names = |lines: &[&str]| -> std::collections::BTreeSet<String> {
        lines.iter().map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect()
    };
    let odd: Vec<&str> = odd.iter().map(String::as_str).collect();
    let unlisted: Vec<&&str> = odd.iter().filter(|line| names(&[line]).is_disjoint(&names(&listed))).collect();
    assert!(unlisted.is_empty(), "not as told, and not listed:\n{unlisted:#?}");
    let stale: Vec<String> = names(&listed).difference(&names(&odd)).cloned().collect();
    assert!(stale.is_empty(), "listed, and yet as told: {stale:?}");
}

#[test]
fn the_rewrite_keeps_scripts_scripts_and_refuses_the_rest_in_words() {
    std::thread::Builder::new().stack_size(STACK).spawn(compare).unwrap().join().unwrap();
}
