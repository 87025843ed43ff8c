//! Tables of small programs and what Node makes of them (`.ci/tables.js` writes them), run in a child. What is not here
//! may throw, never answer otherwise.

use std::collections::BTreeMap;
use std::path::Path;

use groupmate::sandbox::Child;
use groupmate::time::Span;

use super::{Desk, pool, script};

/// Rows of one script: a child's deadline is for all of them.
const AT_ONCE: usize = 40;

/// A function `run(code)` as the table's maker has it, but that a thrown error is told with its message.
const RUN: &str = r"const run = async row => { try { const at = row.lastIndexOf('\n'), cut = at >= 0 ? at + 1 : row.startsWith('const ') ? row.lastIndexOf('; ') + 2 : 0;
  return String(await new Function(row.slice(0, cut) + 'return (' + row.slice(cut) + ')')()); } catch (e) { return '!' + e.name + ': ' + e.message; } };";

/// Runs a table; returns how many of its rows were refused in words.
async fn refused(name: &str) -> (usize, usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sandbox/tables").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let mut by_zone: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut cells = line.split('\t');
        let zone = cells.next().unwrap();
        let mut cell = || serde_json::from_str::<String>(cells.next().unwrap()).unwrap();
        by_zone.entry(zone).or_default().push((cell(), cell()));
    }
    let (mut rows, mut refused, mut wrong) = (0, 0, Vec::new());
    for (zone, all) in by_zone {
        let mut child: Child = pool().await.take().await.unwrap();
        for (number, chunk) in all.chunks(AT_ONCE).enumerate() {
            let codes: Vec<&String> = chunk.iter().map(|row| &row.0).collect();
            let source = format!(
                "{RUN}\nconst out = []; for (const row of {}) out.push(await run(row)); JSON.stringify(out)",
                serde_json::to_string(&codes).unwrap()
            );
            let mut script = script(u32::try_from(number).unwrap() + 1, &source);
            zone.clone_into(&mut script.zone);
            script.output_limit = 1 << 20;
            script.deadline = Span::secs(60);
            let report = child.run(script, &Desk).await;
            assert_eq!(report.error, None, "{name}, {zone}, rows from {}", number * AT_ONCE);
            let given: Vec<String> = serde_json::from_str(&report.value.unwrap()).unwrap();
            for ((code, expected), given) in chunk.iter().zip(given) {
                rows += 1;
                let is_same = match given.strip_prefix('!') {
                    None => given == *expected,
                    Some(error) if expected.starts_with('!') => error.split(':').next() == expected.get(1..),
                    Some(error) => {
                        refused += 1;
                        error.starts_with("RangeError: ")
                    }
                };
                if !is_same {
                    wrong.push(format!("{zone}: {code}\n     gave {given}\n   wanted {expected}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {rows} rows of {name}:\n{}", wrong.len(), wrong.join("\n"));
    eprintln!("{name}: {rows} rows, {refused} refused in words");
    (rows, refused)
}

#[tokio::test]
async fn what_a_locale_asks_for_is_given_as_node_gives_it_or_refused_in_words() {
    assert_eq!(refused("locales.tsv").await, (726, 63));
}

#[tokio::test]
async fn dates_are_read_and_changed_in_the_rooms_zone() {
    assert_eq!(refused("dates.tsv").await, (279, 0));
}

#[tokio::test]
async fn globals_do_what_they_do_in_node() {
    assert_eq!(refused("globals.tsv").await, (177, 0));
}

#[tokio::test]
async fn the_console_prints_what_nodes_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sandbox/tables/console.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let mut child: Child = pool().await.take().await.unwrap();
    let mut wrong = Vec::new();
    for (number, line) in (1..).zip(text.lines().filter(|line| !line.starts_with('#'))) {
        let (code, expected) = line.split_once('\t').unwrap();
        let [code, expected] = [code, expected].map(|cell| serde_json::from_str::<String>(cell).unwrap());
        let report = child.run(script(number, &code), &Desk).await;
        if report.error.is_some() || report.output != expected {
            wrong.push(format!("{code}\n{}\nwanted\n{expected}{:?}", report.output, report.error));
        }
        // Counts and groups of one row are not those of the next.
        child = pool().await.take().await.unwrap();
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
