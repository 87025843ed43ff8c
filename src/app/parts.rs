//! The parts of a session, built from its configuration.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc, watch};

use crate::calls::fetch::Web;
use crate::calls::house::{Delivery, Hands, House};
use crate::calls::loading::{self, Skills};
use crate::chat::language::Language;
use crate::chat::person::Identity;
use crate::clock::{Clock, Dice};
use crate::commands::Command;
use crate::commands::words::Words;
use crate::config::Config;
use crate::journal::file::JournalError;
use crate::journal::tape::Tape;
use crate::journal::{Base, Digests, FORMAT, Header};
use crate::llm;
use crate::sandbox::{self, Pool};
use crate::skills::registry::Registry;
use crate::store::{Store, StoreError};
use crate::telegram::api::{Api, ApiError, Me};
use crate::telegram::outbox::Outbox;

/// Why a session cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The configuration lacks something.
    #[error(transparent)]
    Config(#[from] crate::config::ConfigError),
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Telegram does not know us, or cannot be reached.
    #[error(transparent)]
    Telegram(#[from] ApiError),
    /// The model is not usable as configured.
    #[error(transparent)]
    Model(#[from] llm::LlmError),
    /// Scripts cannot be isolated here.
    #[error(transparent)]
    Sandbox(#[from] sandbox::SandboxError),
    /// The recording cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// What differs from one kind of session to another.
#[derive(Debug)]
pub struct Plan {
    /// The configuration.
    pub config: Config,
    /// Who we are.
    pub me: Identity,
    /// What every step goes through.
    pub tape: Tape,
    /// From which all chance is drawn.
    pub seed: u64,
    /// What is remembered.
    pub store: Arc<Store>,
    /// What scripts can use.
    pub registry: Registry,
    /// Whether anything outside is reached.
    pub reach: Reach,
}

/// What of the outside a session reaches.
#[derive(Debug)]
pub enum Reach {
    /// Nothing: a replay.
    Nothing,
    /// Telegram, the models and the network.
    World {
        /// Private addresses and stand-ins of the network.
        web: Web,
    },
}

/// Builds what all rooms share, and the queue of their events.
pub async fn house(plan: Plan) -> Result<(Arc<House>, mpsc::UnboundedReceiver<Delivery>), StartError> {
    let Plan { config, me, tape, seed, store, registry, reach } = plan;
    let pool = Pool::start(sandbox::Settings {
        exe: own_binary(),
        memory: config.sandbox.memory,
        weak: config.sandbox.weak,
        spares: config.sandbox.spares,
    })
    .await?;
    let mut code = BTreeMap::new();
    let hands = match reach {
        Reach::Nothing => None,
        Reach::World { web } => {
            let api = Api::new(&config.telegram.api, config.token()?.expose());
            // Virtual time stands still while a script waits, so there a pace would never end.
            let clock = tape.clock().clone();
            let (for_it, kept, typing) = (api.clone(), store.clone(), config.telegram.typing);
            let outbox = if clock.is_real() {
                Outbox::typed(for_it, kept, clock, typing)
            } else {
                Outbox::new(for_it, kept, clock)
            };
            let (loaded, problems) = loading::code(&pool, &registry, &config).await;
            code = loaded;
            for problem in &problems {
                tracing::error!(skill = problem.skill, "{}", problem.message);
            }
            Some(Hands { models: llm::Router::new(&config)?, api, outbox, web })
        }
    };
    let (post, posted) = mpsc::unbounded_channel();
    let skills = Skills::new(registry, code).into();
    let house = House {
        config,
        me,
        seed,
        tape,
        store,
        skills,
        pool,
        hands,
        post,
        caught_up: watch::Sender::new(true),
        health: Mutex::default(),
        agenda_changed: Notify::new(),
        parked_changed: Notify::new(),
    };
    Ok((Arc::new(house), posted))
}

/// What privacy mode keeps from us, and how it is turned off.
pub const PRIVACY_MODE: &str = "privacy mode is on: in groups only commands, replies to us and messages that name us \
    arrive, so reading along and speaking up unasked cannot work there. Turn it off with @BotFather (/setprivacy), then \
    take the bot out of each group and add it again; or make it an administrator there";

/// Asks Telegram who we are; the persona adds what we are called.
pub async fn who_we_are(config: &Config) -> Result<(Identity, Me), StartError> {
    let me = Api::new(&config.telegram.api, config.token()?.expose()).get_me().await?;
    let identity = identity(config, me.id, &me.name, &me.username);
    Ok((identity, me))
}

/// Tells Telegram which commands there are, for everybody and for operators, in every language. A menu that is out of
/// date harms nobody, so a failure is only logged.
pub async fn show_commands(house: &House) {
    let Some(hands) = &house.hands else { return };
    let config = &house.config;
    let everybody: Vec<Command> = Command::ALL.into_iter().filter(|command| !command.is_for_operators()).collect();
    let mut menus = vec![(json!({ "type": "default" }), everybody.as_slice())];
    // Telegram shows the narrowest scope that fits: the operator's private chat with us comes before the default.
    menus.extend(
        config.operators.iter().map(|id| (json!({ "type": "chat", "chat_id": id.0 }), Command::ALL.as_slice())),
    );
    for (scope, commands) in menus {
        let languages = Language::ALL.into_iter().map(|language| (language.code(), language));
        for (code, language) in std::iter::once(("", config.language)).chain(languages) {
            let words = Words::of(language);
            let list: Vec<Value> = commands
                .iter()
                .map(|command| json!({ "command": command.name(), "description": words.command(*command) }))
                .collect();
            let mut body = json!({ "commands": list, "scope": scope });
            if !code.is_empty() {
                body["language_code"] = json!(code);
            }
            if let Err(error) = hands.api.ask_raw("setMyCommands", &body, || ()).await {
                // An operator who never wrote to us has no chat yet.
                tracing::debug!(%error, %scope, "a menu of commands was not set");
            }
        }
    }
}

/// Our identity: what Telegram says, and the persona's names.
pub fn identity(config: &Config, id: crate::chat::ids::PersonId, name: &str, username: &str) -> Identity {
    let mut aliases = vec![config.persona.name.clone()];
    for alias in &config.persona.aliases {
        if !aliases.contains(alias) {
            aliases.push(alias.clone());
        }
    }
    Identity { id, name: name.to_owned(), username: username.to_owned(), aliases }
}

/// Lets what the configuration says about groups hold for the supergroups that they became.
pub fn follow_moves(config: &mut Config, store: &Store) -> Result<(), StoreError> {
    for chat in config.chats_named() {
        let now = store.successor(chat)?;
        if now != chat {
            tracing::warn!("the group {chat} of the configuration is now {now}; write that instead");
            config.chat_moved(chat, now);
        }
    }
    Ok(())
}

/// A session's header.
pub fn header(config: &Config, registry: &Registry, me: &Identity, clock: &Clock, store: &Store) -> Header {
    Header {
        groupmate: FORMAT,
        build: env!("CARGO_PKG_VERSION").to_owned(),
        at: clock.now(),
        me: me.clone(),
        zone: config.zone.name().to_owned(),
        circles: config.circles.clone(),
        seed: Dice::fresh().seed(),
        store: if store.is_empty() { Base::Empty } else { Base::Absent },
        recorded: true,
        digests: digests(config, registry),
        lacking: registry.unavailable().map(str::to_owned).collect(),
    }
}

/// What shapes a session beside its inputs.
pub fn digests(config: &Config, registry: &Registry) -> Digests {
    Digests { config: config.digest(), persona: config.persona.digest(), skills: registry.digest() }
}

/// The file that is running: children of the sandbox are the same binary.
pub fn own_binary() -> std::path::PathBuf {
    // On Linux this name stays right when the file is replaced by an upgrade.
    let link = Path::new("/proc/self/exe");
    if link.exists() { link.to_owned() } else { std::env::current_exe().unwrap_or_else(|_| "groupmate".into()) }
}
