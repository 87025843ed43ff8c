//! `groupmate check`: configuration, token, model, sandbox and skills, each passed, warned or failed with its remedy.

use std::fmt;
use std::process::ExitCode;

use super::ConfigFile;
use crate::app::parts;
use crate::calls::loading;
use crate::config::Config;
use crate::llm::Router;
use crate::prompt::request::{Request, Role, Turned};
use crate::sandbox::{self, Pool};
use crate::store::{Store, StoreError};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    config: ConfigFile,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Grade {
    Passed,
    Warned,
    Failed,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Grade::Passed => "passed",
            Grade::Warned => "warned",
            Grade::Failed => "FAILED",
        })
    }
}

pub(super) async fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut worst_is_failure = false;
    let mut say = |grade: Grade, what: &str, text: &str| {
        worst_is_failure |= grade == Grade::Failed;
        say!("{grade}  {what}: {text}");
    };
    let config = super::load(&arguments.config)?;
    say(Grade::Passed, "configuration", &arguments.config.config.display().to_string());
    token(&config, &mut say).await;
    model(&config, &mut say).await;
    store(&config, &mut say);
    let settings = sandbox::Settings {
        exe: parts::own_binary(),
        memory: config.sandbox.memory,
        weak: config.sandbox.weak,
        spares: 1,
    };
    match Pool::start(settings).await {
        Ok(pool) if config.sandbox.weak => {
            say(Grade::Warned, "sandbox", &format!("weak by configuration: {}", pool.isolation()))
        }
        Ok(pool) => say(Grade::Passed, "sandbox", pool.isolation()),
        Err(error) => say(Grade::Failed, "sandbox", &error.to_string()),
    }
    let (registry, problems) = loading::skills(&config);
    for skill in registry.skills() {
        let missing = loading::missing_secrets(&config, skill);
        let what = format!("skill {}", skill.name);
        if missing.is_empty() {
            say(Grade::Passed, &what, &skill.summary);
        } else {
            let remedy = format!("no {} given; set it under [skills.{}]", missing.join(", "), skill.name);
            say(Grade::Warned, &what, &remedy);
        }
    }
    for guide in registry.guides() {
        match guide.warnings.first() {
            None => say(Grade::Passed, &format!("guide {}", guide.name), &guide.description),
            Some(odd) => {
                say(Grade::Warned, &format!("guide {}", guide.name), &format!("{}: {}", odd.place, odd.message))
            }
        }
    }
    for problem in &problems {
        say(Grade::Failed, &format!("skill {}", problem.skill), &format!("{}: {}", problem.place, problem.message));
    }
    Ok(if worst_is_failure { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

async fn token(config: &Config, say: &mut impl FnMut(Grade, &str, &str)) {
    match parts::who_we_are(config).await {
        Err(error) => say(Grade::Failed, "telegram", &error.to_string()),
        Ok((me, telegram)) if telegram.can_read_all_group_messages => {
            say(Grade::Passed, "telegram", &format!("we are @{} and may read all group messages", me.username));
        }
        Ok((me, _)) => say(Grade::Warned, "telegram", &format!("we are @{}, but {}", me.username, parts::PRIVACY_MODE)),
    }
}

async fn model(config: &Config, say: &mut impl FnMut(Grade, &str, &str)) {
    let router = match Router::new(config) {
        Ok(router) => router,
        Err(error) => return say(Grade::Failed, "model", &error.to_string()),
    };
    let request = Request {
        system: "Answer with the one word: ready".to_owned(),
        messages: vec![Turned::text(Role::User, "Are you there?")],
        max_tokens: 64,
    };
    match router.ask("turn", &request, &|_| false).await {
        Ok(reply) if reply.text.trim().is_empty() => {
            say(
                Grade::Warned,
                "model",
                "it answered with an empty text; a larger max_tokens may help a model that reasons",
            );
        }
        Ok(reply) => {
            let usage = reply.usage;
            let text = format!("{} answered ({} tokens in, {} out)", reply.model, usage.input, usage.output);
            say(Grade::Passed, "model", &text);
        }
        Err(error) => say(Grade::Failed, "model", &error.to_string()),
    }
}

fn store(config: &Config, say: &mut impl FnMut(Grade, &str, &str)) {
    if !config.data.exists() {
        return say(Grade::Passed, "store", &format!("{} will be made at the first run", config.data.display()));
    }
    match Store::open(&config.data, config.cache) {
        Ok(store) => match store.counts() {
            Ok(counts) => {
                say(Grade::Passed, "store", &format!("{} messages, {} people", counts.messages, counts.people))
            }
            Err(error) => say(Grade::Failed, "store", &error.to_string()),
        },
        Err(error @ StoreError::Locked { .. }) => say(Grade::Warned, "store", &error.to_string()),
        Err(error) => say(Grade::Failed, "store", &error.to_string()),
    }
}
