//! `[hooks.NAME]`: what is said around calls.

use std::collections::BTreeSet;

use regex_lite::Regex;
use toml::de::DeValue;

use super::written::{Section, integer};
use crate::attention::gate::Reason;
use crate::chat::ids::ChatId;
use crate::skills::hook::{Does, Hook, Hooks, Keep};

const EXPECTED_METHODS: &str = "paths such as \"telegram.sendText\", \"github.*\" or \"*\"";
const EXPECTED_WAKES: &str = "\"direct\", \"follow_up\", \"ambient\", \"agenda\", \"idle\"";
const EXPECTED_PATTERN: &str = "a regular expression";

pub(super) fn hooks(section: &Section<'_, '_>) -> Hooks {
    let hooks = section.rest().into_iter().filter_map(|name| {
        let own = section.section(&name);
        let hook = hook(&name, &own);
        own.finish();
        hook
    });
    Hooks::new(hooks.collect())
}

/// `None` for one that says nothing, or nothing that can be used.
fn hook(name: &str, own: &Section<'_, '_>) -> Option<Hook> {
    let methods = own.list("methods", EXPECTED_METHODS, "[\"*\"]", method);
    let chats = own.list("chats", "ids of chats", "[-1001234567890]", |item| integer(item).map(ChatId));
    let wakes = own.list("wakes", EXPECTED_WAKES, "[\"ambient\"]", wake);
    let lacking = |beside: &str, key: &str, example: &str| {
        if !own.has(key) {
            own.bad(beside, format!("no `{key}` beside it"), &format!("`{key}` as well"), example);
        }
    };
    let does = own.parsed("do", "\"deny\", \"ask\", \"redact\" or \"truncate\"", "redact", |text| {
        ["deny", "ask", "redact", "truncate"].into_iter().find(|known| *known == text)
    });
    let Some(does) = does else {
        if let Some(beside) = ["methods", "chats", "wakes"].into_iter().find(|key| own.has(key)) {
            lacking(beside, "do", "do = \"redact\"");
        }
        return None;
    };
    lacking("do", "methods", "methods = [\"*\"]");
    let matching = || own.parsed("matching", EXPECTED_PATTERN, "1[3-9][0-9]{9}", |text| Regex::new(text).ok());
    let does = match does {
        "deny" => {
            let why = own.text("why", "\"Not on weekends.\"");
            Does::Deny { why: why.unwrap_or_else(|| "the operator does not want it".to_owned()), matching: matching() }
        }
        "ask" => Does::Ask { matching: matching() },
        "redact" => {
            lacking("do", "patterns", "patterns = [\"sk-[A-Za-z0-9]{20,}\"]");
            let patterns = own.list("patterns", "regular expressions", "[\"sk-[A-Za-z0-9]{20,}\"]", pattern);
            Does::Redact { patterns: patterns.unwrap_or_default() }
        }
        _ => {
            let keep = own.parsed("keep", "\"head\", \"tail\" or \"both\"", "both", |text| match text {
                "head" => Some(Keep::Head),
                "tail" => Some(Keep::Tail),
                "both" => Some(Keep::Both),
                _ => None,
            });
            let most = usize::try_from(own.size("most", 1..=1 << 20, 4 << 10)).unwrap_or(usize::MAX);
            Does::Truncate { most, keep: keep.unwrap_or(Keep::Both) }
        }
    };
    let (methods, chats) = (methods.unwrap_or_default(), BTreeSet::from_iter(chats.unwrap_or_default()));
    Some(Hook { name: name.to_owned(), methods, chats, wakes: BTreeSet::from_iter(wakes.unwrap_or_default()), does })
}

/// A path, or one that ends in `*`: a name that nothing could ever match is a slip of the pen.
fn method(item: &DeValue<'_>) -> Option<String> {
    let text = item.as_str()?;
    let head = text.strip_suffix('*').unwrap_or(text);
    let is_path =
        text == "*" || head.contains('.') && !head.contains(['*', ' ']) && (head == text || head.ends_with('.'));
    is_path.then(|| text.to_owned())
}

fn pattern(item: &DeValue<'_>) -> Option<Regex> {
    // One that matches nothing at all would redact everywhere.
    Regex::new(item.as_str()?).ok().filter(|pattern| !pattern.is_match(""))
}

fn wake(item: &DeValue<'_>) -> Option<Reason> {
    match item.as_str()? {
        "direct" => Some(Reason::Direct),
        "follow_up" => Some(Reason::FollowUp),
        "ambient" => Some(Reason::Ambient),
        "agenda" => Some(Reason::Agenda),
        "idle" => Some(Reason::Idle),
        _ => None,
    }
}
