//! `result.json` of Telegram Desktop: one chat, or a whole account with `chats.list`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{EXPECTED, Imported};
use crate::chat::audience::Circles;
use crate::chat::event::{Event, EventKind};
use crate::chat::ids::{ChatId, MessageId, PersonId};
use crate::chat::media::{Media, MediaKind};
use crate::chat::message::{Mention, Message, Quote};
use crate::chat::person::{Chat, ChatKind, Identity, Profile, Sender};
use crate::time::{Timestamp, Zone};

/// One chat of an export, or a whole account. Messages stay text until their turn: as trees all at once they take
/// many times the file.
#[derive(Deserialize)]
struct Export<'a> {
    name: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    id: Option<i64>,
    #[serde(borrow)]
    messages: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    chats: Option<Chats<'a>>,
}

#[derive(Deserialize)]
struct Chats<'a> {
    #[serde(borrow, default)]
    list: Vec<&'a RawValue>,
}

pub(super) fn read(text: &str, me: Identity) -> Result<Imported, String> {
    let mut import = Imported {
        source: String::new(),
        me,
        zone: Zone::utc(),
        circles: Circles::default(),
        events: Vec::new(),
        labels: Vec::new(),
        skipped: Vec::new(),
    };
    let export: Export<'_> = serde_json::from_str(text)
        .map_err(|e| format!("line {}, column {}: {e}; expected {EXPECTED}", e.line(), e.column()))?;
    if let Some(chats) = &export.chats {
        for (number, chat) in (1..).zip(&chats.list) {
            let chat = serde_json::from_str(chat.get()).map_err(|e| format!("chat {number} of chats.list: {e}"))?;
            one(chat, &mut import)?;
        }
        import.source = format!("a Telegram export of {} chats", chats.list.len());
    } else if export.messages.is_some() {
        import.source = format!("a Telegram export of “{}”", export.name.as_deref().unwrap_or("(no title)"));
        one(export, &mut import)?;
    } else {
        return Err(format!("holds no messages; expected {EXPECTED}"));
    }
    Ok(import)
}

fn one(export: Export<'_>, import: &mut Imported) -> Result<(), String> {
    let title = export.name.unwrap_or_default();
    let number = export.id.ok_or_else(|| format!("the chat {title:?} has no id"))?;
    let (id, kind) = match export.kind.as_deref().unwrap_or_default() {
        "personal_chat" | "bot_chat" | "saved_messages" => (number, ChatKind::Private),
        "private_group" => (-number, ChatKind::Group),
        "private_channel" | "public_channel" => (supergroup(number), ChatKind::Channel),
        _ => (supergroup(number), ChatKind::Supergroup),
    };
    let chat = Chat { id: ChatId(id), kind, title };
    // Sender and text of what may be replied to; Telegram gives them with a reply, an export only the number. They
    // stand in the events already: here is only where.
    let mut said: BTreeMap<i64, usize> = BTreeMap::new();
    for raw in export.messages.unwrap_or_default() {
        let read = serde_json::from_str::<Value>(raw.get())
            .map_err(|e| e.to_string())
            .and_then(|value| event(&value, &chat, &import.me, &Said { at: &said, events: &import.events }));
        match read {
            Ok(event) => {
                if let EventKind::Said(message) = &event.kind {
                    said.insert(message.id.0, import.events.len());
                }
                import.events.push(event);
            }
            Err(what) => import.skipped.push(what),
        }
    }
    Ok(())
}

/// What was said so far, by number.
struct Said<'a> {
    at: &'a BTreeMap<i64, usize>,
    events: &'a [Event],
}

impl Said<'_> {
    fn get(&self, id: i64) -> Option<&Message> {
        self.events.get(*self.at.get(&id)?)?.message()
    }
}

const fn supergroup(number: i64) -> i64 {
    -1_000_000_000_000 - number
}

fn event(value: &Value, chat: &Chat, me: &Identity, said: &Said<'_>) -> Result<Event, String> {
    let id = value.get("id").and_then(Value::as_i64).ok_or_else(|| "a message without id".to_owned())?;
    let time = time(value).ok_or_else(|| format!("message {id} has no date"))?;
    let kind = match text(value, "type") {
        Some("message") => EventKind::Said(message(value, id, time, me, said)),
        Some("service") => service(value)?,
        other => return Err(format!("message {id} is of the unknown type {:?}", other.unwrap_or_default())),
    };
    Ok(Event { chat: chat.clone(), topic: None, time, kind })
}

fn time(value: &Value) -> Option<Timestamp> {
    let unix = text(value, "date_unixtime").and_then(|secs| secs.parse().ok()).map(Timestamp::from_secs);
    // Older exports have only the civil time of the exporting machine.
    unix.or_else(|| Zone::utc().parse(text(value, "date")?))
}

fn message(value: &Value, id: i64, time: Timestamp, me: &Identity, said: &Said<'_>) -> Message {
    let reply_to = value.get("reply_to_message_id").and_then(Value::as_i64).map(|id| {
        let known = said.get(id);
        Quote {
            id: MessageId(id),
            from: known.map(|message| message.from.clone()),
            text: known.map(|message| message.text.clone()).unwrap_or_default(),
        }
    });
    let (words, mentions) = words(value);
    Message {
        id: MessageId(id),
        from: sender(value, "from", "from_id", me),
        time,
        text: words,
        mentions,
        command: None,
        reply_to,
        media: media(value),
        forwarded_from: text(value, "forwarded_from").map(str::to_owned),
        edited: text(value, "edited_unixtime").and_then(|secs| secs.parse().ok()).map(Timestamp::from_secs),
        links: Vec::new(),
        album: None,
        parts: Vec::new(),
    }
}

fn sender(value: &Value, name: &str, id: &str, me: &Identity) -> Sender {
    let shown = text(value, name).unwrap_or("Deleted Account").to_owned();
    let id = text(value, id).unwrap_or_default();
    if let Some(number) = id.strip_prefix("channel").and_then(|n| n.parse().ok()) {
        return Sender::Chat { id: ChatId(supergroup(number)), title: shown };
    }
    let number = id.strip_prefix("user").unwrap_or(id).parse().unwrap_or(0);
    if PersonId(number) == me.id {
        return Sender::Us;
    }
    Sender::Person(Profile { id: PersonId(number), name: shown, username: None, is_bot: false, language: None })
}

/// Text is a string, or pieces of which some are objects; mentions are among the pieces.
fn words(value: &Value) -> (String, Vec<Mention>) {
    let mut mentions = Vec::new();
    let words = match value.get("text") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(pieces)) => pieces
            .iter()
            .map(|piece| match piece {
                Value::String(text) => text.as_str(),
                other => {
                    let text = text(other, "text").unwrap_or_default();
                    match self::text(other, "type") {
                        Some("mention") => mentions.push(Mention::Username(text.trim_start_matches('@').to_owned())),
                        Some("mention_name") => {
                            let person = other.get("user_id").and_then(Value::as_i64);
                            mentions.extend(person.map(|id| Mention::Person(PersonId(id))));
                        }
                        _ => {}
                    }
                    text
                }
            })
            .collect(),
        _ => String::new(),
    };
    (words, mentions)
}

fn media(value: &Value) -> Vec<Media> {
    let kind = match text(value, "media_type") {
        Some("sticker") => MediaKind::Sticker,
        Some("voice_message") => MediaKind::Voice,
        Some("video_message") => MediaKind::VideoNote,
        Some("video_file") => MediaKind::Video,
        Some("animation") => MediaKind::Animation,
        Some("audio_file") => MediaKind::Audio,
        Some(_) => MediaKind::Document,
        None if value.get("photo").is_some() => MediaKind::Photo,
        None if value.get("poll").is_some() => MediaKind::Poll,
        None if value.get("location_information").is_some() => MediaKind::Location,
        None if value.get("contact_information").is_some() => MediaKind::Contact,
        None if value.get("file").is_some() => MediaKind::Document,
        None => return Vec::new(),
    };
    let note = text(value, "sticker_emoji").or_else(|| text(value, "file_name")).unwrap_or_default().to_owned();
    vec![Media::new(kind, note)]
}

fn service(value: &Value) -> Result<EventKind, String> {
    let action = text(value, "action").unwrap_or_default();
    let who = |name: &str| Profile {
        id: PersonId(text(value, "actor_id").and_then(|id| id.strip_prefix("user")?.parse().ok()).unwrap_or(0)),
        name: name.to_owned(),
        username: None,
        is_bot: false,
        language: None,
    };
    let actor = text(value, "actor").unwrap_or_default();
    Ok(match action {
        "join_group_by_link" | "join_group_by_request" => EventKind::Joined(who(actor)),
        // An export names the members only; the one who came by themselves is the actor.
        "invite_members" if is_actor(value, actor) => EventKind::Joined(who(actor)),
        "remove_members" if is_actor(value, actor) => EventKind::Left(who(actor)),
        "" => return Err(format!("service message {} without action", value.get("id").unwrap_or(&Value::Null))),
        other => {
            let members = value.get("members").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let members: Vec<&str> = members.iter().filter_map(Value::as_str).collect();
            EventKind::noted(other, format!("{actor} {}", members.join(", ")).trim())
        }
    })
}

fn is_actor(value: &Value, actor: &str) -> bool {
    value.get("members").and_then(Value::as_array).is_some_and(|m| m.len() == 1 && m[0].as_str() == Some(actor))
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}
