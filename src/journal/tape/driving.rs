//! A replay's tape as whoever drives the replay sees it.

use serde_json::Value;

use super::{State, Tape};
use crate::journal::player::Reworded;
use crate::journal::{Key, Kind, Line};

impl Tape {
    /// In a replay: the answer that the recording holds for the next step of that key, without taking it.
    pub fn foresee(&self, key: Key) -> Option<Value> {
        match &*self.lock() {
            State::Replay(player) => player.foresee(key).map(|line| line.answer.clone()),
            State::Live(_) | State::Cassette(..) => None,
        }
    }

    /// In a replay: what the steps of a kind ask that the same room takes before its next step of that key.
    pub fn before(&self, key: Key, kind: Kind) -> Vec<Value> {
        match &*self.lock() {
            State::Replay(player) => player.before(key, kind),
            State::Live(_) | State::Cassette(..) => Vec::new(),
        }
    }

    /// The head of a replay if it is an input: whoever drives the replay makes it happen.
    pub fn input(&self) -> Option<Line> {
        let mut state = self.lock();
        let State::Replay(player) = &mut *state else { return None };
        if !player.head().is_some_and(|line| line.kind.is_input()) {
            return None;
        }
        player.head().cloned()
    }

    /// Waits until the head of a replay has moved beyond what `seen` counted; returns the new count.
    pub async fn head_moved(&self, seen: u64) -> u64 {
        let mut head = self.0.head.subscribe();
        match head.wait_for(|count| *count != seen).await {
            Ok(count) => *count,
            Err(_) => seen,
        }
    }

    /// How often the head of a replay has moved, and whether it is at the end.
    pub fn progress(&self) -> (u64, bool) {
        let ended = match &*self.lock() {
            State::Replay(player) => player.head().is_none(),
            State::Live(_) | State::Cassette(..) => false,
        };
        (*self.0.head.borrow(), ended)
    }

    /// Declares a replay that no longer moves to have left its recording.
    pub fn stall(&self) {
        let divergence = match &*self.lock() {
            State::Replay(player) => player.stalled(),
            State::Live(_) | State::Cassette(..) => return,
        };
        self.diverge(divergence);
    }

    /// Prompts that differed from the recording in a lenient replay, as `(recorded, now)`.
    pub fn differing_prompts(&self) -> Vec<Reworded> {
        match &*self.lock() {
            State::Replay(player) => player.differing_prompts().to_vec(),
            State::Live(_) | State::Cassette(..) => Vec::new(),
        }
    }
}
