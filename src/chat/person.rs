//! Who spoke. A person is an id; names are attributes that change.

use serde::{Deserialize, Serialize};

use super::ids::{ChatId, PersonId};

/// A person as Telegram showed them at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// The id that never changes.
    pub id: PersonId,
    /// First and last name as shown, raw: anything may be in it, so it is escaped where it is rendered.
    pub name: String,
    /// Without the `@`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// Another bot.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_bot: bool,
    /// IETF tag, such as `zh-hans`, if Telegram told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// The sender of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sender {
    /// A person or another bot.
    Person(Profile),
    /// Ourselves.
    Us,
    /// A chat speaking as itself: an anonymous administrator or a linked channel. Never a person.
    Chat {
        /// The chat that speaks.
        id: ChatId,
        /// Its title, raw.
        title: String,
    },
}

impl Sender {
    /// The person, if it is one.
    pub fn profile(&self) -> Option<&Profile> {
        match self {
            Sender::Person(profile) => Some(profile),
            Sender::Us | Sender::Chat { .. } => None,
        }
    }

    /// The person's id, if it is one.
    pub fn person(&self) -> Option<PersonId> {
        self.profile().map(|profile| profile.id)
    }

    /// The name as shown, raw; empty for ourselves.
    pub fn name(&self) -> &str {
        match self {
            Sender::Person(profile) => &profile.name,
            Sender::Us => "",
            Sender::Chat { title, .. } => title,
        }
    }

    /// Whether another bot wrote this.
    pub fn is_other_bot(&self) -> bool {
        self.profile().is_some_and(|profile| profile.is_bot)
    }
}

/// Who we are on Telegram, and what we answer to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Our id.
    pub id: PersonId,
    /// Our display name.
    pub name: String,
    /// Our username, without the `@`.
    pub username: String,
    /// Further names from the persona.
    #[serde(default)]
    pub aliases: Vec<String>,
}

/// What kind of chat it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatKind {
    /// A DM.
    Private,
    /// A basic group.
    Group,
    /// A supergroup, with or without topics.
    Supergroup,
    /// A broadcast channel.
    Channel,
}

/// A chat as Telegram showed it at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chat {
    /// The chat.
    pub id: ChatId,
    /// Its kind.
    pub kind: ChatKind,
    /// The title of a group, the name of the other side of a DM; raw.
    #[serde(default)]
    pub title: String,
}
