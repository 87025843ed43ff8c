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
    /// All messages of the album, this one among them, each as it reads now and by number; none if only one is known.
    /// Text, mentions, links and attachments of the album are theirs together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Message>,
}

/// The most messages of one album, as Telegram allows.
pub const ALBUM: usize = 10;

impl Message {
    /// Whether it goes by this number: its own, or that of one of its album's messages.
    pub fn is(&self, id: MessageId) -> bool {
        self.id == id || self.parts.iter().any(|part| part.id == id)
    }

    /// Whether a message is a further one of the same album.
    pub fn is_album_of(&self, other: &Message) -> bool {
        self.album.is_some() && self.album == other.album && self.parts.len() < ALBUM
    }

    /// Takes in a further message of the same album. Taken twice it changes nothing; `false` then.
    pub fn take_part(&mut self, part: &Message) -> bool {
        if self.is(part.id) {
            return false;
        }
        if self.parts.is_empty() {
            self.parts.push(self.clone());
        }
        // They may come in any order, and are shown in the one in which they were sent.
        let place = self.parts.partition_point(|known| known.id < part.id);
        self.parts.insert(place, part.clone());
        self.gather();
        true
    }

    /// Becomes what an edit says; of an album only the edited message does. `false` if the edit is older than what is
    /// known, or says the same.
    pub fn take_edit(&mut self, edit: &Message) -> bool {
        let is_album = !self.parts.is_empty();
        let known = match self.parts.iter_mut().find(|part| part.id == edit.id) {
            Some(part) => part,
            None if is_album => return false,
            None => &mut *self,
        };
        if known == edit || known.edited > edit.edited {
            return false;
        }
        known.clone_from(edit);
        if is_album {
            self.gather();
        }
        true
    }

    /// Puts the words and attachments of an album's messages together: one of them carries the caption, several may.
    fn gather(&mut self) {
        let parts = &self.parts;
        let captions: Vec<&str> = parts.iter().map(|part| part.text.as_str()).filter(|text| !text.is_empty()).collect();
        self.text = captions.join("\n");
        self.mentions = parts.iter().flat_map(|part| part.mentions.iter().cloned()).collect();
        self.links = parts.iter().flat_map(|part| part.links.iter().cloned()).collect();
        self.media = parts.iter().flat_map(|part| part.media.iter().cloned()).collect();
        self.command = parts.iter().find_map(|part| part.command.clone());
        self.edited = parts.iter().filter_map(|part| part.edited).max();
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
