//! Raw Bot API updates, one JSON object a line.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::Imported;
use crate::chat::audience::Circles;
use crate::chat::event::Event;
use crate::chat::person::Identity;
use crate::telegram::decode::{Decoded, decode};
use crate::time::Zone;

#[derive(Deserialize)]
struct Head {
    update_id: Option<IgnoredAny>,
}

pub(super) fn looks_like(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    // Typed, because that line may be a whole export.
    serde_json::from_str::<Head>(first).is_ok_and(|head| head.update_id.is_some())
}

pub(super) fn read(text: &str, me: Identity) -> Result<Imported, String> {
    let (mut events, mut skipped): (Vec<Event>, Vec<String>) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let update: Value =
            serde_json::from_str(line).map_err(|e| format!("line {}: {e}; expected one update a line", number + 1))?;
        match decode(&update, &me) {
            Decoded::Event(event) => events.push(event),
            Decoded::Ignored { what } => skipped.push(format!("line {}: {what}", number + 1)),
        }
    }
    events.sort_by_key(|event| event.time);
    let source = "Bot API updates".to_owned();
    Ok(Imported { source, me, zone: Zone::utc(), circles: Circles::default(), events, labels: Vec::new(), skipped })
}
