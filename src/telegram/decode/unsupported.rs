//! What has no event of its own: kept in words where we have some, with its raw form otherwise.

use serde_json::Value;

use super::field::{Fields, cut, one_line};
use super::{chat, full_name};
use crate::chat::event::{Event, EventKind};
use crate::chat::ids::ChatId;
use crate::chat::media::RAW_BYTES;
use crate::chat::person::{Chat, ChatKind, Identity};
use crate::time::Timestamp;

/// How many kinds of reaction a count names.
const COUNTED: usize = 8;

/// An update that we do not understand, in its chat where that is certain, and in the chat with ourselves otherwise.
pub(super) fn event(name: &str, why: &str, update: &Value, me: &Identity) -> Event {
    let body = update.at(name);
    // A business account's chats have the numbers of our own DMs, and a guest's are not ours: neither is where it says.
    let is_foreign = name.contains("business") || name.starts_with("guest");
    let here = if is_foreign { None } else { chat(body.at("chat")).ok() };
    let ourselves = || Chat { id: ChatId(me.id.0), kind: ChatKind::Private, title: me.name.clone() };
    let kind = EventKind::Noted {
        what: if name.is_empty() { "unsupported update".to_owned() } else { one_line(name) },
        text: format!("unsupported message: {why}"),
        raw: Some(raw(update)),
    };
    let time = Timestamp::from_secs(body.int("date").unwrap_or(0));
    Event { chat: here.unwrap_or_else(ourselves), topic: None, time, kind }
}

/// The raw form, as much of it as is kept.
pub(super) fn raw(value: &Value) -> String {
    let mut text = value.to_string();
    cut(&mut text, RAW_BYTES);
    text
}

/// Reactions whose givers Telegram does not tell (`message_reaction_count`).
pub(super) fn counted(value: &Value) -> Result<Event, &'static str> {
    let message = value.int("message_id").ok_or("no message id")?;
    let counts = value.list("reactions").iter().take(COUNTED).map(|reaction| {
        let kind = reaction.at("type");
        let shown = if kind.has("emoji") { kind.text("emoji") } else { kind.text("type") };
        format!("{} × {}", one_line(shown), reaction.int("total_count").unwrap_or(0))
    });
    let counts = counts.collect::<Vec<_>>().join(", ");
    let text = if counts.is_empty() { "none".to_owned() } else { counts };
    noted(value, "message_reaction_count", &format!("reactions to #{message} are now {text}"), value.int("date"))
}

/// Somebody boosted the chat, or their boost ended.
pub(super) fn boosted(value: &Value, begins: bool) -> Result<Event, &'static str> {
    let boost = if begins { value.at("boost") } else { value };
    let who = match full_name(boost.at("source").at("user")) {
        name if name.trim().is_empty() => "somebody".to_owned(),
        name => one_line(&name),
    };
    if begins {
        return noted(value, "chat_boost", &format!("{who} boosted the chat"), boost.int("add_date"));
    }
    noted(value, "removed_chat_boost", &format!("the boost of {who} ended"), boost.int("remove_date"))
}

fn noted(value: &Value, what: &str, text: &str, secs: Option<i64>) -> Result<Event, &'static str> {
    let time = Timestamp::from_secs(secs.unwrap_or(0));
    Ok(Event { chat: chat(value.at("chat"))?, topic: None, time, kind: EventKind::noted(what, text) })
}
