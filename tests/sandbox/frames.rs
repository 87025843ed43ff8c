//! Children that are not what they should be: whatever they write, the host lives and says what happened.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use groupmate::call::{CallError, Fault, Outcome};
use groupmate::sandbox::{Fetch, FetchReply, FetchRequest, Pool, SandboxError, Settings, SkillCode};
use groupmate::time::{Span, Timestamp};

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
        harmless.deadline = Span(2_000);
        let began = Instant::now();
        let report = child.run(harmless, &Desk).await;
        let error = report.error.unwrap();
        assert!(began.elapsed() < Duration::from_secs(5), "{then}: {:?}", began.elapsed());
        assert!(report.variables_gone && matches!(error.kind, Fault::Crashed | Fault::TimedOut), "{then}: {error:?}");
        assert!(error.message.contains(part), "{then}: {error:?}");
    }
}

/// What complains more than a pipe holds is neither left waiting for a reader nor a burden to one.
#[tokio::test]
async fn a_child_that_complains_at_length_goes_on() {
    let complain = "head -c 300000 /dev/zero >&2";
    let framed = |body: &str| format!("printf '\\{:03o}\\000\\000\\000%s' '{body}'", body.len());
    let done = framed(r#"{"Done":{"output":"","value":"5","origin":"computed","error":null,"ctx":null}}"#);
    let folder = tempfile::tempdir().unwrap();
    let lines = format!("{READY}\nhead -c 100 >/dev/null\n{complain}\n{done}\n{complain}\nsleep 9");
    let mut child = start(&folder, &lines).await.unwrap().take().await.unwrap();
    let report = child.run(script(1, "1"), &Desk).await;
    assert_eq!((report.error, report.value.as_deref()), (None, Some("5")));

    let (loaded, invoked) = (framed(r#"{"Loaded":{"Ok":null}}"#), framed(r#"{"Invoked":{"id":1,"result":{"Ok":7}}}"#));
    // What it is sent before the call has 300 bytes.
    let lines = format!("{READY}\n{complain}\n{loaded}\nhead -c 330 >/dev/null\n{complain}\n{invoked}\nsleep 9");
    impostor(&folder, &lines);
    let settings = Settings { exe: folder.path().join("impostor"), memory: 128 << 20, weak: true, spares: 0 };
    let code = SkillCode { name: "loud".into(), source: " ".repeat(200), settings: Value::Null };
    let skill = Pool::start(settings).await.unwrap().skill_child(vec![code]).await.unwrap();
    let ended = skill.invoke("loud.it", vec![], Timestamp(0), 1, Span::secs(4), &Nothing).await;
    assert_eq!(ended, Outcome::Done(json!(7)));
}

/// No network.
struct Nothing;

impl Fetch for Nothing {
    async fn fetch(&self, _: FetchRequest) -> Result<FetchReply, CallError> {
        Err(CallError::new("Error", "no network"))
    }
}
