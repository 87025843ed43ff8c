//! When we may speak though nobody asked: what speaks for it, and the budgets that hold it back.

use std::collections::VecDeque;

use crate::attention::settings::Settings;
use crate::chat::message::Message;
use crate::time::{Span, Timestamp};

/// How much each message of others adds to the pressure to speak unasked.
const PRESSURE: f32 = 0.04;
/// What a question that nobody in particular was asked adds.
const OPEN_QUESTION: f32 = 0.15;
/// Over how much recent talk our share is counted.
const TALK: usize = 40;

/// What the talk so far says for and against speaking unasked.
#[derive(Clone, Debug, Default)]
pub(super) struct Unasked {
    /// Grows with what others say, and is spent by what we say.
    pressure: f32,
    /// Whether the last messages were ours.
    talk: VecDeque<bool>,
    /// When we last thought without having been asked, oldest first.
    wakes: VecDeque<Timestamp>,
}

impl Unasked {
    /// One more message was said in the chat.
    pub(super) fn said(&mut self, is_ours: bool) {
        self.talk.push_back(is_ours);
        if self.talk.len() > TALK {
            self.talk.pop_front();
        }
        if is_ours {
            self.pressure = 0.0;
        }
    }

    /// Others talk among themselves. How strongly that speaks for a word of ours, 0 to 1.
    pub(super) fn score(&mut self, message: &Message, is_to_another: bool) -> f32 {
        self.pressure += PRESSURE;
        let is_open_question = !is_to_another && message.text.trim_end().ends_with(['?', '？', '吗', '么']);
        (self.pressure + if is_open_question { OPEN_QUESTION } else { 0.0 }).min(1.0)
    }

    /// Whether the budgets leave room for one more word.
    pub(super) fn is_within(&mut self, settings: &Settings, now: Timestamp) -> bool {
        while self.wakes.front().is_some_and(|at| now.since(*at) >= Span::hours(1)) {
            self.wakes.pop_front();
        }
        #[allow(clippy::cast_precision_loss)] // at most TALK
        let share = self.talk.iter().filter(|ours| **ours).count() as f32 / self.talk.len().max(1) as f32;
        self.wakes.len() < usize::try_from(settings.ambient_per_hour).unwrap_or(usize::MAX)
            && share <= settings.share_of_talk
    }

    /// The pressure found its way out, by a word of ours or a wait for one.
    pub(super) fn relieve(&mut self) {
        self.pressure = 0.0;
    }

    /// We think without having been asked.
    pub(super) fn woke(&mut self, now: Timestamp) {
        self.wakes.push_back(now);
    }
}
