//! One message, as the rest of the program sees it: no Telegram types, nothing that needs decoding again.

use serde::{Deserialize, Serialize};

use super::ids::{MessageId, PersonId};
use super::media::Media;
use super::person::Sender;
use crate::time::Timestamp;

/// One message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Its id within the chat.
    pub id: MessageId,
    /// Who wrote it.
    pub from: Sender,
    /// When it was written, by Telegram's clock.
    pub time: Timestamp,
    /// Text or caption, raw.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Everyone named by an entity, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<Mention>,
    /// A bot command at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Command>,
    /// The message that it replies to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<Quote>,
    /// Attachments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub media: Vec<Media>,
    /// Whose words these are, if forwarded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forwarded_from: Option<String>,
    /// When it was last edited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<Timestamp>,
}

/// Somebody named in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mention {
    /// `@name`, without the `@`.
    Username(String),
    /// A text link to a person.
    Person(PersonId),
}

/// A bot command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// Without slash and target, lower case.
    pub name: String,
    /// The bot named after `@`, without the `@`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The rest of the text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub args: String,
}

/// The message that another one replies to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// Its id within the chat.
    pub id: MessageId,
    /// Its sender, where Telegram told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Sender>,
    /// Its text, or the part that was quoted.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}
