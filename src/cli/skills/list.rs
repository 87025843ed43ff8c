//! The list of all skills: state, risk, hosts, secrets, token cost.

use serde_json::{Value, json};

use crate::calls::loading;
use crate::config::Config;
use crate::skills::guide::Guide;
use crate::skills::manifest::Slot;
use crate::skills::registry::{Problem, Registry, Risk, Skill, brief, tokens};

/// Prints one skill a line, or all as one JSON object.
pub(super) fn all(config: &Config, registry: &Registry, problems: &[Problem], json: bool) -> anyhow::Result<()> {
    if json {
        let skills: Vec<Value> = registry.skills().map(|skill| object(config, registry, skill)).collect();
        let problems: Vec<Value> =
            problems.iter().map(|p| json!({ "skill": p.skill, "place": p.place, "message": p.message })).collect();
        let guides: Vec<Value> = registry.guides().map(of_guide).collect();
        let tokens = tokens(&registry.briefs(usize::MAX)) + tokens(&registry.catalogue(usize::MAX));
        let all = json!({ "tokens": tokens, "skills": skills, "guides": guides, "problems": problems });
        say!("{}", serde_json::to_string_pretty(&all)?);
        return Ok(());
    }
    let names = registry.skills().map(|skill| &skill.name).chain(registry.guides().map(|guide| &guide.name));
    let widest = names.map(String::len).max().unwrap_or(0);
    for skill in registry.skills() {
        let state = match reason(config, skill) {
            None => "ready".to_owned(),
            Some(reason) => format!("unavailable: {reason}"),
        };
        let (methods, cost) = (skill.declaration.methods.len(), tokens(&brief(skill)));
        let mut line = format!("{:widest$}  {:>2} methods  {cost:>5} tokens  {state}", skill.name, methods);
        for (what, paths) in
            [("asks", at(config, registry, skill, Risk::Ask)), ("denies", at(config, registry, skill, Risk::Deny))]
        {
            if !paths.is_empty() {
                line.push_str(&format!("; {what} {}", paths.join(", ")));
            }
        }
        if !skill.manifest.hosts.is_empty() {
            line.push_str(&format!("; hosts {}", skill.manifest.hosts.join(", ")));
        }
        let secrets: Vec<&str> = skill.manifest.secrets.keys().map(String::as_str).collect();
        if !secrets.is_empty() {
            line.push_str(&format!("; secrets {}", secrets.join(", ")));
        }
        if skill.origin != crate::skills::bundled::ORIGIN {
            line.push_str(&format!("; from {}", skill.origin));
        }
        say!("{line}");
    }
    for guide in registry.guides() {
        let state = if guide.is_offered { "ready" } else { "not offered" };
        let mut line = format!("{:widest$}  guide       {:>5} tokens  {state}", guide.name, tokens(&guide.line()));
        if guide.origin != crate::skills::bundled::ORIGIN {
            line.push_str(&format!("; from {}", guide.origin));
        }
        for warning in &guide.warnings {
            line.push_str(&format!("; note: {} ({})", warning.message, warning.place));
        }
        say!("{line}");
    }
    let all = tokens(&registry.briefs(usize::MAX)) + tokens(&registry.catalogue(usize::MAX));
    say!("{:widest$}  {all} tokens in all, once in a prompt", "");
    Ok(())
}

/// Why a skill's calls would fail, if they would.
fn reason(config: &Config, skill: &Skill) -> Option<String> {
    let missing = loading::missing_secrets(config, skill);
    (!missing.is_empty()).then(|| format!("no {} given; set it under [skills.{}]", missing.join(", "), skill.name))
}

/// The declared members at one risk, by the operator's word first, the skill's own name left out.
fn at<'s>(config: &Config, registry: &Registry, skill: &'s Skill, risk: Risk) -> Vec<&'s str> {
    let of = |path: &str| config.permissions.of(path).unwrap_or_else(|| registry.risk(path));
    let methods = skill.declaration.methods.iter().filter(|method| of(&method.path) == risk);
    methods.map(|method| method.path.split_once('.').map_or(method.path.as_str(), |(_, rest)| rest)).collect()
}

fn object(config: &Config, registry: &Registry, skill: &Skill) -> Value {
    let reason = reason(config, skill);
    let missing = loading::missing_secrets(config, skill);
    let secrets: Vec<Value> = skill
        .manifest
        .secrets
        .iter()
        .map(|(name, secret)| {
            json!({ "name": name, "slot": slot(&secret.slot), "describe": secret.describe, "given": !missing.contains(&name.as_str()) })
        })
        .collect();
    json!({
        "name": skill.name,
        "origin": skill.origin,
        "summary": skill.summary,
        "state": if reason.is_none() { "ready" } else { "unavailable" },
        "reason": reason,
        "methods": skill.declaration.methods.len(),
        "risk": {
            "safe": at(config, registry, skill, Risk::Safe),
            "ask": at(config, registry, skill, Risk::Ask),
            "deny": at(config, registry, skill, Risk::Deny),
        },
        "hosts": skill.manifest.hosts,
        "secrets": secrets,
        "settings": skill.manifest.settings.keys().collect::<Vec<_>>(),
        "tokens": tokens(&brief(skill)),
    })
}

fn of_guide(guide: &Guide) -> Value {
    json!({
        "name": guide.name,
        "origin": guide.origin,
        "description": guide.description,
        "offered": guide.is_offered,
        "notes": guide.warnings.iter().map(|p| json!({ "place": p.place, "message": p.message })).collect::<Vec<_>>(),
        "tokens": tokens(&guide.line()),
    })
}

fn slot(slot: &Slot) -> Value {
    match slot {
        Slot::Bearer => json!("bearer"),
        Slot::Basic => json!("basic"),
        Slot::Header(name) => json!({ "header": name }),
        Slot::Query(name) => json!({ "query": name }),
    }
}
