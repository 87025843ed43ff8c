//! `skills.*`: what can be read about the skills.

use serde_json::{Value, json};

use super::args::Args;
use super::{Answer, DOCS, Desk};
use crate::call::{Call, CallError};
use crate::skills::disclose;

/// The answer to `skills.NAME`.
pub(super) fn method(name: &str) -> Option<Answer> {
    Some(match name {
        "docs" => |desk, call, _| desk.read(call, desk.docs(call)),
        _ => return None,
    })
}

impl Desk {
    fn docs(&self, call: &Call) -> Result<Value, CallError> {
        let path = Args::of(call).text(0, "path")?;
        let registry = &self.skills.registry;
        match disclose::docs(registry, &path, DOCS) {
            Some(docs) => {
                self.lock().docs.push(docs);
                Ok(json!("The documentation comes with the report on this script."))
            }
            None => {
                let near = registry.nearest(&path);
                let hint = if near.is_empty() { String::new() } else { format!("; there is {}", near.join(", ")) };
                Err(CallError::new("RangeError", format!("skills.docs: nothing is called {path:?}{hint}")))
            }
        }
    }
}
