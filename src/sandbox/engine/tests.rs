//! The whole wrapper beside the bare engine: what runs alone runs here too.
#![allow(clippy::print_stderr, reason = "a test says loudly what it had to leave out, and prints its counts")]

use std::io::{BufReader, empty};
use std::path::Path;

use boa_engine::{Context, Source};

use super::Engine;
use crate::sandbox::Script;
use crate::time::{Span, Timestamp};

/// Rounds of a loop: some programs have no end.
const ROUNDS: u64 = 200;
/// One program of so many is run: a few hundred.
const ONE_IN: usize = 3;

fn bare(source: &str) -> Result<(), String> {
    let context = &mut Context::default();
    context.runtime_limits_mut().set_loop_iteration_limit(ROUNDS);
    match context.eval(Source::from_bytes(source)) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

fn wrapped(source: &str) -> Result<(), String> {
    let mut engine = Engine::new().unwrap();
    engine.context.runtime_limits_mut().set_loop_iteration_limit(ROUNDS);
    let script = Script {
        number: 1,
        source: source.to_owned(),
        skills: Vec::new(),
        ctx: serde_json::Value::Null,
        now: Timestamp(0),
        seed: 1,
        zone: "UTC".to_owned(),
        deadline: Span::secs(5),
        output_limit: 4096,
    };
    let ended = engine.run(script, &mut BufReader::new(empty()));
    ended.error.map_or(Ok(()), |error| Err(format!("{}: {}", error.name, error.message)))
}

fn compare() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/conformance/test262-parser-tests/pass");
    if !folder.is_dir() {
        eprintln!("LEFT OUT: test262-parser-tests is not in target/conformance (`.ci/conformance` fetches it)");
        return;
    }
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with(".module.js"))
        .collect();
    names.sort();
    let (mut ran, mut same, mut odd) = (0, 0, Vec::new());
    for name in names.into_iter().step_by(ONE_IN) {
        let source = std::fs::read_to_string(folder.join(&name)).unwrap();
        let kind = |outcome: &Result<(), String>| {
            outcome.clone().err().map(|e| e.split(':').next().unwrap_or_default().to_owned())
        };
        let alone = bare(&source);
        if alone.as_ref().is_err_and(|error| error.contains("loop iteration") || error.starts_with("RuntimeLimit")) {
            continue;
        }
        ran += 1;
        let here = wrapped(&source);
        if kind(&alone) == kind(&here) {
            same += 1;
        } else if alone.is_ok() {
            odd.push(format!("{name} {source:?}: alone {alone:?}, here {here:?}"));
        }
    }
    eprintln!("through the wrapper: {ran} programs, {same} end as in the bare engine");
    assert!(odd.is_empty() && ran > 500, "{}:\n{}", odd.len(), odd.join("\n"));
}

#[test]
fn what_runs_in_the_bare_engine_runs_in_the_wrapper() {
    std::thread::Builder::new().stack_size(crate::sandbox::limits::STACK).spawn(compare).unwrap().join().unwrap();
}
