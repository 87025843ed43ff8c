//! The state machine that decides when a room thinks.
//!
//! Time and chance are arguments. One gate belongs to one room.

use serde::{Deserialize, Serialize};

use crate::chat::ids::MessageId;
use crate::time::Timestamp;

/// Why a room thinks, or would have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Mention, reply to us, our name, DM or button.
    Direct,
    /// The talk with somebody we just answered goes on.
    FollowUp,
    /// Nobody asked, but there may be something to say.
    Ambient,
    /// A reminder or errand is due.
    Agenda,
    /// After long silence.
    Idle,
}

/// What the gate made of one event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What happens next.
    pub action: Action,
    /// The reason, where the event counts towards a wake.
    pub reason: Option<Reason>,
    /// How strongly it speaks for a wake, 0 to 1.
    pub score: f32,
    /// In a few words, for `/why`: "mentions us", "another bot", "talk among others".
    pub why: String,
}

/// What the gate does with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Nothing: it is in the transcript, that is all.
    Read,
    /// Wait until the speaker has finished, then think.
    Wake,
}

/// The decision to think.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wake {
    /// Why.
    pub reason: Reason,
    /// The messages that are to be answered, oldest first; empty for ambient and idle wakes.
    pub messages: Vec<MessageId>,
    /// When the gate decided.
    pub at: Timestamp,
}
