//! Configuration: as written, then resolved. It refuses what it does not know.
//!
//! Invariants: an unknown key or an unusable value stops the start with its file, line, key, what was expected and an
//! example; secrets are [`Secret`]s, which cannot be printed; nothing else in the program reads the environment.

mod canonical;
mod error;
mod hooks;
mod persona;
mod resolve;
mod secret;
mod settings;
#[cfg(test)]
mod tests;
mod units;
mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

pub use self::error::ConfigError;
pub use self::persona::Persona;
pub use self::secret::Secret;
pub use self::settings::{
    ChatSettings, GroupSettings, ModelSettings, Others, SandboxSettings, SkillSettings, Telegram, TurnSettings, Typing,
};
use crate::chat::audience::Circles;
use crate::chat::ids::{ChatId, PersonId};
pub use crate::chat::language::Language;
use crate::skills::hook::Hooks;
use crate::skills::permission::Rules;
use crate::time::{Span, Zone};

/// The roles that may have a model of their own; each falls back to `[model]`.
pub const ROLES: [&str; 2] = ["turn", "reflect"];
/// The roles that nobody has unless they are configured: a model that talks need not see or hear.
pub const SENSES: [&str; 2] = ["vision", "transcription"];

/// The environment variable by which a crash test arms a crash point, as `point:pass`.
const CRASH_VARIABLE: &str = "GROUPMATE_CRASH_AT";

/// Everything that an operator decides, resolved: defaults filled in, paths absolute or seen from the file's folder.
#[derive(Clone, Debug)]
pub struct Config {
    /// The folder of the store.
    pub data: PathBuf,
    /// The zone in which times are told and understood.
    pub zone: Zone,
    /// The language where a chat has none of its own.
    pub language: Language,
    /// Who it is.
    pub persona: Persona,
    /// The operator's house rules for every chat; may be empty.
    pub rules: String,
    /// Folders with skills, later ones before earlier ones, all of them before bundled skills.
    pub skill_folders: Vec<PathBuf>,
    /// The Bot API.
    pub telegram: Telegram,
    /// When it speaks; the zone in it is a placeholder, rooms fill theirs in.
    pub attention: crate::attention::settings::Settings,
    /// Bounds of one turn.
    pub turn: TurnSettings,
    /// Bounds of scripts and skills.
    pub sandbox: SandboxSettings,
    /// Memory for the store's cache, in bytes.
    pub cache: u64,
    /// Where this run is recorded, if anywhere.
    pub record: Option<PathBuf>,
    /// The only kind of administrators.
    pub operators: BTreeSet<PersonId>,
    /// Which chats share what is remembered, and which are public.
    pub circles: Circles,
    /// Which groups it belongs in.
    pub groups: GroupSettings,
    /// What is different in single chats.
    pub chats: BTreeMap<ChatId, ChatSettings>,
    /// What skills are given.
    pub skills: BTreeMap<String, SkillSettings>,
    /// Which methods scripts may call, where that differs from what skills declare.
    pub permissions: Rules,
    /// How long an operator has to answer when a method needs leave.
    pub answer_within: Span,
    /// What the operator says around calls.
    pub hooks: Hooks,
    /// Private addresses that skills may reach all the same.
    pub network_allow: BTreeSet<SocketAddr>,
    /// The file's name, for errors of values that only some commands need.
    file: String,
    models: BTreeMap<&'static str, Result<ModelSettings, ConfigError>>,
}

/// Where environment variables come from.
pub trait Env {
    /// The variable, if it is set and readable.
    fn var(&self, name: &str) -> Option<String>;
}

/// The process's own environment.
#[derive(Clone, Copy, Debug)]
pub struct RealEnv;

impl Env for RealEnv {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    fn var(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

impl Env for BTreeMap<String, String> {
    fn var(&self, name: &str) -> Option<String> {
        self.get(name).cloned()
    }
}

/// The crash point that a crash test armed, with the pass at which to stop (from 1).
pub fn crash_from(env: &dyn Env) -> Result<Option<(String, u64)>, ConfigError> {
    let Some(written) = env.var(CRASH_VARIABLE).filter(|written| !written.is_empty()) else { return Ok(None) };
    let read = written.rsplit_once(':').and_then(|(point, pass)| Some((point.to_owned(), pass.parse().ok()?)));
    read.filter(|(point, pass)| !point.is_empty() && *pass > 0).map(Some).ok_or_else(|| ConfigError::Bad {
        place: "environment".to_owned(),
        key: CRASH_VARIABLE.to_owned(),
        found: format!("{written:?}"),
        expected: "a crash point and a pass from 1".to_owned(),
        example: format!("{CRASH_VARIABLE}=\"act row:1\""),
    })
}

impl Config {
    /// Reads a file. Relative paths in it are seen from its folder.
    pub fn load(path: &Path, env: &dyn Env) -> Result<Self, ConfigError> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| ConfigError::Unreadable { file: file.clone(), why: error.to_string() })?;
        let base = path.parent().unwrap_or(Path::new(""));
        Self::from_text(&file, &text, base, env)
    }

    /// Resolves a text; `file` names it in errors, relative paths are seen from `base`.
    pub fn from_text(file: &str, text: &str, base: &Path, env: &dyn Env) -> Result<Self, ConfigError> {
        let document = written::Document::new(file, text, base, env);
        resolve::config(&document)
    }

    /// Defaults with this data folder and Bot API, for demo, chat and tests: no model, no operator, no environment.
    pub fn offline(data: &Path, api: &str) -> Result<Self, ConfigError> {
        let mut config = Self::from_text("offline", "", Path::new(""), &BTreeMap::new())?;
        data.clone_into(&mut config.data);
        api.trim_end_matches('/').clone_into(&mut config.telegram.api);
        Ok(config)
    }

    /// Gives every role this model, whatever was configured.
    pub fn set_model(&mut self, settings: &ModelSettings) {
        self.models = ROLES.into_iter().map(|role| (role, Ok(settings.clone()))).collect();
    }

    /// Whether anything is configured for a role.
    pub fn has_model(&self, role: &str) -> bool {
        self.models.contains_key(role)
    }

    /// The model of a role, or which key is missing.
    pub fn model(&self, role: &str) -> Result<&ModelSettings, ConfigError> {
        match self.models.get(role) {
            Some(Ok(settings)) => Ok(settings),
            Some(Err(error)) => Err(error.clone().in_file(&self.file)),
            None => Err(resolve::no_model().in_file(&self.file)),
        }
    }

    /// The bot's token, or which key is missing.
    pub fn token(&self) -> Result<&Secret, ConfigError> {
        self.telegram.token.as_ref().map_err(|error| error.clone().in_file(&self.file))
    }

    /// Uses this token, whatever was configured.
    pub fn set_token(&mut self, token: Secret) {
        self.telegram.token = Ok(token);
    }

    /// A group of the configuration goes by another number now: what was said about the old one holds for the new one,
    /// unless that is configured itself.
    pub fn chat_moved(&mut self, from: ChatId, to: ChatId) {
        if let Some(circle) = self.circles.of.get(&from).cloned() {
            self.circles.of.entry(to).or_insert(circle);
        }
        if self.circles.public.contains(&from) {
            self.circles.public.insert(to);
        }
        if let Some(own) = self.chats.get(&from).cloned() {
            self.chats.entry(to).or_insert(own);
        }
    }

    /// Every group that the configuration names.
    pub fn chats_named(&self) -> BTreeSet<ChatId> {
        self.circles.of.keys().chain(&self.circles.public).chain(self.chats.keys()).copied().collect()
    }

    /// The language of a chat.
    pub fn language_of(&self, chat: ChatId) -> Language {
        self.chats.get(&chat).and_then(|own| own.language).unwrap_or(self.language)
    }

    /// The house rules of a chat: the common ones, then its own.
    pub fn rules_of(&self, chat: ChatId) -> String {
        let own = self.chats.get(&chat).map_or("", |own| own.rules.as_str());
        [self.rules.as_str(), own].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// A digest of what shapes behaviour, for a journal's header. Secrets, keys, values given to skills, addresses and
    /// folders are not in it, so that a recording replays on another machine.
    pub fn digest(&self) -> String {
        hex(&Sha256::digest(self.canonical().to_string()))
    }
}

/// Lower-case hexadecimal.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
