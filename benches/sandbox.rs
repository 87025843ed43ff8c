//! What scripts cost, beside Node where it is there: `cargo bench --bench sandbox`.
//!
//! Compare ratios between machines, not times. `cargo test --benches` does a small run that shows that it works.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a bench prints, and may fail loudly")]

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use groupmate::call::{Call, Outcome, Report, Settled};
use groupmate::sandbox::{Child, Host, Pool, Script, Settings};
use groupmate::time::{Span, Timestamp};

/// A host that answers at once.
struct Desk;

impl Host for Desk {
    async fn call(&self, call: Call) -> Settled {
        let outcome = Outcome::Done(json!(call.args));
        Settled { call, outcome, is_effect: false, did: String::new() }
    }

    fn now(&self) -> Timestamp {
        Timestamp(1_800_000_000_000)
    }

    fn is_effect(&self, path: &str) -> bool {
        path.starts_with("telegram.")
    }
}

fn script(source: &str) -> Script {
    Script {
        number: 1,
        source: source.to_owned(),
        skills: vec!["echo".to_owned()],
        ctx: Value::Null,
        now: Timestamp(1_800_000_000_000),
        seed: 1,
        zone: "UTC".to_owned(),
        deadline: Span::secs(60),
        output_limit: 4096,
    }
}

async fn run(child: &mut Child, source: &str) -> (Duration, Report) {
    let began = Instant::now();
    let report = child.run(script(source), &Desk).await;
    (began.elapsed(), report)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn say(what: &str, took: Duration, bound: &str) {
    println!("{what:<60} {:>9.2} ms   {bound}", took.as_secs_f64() * 1e3);
}

/// Kilobytes of a field of `/proc/PID/status`; zero where there is none.
fn kilobytes(pid: &str, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Process ids of our living children.
fn children() -> Vec<String> {
    let me = std::process::id();
    let ours = std::fs::read_dir(format!("/proc/{me}/task")).into_iter().flatten().flatten();
    ours.flat_map(|task| {
        let text = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    })
    .collect()
}

/// What one body costs in Boa and, timed within itself, in Node.
const RAW: [(&str, &str); 4] = [
    ("fib(24)", "const fib = n => n < 2 ? n : fib(n - 1) + fib(n - 2); fib(24)"),
    (
        "JSON of 1 MB, there and back",
        "JSON.parse(JSON.stringify(Array.from({ length: 20000 }, (_, i) => ({ id: i, name: 'name ' + i, tags: ['a', 'b'] })))).length",
    ),
    (
        "regular expression over 200 KB",
        "('lorem ipsum 2024-01-02 dolor '.repeat(7000).match(/(\\d{4})-(\\d\\d)-(\\d\\d)/g) ?? []).length",
    ),
    ("text of 10,000 pieces", "let s = ''; for (let i = 0; i < 10000; i++) s += 'piece'; s.length"),
];

/// Milliseconds that Node says for each of the bodies; in a fresh process and in a worker that lives on, for `vm`.
fn node(times: u32) -> Option<Value> {
    let bodies: Vec<&str> = RAW.iter().map(|(_, body)| *body).collect();
    let program = format!(
        "const vm = require('vm'), {{ Worker, parentPort, isMainThread }} = require('worker_threads');
        const now = () => Number(process.hrtime.bigint()) / 1e6, mid = a => a.sort((x, y) => x - y)[a.length >> 1];
        const raw = {bodies}.map(body => mid(Array.from({{ length: 5 }}, () => {{ const t = now(); vm.runInNewContext(body); return now() - t; }})));
        const worker = new Worker(\"const {{ parentPort }} = require('worker_threads'), vm = require('vm'); parentPort.on('message', s => parentPort.postMessage(vm.runInNewContext(s)))\", {{ eval: true }});
        (async () => {{
          const all = [];
          for (let i = 0; i < {times}; i++) {{ const t = now(); worker.postMessage('1 + 1'); await new Promise(r => worker.once('message', r)); all.push(now() - t); }}
          console.log(JSON.stringify({{ raw, worker: mid(all) }})); process.exit();
        }})();",
        bodies = json!(bodies),
    );
    let output = Command::new("node").arg("-e").arg(program).output().ok()?;
    serde_json::from_slice(&output.stdout).ok()
}

#[tokio::main(worker_threads = 2)]
async fn main() {
    // As rooms do, it runs on one of the runtime's own threads.
    tokio::spawn(measure()).await.unwrap();
}

async fn measure() {
    let times: u32 = if std::env::args().any(|arg| arg == "--bench") { 100 } else { 3 };
    let exe = PathBuf::from(env!("CARGO_BIN_EXE_groupmate"));
    let settings = Settings { exe, memory: 128 << 20, weak: false, spares: 1 };
    let pool = match Pool::start(settings.clone()).await {
        Ok(pool) => pool,
        Err(error) => {
            println!("WITHOUT ISOLATION: {error}");
            Pool::start(Settings { weak: true, ..settings.clone() }).await.unwrap()
        }
    };
    println!("{}", pool.isolation());
    let rest = children().iter().map(|pid| kilobytes(pid, "VmRSS:")).max().unwrap_or(0);
    println!("{:<60} {:>9.1} MB   at most 18", "a child at rest, resident", rest as f64 / 1024.0);

    let mut child = pool.take().await.unwrap();
    let mut one = Vec::new();
    for n in 0..times {
        let (took, report) = run(&mut child, &format!("const a = await echo.args({n}); a[0]")).await;
        assert_eq!(report.value, Some(n.to_string()), "{:?}", report.error);
        one.push(took);
    }
    let one = median(one);
    say("a script with one call in a ready child, median", one, "at most 0.7");
    for (what, source, bound) in [
        ("1,000 awaited calls in turn", "for (let i = 0; i < 1000; i++) await echo.args(i); 1", "at most 30"),
        (
            "1,000 calls in parallel",
            "(await Promise.all(Array.from({ length: 1000 }, (_, i) => echo.args(i)))).length",
            "at most 13",
        ),
    ] {
        let mut all = Vec::new();
        for _ in 0..times.div_ceil(10) {
            let (took, report) = run(&mut child, source).await;
            assert!(report.error.is_none(), "{:?}", report.error);
            all.push(took);
        }
        say(what, median(all), bound);
    }

    // Without a spare every turn starts its own.
    let cold = Pool::start(Settings { spares: 0, weak: true, ..settings }).await.unwrap();
    let mut whole = Vec::new();
    for _ in 0..times.div_ceil(4) {
        let began = Instant::now();
        let mut fresh = cold.take().await.unwrap();
        assert_eq!(run(&mut fresh, "1 + 1").await.1.value.as_deref(), Some("2"));
        drop(fresh);
        whole.push(began.elapsed());
    }
    let whole = median(whole);
    say("spawn, first result, kill; median", whole, "at most 12");

    // Another room goes on while one floods; chunks of a megabyte are what its output is made of.
    let before = kilobytes("self", "VmRSS:");
    let mut quiet = pool.take().await.unwrap();
    let mut loud = pool.take().await.unwrap();
    let flood = tokio::spawn(async move {
        run(&mut loud, "const m = 'x'.repeat(1 << 20); for (let i = 0; i < 200; i++) console.log(m); 1").await
    });
    let mut beside = Vec::new();
    while !flood.is_finished() {
        beside.push(run(&mut quiet, "(await echo.args(1))[0]").await.0);
    }
    let (took, report) = flood.await.unwrap();
    assert!(report.error.is_none() && report.output.len() < 8192, "{:?}", report.error);
    say("200 MB of output", took, "");
    let grown = kilobytes("self", "VmRSS:").saturating_sub(before);
    println!("{:<60} {:>9.1} MB   under 5", "by which the host grew meanwhile", grown as f64 / 1024.0);
    if !beside.is_empty() {
        say("a script of another room meanwhile, median", median(beside), "");
    }

    let Some(node) = node(times) else {
        println!("LEFT OUT: there is no node to compare with");
        return;
    };
    let mut fresh = Vec::new();
    for _ in 0..times.div_ceil(10) {
        let began = Instant::now();
        assert!(
            Command::new("node").args(["-e", "require('vm').runInNewContext('1 + 1')"]).status().unwrap().success()
        );
        fresh.push(began.elapsed());
    }
    let fresh = median(fresh);
    say("Node: vm in a fresh process", fresh, "");
    println!(
        "{:<60} {:>9.1} ×",
        "  that is, of our spawn, first result, kill",
        fresh.as_secs_f64() / whole.as_secs_f64()
    );
    let worker = Duration::from_secs_f64(node["worker"].as_f64().unwrap() / 1e3);
    say("Node: vm in a worker that lives on", worker, "");
    println!("{:<60} {:>9.1} ×", "  that is, of our script with one call", worker.as_secs_f64() / one.as_secs_f64());
    for (n, (what, body)) in RAW.iter().enumerate() {
        let mut ours = Vec::new();
        for _ in 0..5 {
            let (took, report) = run(&mut child, body).await;
            assert!(report.error.is_none(), "{what}: {:?}", report.error);
            ours.push(took);
        }
        let (ours, theirs) = (median(ours).as_secs_f64() * 1e3, node["raw"][n].as_f64().unwrap());
        println!("{what:<40} Boa {ours:>8.2} ms, Node {theirs:>7.2} ms: {:.1} times as long", ours / theirs);
    }
}
