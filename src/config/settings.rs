//! What the tables of a configuration resolve to.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;

use super::Language;
use super::error::ConfigError;
use super::secret::Secret;
use crate::chat::ids::ChatId;
use crate::time::Span;

/// How the Bot API is reached.
#[derive(Clone, Debug)]
pub struct Telegram {
    /// Its base address, without a slash at the end.
    pub api: String,
    /// How long it may hold a poll that has nothing to tell.
    pub poll: Span,
    /// How it seems to type.
    pub typing: Typing,
    pub(super) token: Result<Secret, ConfigError>,
}

/// How fast it seems to type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Typing {
    /// Keys a second; 0 sends at once.
    pub speed: u32,
    /// The longest that one message is typed.
    pub most: Span,
}

/// One language model, as a role uses it.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelSettings {
    /// The address before `/chat/completions`, without a slash at the end.
    pub base_url: String,
    /// The model's name there.
    pub name: String,
    /// The key, if the server wants one.
    pub key: Option<Secret>,
    /// How long one request may take.
    pub timeout: Span,
    /// The most tokens of one reply.
    pub max_tokens: u32,
    /// How freely it chooses words; the server's default if `None`.
    pub temperature: Option<f32>,
    /// The most tokens of one prompt.
    pub context_tokens: u32,
}

/// Bounds of one turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnSettings {
    /// The most model calls of one turn.
    pub steps: u32,
    /// How long one turn may take.
    pub wall: Span,
    /// The most bytes of a script's output that the model is shown.
    pub output: u64,
    /// How long a guide stays in view that nobody loads or reads again.
    pub guides: Span,
}

/// Bounds of scripts and skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxSettings {
    /// Bytes that one script may use.
    pub memory: u64,
    /// Run even where the kernel cannot isolate.
    pub weak: bool,
    /// How long one script may run.
    pub deadline: Span,
    /// Children kept ready.
    pub spares: usize,
}

/// What is different in one chat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChatSettings {
    /// House rules of this chat, beside the common ones.
    pub rules: String,
    /// Its language.
    pub language: Option<Language>,
}

/// Which groups it belongs in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupSettings {
    /// The groups; every group if none are named.
    pub allow: Option<BTreeSet<ChatId>>,
    /// What it does in others.
    pub others: Others,
}

/// What it does in a group that it does not belong in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Others {
    /// Reads along, and says nothing.
    #[default]
    Mute,
    /// Leaves.
    Leave,
}

/// What one skill is given. Which values are secret is the skill's declaration to say, so none can be printed.
#[derive(Clone, Default, PartialEq)]
pub struct SkillSettings {
    pub(super) values: BTreeMap<String, Value>,
    pub(super) not_set: BTreeMap<String, ConfigError>,
}

impl SkillSettings {
    /// A value, or which environment variable is not set. Absent is `None`.
    pub fn value(&self, key: &str) -> Result<Option<&Value>, ConfigError> {
        match self.not_set.get(key) {
            Some(error) => Err(error.clone()),
            None => Ok(self.values.get(key)),
        }
    }

    /// Every key that is given, set or not, so that what a skill does not declare can be refused.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.values.keys().chain(self.not_set.keys()).map(String::as_str)
    }
}

impl fmt::Debug for SkillSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.keys()).finish()
    }
}
