//! The append-only record of a session: every input, every answer from outside, and the order in which rooms stepped.
//!
//! Invariants:
//! - One global sequence. A line is written at the moment its operation takes effect, under one lock, so the order of
//!   lines is the order of effects.
//! - Secrets never enter: what is written is what rooms and models see, and those never see one.
//! - The first line is a [`Header`]; a file of another format is refused, not guessed at.

pub mod file;
pub mod player;
pub mod stop;
pub mod tape;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::audience::Circles;
use crate::chat::ids::RoomId;
use crate::chat::person::Identity;
use crate::time::Timestamp;

/// The format that this build writes and reads.
pub const FORMAT: u32 = 1;

/// What a journal begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The format's version: [`FORMAT`].
    pub groupmate: u32,
    /// The build that wrote it.
    pub build: String,
    /// When it began.
    pub at: Timestamp,
    /// Who we are.
    pub me: Identity,
    /// The zone of the rooms.
    pub zone: String,
    /// Which chats share what is remembered.
    #[serde(default)]
    pub circles: Circles,
    /// From which all chance is drawn.
    pub seed: u64,
    /// What the store held when it began.
    pub store: Base,
    /// Whether rooms stepped in it (a recording), or it holds events only (an import).
    pub recorded: bool,
    /// Digests of what shapes a session beside its inputs, for a mismatch to be named.
    #[serde(default)]
    pub digests: Digests,
    /// Skills that lacked a key, and so were not in the prompt. Whoever replays may have other keys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<String>,
}

/// What the store held when a recording began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Base {
    /// Nothing: the session replays from its journal alone.
    Empty,
    /// Rows that the journal does not hold: the session can be read, not replayed.
    Absent,
}

/// Digests of configuration, persona and skills.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digests {
    /// Of what the configuration says, secrets left out.
    pub config: String,
    /// Of the persona.
    pub persona: String,
    /// Of the skills.
    pub skills: String,
}

/// One line after the header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its number, from 1.
    pub seq: u64,
    /// When it took effect.
    pub at: Timestamp,
    /// The room that stepped; none for what concerns all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<RoomId>,
    /// What it is.
    pub kind: Kind,
    /// Tells apart what one room does at the same time: the number of a turn, script and call.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n: u64,
    /// What was asked or done.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub question: Value,
    /// What came of it.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub answer: Value,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the shape that serde asks for
const fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Input: raw updates from Telegram, and what intake made of them.
    Update,
    /// Input: an event of an import, already decoded.
    Event,
    /// Input: a reminder rang.
    Alarm,
    /// Input: nobody decided about a parked call, and its time was over.
    Decided,
    /// A room heard an event; the answer is the gate's verdict.
    Heard,
    /// A room woke; the answer is the wake.
    Woke,
    /// A room asks the model; the answer is the whole request.
    Asking,
    /// Outside: the model's reply.
    Asked,
    /// A call that needs leave was looked at; the answer says who is asked.
    Judged,
    /// A call of a script was answered.
    Called,
    /// Outside: what a skill's code answered.
    Invoked,
    /// Outside: what the network answered to a skill's code. Only a cassette reads it.
    Fetched,
    /// Outside: a guide was loaded; the answer is its text, or why it was not.
    SkillLoaded,
    /// Outside: a file of a guide was read; the answer is its text, or why it was not.
    SkillResourceLoaded,
    /// Outside: whether somebody is a member of a chat.
    Member,
    /// Outside: what a model saw or heard in an attachment.
    Described,
    /// Outside: how listening to Telegram goes.
    Polled,
    /// Outside: an act in Telegram.
    Acted,
    /// Outside: what the skill folders held when they were read again.
    Reloaded,
    /// A command was obeyed, and the answer is what we say to it; or an operator's leave was, and it is the call.
    Obeyed,
    /// Our own message was filed.
    Filed,
    /// A script ended; the answer is its report.
    Ran,
    /// A turn ended and its changes were committed.
    Settled,
}

impl Kind {
    /// Whether the line brings something in that no room waits for.
    pub const fn is_input(self) -> bool {
        matches!(self, Kind::Update | Kind::Event | Kind::Alarm | Kind::Decided)
    }
}

/// By what a step finds its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The room that steps.
    pub room: Option<RoomId>,
    /// What it does.
    pub kind: Kind,
    /// Tells apart what it does at the same time.
    pub n: u64,
}

impl Key {
    /// A step of a room that it does one at a time.
    pub const fn of(room: RoomId, kind: Kind) -> Self {
        Self { room: Some(room), kind, n: 0 }
    }

    /// A step that concerns all rooms.
    pub const fn global(kind: Kind) -> Self {
        Self { room: None, kind, n: 0 }
    }

    /// The same step with a number.
    pub const fn number(self, n: u64) -> Self {
        Self { n, ..self }
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.room {
            Some(room) => write!(f, "{:?} in room {room}", self.kind)?,
            None => write!(f, "{:?}", self.kind)?,
        }
        if self.n > 0 { write!(f, " (n {})", self.n) } else { Ok(()) }
    }
}

impl Line {
    /// By what its step finds it.
    pub const fn key(&self) -> Key {
        Key { room: self.room, kind: self.kind, n: self.n }
    }
}
