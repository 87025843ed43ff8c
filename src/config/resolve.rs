//! From tables to [`Config`]: every key, its default, its range and its example stand here, once.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::PathBuf;

use serde_json::Value;
use toml::de::DeValue;

use super::error::ConfigError;
use super::hooks::hooks;
use super::written::{Document, Held, Section, integer};
use super::{
    ChatSettings, Config, GroupSettings, Language, ModelSettings, Others, Persona, ROLES, SENSES, SandboxSettings,
    SkillSettings, Telegram, TurnSettings, Typing, units,
};
use crate::attention::settings::Settings;
use crate::chat::audience::Circles;
use crate::chat::ids::{ChatId, PersonId};
use crate::skills::permission::Rules;
use crate::skills::registry::Risk;
use crate::time::{Span, Zone};

const ZONE: &str = "Asia/Shanghai";
const API: &str = "https://api.telegram.org";
/// The longest that Telegram holds a poll.
const POLL: Span = Span::secs(50);
const MB: u64 = 1 << 20;

/// Resolves a document; the first problem in the order of the file is the error.
pub(super) fn config(document: &Document<'_>) -> Result<Config, ConfigError> {
    let table = document.parse()?;
    let top = document.root(table.get_ref());
    let config = everything(document, &top);
    top.finish();
    match document.problem() {
        Some(problem) => Err(problem),
        None => config,
    }
}

fn everything(document: &Document<'_>, top: &Section<'_, '_>) -> Result<Config, ConfigError> {
    let zone = top.parsed("zone", "the name of a time zone", ZONE, |name| Zone::named(name).ok());
    let persona = top.text("persona", "\"xiaxia\"").unwrap_or_else(|| "xiaxia".to_owned());
    let persona = Persona::find(&persona, document.base()).map_err(|error| match error {
        // The name itself is wrong: that place is in our file.
        ConfigError::Persona { place, message } if place == "persona" => {
            ConfigError::Persona { place: top.place("persona"), message }
        }
        other => other,
    });
    let data = top.path("data", "data").unwrap_or_else(|| document.base().join("data"));
    let language = language(top);
    let rules = top.text("rules", "\"No politics.\"").unwrap_or_default().trim().to_owned();
    let telegram = telegram(document, top.section("telegram"));
    let models = models(top);
    let attention = attention(top.section("attention"));
    let turn = turn(top.section("turn"));
    let sandbox = sandbox(top.section("sandbox"));
    let store = top.section("store");
    let cache = store.size("cache", MB..=4096 * MB, 32 * MB);
    store.finish();
    let journal = top.section("journal");
    let record = journal.path("record", "session.jsonl");
    journal.finish();
    let (operators, circles) = privacy(top);
    let groups = groups(top.section("groups"));
    let chats = chats(&top.section("chats"));
    let section = top.section("skills");
    let answer_within = section.span("answer_within", Span::secs(1)..=Span::hours(24), Span::minutes(10));
    let (skill_folders, skills, permissions) = skills(document, &section);
    let hooks = hooks(&top.section("hooks"));
    let network = top.section("network");
    let network_allow = network
        .list("allow", "addresses with a port", "[\"127.0.0.1:9000\"]", |item| {
            item.as_str()?.parse::<SocketAddr>().ok()
        })
        .map(BTreeSet::from_iter)
        .unwrap_or_default();
    network.finish();
    let zone = zone.unwrap_or_else(|| Zone::named(ZONE).unwrap_or_else(|_| Zone::utc()));
    let persona = persona?;
    Ok(Config {
        data,
        zone,
        language: language.unwrap_or(persona.language),
        persona,
        rules,
        skill_folders,
        telegram,
        attention,
        turn,
        sandbox,
        cache,
        record,
        operators,
        circles,
        groups,
        chats,
        skills,
        permissions,
        answer_within,
        hooks,
        network_allow,
        file: document.file().to_owned(),
        models,
    })
}

fn language(section: &Section<'_, '_>) -> Option<Language> {
    section.parsed("language", "\"zh\" or \"en\"", "zh", Language::from_code)
}

fn telegram(document: &Document<'_>, section: Section<'_, '_>) -> Telegram {
    let token = match section.secret("token") {
        Held::Given(token) => Ok(token),
        Held::NotSet(error) => Err(error),
        Held::Absent => Err(ConfigError::Missing {
            file: document.file().to_owned(),
            key: "telegram.token".to_owned(),
            expected: "the token that @BotFather gave".to_owned(),
            example: "token_env = \"TELEGRAM_TOKEN\"".to_owned(),
        }),
    };
    let api = section.parsed("api", "the address of a Bot API server", API, address).unwrap_or_else(|| API.to_owned());
    let poll = section.span("poll", Span::secs(1)..=POLL, POLL);
    let typing = Typing {
        speed: section.integer("typing_speed", 0..=1000, 20),
        most: section.span("typing_most", Span::ZERO..=Span::minutes(1), Span::secs(5)),
    };
    section.finish();
    Telegram { api, poll, typing, token }
}

/// A plain http(s) address without credentials, query or fragment, and without a slash at the end.
fn address(text: &str) -> Option<String> {
    let url = url::Url::parse(text.trim()).ok()?;
    let plain = matches!(url.scheme(), "http" | "https")
        && url.host().is_some()
        && url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    plain.then(|| text.trim().trim_end_matches('/').to_owned())
}

/// The keys of a model's table as far as they are written.
struct Written {
    base_url: Option<String>,
    name: Option<String>,
    key: Held,
    timeout: Span,
    max_tokens: u32,
    temperature: Option<f32>,
    context_tokens: u32,
}

fn model(section: Section<'_, '_>, common: Option<&Written>) -> Written {
    let example = "https://api.deepseek.com";
    let expected = "the address before /chat/completions, without key or query";
    let read = |text: &str| address(text).filter(|address| !address.ends_with("/chat/completions"));
    let own_url = section.parsed("base_url", expected, example, read);
    let key = match (section.secret("key"), common) {
        // A key belongs to its server: another one must not receive it.
        (Held::Absent, Some(common)) if own_url.is_none() || own_url == common.base_url => common.key.clone(),
        (key, _) => key,
    };
    let written = Written {
        base_url: own_url.or_else(|| common?.base_url.clone()),
        name: section
            .parsed("name", "a model's name", "deepseek-chat", |name| {
                (!name.trim().is_empty()).then(|| name.trim().to_owned())
            })
            .or_else(|| common?.name.clone()),
        key,
        timeout: section.span(
            "timeout",
            Span::secs(1)..=Span::minutes(30),
            common.map_or(Span::secs(60), |c| c.timeout),
        ),
        max_tokens: section.integer("max_tokens", 64..=65_536, common.map_or(2_048, |c| c.max_tokens)),
        temperature: section.number("temperature", 0.0..=2.0, 1.0).or_else(|| common?.temperature),
        context_tokens: section.integer(
            "context_tokens",
            2_048..=2_000_000,
            common.map_or(16_384, |c| c.context_tokens),
        ),
    };
    section.finish();
    written
}

fn models(top: &Section<'_, '_>) -> BTreeMap<&'static str, Result<ModelSettings, ConfigError>> {
    let common = model(top.section("model"), None);
    let roles = top.section("models");
    let mut models = BTreeMap::new();
    for role in ROLES {
        let written = model(roles.section(role), Some(&common));
        models.insert(role, settled(written));
    }
    for role in SENSES {
        let is_there = roles.section_is_used(role);
        let written = model(roles.section(role), Some(&common));
        if is_there {
            models.insert(role, settled(written));
        }
    }
    roles.finish();
    models
}

fn settled(written: Written) -> Result<ModelSettings, ConfigError> {
    let (Some(base_url), Some(name)) = (written.base_url, written.name) else { return Err(no_model()) };
    let key = match written.key {
        Held::Absent => None,
        Held::Given(key) => Some(key),
        Held::NotSet(error) => return Err(error),
    };
    let Written { timeout, max_tokens, temperature, context_tokens, .. } = written;
    Ok(ModelSettings { base_url, name, key, timeout, max_tokens, temperature, context_tokens })
}

/// The error of whoever needs a model where none is configured.
pub(super) fn no_model() -> ConfigError {
    ConfigError::Missing {
        file: String::new(),
        key: "model".to_owned(),
        expected: "a language model with `base_url` and `name`".to_owned(),
        example:
            "[model] base_url = \"https://api.deepseek.com\", name = \"deepseek-chat\", key_env = \"DEEPSEEK_KEY\""
                .to_owned(),
    }
}

fn attention(section: Section<'_, '_>) -> Settings {
    let longest = Span::minutes(10);
    let default = Settings::default();
    let attention = Settings {
        finish_group: section.span("finish_group", Span::ZERO..=longest, default.finish_group),
        finish_dm: section.span("finish_dm", Span::ZERO..=longest, default.finish_dm),
        follow_up: section.span("follow_up", Span::ZERO..=Span::hours(2), default.follow_up),
        ambient: section.flag("ambient", default.ambient),
        ambient_threshold: section
            .number("ambient_threshold", 0.0..=1.0, default.ambient_threshold)
            .unwrap_or(default.ambient_threshold),
        ambient_per_hour: section.integer("ambient_per_hour", 0..=60, default.ambient_per_hour),
        share_of_talk: section
            .number("share_of_talk", 0.0..=1.0, default.share_of_talk)
            .unwrap_or(default.share_of_talk),
        quiet: section.parsed("quiet", "from which whole hour to which", "23:00-08:00", units::hours).or(default.quiet),
        bot_cap: section.integer("bot_cap", 0..=100, default.bot_cap),
        stale: section.span("stale", Span::secs(10)..=Span::hours(48), default.stale),
        zone: default.zone,
    };
    section.finish();
    attention
}

fn turn(section: Section<'_, '_>) -> TurnSettings {
    let turn = TurnSettings {
        steps: section.integer("steps", 1..=64, 8),
        wall: section.span("wall", Span::secs(10)..=Span::hours(1), Span::minutes(3)),
        output: section.size("output", 512..=MB, 8 << 10),
        guides: section.span("guides", Span::ZERO..=Span::hours(24 * 7), Span::hours(1)),
    };
    section.finish();
    turn
}

fn sandbox(section: Section<'_, '_>) -> SandboxSettings {
    let sandbox = SandboxSettings {
        memory: section.size("memory", 32 * MB..=4096 * MB, 128 * MB),
        weak: section.flag("weak", false),
        deadline: section.span("deadline", Span::millis(100)..=Span::minutes(10), Span::secs(30)),
        spares: section.integer("spares", 0..=16, 1_i64) as usize,
    };
    section.finish();
    sandbox
}

fn group(id: i64) -> Option<ChatId> {
    Some(ChatId(id)).filter(|chat| id != 0 && !chat.is_private())
}

fn groups(section: Section<'_, '_>) -> GroupSettings {
    let read = |item: &DeValue<'_>| integer(item).and_then(group);
    let allow = section.list("allow", "ids of groups, which are negative", "[-1001234567890]", read);
    let others = section.parsed("others", "\"mute\" or \"leave\"", "mute", |text| match text {
        "mute" => Some(Others::Mute),
        "leave" => Some(Others::Leave),
        _ => None,
    });
    section.finish();
    GroupSettings { allow: allow.map(BTreeSet::from_iter), others: others.unwrap_or_default() }
}

fn privacy(top: &Section<'_, '_>) -> (BTreeSet<PersonId>, Circles) {
    const GROUPS: &str = "ids of groups, which are negative; a DM is shared with nobody";
    let privacy = top.section("privacy");
    let person = |item: &DeValue<'_>| integer(item).filter(|id| *id > 0).map(PersonId);
    let operators = privacy.list("operators", "ids of people, which are positive", "[123456789]", person);
    let groups = |item: &DeValue<'_>| integer(item).and_then(group);
    let public = privacy.list("public", GROUPS, "[-1001234567890]", groups);
    privacy.finish();
    let mut of = BTreeMap::<ChatId, String>::new();
    let section = top.section("circles");
    for name in section.rest() {
        for chat in section.list(&name, GROUPS, "[-1001234567890, -1009876543210]", groups).unwrap_or_default() {
            if let Some(other) = of.insert(chat, name.clone()).filter(|other| *other != name) {
                let found = format!("naming {chat}, which is in circle {other:?} too");
                section.bad(&name, found, "chats that are in no other circle", &format!("{name} = [-1001234567890]"));
            }
        }
    }
    let public = BTreeSet::from_iter(public.unwrap_or_default());
    (BTreeSet::from_iter(operators.unwrap_or_default()), Circles { of, public })
}

fn chats(section: &Section<'_, '_>) -> BTreeMap<ChatId, ChatSettings> {
    let mut chats = BTreeMap::new();
    for name in section.rest() {
        let own = section.section(&name);
        let settings = ChatSettings {
            rules: own.text("rules", "\"English only.\"").unwrap_or_default().trim().to_owned(),
            language: language(&own),
        };
        own.finish();
        match name.parse::<i64>().ok().filter(|id| *id != 0) {
            Some(id) => drop(chats.insert(ChatId(id), settings)),
            None => section.bad(&name, "not a chat's id".to_owned(), "a chat's id", "[chats.\"-1001234567890\"]"),
        }
    }
    chats
}

fn skills(
    document: &Document<'_>,
    section: &Section<'_, '_>,
) -> (Vec<PathBuf>, BTreeMap<String, SkillSettings>, Rules) {
    let folder =
        |item: &DeValue<'_>| item.as_str().filter(|text| !text.is_empty()).map(|text| document.base().join(text));
    let folders = section.list("folders", "paths of folders", "[\"./skills\"]", folder);
    let (mut skills, mut permissions) = (BTreeMap::new(), Rules::default());
    for name in section.rest() {
        let own = section.section(&name);
        let mut settings = SkillSettings::default();
        methods(&name, &own.section("methods"), &mut permissions);
        for (key, value) in own.values() {
            let Some(plain) = key.strip_suffix("_env") else {
                settings.values.insert(key, value);
                continue;
            };
            if own.has(plain) {
                own.bad(
                    &key,
                    format!("given beside `{plain}`"),
                    "only one of the two",
                    &format!("{key} = \"VARIABLE\""),
                );
            }
            match own.variable(&key) {
                Held::Given(secret) => drop(settings.values.insert(plain.to_owned(), Value::from(secret.expose()))),
                Held::NotSet(error) => drop(settings.not_set.insert(plain.to_owned(), error)),
                Held::Absent => {}
            }
        }
        skills.insert(name, settings);
    }
    (folders.unwrap_or_default(), skills, permissions)
}

/// What may be called of one skill: paths within it, or all below one (`issues.*`).
fn methods(skill: &str, section: &Section<'_, '_>, permissions: &mut Rules) {
    let risk = |text: &str| match text {
        "allow" => Some(Risk::Safe),
        "ask" => Some(Risk::Ask),
        "deny" => Some(Risk::Deny),
        _ => None,
    };
    for path in section.rest() {
        if let Some(risk) = section.parsed(&path, "\"allow\", \"ask\" or \"deny\"", "ask", risk) {
            permissions.set(format!("{skill}.{path}"), risk);
        }
    }
}
