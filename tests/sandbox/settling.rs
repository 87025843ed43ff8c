//! When calls and promises are settled: before the report, together, or not at all once the turn is cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use groupmate::call::{Call, CallError, Fault, Outcome, Settled};
use groupmate::sandbox::Host;
use groupmate::time::{Span, Timestamp};

use super::{Desk, pool, script};

/// How long each call takes.
const EACH: Duration = Duration::from_millis(100);

/// A host whose calls take their time; it counts those that began, ended, and were dropped half-way.
#[derive(Clone, Default)]
struct Slow {
    begun: Arc<AtomicUsize>,
    ended: Arc<AtomicUsize>,
    dropped: Arc<AtomicUsize>,
}

struct UnderWay(Slow, bool);

impl Drop for UnderWay {
    fn drop(&mut self) {
        if !self.1 {
            self.0.dropped.fetch_add(1, Ordering::SeqCst);
        }
    }
}

impl Host for Slow {
    async fn call(&self, call: Call) -> Settled {
        self.begun.fetch_add(1, Ordering::SeqCst);
        let mut guard = UnderWay(self.clone(), false);
        let long = call.path == "echo.never";
        tokio::time::sleep(if long { Duration::from_secs(600) } else { EACH }).await;
        guard.1 = true;
        self.ended.fetch_add(1, Ordering::SeqCst);
        let outcome = match call.path.as_str() {
            "echo.fail" => Outcome::Failed(CallError::new("Error", "it failed")),
            _ => Outcome::Done(json!(call.args)),
        };
        Settled { call, outcome, is_effect: true, did: String::new() }
    }

    fn now(&self) -> Timestamp {
        Timestamp(1_800_000_000_000)
    }

    fn is_effect(&self, _: &str) -> bool {
        true
    }
}

#[tokio::test]
async fn every_call_is_settled_before_the_report() {
    let rows = [
        ("echo.args(1); echo.args(2); 'end'", 2, None),
        ("(async () => { await echo.args(1); await echo.args(2) })(); 'end'", 2, None),
        ("Promise.race([echo.args(1), echo.args(2), 3])", 2, None),
        ("echo.args(1); throw new Error('at once')", 1, Some("at once")),
        // Nobody handles what they are rejected with.
        ("echo.fail(1); 'end'", 1, Some("it failed")),
        ("(async () => { await echo.args(1); throw new RangeError('later') })(); 'end'", 1, Some("later")),
        ("Promise.reject(new Error('plain')); 'end'", 0, Some("plain")),
        // Somebody does, though late.
        ("const p = echo.fail(1); await echo.args(2); try { await p } catch {} 'end'", 2, None),
        ("echo.fail(1).catch(() => {}); 'end'", 1, None),
        ("await Promise.allSettled([echo.fail(1), echo.args(2)]); 'end'", 2, None),
    ];
    for (source, calls, error) in rows {
        let host = Slow::default();
        let mut child = pool().await.take().await.unwrap();
        let mut slow = script(1, source);
        slow.deadline = Span::secs(20);
        let report = child.run(slow, &host).await;
        assert_eq!(host.ended.load(Ordering::SeqCst), calls, "{source}");
        assert_eq!(report.calls.len(), calls, "{source}");
        assert!(
            report.calls.iter().all(|c| matches!(c.outcome, Outcome::Done(_) | Outcome::Failed(_))),
            "{source}: {:?}",
            report.calls
        );
        let message = report.error.map(|e| e.message);
        assert_eq!(message.is_some(), error.is_some(), "{source}: {message:?}");
        assert!(error.is_none_or(|part| message.unwrap_or_default().contains(part)), "{source}");
    }
}

#[tokio::test]
async fn ten_calls_together_take_the_time_of_one() {
    let mut child = pool().await.take().await.unwrap();
    let host = Slow::default();
    let source = "(await Promise.all(Array.from({ length: 10 }, (_, n) => echo.args(n)))).length";
    let began = Instant::now();
    let report = child.run(script(1, source), &host).await;
    assert_eq!((report.error, report.value.as_deref()), (None, Some("10")));
    // One after another they would take a second.
    assert!(began.elapsed() < EACH * 9, "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_deadline_ends_the_calls_that_are_under_way() {
    let host = Slow::default();
    let mut child = pool().await.take().await.unwrap();
    let mut waits = script(1, "await echo.args(1); await Promise.all([echo.never(2), echo.never(3)])");
    waits.deadline = Span(2_000);
    let report = child.run(waits, &host).await;
    assert_eq!(report.error.map(|e| e.kind), Some(Fault::TimedOut));
    let unknown = |settled: &Settled| matches!(settled.outcome, Outcome::Unknown(_)) && settled.is_effect;
    assert_eq!(report.calls.iter().map(unknown).collect::<Vec<_>>(), [false, true, true]);
    assert_eq!(host.dropped.load(Ordering::SeqCst), 2, "what was under way is cancelled");
}

#[tokio::test]
async fn a_cancelled_turn_cancels_its_calls_and_its_child() {
    let host = Slow::default();
    let mut child = pool().await.take().await.unwrap();
    let mut waits = script(1, "await Promise.all([echo.never(1), echo.never(2), echo.never(3)])");
    waits.deadline = Span::secs(60);
    {
        let mut running = Box::pin(child.run(waits, &host));
        while host.begun.load(Ordering::SeqCst) < 3 {
            let _ = tokio::time::timeout(Duration::from_millis(20), &mut running).await;
        }
    }
    assert_eq!((host.ended.load(Ordering::SeqCst), host.dropped.load(Ordering::SeqCst)), (0, 3));
    // A child that was left in the middle of a script is of no use to a later one.
    let again = child.run(script(2, "1"), &Desk).await;
    assert!(again.variables_gone && again.error.is_some());
}
