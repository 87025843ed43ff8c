//! A person as memory knows them: one id, every name that was seen.

use serde::{Deserialize, Serialize};

use crate::chat::ids::PersonId;
use crate::chat::person::Profile;
use crate::time::Timestamp;

/// How many former names are kept; the latest come first.
pub const NAMES_KEPT: usize = 8;

/// A person across all chats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The id that never changes.
    pub id: PersonId,
    /// The name shown last.
    pub name: String,
    /// The username shown last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// Another bot.
    #[serde(default)]
    pub is_bot: bool,
    /// IETF language tag, if Telegram told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Earlier names, the latest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former_names: Vec<String>,
    /// When we first saw them.
    pub first_seen: Timestamp,
    /// When we last saw them.
    pub last_seen: Timestamp,
}

impl Person {
    /// Somebody met for the first time.
    pub fn met(profile: &Profile, at: Timestamp) -> Self {
        Self {
            id: profile.id,
            name: profile.name.clone(),
            username: profile.username.clone(),
            is_bot: profile.is_bot,
            language: profile.language.clone(),
            former_names: Vec::new(),
            first_seen: at,
            last_seen: at,
        }
    }

    /// Folds a newer sighting in.
    pub fn see(&mut self, profile: &Profile, at: Timestamp) {
        if at >= self.last_seen {
            if self.name != profile.name {
                let old = std::mem::replace(&mut self.name, profile.name.clone());
                self.former_names.retain(|name| *name != old && *name != self.name);
                self.former_names.insert(0, old);
                self.former_names.truncate(NAMES_KEPT);
            }
            self.username.clone_from(&profile.username);
            self.is_bot = profile.is_bot;
            if profile.language.is_some() {
                self.language.clone_from(&profile.language);
            }
            self.last_seen = at;
        }
        self.first_seen = self.first_seen.min(at);
    }
}
