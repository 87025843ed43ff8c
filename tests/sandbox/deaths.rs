//! Every way in which a child can die, and the exact words of the report.

use std::time::{Duration, Instant};

use groupmate::call::Fault;
use groupmate::sandbox::{Pool, Settings};
use groupmate::time::Span;

use super::frames::{READY, start};
use super::{Desk, pool, script};
use crate::support::EXE;

const CRASHED: &str = "the engine crashed on it; write it in another way";
const KILLED: &str = "its process was killed from outside, as the system does when its memory runs out";
const STOPPED: &str = "its process was stopped from outside";
const DEEP: &str = "it went too deep (recursion or nesting) and was stopped";
const MEMORY: &str = "it used more than 128 MB and was stopped";

#[tokio::test]
async fn each_death_has_its_words() {
    let rows: [(&str, Fault, &str); 27] = [
        ("kill -KILL $$", Fault::Crashed, KILLED),
        ("kill -TERM $$", Fault::Crashed, STOPPED),
        ("kill -INT $$", Fault::Crashed, STOPPED),
        ("kill -HUP $$", Fault::Crashed, STOPPED),
        ("kill -QUIT $$", Fault::Crashed, STOPPED),
        ("kill -ABRT $$", Fault::Crashed, CRASHED),
        ("kill -SEGV $$", Fault::Crashed, CRASHED),
        ("kill -BUS $$", Fault::Crashed, CRASHED),
        ("kill -ILL $$", Fault::Crashed, CRASHED),
        ("kill -FPE $$", Fault::Crashed, CRASHED),
        ("kill -TRAP $$", Fault::Crashed, CRASHED),
        ("kill -XFSZ $$", Fault::Crashed, "it tried to write a file and was stopped"),
        ("kill -SYS $$", Fault::Crashed, "it asked the system for what a script may not have and was stopped"),
        ("kill -XCPU $$", Fault::Crashed, "it used more than 600 s of processor time and was stopped"),
        // The kernel's own signal, at a limit of one second.
        (
            "ulimit -S -t 1; while :; do :; done",
            Fault::Crashed,
            "it used more than 600 s of processor time and was stopped",
        ),
        ("kill -USR1 $$", Fault::Crashed, "its process was stopped by signal 10"),
        ("kill -PIPE $$", Fault::Crashed, "its process was stopped by signal 13"),
        ("exit 0", Fault::Crashed, "its process ended before the script did"),
        ("exit 1", Fault::Crashed, "its process ended with exit code 1 before the script did"),
        ("exit 101", Fault::Crashed, "its process ended with exit code 101 before the script did"),
        ("echo 'memory allocation of 9 bytes failed' >&2; kill -ABRT $$", Fault::OutOfMemory, MEMORY),
        ("echo 'thread panicked at x.rs: capacity overflow' >&2; exit 1", Fault::OutOfMemory, MEMORY),
        ("echo 'thread has overflowed its stack' >&2; kill -ABRT $$", Fault::Crashed, DEEP),
        ("echo \"thread panicked at y.rs\" >&2; exit 1", Fault::Crashed, CRASHED),
        // What it says is never quoted, however long.
        (
            "head -c 60000 /dev/zero >&2; exit 3",
            Fault::Crashed,
            "its process ended with exit code 3 before the script did",
        ),
        ("exec >&- ; sleep 9", Fault::Crashed, "its process closed its pipes and was stopped"),
        (
            "sleep 9",
            Fault::TimedOut,
            "it ran for more than 2 s and was stopped. Date.now() moves only with calls and timers, so a loop that waits for time never ends; wait with `await new Promise(r => setTimeout(r, ms))`",
        ),
    ];
    for (then, kind, words) in rows {
        let folder = tempfile::tempdir().unwrap();
        // It dies only after it was given the script, so that every row takes the same way.
        let pool = start(&folder, &format!("{READY}\nhead -c 100 >/dev/null\n{then}")).await.unwrap();
        let mut child = pool.take().await.unwrap();
        let mut harmless = script(1, "1");
        harmless.deadline = Span::secs(if kind == Fault::TimedOut { 2 } else { 20 });
        let report = child.run(harmless, &Desk).await;
        let error = report.error.unwrap();
        assert_eq!((error.kind, error.message.as_str()), (kind, words), "{then}");
        assert!(report.variables_gone, "{then}");
        // Whoever speaks to it again hears that it is gone, at once.
        let began = Instant::now();
        let again = child.run(script(2, "1"), &Desk).await;
        assert!(again.error.is_some() && again.variables_gone, "{then}");
        assert!(began.elapsed() < Duration::from_secs(2), "{then}: {:?}", began.elapsed());
    }
}

/// The same with real children and what really kills them.
#[tokio::test]
async fn a_real_child_says_what_it_died_of() {
    let rows = [
        ("let s = 'x'; for (;;) s += s", Fault::OutOfMemory, MEMORY),
        ("'x'.repeat(2 ** 29).padEnd(2 ** 30)", Fault::OutOfMemory, MEMORY),
    ];
    for (source, kind, words) in rows {
        let mut child = pool().await.take().await.unwrap();
        let mut hostile = script(1, source);
        hostile.deadline = Span::secs(20);
        let error = child.run(hostile, &Desk).await.error.unwrap();
        assert_eq!((error.kind, error.message.as_str()), (kind, words), "{source}");
    }
}

/// One number says what scripts may use. It is theirs whole (the stack, the engine and its threads come on top), and the
/// letter quotes it.
#[tokio::test]
async fn the_memory_that_was_set_is_the_scripts_own_and_quoted() {
    for megabytes in [48_u64, 128, 320] {
        let settings = Settings { exe: EXE.into(), memory: megabytes << 20, weak: true, spares: 0 };
        let pool = Pool::start(settings).await.unwrap();
        let mut child = pool.take().await.unwrap();
        let usual = format!(
            "const all = []; for (let mb = 0; mb < {}; mb++) all.push(new Uint8Array(1 << 20)); all.length",
            megabytes * 3 / 4
        );
        let mut script = script(1, &usual);
        script.deadline = Span::secs(60);
        let report = child.run(script.clone(), &Desk).await;
        assert_eq!((report.error, report.value), (None, Some((megabytes * 3 / 4).to_string())));
        script.source = "let s = 'x'; for (;;) s += s".to_owned();
        let error = child.run(script, &Desk).await.error.unwrap();
        assert_eq!(error.message, format!("it used more than {megabytes} MB and was stopped"));
        assert_eq!(error.kind, Fault::OutOfMemory);
    }
}
