//! Children that are not what they should be: whatever they write, the host lives and says what happened.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use groupmate::call::Fault;
use groupmate::sandbox::{Pool, SandboxError, Settings};

use super::{Desk, script};

/// Says that it is ready, as a child does.
pub const READY: &str = r#"printf '\043\000\000\000{"Ready":{"holds":[],"missing":[]}}'"#;

/// A program that stands in for a child.
pub fn impostor(folder: &tempfile::TempDir, lines: &str) -> PathBuf {
    let path = folder.path().join("impostor");
    let mut file = std::fs::File::create(&path).unwrap();
    write!(file, "#!/bin/sh\n{lines}\n").unwrap();
    file.set_permissions(std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A pool of impostors; they live as long as the folder.
pub async fn start(folder: &tempfile::TempDir, lines: &str) -> Result<Pool, SandboxError> {
    let exe = impostor(folder, lines);
    Pool::start(Settings { exe, memory: 128 << 20, weak: true, spares: 1 }).await
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
        r#"printf '\017\000\000\000{"Loaded":null}'"#,
    ];
    for lines in rows {
        let (folder, began) = (tempfile::tempdir().unwrap(), Instant::now());
        assert!(
            matches!(start(&folder, lines).await, Err(SandboxError::Broken(_) | SandboxError::Spawn(_))),
            "{lines}"
        );
        assert!(began.elapsed() < Duration::from_secs(10), "{lines}");
    }
}

/// What dies while it comes up is replaced within the same turn; what always dies is an error, and soon.
#[tokio::test]
async fn a_turn_does_not_see_a_child_that_died_too_soon() {
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("count");
    let lines =
        |good: usize| format!("echo >> {0}\n[ $(wc -l < {0}) = {good} ] || exit 3\n{READY}\nsleep 9", count.display());
    let exe = impostor(&folder, &format!("{READY}\nexit 0"));
    let pool = Pool::start(Settings { exe, memory: 128 << 20, weak: true, spares: 0 }).await.unwrap();
    impostor(&folder, &lines(3));
    pool.take().await.unwrap();
    std::fs::remove_file(&count).unwrap();
    impostor(&folder, &lines(99));
    assert!(matches!(pool.take().await, Err(SandboxError::Broken(_))));
    assert_eq!(std::fs::read_to_string(&count).unwrap().lines().count(), 3);
}

#[tokio::test]
async fn a_child_that_turns_on_its_host_is_a_report() {
    let called = r#"printf '\061\000\000\000{"Called":{"id":1,"path":"echo.args","args":[5]}}'"#;
    let rows = [
        ("exit 0".to_owned(), "ended before the script did"),
        (r"printf '\377\377\377\377'; sleep 9".to_owned(), "nonsense"),
        (r"printf '\005\000\000\000hello'; sleep 9".to_owned(), "nonsense"),
        (format!("{READY}; sleep 9"), "nonsense"),
        ("cat /dev/urandom".to_owned(), ""),
        (format!("while :; do {called}; done"), ""),
        ("sleep 9".to_owned(), "was stopped"),
    ];
    for (then, part) in rows {
        let folder = tempfile::tempdir().unwrap();
        let pool = start(&folder, &format!("{READY}\n{then}")).await.unwrap();
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
