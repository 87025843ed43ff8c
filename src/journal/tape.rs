//! The tape: what every step of a session goes through, live or replayed.
//!
//! Live, a step takes effect under the tape's lock and is written there; so the file's order is the order of effects.
//! Replayed, the tape is a turnstile: a step waits until its line is at the head, is compared with it, and moves the
//! clock to that line's time. A step that differs stays waiting for ever; whoever drives the replay sees
//! [`Tape::stopped`] and shows both sides.

mod driving;
mod writing;

use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::{broadcast, watch};

use super::file::{JournalError, Writer};
use super::player::{Match, Player};
use super::stop::{Divergence, Stop};
use super::{Header, Key, Kind, Line};
use crate::clock::Clock;
use crate::time::Timestamp;

/// How many lines an observer may lag behind before it misses some.
const OBSERVED: usize = 4096;

/// One session's tape. Clones share it.
#[derive(Clone, Debug)]
pub struct Tape(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    clock: Clock,
    state: Mutex<State>,
    seq: AtomicU64,
    observers: broadcast::Sender<Arc<Line>>,
    /// Why the tape stands still, once it does.
    stopped: watch::Sender<Option<Stop>>,
    /// Counts the head's moves in a replay.
    head: watch::Sender<u64>,
    mode: ModeName,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ModeName {
    Live,
    Replay,
    Cassette,
}

#[derive(Debug)]
enum State {
    Live(Option<Writer>),
    Replay(Player),
    /// Everything is live but what the model and the network said.
    Cassette(BTreeMap<Kind, VecDeque<Line>>, Option<Writer>),
}

/// An answer from outside, with the moment it took effect.
#[derive(Debug)]
pub struct Taken<A> {
    /// When.
    pub at: Timestamp,
    /// The answer.
    pub answer: A,
}

impl Tape {
    /// A session that happens now, written to a journal if one is given.
    pub fn live(clock: Clock, record: Option<(&Path, &Header)>) -> Result<Self, JournalError> {
        let writer = record.map(|(path, header)| Writer::create(path, header)).transpose()?;
        Ok(Self::new(clock, State::Live(writer), ModeName::Live))
    }

    /// A recorded session that happens again. Prompts that differ are reported, not fatal, if `lenient`.
    pub fn replay(clock: Clock, lines: Vec<Line>, lenient: bool) -> Self {
        Self::new(clock, State::Replay(Player::new(lines, lenient)), ModeName::Replay)
    }

    /// A session that happens now, but for what the model and the network said: that comes from the record in order.
    pub fn cassette(clock: Clock, lines: Vec<Line>) -> Self {
        let mut kept: BTreeMap<Kind, VecDeque<Line>> = BTreeMap::new();
        for line in lines.into_iter().filter(|line| matches!(line.kind, Kind::Asked | Kind::Fetched)) {
            kept.entry(line.kind).or_default().push_back(line);
        }
        Self::new(clock, State::Cassette(kept, None), ModeName::Cassette)
    }

    fn new(clock: Clock, state: State, mode: ModeName) -> Self {
        Self(Arc::new(Inner {
            clock,
            state: Mutex::new(state),
            seq: AtomicU64::new(0),
            observers: broadcast::Sender::new(OBSERVED),
            stopped: watch::Sender::new(None),
            head: watch::Sender::new(0),
            mode,
        }))
    }

    /// The session's clock.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// Whether a recording is replayed: then nothing outside is touched.
    pub fn is_replay(&self) -> bool {
        self.0.mode == ModeName::Replay
    }

    /// Every line from now on, as it takes effect.
    pub fn subscribe(&self) -> broadcast::Receiver<Arc<Line>> {
        self.0.observers.subscribe()
    }

    /// Waits until the tape stands still for good, and says why.
    pub async fn stopped(&self) -> Stop {
        let mut stopped = self.0.stopped.subscribe();
        loop {
            if let Some(stop) = stopped.borrow_and_update().clone() {
                return stop;
            }
            if stopped.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// A step whose result follows from what the session already holds. `compute` runs at the step's place in the
    /// order, with the time of that place.
    pub async fn inside<Q, A>(&self, key: Key, question: &Q, compute: impl FnOnce(Timestamp) -> A) -> A
    where
        Q: Serialize + ?Sized,
        A: Serialize,
    {
        self.turn_of(key).await;
        if let Some(answer) = self.try_inside(key, question, compute) {
            return answer;
        }
        std::future::pending().await
    }

    fn try_inside<Q, A>(&self, key: Key, question: &Q, compute: impl FnOnce(Timestamp) -> A) -> Option<A>
    where
        Q: Serialize + ?Sized,
        A: Serialize,
    {
        let mut state = self.lock();
        if self.0.stopped.borrow().is_some() {
            return None;
        }
        match &mut *state {
            State::Live(writer) | State::Cassette(_, writer) => {
                let at = self.0.clock.now();
                let answer = compute(at);
                let written = self.write(writer.as_mut(), key, at, || (value(question), value(&answer)));
                self.keep(written).then_some(answer)
            }
            State::Replay(player) => {
                let at = player.head_time()?;
                self.0.clock.advance_to(at);
                let answer = compute(at);
                let line = match player.take(key, &value(question), Some(&value(&answer))) {
                    Ok(line) => line,
                    Err(divergence) => {
                        self.diverge(divergence);
                        return None;
                    }
                };
                self.moved(line);
                Some(answer)
            }
        }
    }

    /// As [`Tape::inside`], for a step that gives more than the journal needs: only the second part is its answer.
    pub async fn inside_with<Q, E, A>(
        &self,
        key: Key,
        question: &Q,
        compute: impl FnOnce(Timestamp) -> (E, A),
    ) -> (E, A)
    where
        Q: Serialize + ?Sized,
        A: Serialize,
    {
        let mut beside = None;
        let answer = self
            .inside(key, question, |now| {
                let (more, answer) = compute(now);
                beside = Some(more);
                answer
            })
            .await;
        match beside {
            Some(more) => (more, answer),
            // `inside` returns only after it has computed.
            None => std::future::pending().await,
        }
    }

    /// A step whose result comes from outside: awaited live, taken from the record otherwise.
    pub async fn outside<Q, A>(&self, key: Key, question: &Q, live: impl Future<Output = A>) -> Taken<A>
    where
        Q: Serialize + ?Sized,
        A: Serialize + DeserializeOwned,
    {
        match self.0.mode {
            ModeName::Live => self.after(key, question, live.await).await,
            ModeName::Cassette => match self.cassette_answer(key) {
                None => self.after(key, question, live.await).await,
                Some(Ok(answer)) => self.after(key, question, answer).await,
                Some(Err(divergence)) => {
                    self.diverge(divergence);
                    std::future::pending().await
                }
            },
            ModeName::Replay => {
                self.turn_of(key).await;
                match self.take_outside(key, question) {
                    Some(taken) => taken,
                    None => std::future::pending().await,
                }
            }
        }
    }

    async fn after<Q, A>(&self, key: Key, question: &Q, answer: A) -> Taken<A>
    where
        Q: Serialize + ?Sized,
        A: Serialize,
    {
        let kept = {
            let mut state = self.lock();
            let at = self.0.clock.now();
            let written = match &mut *state {
                State::Live(writer) | State::Cassette(_, writer) => {
                    self.write(writer.as_mut(), key, at, || (value(question), value(&answer)))
                }
                State::Replay(_) => Ok(()),
            };
            (self.keep(written) && self.0.stopped.borrow().is_none()).then_some(at)
        };
        match kept {
            Some(at) => Taken { at, answer },
            None => std::future::pending().await,
        }
    }

    fn take_outside<Q, A>(&self, key: Key, question: &Q) -> Option<Taken<A>>
    where
        Q: Serialize + ?Sized,
        A: DeserializeOwned,
    {
        let mut state = self.lock();
        let State::Replay(player) = &mut *state else { return None };
        let line = match player.take(key, &value(question), None) {
            Ok(line) => line,
            Err(divergence) => {
                self.diverge(divergence);
                return None;
            }
        };
        let at = line.at;
        self.0.clock.advance_to(at);
        match serde_json::from_value(line.answer.clone()) {
            Ok(answer) => {
                self.moved(line);
                Some(Taken { at, answer })
            }
            Err(e) => {
                self.diverge(Divergence {
                    seq: line.seq,
                    step: key.to_string(),
                    recorded: line.answer.to_string(),
                    now: format!("an answer of another shape was expected: {e}"),
                });
                None
            }
        }
    }

    fn cassette_answer<A: DeserializeOwned>(&self, key: Key) -> Option<Result<A, Divergence>> {
        let mut state = self.lock();
        let State::Cassette(kept, _) = &mut *state else { return None };
        if !matches!(key.kind, Kind::Asked | Kind::Fetched) {
            return None;
        }
        let line = kept.get_mut(&key.kind).and_then(VecDeque::pop_front);
        Some(match line {
            None => Err(Divergence {
                seq: 0,
                step: key.to_string(),
                recorded: "the recording has no further answer of this kind".to_owned(),
                now: "one more was asked for".to_owned(),
            }),
            Some(line) => serde_json::from_value(line.answer.clone()).map_err(|e| Divergence {
                seq: line.seq,
                step: key.to_string(),
                recorded: line.answer.to_string(),
                now: format!("an answer of another shape was expected: {e}"),
            }),
        })
    }

    /// Live: at once. Replayed: waits until the step's line is at the head, without taking it.
    pub async fn turn_of(&self, key: Key) {
        if self.0.mode != ModeName::Replay {
            return;
        }
        let mut head = self.0.head.subscribe();
        let _waiting = self.wait_here(key);
        loop {
            let at_head = match &*self.lock() {
                State::Replay(player) => player.head().is_some_and(|line| line.key() == key),
                State::Live(_) | State::Cassette(..) => true,
            };
            if at_head {
                return;
            }
            if head.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Live: waits until `due` (for ever if there is none). Replayed: until that step's line is at the head.
    pub async fn due(&self, key: Key, due: Option<Timestamp>) {
        if self.is_replay() {
            self.turn_of(key).await;
        } else {
            match due {
                Some(at) => self.0.clock.sleep_until(at).await,
                None => std::future::pending().await,
            }
        }
    }

    fn wait_here(&self, key: Key) -> Waiting<'_> {
        if let State::Replay(player) = &mut *self.lock() {
            player.waiters(Match::Arrived(key));
        }
        Waiting { tape: self, key }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Waiting<'a> {
    tape: &'a Tape,
    key: Key,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let State::Replay(player) = &mut *self.tape.lock() {
            player.waiters(Match::Gone(self.key));
        }
    }
}

/// JSON of a value that always has one: our own records.
fn value<T: Serialize + ?Sized>(of: &T) -> Value {
    serde_json::to_value(of).unwrap_or_else(|e| Value::String(format!("does not serialise: {e}")))
}
