//! The operator's hooks around calls: *before* ones refuse a call or ask about it, *after* ones rewrite what it gave.
//!
//! Invariants:
//! - Hooks run in the order of their names, each fed what the one before it made.
//! - A before-hook can only make things stricter.
//! - A `redact` that cannot look at all of a value withholds it. Any other after-hook that fails is logged and skipped.

use std::collections::BTreeSet;

use regex_lite::{NoExpand, Regex};
use serde_json::{Map, Value};

use super::permission::{Verdict, covers};
use crate::attention::gate::Reason;
use crate::call::{CallError, Outcome, Settled};
use crate::chat::ids::ChatId;
use crate::text;

/// What takes the place of what a pattern matched.
pub const REDACTED: &str = "[REDACTED]";
/// How deep a value is looked into: deeper than any honest one, shallow enough for the stack.
const DEEPEST: usize = 64;
/// What is added to a cut text, to say how much is missing, takes less than this.
const NOTE: usize = 100;

/// One hook.
#[derive(Clone, Debug)]
pub struct Hook {
    /// Its name in the configuration.
    pub name: String,
    /// Which methods: full paths, or all below one.
    pub methods: Vec<String>,
    /// In which chats; everywhere if there are none.
    pub chats: BTreeSet<ChatId>,
    /// In which wakes; in all if there are none.
    pub wakes: BTreeSet<Reason>,
    /// What it does.
    pub does: Does,
}

/// What a hook does.
#[derive(Clone, Debug)]
pub enum Does {
    /// Before: refuses the call, if an argument matches.
    Deny {
        /// Why, for the script's author.
        why: String,
        /// What an argument must hold; any call, if there is none.
        matching: Option<Regex>,
    },
    /// Before: has an operator asked, if an argument matches.
    Ask {
        /// What an argument must hold; any call, if there is none.
        matching: Option<Regex>,
    },
    /// After: takes out what matches, wherever in the value it stands.
    Redact {
        /// What is taken out.
        patterns: Vec<Regex>,
    },
    /// After: cuts long texts within the value.
    Truncate {
        /// The most bytes of each text.
        most: usize,
        /// What of it is kept.
        keep: Keep,
    },
}

/// What of a long text is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Its beginning.
    Head,
    /// Its end.
    Tail,
    /// Both.
    Both,
}

/// A call as hooks see it.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The whole path.
    pub path: &'a str,
    /// Its arguments.
    pub args: &'a [Value],
    /// The chat whose turn makes it.
    pub chat: ChatId,
    /// Why that turn began.
    pub wake: Reason,
}

/// All hooks, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Hooks(Vec<Hook>);

impl Hooks {
    /// Hooks in the order in which they run: by name.
    pub fn new(mut hooks: Vec<Hook>) -> Self {
        hooks.sort_by(|a, b| a.name.cmp(&b.name));
        Self(hooks)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Hook> {
        self.0.iter()
    }

    /// What the before-hooks say of a call.
    pub fn before(&self, scene: &Scene<'_>) -> Vec<Verdict> {
        let speak = |matching: &Option<Regex>| {
            // What cannot be looked through counts as a match: strictness is what a guard is for.
            let holds = |pattern: &Regex| scene.args.iter().any(|arg| matches(arg, pattern, 0));
            matching.as_ref().is_none_or(holds)
        };
        let verdict = |hook: &Hook| match &hook.does {
            Does::Deny { why, matching } if speak(matching) => Verdict::Deny(why.clone()),
            Does::Ask { matching } if speak(matching) => Verdict::Ask,
            Does::Deny { .. } | Does::Ask { .. } | Does::Redact { .. } | Does::Truncate { .. } => Verdict::Allow,
        };
        self.of(scene).map(verdict).collect()
    }

    /// What the after-hooks make of an answer.
    pub fn after(&self, scene: &Scene<'_>, mut settled: Settled) -> Settled {
        for hook in self.of(scene) {
            let rewrite: &dyn Fn(&str) -> Option<String> = match &hook.does {
                Does::Deny { .. } | Does::Ask { .. } => continue,
                Does::Redact { patterns } => &|text| redacted(text, patterns),
                Does::Truncate { most, keep } => &|text| truncated(text, *most, *keep),
            };
            let is_redact = matches!(hook.does, Does::Redact { .. });
            let rewritten = match &settled.outcome {
                Outcome::Done(value) => rewritten(value, rewrite, is_redact, 0).map(Outcome::Done),
                Outcome::Failed(error) => Some(Outcome::Failed(told(error, rewrite))),
                Outcome::Unknown(error) => Some(Outcome::Unknown(told(error, rewrite))),
                Outcome::Denied(_) | Outcome::Parked(_) => continue,
            };
            match rewritten {
                Some(outcome) => settled.outcome = outcome,
                None if is_redact => settled = withheld(settled, &hook.name),
                None => tracing::warn!(hook = hook.name, path = scene.path, "a hook failed and was skipped"),
            }
            if is_redact && let Some(did) = rewrite(&settled.did) {
                settled.did = did;
            }
        }
        settled
    }

    /// Arguments as the journal shows them: redacted as the answer is.
    pub fn audited(&self, scene: &Scene<'_>) -> Vec<Value> {
        let mut args = scene.args.to_vec();
        for hook in self.of(scene) {
            if let Does::Redact { patterns } = &hook.does {
                for arg in &mut args {
                    *arg = rewritten(arg, &|text| redacted(text, patterns), true, 0).unwrap_or_else(|| REDACTED.into());
                }
            }
        }
        args
    }

    fn of<'h>(&'h self, scene: &Scene<'_>) -> impl Iterator<Item = &'h Hook> {
        let is_meant = move |hook: &&Hook| {
            hook.methods.iter().any(|pattern| covers(pattern, scene.path))
                && (hook.chats.is_empty() || hook.chats.contains(&scene.chat))
                && (hook.wakes.is_empty() || hook.wakes.contains(&scene.wake))
        };
        self.0.iter().filter(is_meant)
    }
}

/// An answer whose value nobody may see. What was done stays done.
fn withheld(settled: Settled, hook: &str) -> Settled {
    let why = format!("the result is withheld: the hook {hook} could not look through it");
    let outcome = if settled.is_effect && matches!(settled.outcome, Outcome::Done(_)) {
        Outcome::Done(Value::String(format!("[{why}]")))
    } else {
        Outcome::Failed(CallError::new("WithheldError", format!("{}: {why}", settled.call.path)))
    };
    Settled { outcome, ..settled }
}

fn told(error: &CallError, rewrite: &dyn Fn(&str) -> Option<String>) -> CallError {
    CallError { name: error.name.clone(), message: rewrite(&error.message).unwrap_or_else(|| error.message.clone()) }
}

/// A value with every text in it rewritten; keys and numbers too, if `all`. `None` if it is too deep.
fn rewritten(value: &Value, rewrite: &dyn Fn(&str) -> Option<String>, all: bool, depth: usize) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    Some(match value {
        Value::String(text) => rewrite(text).map_or_else(|| value.clone(), Value::String),
        Value::Number(number) if all => rewrite(&number.to_string()).map_or_else(|| value.clone(), Value::String),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        Value::Array(items) => {
            Value::Array(items.iter().map(|item| rewritten(item, rewrite, all, depth + 1)).collect::<Option<_>>()?)
        }
        Value::Object(fields) => {
            let mut made = Map::new();
            for (key, item) in fields {
                let key = if all { rewrite(key).unwrap_or_else(|| key.clone()) } else { key.clone() };
                // Two keys that read alike now stay two.
                let mut free = key.clone();
                let mut n = 1;
                while made.contains_key(&free) {
                    n += 1;
                    free = format!("{key} {n}");
                }
                made.insert(free, rewritten(item, rewrite, all, depth + 1)?);
            }
            Value::Object(made)
        }
    })
}

/// `None` if nothing matches.
fn redacted(text: &str, patterns: &[Regex]) -> Option<String> {
    let mut now = None;
    for pattern in patterns {
        let text = now.as_deref().unwrap_or(text);
        if pattern.is_match(text) {
            // What was taken out before is not taken apart.
            let parts = text.split(REDACTED).map(|part| pattern.replace_all(part, NoExpand(REDACTED)));
            now = Some(parts.collect::<Vec<_>>().join(REDACTED));
        }
    }
    now
}

/// `None` if it is short enough.
fn truncated(text: &str, most: usize, keep: Keep) -> Option<String> {
    // A note about less than itself would only make it longer.
    if text.len() <= most + NOTE {
        return None;
    }
    let left = text.len() - most;
    Some(match keep {
        Keep::Head => format!("{}… ({left} bytes left out)", &text[..text::floor(text, most)]),
        Keep::Tail => format!("({left} bytes left out) …{}", &text[text::ceil(text, left)..]),
        Keep::Both => text::clip(text, most),
    })
}

fn matches(value: &Value, pattern: &Regex, depth: usize) -> bool {
    if depth > DEEPEST {
        return true;
    }
    match value {
        Value::String(text) => pattern.is_match(text),
        Value::Number(number) => pattern.is_match(&number.to_string()),
        Value::Null | Value::Bool(_) => false,
        Value::Array(items) => items.iter().any(|item| matches(item, pattern, depth + 1)),
        Value::Object(fields) => {
            fields.iter().any(|(key, item)| pattern.is_match(key) || matches(item, pattern, depth + 1))
        }
    }
}

#[cfg(test)]
mod tests;
