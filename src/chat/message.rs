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
    /// Addresses that the text does not show: behind linked words, or previewed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// The album that it begins or belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub album: Option<String>,
    /// The numbers of the album's other messages, whose attachments stand here too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<MessageId>,
}

/// The most messages of one album, as Telegram allows.
pub const ALBUM: usize = 10;

impl Message {
    /// Whether it goes by this number: its own, or that of one of its album's messages.
    pub fn is(&self, id: MessageId) -> bool {
        self.id == id || self.parts.contains(&id)
    }

    /// Whether a message is a further one of the same album.
    pub fn is_album_of(&self, other: &Message) -> bool {
        self.album.is_some() && self.album == other.album && self.from == other.from && self.parts.len() < ALBUM
    }

    /// Takes in a further message of the same album. Taken twice it changes nothing; `false` then.
    pub fn take_part(&mut self, part: &Message) -> bool {
        if self.is(part.id) {
            return false;
        }
        self.parts.push(part.id);
        self.media.extend(part.media.iter().cloned());
        self.take_words(part);
        true
    }

    /// Becomes what an edit says. An edited message of an album changes its caption; its siblings stay.
    pub fn take_edit(&mut self, edit: &Message) {
        if self.parts.is_empty() {
            self.clone_from(edit);
            return;
        }
        self.edited = edit.edited;
        self.text.clear();
        self.mentions.clear();
        self.links.clear();
        self.take_words(edit);
    }

    fn take_words(&mut self, from: &Message) {
        // One message of an album carries the caption; several may.
        if from.text.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&from.text);
        self.mentions.extend(from.mentions.iter().cloned());
        self.links.extend(from.links.iter().cloned());
        self.command = self.command.take().or_else(|| from.command.clone());
    }
}

/// An address behind words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The linked words; empty for a preview of an address that is not in the text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// Where it leads.
    pub url: String,
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
