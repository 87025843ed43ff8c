//! What a skill's `package.json` says under `groupmate`: hosts, settings and secrets.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

/// What a skill may reach and what it must be given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Hosts that its code may fetch from, lower case, without scheme or port.
    pub hosts: Vec<String>,
    /// Secrets by name. The host fills them in; no code sees their values.
    pub secrets: BTreeMap<String, SecretSlot>,
    /// Settings by name. Their real values are given to the code.
    pub settings: BTreeMap<String, SettingSpec>,
}

/// A secret and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretSlot {
    /// The place in a request.
    pub slot: Slot,
    /// What it is, for the operator who must supply it.
    pub describe: String,
}

/// The place of a request that a secret goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slot {
    /// `Authorization: Bearer …`.
    Bearer,
    /// `Authorization: Basic …`; the secret is `user:password`.
    Basic,
    /// A header of this name.
    Header(String),
    /// A query parameter of this name.
    Query(String),
}

/// A setting that the operator may give.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingSpec {
    /// What it is, for the operator.
    #[serde(default)]
    pub describe: String,
    /// The value if none is given.
    #[serde(default)]
    pub default: Option<Value>,
}

/// Reads a `package.json`. What is wrong in it is told in the second part, and the rest holds.
pub fn parse(text: &str) -> (Manifest, Vec<String>) {
    let mut manifest = Manifest::default();
    let package: Value = match serde_json::from_str(text) {
        Ok(package) => package,
        Err(error) => return (manifest, vec![format!("is not JSON: {error}")]),
    };
    let mut wrong = Vec::new();
    let ours = match package.get("groupmate") {
        None => return (manifest, wrong),
        Some(Value::Object(ours)) => ours,
        Some(_) => return (manifest, vec!["\"groupmate\" must be an object".to_owned()]),
    };
    for (key, value) in ours {
        match (key.as_str(), value) {
            ("hosts", Value::Array(hosts)) => hosts.iter().for_each(|host| match host.as_str().and_then(self::host) {
                Some(host) => manifest.hosts.push(host),
                None => wrong.push(format!("hosts: {host} must be a plain host name, such as \"api.example.com\"")),
            }),
            ("hosts", _) => wrong.push("hosts must be a list, such as [\"api.example.com\"]".to_owned()),
            ("secrets", Value::Object(secrets)) => read_secrets(secrets, &mut manifest, &mut wrong),
            ("settings", Value::Object(settings)) => read_settings(settings, &mut manifest, &mut wrong),
            ("secrets" | "settings", _) => wrong.push(format!("{key} must be an object of names")),
            _ => wrong.push(format!("there is no key {key:?}; there are hosts, settings, secrets")),
        }
    }
    if manifest.hosts.is_empty() && !manifest.secrets.is_empty() {
        wrong.push("has secrets but no hosts to send them to".to_owned());
    }
    (manifest, wrong)
}

fn read_secrets(secrets: &Map<String, Value>, manifest: &mut Manifest, wrong: &mut Vec<String>) {
    for (name, spec) in secrets {
        let slot = spec.get("slot").and_then(slot);
        let Some(slot) = slot else {
            wrong.push(format!(
                "secrets.{name}: slot must be \"bearer\", \"basic\", {{ \"header\": \"X-Key\" }} or {{ \"query\": \"key\" }}"
            ));
            continue;
        };
        let describe = spec.get("describe").and_then(Value::as_str).unwrap_or_default().to_owned();
        manifest.secrets.insert(name.clone(), SecretSlot { slot, describe });
    }
}

fn read_settings(settings: &Map<String, Value>, manifest: &mut Manifest, wrong: &mut Vec<String>) {
    for (name, spec) in settings {
        let read = match spec {
            Value::String(describe) => Ok(SettingSpec { describe: describe.clone(), default: None }),
            other => SettingSpec::deserialize(other),
        };
        match read {
            Ok(spec) => drop(manifest.settings.insert(name.clone(), spec)),
            Err(error) => wrong.push(format!("settings.{name}: {error}")),
        }
    }
}

fn slot(value: &Value) -> Option<Slot> {
    match value {
        Value::String(word) => match word.as_str() {
            "bearer" => Some(Slot::Bearer),
            "basic" => Some(Slot::Basic),
            other => match other.split_once(':') {
                Some(("header", name)) => token(name).map(Slot::Header),
                Some(("query", name)) => token(name).map(Slot::Query),
                Some(_) | None => None,
            },
        },
        Value::Object(map) if map.len() == 1 => {
            let (kind, name) = map.iter().next()?;
            let name = token(name.as_str()?)?;
            match kind.as_str() {
                "header" => Some(Slot::Header(name)),
                "query" => Some(Slot::Query(name)),
                _ => None,
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A header's or parameter's name: nothing in it may break out of its place.
fn token(name: &str) -> Option<String> {
    let name = name.trim().trim_matches('"');
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.[]".contains(c));
    is_plain.then(|| name.to_owned())
}

fn host(text: &str) -> Option<String> {
    let is_plain = !text.is_empty()
        && text.split('.').all(|part| !part.is_empty())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.');
    is_plain.then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_hosts_secrets_and_settings() {
        let (manifest, wrong) = parse(
            r#"{"name":"x","groupmate":{"hosts":["API.example.com"],
            "secrets":{"A":{"slot":"bearer"},"B":{"slot":{"header":"X-Key"},"describe":"d"},"C":{"slot":"query:key"}},
            "settings":{"region":{"describe":"where","default":"eu"},"lang":"language"}}}"#,
        );
        assert_eq!(wrong, Vec::<String>::new());
        assert_eq!(manifest.hosts, ["api.example.com"]);
        assert_eq!(manifest.secrets["A"].slot, Slot::Bearer);
        assert_eq!(manifest.secrets["B"].slot, Slot::Header("X-Key".into()));
        assert_eq!(manifest.secrets["C"].slot, Slot::Query("key".into()));
        assert_eq!(manifest.settings["region"].default, Some("eu".into()));
        assert_eq!(manifest.settings["lang"].describe, "language");
    }

    #[test]
    fn what_is_wrong_is_named_and_the_rest_holds() {
        let (manifest, wrong) = parse(
            r#"{"groupmate":{"hosts":["https://a.com/x","b.com"],"secrets":{"K":{"slot":"cookie"},
            "L":{"slot":{"header":"X: y\r\nZ"}}},"hooks":1}}"#,
        );
        assert_eq!(manifest.hosts, ["b.com"]);
        assert_eq!(wrong.len(), 4, "{wrong:#?}");
        assert_eq!(parse("{").1.len(), 1);
        assert!(parse("{}").1.is_empty());
    }
}
