//! Real and virtual time, and seeded chance: the only place that reads either.
//!
//! Virtual time stands still while anybody holds it (a model is asked, a script runs) and otherwise jumps to the
//! next moment that somebody waits for. So a recorded session has the same times however slow its model was.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;

use crate::time::{Span, Timestamp};

/// How long nobody may have held virtual time before it jumps: enough for a message to cross a local socket.
const QUIET: Duration = Duration::from_millis(40);
/// How often the jumper looks.
const LOOK: Duration = Duration::from_millis(5);

/// A source of time. Clones share it.
#[derive(Clone, Debug)]
pub struct Clock(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Real,
    Virtual(Arc<Virtual>),
}

#[derive(Debug)]
struct Virtual {
    state: Mutex<State>,
    now: watch::Sender<Timestamp>,
}

#[derive(Debug, Default)]
struct State {
    holds: usize,
    /// Counts every hold and sleep, so that the jumper sees activity between two looks.
    activity: u64,
    sleepers: BTreeMap<(Timestamp, u64), ()>,
}

impl Clock {
    /// The machine's clock.
    pub const fn real() -> Self {
        Self(Kind::Real)
    }

    /// Virtual time that moves only by [`Clock::advance_to`].
    pub fn manual(start: Timestamp) -> Self {
        Self(Kind::Virtual(Arc::new(Virtual { state: Mutex::default(), now: watch::Sender::new(start) })))
    }

    /// Virtual time that jumps to the next waiting moment whenever nobody holds it. Needs a tokio runtime.
    pub fn jumping(start: Timestamp) -> Self {
        let clock = Self::manual(start);
        if let Kind::Virtual(shared) = &clock.0 {
            let weak = Arc::downgrade(shared);
            tokio::spawn(async move {
                let (mut seen, mut quiet) = (0, Duration::ZERO);
                loop {
                    tokio::time::sleep(LOOK).await;
                    let Some(shared) = weak.upgrade() else { return };
                    let next = {
                        let state = shared.lock();
                        if state.holds > 0 || state.activity != seen {
                            seen = state.activity;
                            quiet = Duration::ZERO;
                            continue;
                        }
                        quiet += LOOK;
                        state.sleepers.keys().next().map(|(at, _)| *at)
                    };
                    if let Some(at) = next.filter(|_| quiet >= QUIET) {
                        quiet = Duration::ZERO;
                        shared.advance_to(at);
                    }
                }
            });
        }
        clock
    }

    /// Whether this is the machine's clock.
    pub const fn is_real(&self) -> bool {
        matches!(self.0, Kind::Real)
    }

    /// The present.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Kind::Real => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
            }
            Kind::Virtual(shared) => *shared.now.borrow(),
        }
    }

    /// Waits until that moment; at once if it is past.
    pub async fn sleep_until(&self, at: Timestamp) {
        match &self.0 {
            Kind::Real => {
                // A long sleep is cut into pieces so that a corrected system clock is noticed.
                while let Some(left) = Some(at.since(self.now())).filter(|left| left.0 > 0) {
                    tokio::time::sleep(left.min(Span::minutes(1)).to_duration()).await;
                }
            }
            Kind::Virtual(shared) => {
                let mut now = shared.now.subscribe();
                let _sleeper = shared.sleeper(at);
                // The sender lives as long as we hold `shared`, so waiting cannot fail.
                let _ = now.wait_for(|now| *now >= at).await;
            }
        }
    }

    /// Waits for that long.
    pub async fn sleep(&self, span: Span) {
        self.sleep_until(self.now() + span).await;
    }

    /// Keeps virtual time still while the hold lives; does nothing to real time.
    pub fn hold(&self) -> Hold {
        match &self.0 {
            Kind::Real => Hold(None),
            Kind::Virtual(shared) => {
                let mut state = shared.lock();
                state.holds += 1;
                state.activity += 1;
                Hold(Some(shared.clone()))
            }
        }
    }

    /// Moves virtual time forward; never back, and never real time.
    pub fn advance_to(&self, at: Timestamp) {
        if let Kind::Virtual(shared) = &self.0 {
            shared.advance_to(at);
        }
    }
}

impl Virtual {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn advance_to(&self, at: Timestamp) {
        self.now.send_if_modified(|now| {
            let forward = at > *now;
            *now = (*now).max(at);
            forward
        });
    }

    fn sleeper(self: &Arc<Self>, at: Timestamp) -> Sleeper {
        let mut state = self.lock();
        state.activity += 1;
        let key = (at, state.activity);
        state.sleepers.insert(key, ());
        Sleeper { shared: self.clone(), key }
    }
}

struct Sleeper {
    shared: Arc<Virtual>,
    key: (Timestamp, u64),
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.sleepers.remove(&self.key);
        state.activity += 1;
    }
}

/// Keeps virtual time still while it lives.
#[derive(Debug)]
pub struct Hold(Option<Arc<Virtual>>);

impl Drop for Hold {
    fn drop(&mut self) {
        if let Some(shared) = &self.0 {
            let mut state = shared.lock();
            state.holds -= 1;
            state.activity += 1;
        }
    }
}

/// Seeded chance: the same seed gives the same throws.
#[derive(Clone, Debug)]
pub struct Dice(fastrand::Rng);

impl Dice {
    /// Dice with this seed.
    pub fn seeded(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// Dice that nobody can foretell: for a run's own seed, which its journal then keeps.
    pub fn fresh() -> Self {
        Self(fastrand::Rng::new())
    }

    /// Between 0 (included) and 1 (excluded).
    pub fn unit(&mut self) -> f32 {
        self.0.f32()
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f32) -> bool {
        self.unit() < p
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        self.0.u64(low.min(high)..=high)
    }

    /// A seed for other dice.
    pub fn seed(&mut self) -> u64 {
        self.0.u64(..)
    }
}

/// Where a trial run kills itself: the point's name, and how many passes are left.
static CRASH: OnceLock<(String, AtomicU64)> = OnceLock::new();

/// Arms one crash point: the process kills itself, as `kill -9` would, at the n-th pass (from 1). For crash tests.
pub fn arm_crash(point: &str, pass: u64) {
    let _ = CRASH.set((point.to_owned(), AtomicU64::new(pass.max(1))));
}

/// A named step at which crash tests may kill the process; otherwise nothing.
pub fn crash_point(point: &str) {
    if let Some((armed, left)) = CRASH.get()
        && armed == point
        && left.fetch_sub(1, Ordering::SeqCst) == 1
    {
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        // The signal is delivered before the call returns to user code in practice; never go on if not.
        std::process::abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn virtual_time_jumps_in_order_and_stands_while_held() {
        let clock = Clock::jumping(Timestamp(0));
        let hold = clock.hold();
        let sleeping = tokio::spawn({
            let clock = clock.clone();
            async move {
                clock.sleep(Span::hours(2)).await;
                clock.now()
            }
        });
        tokio::time::sleep(QUIET * 3).await;
        assert_eq!(clock.now(), Timestamp(0), "held");
        drop(hold);
        clock.sleep(Span::hours(1)).await;
        assert_eq!(clock.now(), Timestamp(0) + Span::hours(1));
        assert_eq!(sleeping.await.unwrap(), Timestamp(0) + Span::hours(2));
    }

    #[test]
    fn equal_seeds_throw_equal_dice() {
        let throws = |seed| {
            let mut dice = Dice::seeded(seed);
            (0..5).map(|_| dice.between(1, 6)).collect::<Vec<_>>()
        };
        assert_eq!(throws(7), throws(7));
        assert_ne!(throws(7), throws(8));
    }
}
