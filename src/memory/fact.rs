//! One remembered statement, with where it came from and who may learn it.

use serde::{Deserialize, Serialize};

use crate::chat::audience::Audience;
use crate::chat::ids::{ChatId, MessageId, PersonId};
use crate::time::Timestamp;

/// A fact's number in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FactId(pub u64);

/// What a fact is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// A person.
    Person(PersonId),
    /// A chat.
    Chat(ChatId),
    /// The world.
    World,
    /// Ourselves.
    Us,
}

/// What kind of statement it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// Something that is so.
    #[default]
    Trait,
    /// A liking or dislike.
    Preference,
    /// Something intended, with a date after which it is past.
    Plan,
    /// Something that happened.
    Event,
    /// How two people stand to each other.
    Relation,
}

/// The message that a fact came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Source {
    /// The chat.
    pub chat: ChatId,
    /// The message.
    pub message: MessageId,
}

/// A statement on its way into the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewFact {
    /// What it is about.
    pub subject: Subject,
    /// The statement, in the language it was made in.
    pub text: String,
    /// Its kind.
    #[serde(default)]
    pub kind: FactKind,
    /// 0 to 100.
    pub confidence: u8,
    /// Where it came from.
    pub sources: Vec<Source>,
    /// Who may learn it: never wider than the room that it came from.
    pub audience: Audience,
    /// When it was learnt.
    pub seen: Timestamp,
    /// The moment after which it no longer matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
}

/// A stored statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// Its number.
    pub id: FactId,
    /// The statement as last told; `seen` is the last time.
    #[serde(flatten)]
    pub told: NewFact,
    /// When it was told first.
    pub first_seen: Timestamp,
    /// The fact that took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<FactId>,
}
