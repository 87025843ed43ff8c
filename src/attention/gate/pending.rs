//! What waits for its wake: whoever spoke to us, what they said, and until when they are waited for.
//!
//! Invariant: however many join, it is one wake, and it comes at most [`LONGEST_BURST`] after the first.

use super::Reason;
use crate::chat::ids::{MessageId, PersonId};
use crate::time::{Span, Timestamp};

/// The longest that a speaker who goes on and on is waited for.
const LONGEST_BURST: Span = Span::secs(60);

/// A wake to come.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) reason: Reason,
    pub(super) messages: Vec<MessageId>,
    pub(super) people: Vec<PersonId>,
    since: Timestamp,
    pub(super) due: Timestamp,
    /// When the last of the messages was written.
    pub(super) spoken: Timestamp,
    /// Whether a reminder rang: that wake stays due, whatever else is taken in.
    pub(super) has_rung: bool,
    /// How long its speaker is waited for.
    pub(super) finish: Span,
}

impl Pending {
    /// Nothing said yet.
    pub(super) fn new(reason: Reason, now: Timestamp, finish: Span) -> Self {
        Self {
            reason,
            messages: Vec::new(),
            people: Vec::new(),
            since: now,
            due: now + finish,
            spoken: now,
            has_rung: false,
            finish,
        }
    }

    /// Takes one more reason in, and waits for its speaker to finish.
    pub(super) fn add(
        &mut self,
        reason: Reason,
        message: Option<MessageId>,
        person: Option<PersonId>,
        now: Timestamp,
        finish: Span,
    ) {
        if urgency(reason) < urgency(self.reason) {
            self.reason = reason;
        }
        if let Some(message) = message.filter(|message| !self.messages.contains(message)) {
            self.messages.push(message);
        }
        if let Some(person) = person.filter(|person| !self.people.contains(person)) {
            self.people.push(person);
        }
        self.due = (now + finish).min(self.since + LONGEST_BURST).max(now);
    }

    /// What is left of it once its messages were taken elsewhere: the reminder.
    pub(super) fn only_alarm(&self) -> Self {
        Self { reason: Reason::Agenda, messages: Vec::new(), people: Vec::new(), ..self.clone() }
    }
}

/// Which of two reasons names the wake that both came to; lower goes first.
const fn urgency(reason: Reason) -> u8 {
    match reason {
        Reason::Direct => 0,
        Reason::Agenda => 1,
        Reason::FollowUp => 2,
        Reason::Ambient => 3,
        Reason::Idle => 4,
    }
}

/// Whether nobody asked for it, so that budgets and quiet apply.
pub(super) const fn is_unasked(reason: Reason) -> bool {
    match reason {
        Reason::Ambient | Reason::Idle => true,
        Reason::Direct | Reason::FollowUp | Reason::Agenda => false,
    }
}
