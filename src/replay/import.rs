//! What others recorded, as events: Telegram Desktop exports, raw Bot API updates, labelled days.
//!
//! The kind is told by content, not by name. What an importer does not know it passes over and names.

mod day;
mod telegram;
mod updates;

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::chat::audience::Circles;
use crate::chat::event::Event;
use crate::chat::ids::{ChatId, MessageId, PersonId};
use crate::chat::person::Identity;
use crate::time::Zone;

/// What an import gave.
#[derive(Clone, Debug)]
pub struct Imported {
    /// What it was, for people: "a Telegram export of “312”".
    pub source: String,
    /// Who we are in it.
    pub me: Identity,
    /// The zone of its rooms.
    pub zone: Zone,
    /// Which chats share what is remembered.
    pub circles: Circles,
    /// Everything that happened, by time.
    pub events: Vec<Event>,
    /// For labelled days: which messages should wake us.
    pub labels: Vec<Label>,
    /// What was passed over, one line each.
    pub skipped: Vec<String>,
}

/// A gold label of a labelled day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The chat.
    pub chat: ChatId,
    /// The message.
    pub message: MessageId,
    /// `must`, `may` or `must-not`.
    pub wake: String,
}

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file cannot be read.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is none of the known kinds, or broken.
    #[error("{path}: {what}", path = path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What was found where, and what was expected.
        what: String,
    },
}

/// What an unreadable file should have been.
const EXPECTED: &str = "result.json of a Telegram Desktop export, Bot API updates (one a line), or a labelled day";

/// What tells a labelled day from an export.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    bot: Option<&'a RawValue>,
    #[serde(borrow)]
    people: Option<&'a RawValue>,
}

/// Who we are in exports that do not know us.
fn nobody() -> Identity {
    Identity {
        id: PersonId(1),
        name: "groupmate".to_owned(),
        username: "groupmate_bot".to_owned(),
        aliases: Vec::new(),
    }
}

/// Reads a file. `me` is who we are in it, for kinds that do not say.
pub fn read(path: &Path, me: Option<Identity>) -> Result<Imported, ImportError> {
    let text = std::fs::read_to_string(path).map_err(|source| match source.kind() {
        std::io::ErrorKind::InvalidData => ImportError::Format {
            path: path.to_owned(),
            what: "is not a text file; expected result.json of a Telegram Desktop export (JSON, not HTML)".to_owned(),
        },
        _ => ImportError::Io { path: path.to_owned(), source },
    })?;
    let format = |what: String| ImportError::Format { path: path.to_owned(), what };
    let me = me.unwrap_or_else(nobody);
    if updates::looks_like(&text) {
        return updates::read(&text, me).map_err(format);
    }
    // Only a glance: what the glance passes over is checked to be JSON, and kept nowhere.
    let head: Head<'_> = serde_json::from_str(&text)
        .map_err(|e| format(format!("line {}, column {}: {e}; expected {EXPECTED}", e.line(), e.column())))?;
    let mut imported = if head.bot.is_some() && head.people.is_some() {
        serde_json::from_str::<Value>(&text).map_err(|e| e.to_string()).and_then(|value| day::read(&value))
    } else {
        telegram::read(&text, me)
    }
    .map_err(format)?;
    drop(text);
    imported.events.sort_by_key(|event| event.time);
    Ok(imported)
}

#[cfg(test)]
mod tests;
