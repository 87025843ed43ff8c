//! A call's arguments, read with errors that name the argument, what was expected and what came.

use serde_json::{Map, Value};

use crate::call::{Call, CallError};

/// The arguments of one call.
pub(super) struct Args<'a> {
    path: &'a str,
    values: &'a [Value],
}

/// An options object, whose unknown keys are refused by name.
pub(super) struct Options<'a> {
    path: &'a str,
    map: Option<&'a Map<String, Value>>,
}

impl<'a> Args<'a> {
    pub(super) fn of(call: &'a Call) -> Self {
        Self { path: &call.path, values: &call.args }
    }

    /// A text that is not blank.
    pub(super) fn text(&self, index: usize, name: &str) -> Result<String, CallError> {
        match self.values.get(index) {
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(text.clone()),
            other => Err(self.wrong(name, "a text that is not empty", other)),
        }
    }

    /// The value as it came.
    pub(super) fn value(&self, index: usize) -> Option<&'a Value> {
        self.values.get(index).filter(|value| !value.is_null())
    }

    /// A message's number.
    pub(super) fn id(&self, index: usize, name: &str) -> Result<i64, CallError> {
        self.values
            .get(index)
            .and_then(as_id)
            .ok_or_else(|| self.wrong(name, "a number, such as 812", self.values.get(index)))
    }

    /// An options object with only these keys.
    pub(super) fn options(&self, index: usize, known: &[&str]) -> Result<Options<'a>, CallError> {
        let map = match self.value(index) {
            None => None,
            Some(Value::Object(map)) => Some(map),
            other => return Err(self.wrong("options", "an object", other)),
        };
        if let Some(unknown) = map.and_then(|m| m.keys().find(|key| !known.contains(&key.as_str()))) {
            let message = format!("{}: there is no option {unknown:?}; there are {}", self.path, known.join(", "));
            return Err(CallError::new("TypeError", message));
        }
        Ok(Options { path: self.path, map })
    }

    pub(super) fn wrong(&self, name: &str, expected: &str, got: Option<&Value>) -> CallError {
        wrong(self.path, name, expected, got)
    }
}

impl<'a> Options<'a> {
    pub(super) fn get(&self, name: &str) -> Option<&'a Value> {
        self.map.and_then(|map| map.get(name)).filter(|value| !value.is_null())
    }

    pub(super) fn flag(&self, name: &str) -> Result<bool, CallError> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            other => Err(self.wrong(name, "true or false", other)),
        }
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<&'a str>, CallError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            other => Err(self.wrong(name, "a text", other)),
        }
    }

    pub(super) fn id(&self, name: &str) -> Result<Option<i64>, CallError> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => as_id(value).map(Some).ok_or_else(|| self.wrong(name, "a number, such as 812", Some(value))),
        }
    }

    /// How many, within bounds.
    pub(super) fn limit(&self, default: usize, most: usize) -> Result<usize, CallError> {
        Ok(self.id("limit")?.map_or(default, |n| usize::try_from(n).unwrap_or(1).clamp(1, most)))
    }

    pub(super) fn wrong(&self, name: &str, expected: &str, got: Option<&Value>) -> CallError {
        wrong(self.path, name, expected, got)
    }
}

/// A whole number, also as a text of digits with or without `#`: that is how prompts show ids.
pub(super) fn as_id(value: &Value) -> Option<i64> {
    match value {
        #[allow(clippy::cast_possible_truncation)] // checked to be whole and within what a double holds exactly
        Value::Number(n) => {
            n.as_i64().or_else(|| n.as_f64().filter(|f| f.fract() == 0.0 && f.abs() < 9e15).map(|f| f as i64))
        }
        Value::String(text) => text.trim().trim_start_matches('#').parse().ok(),
        _ => None,
    }
}

fn wrong(path: &str, name: &str, expected: &str, got: Option<&Value>) -> CallError {
    let got = match got {
        None => "nothing".to_owned(),
        Some(Value::Null) => "null".to_owned(),
        Some(Value::Bool(b)) => b.to_string(),
        Some(Value::Number(n)) => n.to_string(),
        Some(Value::String(s)) if s.trim().is_empty() => "an empty text".to_owned(),
        Some(Value::String(s)) => format!("the text {:?}", s.chars().take(40).collect::<String>()),
        Some(Value::Array(_)) => "an array".to_owned(),
        Some(Value::Object(map)) if map.is_empty() => "an empty object".to_owned(),
        Some(Value::Object(map)) => {
            format!("an object with {}", map.keys().take(6).cloned().collect::<Vec<_>>().join(", "))
        }
    };
    CallError::new("TypeError", format!("{path}: {name} must be {expected}, got {got}"))
}
