//! Who is in a chat, and what they may do there.

use serde_json::Value;

use super::field::{Fields, one_line};
use super::{chat, profile};
use crate::chat::event::{Event, EventKind};
use crate::chat::person::Identity;
use crate::time::Timestamp;

/// Our own standing changed (`my_chat_member`).
pub(super) fn standing(value: &Value) -> Result<Event, &'static str> {
    let chat = chat(value.at("chat"))?;
    let new = value.at("new_chat_member");
    let may_speak = match new.text("status") {
        "creator" | "member" => true,
        // In a channel an administrator may be allowed other things than posting; groups do not send the field.
        "administrator" => new.at("can_post_messages").as_bool().unwrap_or(true),
        "restricted" => new.flag("is_member") && new.flag("can_send_messages"),
        _ => false,
    };
    let kind = EventKind::Standing { may_speak, by: value.get("from").and_then(profile) };
    Ok(Event { chat, topic: None, time: time(value), kind })
}

/// Somebody else's standing changed (`chat_member`).
pub(super) fn changed(value: &Value, me: &Identity) -> Result<Event, &'static str> {
    let new = value.at("new_chat_member");
    let person = profile(new.at("user")).ok_or("nobody")?;
    if person.id == me.id {
        return standing(value);
    }
    let chat = chat(value.at("chat"))?;
    let kind = match (is_in(value.at("old_chat_member")), is_in(new)) {
        (false, true) => EventKind::Joined(person),
        (true, false) => EventKind::Left(person),
        (true, true) | (false, false) => EventKind::Noted {
            what: "chat_member".to_owned(),
            text: format!("{} is now {}", one_line(&person.name), word(new.text("status"))),
        },
    };
    Ok(Event { chat, topic: None, time: time(value), kind })
}

/// Whether a `ChatMember` object stands for somebody who is in the chat. What we do not know is "no".
pub(crate) fn is_in(member: &Value) -> bool {
    match member.text("status") {
        "creator" | "administrator" | "member" => true,
        // Restricted people may be outside: the restriction outlives their leaving.
        "restricted" => member.flag("is_member"),
        _ => false,
    }
}

fn word(status: &str) -> String {
    match status {
        "creator" => "the owner".to_owned(),
        "administrator" => "an administrator".to_owned(),
        "member" => "an ordinary member".to_owned(),
        "kicked" => "banned".to_owned(),
        "left" => "no longer banned".to_owned(),
        other => one_line(other),
    }
}

fn time(value: &Value) -> Timestamp {
    Timestamp::from_secs(value.int("date").unwrap_or(0))
}
