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
    let by = value.get("from").and_then(profile);
    let kind = EventKind::Standing { may_speak, by, now: standing_words(new) };
    Ok(Event { chat, topic: None, time: time(value), kind })
}

/// What we are now, and what that allows or forbids, as Telegram names the rights.
fn standing_words(new: &Value) -> String {
    let rights = |wanted: bool| {
        let fields = new.as_object().into_iter().flatten();
        let named = fields.filter(move |(key, value)| {
            (key.starts_with("can_") && key.as_str() != "can_be_edited") && value.as_bool() == Some(wanted)
        });
        let words: Vec<String> = named.map(|(key, _)| one_line(&key.replace("can_", "").replace('_', " "))).collect();
        words.join(", ")
    };
    match (new.text("status"), rights(true), rights(false)) {
        ("administrator", may, _) if !may.is_empty() => format!("an administrator who may {may}"),
        ("restricted", _, may_not) if !may_not.is_empty() => format!("restricted: you may not {may_not}"),
        ("left", ..) => "no longer in the chat".to_owned(),
        (status, ..) => word(status),
    }
}

/// Somebody asks to be let in (`chat_join_request`).
pub(super) fn asks_to_join(value: &Value) -> Result<Event, &'static str> {
    let person = value.get("from").and_then(profile).ok_or("nobody asks")?;
    let about = match one_line(value.text("bio")) {
        bio if bio.is_empty() => String::new(),
        bio => format!("; about themselves: {bio}"),
    };
    let text = format!("{} (id {}) asks to join{about}", one_line(&person.name), person.id);
    let kind = EventKind::noted("chat_join_request", text);
    Ok(Event { chat: chat(value.at("chat"))?, topic: None, time: time(value), kind })
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
        (true, true) | (false, false) => {
            EventKind::noted("chat_member", format!("{} is now {}", one_line(&person.name), word(new.text("status"))))
        }
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
