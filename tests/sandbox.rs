//! Scripts in real children: what they can do, what they are told, and what they cannot do.

mod alone;
mod confined;
mod deaths;
mod frames;
mod hostile;
mod language;
mod letters;
mod rooms;
mod settling;
mod showing;
mod skill;
mod tables;

use std::path::PathBuf;

use serde_json::{Value, json};

use groupmate::call::{Call, CallError, Fault, Origin, Outcome, Report, Settled};
use groupmate::sandbox::{Child, Host, Pool, Script, Settings};
use groupmate::time::{Span, Timestamp};

use crate::support::EXE;

/// A host that answers a few calls as the real one would.
struct Desk;

impl Host for Desk {
    async fn call(&self, call: Call) -> Settled {
        let outcome = match call.path.as_str() {
            "$timer" => Outcome::Done(Value::Null),
            "telegram.sendText" => Outcome::Done(json!({ "id": 7 })),
            "memory.recall" => Outcome::Done(json!([{ "text": "likes tea" }])),
            "echo.args" => Outcome::Done(json!(call.args)),
            other => Outcome::Failed(CallError::new("TypeError", format!("{other} is not a function"))),
        };
        let is_effect = call.path.starts_with("telegram.");
        Settled { call, outcome, is_effect, did: String::new() }
    }

    fn now(&self) -> Timestamp {
        Timestamp(1_800_000_000_000)
    }

    fn is_effect(&self, path: &str) -> bool {
        path.starts_with("telegram.")
    }
}

pub async fn pool() -> Pool {
    let settings = Settings { exe: PathBuf::from(EXE), memory: 128 << 20, weak: false, spares: 1 };
    match Pool::start(settings.clone()).await {
        Ok(pool) => pool,
        Err(error) => {
            eprintln!("SANDBOX WEAK HERE: {error}; the sandbox tests run without isolation");
            Pool::start(Settings { weak: true, ..settings }).await.unwrap()
        }
    }
}

fn script(number: u32, source: &str) -> Script {
    Script {
        number,
        source: source.to_owned(),
        skills: ["telegram", "memory", "echo", "tavily"].map(str::to_owned).into(),
        ctx: Value::Null,
        now: Timestamp(1_800_000_000_000),
        seed: 1,
        zone: "UTC".to_owned(),
        deadline: Span::secs(5),
        output_limit: 4096,
    }
}

async fn run(source: &str) -> Report {
    let mut child = pool().await.take().await.unwrap();
    child.run(script(1, source), &Desk).await
}

#[tokio::test]
async fn a_script_acts_prints_and_returns() {
    let rows: [(&str, Option<&str>, Origin, &str); 12] = [
        ("await telegram.sendText('好')", Some("{ id: 7 }"), Origin::Call(1), ""),
        ("telegram.sendText('好');", Some("{ id: 7 }"), Origin::Call(1), ""),
        ("const m = await telegram.sendText('a');", None, Origin::Computed, ""),
        ("const [f] = await memory.recall('x'); f.text", Some("likes tea"), Origin::Computed, ""),
        ("await memory.recall('x')", Some("[{ text: \"likes tea\" }]"), Origin::Call(1), ""),
        ("return 1 + 1", Some("2"), Origin::Returned, ""),
        ("console.log('a', { b: [1, null] }, undefined)", None, Origin::Computed, "a { b: [1, null] } undefined\n"),
        ("await Promise.all([1, 2, 3].map(n => echo.args(n)))", Some("[[1], [2], [3]]"), Origin::Computed, ""),
        ("const x: number = 5 as number; x", Some("5"), Origin::Computed, ""),
        ("await new Promise(r => setTimeout(r, 50)); 'done'", Some("done"), Origin::Computed, ""),
        ("const { sendText } = telegram; await sendText('a')", Some("{ id: 7 }"), Origin::Call(1), ""),
        ("new Date().toISOString()", Some("2027-01-15T08:00:00.000Z"), Origin::Computed, ""),
    ];
    for (source, value, origin, output) in rows {
        let report = run(source).await;
        assert_eq!(report.error, None, "{source}");
        assert_eq!(
            (report.value.as_deref(), report.origin, report.output.as_str()),
            (value, origin, output),
            "{source}"
        );
    }
}

#[tokio::test]
async fn names_live_on_and_may_be_declared_again() {
    let mut child: Child = pool().await.take().await.unwrap();
    let first = child
        .run(
            script(1, "const a = 1; let { b } = { b: 2 }; function f() { return a + b } class C { x = 3 } ctx.n = 5;"),
            &Desk,
        )
        .await;
    assert_eq!(first.error, None);
    assert_eq!(first.ctx, Some(json!({ "n": 5 })));
    let second = child.run(script(2, "const a = 10; [a, b, f(), new C().x]"), &Desk).await;
    assert_eq!((second.error, second.value.as_deref()), (None, Some("[10, 2, 12, 3]")));
}

#[tokio::test]
async fn errors_say_what_and_where() {
    let report = run("const a = 1;\nawait tavily.serach('x')").await;
    let error = report.error.unwrap();
    assert_eq!(
        (error.kind, error.name.as_str(), error.call.as_deref()),
        (Fault::Thrown, "TypeError", Some("tavily.serach"))
    );
    assert_eq!(report.calls.len(), 1);
    let report = run("const a = null;\n  a.x;").await;
    let error = report.error.unwrap();
    assert_eq!((error.name.as_str(), error.position.map(|p| p.0)), ("TypeError", Some(2)), "{error:?}");
    let error = run("const = 5").await.error.unwrap();
    assert_eq!((error.kind, error.position.map(|p| p.0)), (Fault::Syntax, Some(1)));
    let error = run("memory.nothing('x'); 5").await.error.unwrap();
    assert_eq!(error.call.as_deref(), Some("memory.nothing"), "an unhandled rejection is an error");
    let error = run("await new Promise(() => {})").await.error.unwrap();
    assert_eq!(error.kind, Fault::Stuck);
    let error = run("telegram.sendText(() => 1)").await.error.unwrap();
    assert!(error.message.contains("telegram.sendText") && error.message.contains("function"), "{error:?}");
}

#[tokio::test]
async fn what_never_ends_is_ended_and_the_next_script_runs() {
    let pool = pool().await;
    let rows = [
        ("while (true) {}", 1, Fault::TimedOut),
        ("await 0; for (;;) {}", 1, Fault::TimedOut),
        // Long enough for a busy machine: what ends them is not their deadline.
        ("let a = [1]; for (;;) a = a.concat(a)", 60, Fault::OutOfMemory),
        ("let s = 'x'; for (;;) s += s", 60, Fault::OutOfMemory),
        ("for (let i = 0; i < 1e5; i++) telegram.sendText('x' + i)", 60, Fault::Crashed),
    ];
    for (source, deadline, expected) in rows {
        let mut child = pool.take().await.unwrap();
        let mut hostile = script(1, source);
        hostile.deadline = Span::secs(deadline);
        let report = child.run(hostile, &Desk).await;
        let error = report.error.unwrap();
        assert_eq!(error.kind, expected, "{source}: {error:?}");
        assert!(report.variables_gone);
        let mut next = pool.take().await.unwrap();
        assert_eq!(next.run(script(2, "1 + 1"), &Desk).await.value.as_deref(), Some("2"));
    }
}
