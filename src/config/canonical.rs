//! What of a configuration shapes behaviour, for its digest.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Config, Language, Others};
use crate::attention::settings::Settings;

impl Config {
    /// What shapes behaviour, as JSON in a fixed order.
    pub(super) fn canonical(&self) -> Value {
        let Settings { finish_group, finish_dm, follow_up, ambient, .. } = &self.attention;
        let attention = &self.attention;
        let models: BTreeMap<_, _> = self
            .models
            .iter()
            .filter_map(|(role, model)| Some((role, model.as_ref().ok()?)))
            .map(|(role, m)| (*role, json!([m.name, m.max_tokens, m.temperature, m.context_tokens])))
            .collect();
        let chats: BTreeMap<_, _> = self
            .chats
            .iter()
            .map(|(chat, own)| (chat.to_string(), json!([own.rules, own.language.map(Language::code)])))
            .collect();
        let skills: BTreeMap<_, _> =
            self.skills.iter().map(|(name, own)| (name, own.keys().collect::<Vec<_>>())).collect();
        json!({
            "zone": self.zone.name(),
            "language": self.language.code(),
            "persona": self.persona.digest(),
            "rules": self.rules,
            "groups": self.groups.allow.as_ref().map(|allow| json!([allow, self.groups.others == Others::Leave])),
            "chats": chats,
            "models": models,
            "skills": skills,
            "permissions": self.permissions.iter().map(|(path, risk)| format!("{path} {risk:?}")).collect::<Vec<_>>(),
            "hooks": self.hooks.iter().map(|hook| format!("{hook:?}")).collect::<Vec<_>>(),
            "operators": self.operators,
            "public": self.circles.public,
            "circles": self.circles.of.iter().map(|(chat, name)| (chat.to_string(), name)).collect::<BTreeMap<_, _>>(),
            "attention": [
                json!(finish_group), json!(finish_dm), json!(follow_up), json!(ambient),
                json!(attention.ambient_threshold), json!(attention.ambient_per_hour), json!(attention.share_of_talk),
                json!(attention.quiet), json!(attention.bot_cap), json!(attention.stale),
            ],
            "turn": [json!(self.turn.steps), json!(self.turn.wall), json!(self.turn.output), json!(self.turn.guides)],
            "sandbox": [json!(self.sandbox.memory), json!(self.sandbox.deadline)],
        })
    }
}
