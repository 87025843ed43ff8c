//! Children that are not what they should be: whatever they write, the host lives and says what happened.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use groupmate::call::Fault;
use groupmate::sandbox::{Pool, SandboxError, Settings};

use super::{Desk, script};

/// Says that it is ready, as a child does.
const READY: &str = r#"printf '\043\000\000\000{"Ready":{"holds":[],"missing":[]}}'"#;

/// A program that stands in for a child.
fn impostor(folder: &tempfile::TempDir, lines: &str) -> PathBuf {
    let path = folder.path().join("impostor");
    let mut file = std::fs::File::create(&path).unwrap();
    write!(file, "#!/bin/sh\n{lines}\n").unwrap();
    file.set_permissions(std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

async fn start(lines: &str) -> Result<Pool, SandboxError> {
    let folder = tempfile::tempdir().unwrap();
    let exe = impostor(&folder, lines);
    let pool = Pool::start(Settings { exe, memory: 128 << 20, weak: true, spares: 1 }).await;
    // The program is open in whatever runs it; the pool makes no second one before the first is taken.
    drop(folder);
    pool
}

#[tokio::test]
async fn a_child_that_never_was_one_is_an_error() {
    let rows = [
        "exit 0",
        "exit 3",
        "echo hello",
        r"printf '\377\377\377\377'",
        r"printf '\001\000\000\000x'",
        "cat /dev/zero",
        "kill -9 $$",
        r#"printf '\016\000\000\000{"Loaded":null}'"#,
    ];
    for lines in rows {
        let began = Instant::now();
        assert!(matches!(start(lines).await, Err(SandboxError::Broken(_) | SandboxError::Spawn(_))), "{lines}");
        assert!(began.elapsed() < Duration::from_secs(10), "{lines}");
    }
}

#[tokio::test]
async fn a_child_that_turns_on_its_host_is_a_report() {
    let called = r#"printf '\060\000\000\000{"Called":{"id":1,"path":"echo.args","args":[5]}}'"#;
    let rows = [
        ("exit 0".to_owned(), "crashed"),
        (r"printf '\377\377\377\377'; sleep 9".to_owned(), "nonsense"),
        (r"printf '\005\000\000\000hello'; sleep 9".to_owned(), "nonsense"),
        (format!("{READY}; sleep 9"), "nonsense"),
        ("cat /dev/urandom".to_owned(), ""),
        (format!("while :; do {called}; done"), ""),
        ("sleep 9".to_owned(), "was stopped"),
    ];
    for (then, part) in rows {
        let pool = start(&format!("{READY}\n{then}")).await.unwrap();
        let mut child = pool.take().await.unwrap();
        let mut harmless = script(1, "1");
        harmless.deadline = groupmate::time::Span(2_000);
        let began = Instant::now();
        let report = child.run(harmless, &Desk).await;
        let error = report.error.unwrap();
        assert!(began.elapsed() < Duration::from_secs(5), "{then}: {:?}", began.elapsed());
        assert!(report.variables_gone && matches!(error.kind, Fault::Crashed | Fault::TimedOut), "{then}: {error:?}");
        assert!(error.message.contains(part), "{then}: {error:?}");
    }
}
