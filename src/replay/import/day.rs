//! A labelled day: chats, people, messages in order, and which of them should wake us.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Imported, Label};
use crate::chat::audience::Circles;
use crate::chat::event::{Event, EventKind};
use crate::chat::ids::{ChatId, MessageId, PersonId};
use crate::chat::media::{Media, MediaKind};
use crate::chat::message::{Command, Mention, Message, Quote};
use crate::chat::person::{Chat, ChatKind, Identity, Profile, Sender};
use crate::time::{Timestamp, Zone};

struct Day<'a> {
    me: Identity,
    chats: BTreeMap<i64, Chat>,
    people: BTreeMap<i64, &'a Value>,
    said: BTreeMap<(i64, i64), (Sender, String)>,
}

pub(super) fn read(value: &Value) -> Result<Imported, String> {
    let zone = Zone::named(text(value, "timezone").unwrap_or("UTC"))?;
    let me = me(value)?;
    let mut circles = Circles::default();
    let mut chats = BTreeMap::new();
    for chat in list(value, "chats") {
        let id = number(chat, "id").ok_or("a chat without id")?;
        let kind = match text(chat, "type") {
            Some("private") => ChatKind::Private,
            Some("group") => ChatKind::Group,
            Some("channel") => ChatKind::Channel,
            _ => ChatKind::Supergroup,
        };
        if let Some(circle) = text(chat, "circle") {
            circles.of.insert(ChatId(id), circle.to_owned());
        }
        chats.insert(id, Chat { id: ChatId(id), kind, title: text(chat, "title").unwrap_or_default().to_owned() });
    }
    let people = list(value, "people").iter().filter_map(|p| Some((number(p, "id")?, p))).collect();
    let mut day = Day { me: me.clone(), chats, people, said: BTreeMap::new() };
    let (mut events, mut labels, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    for message in list(value, "messages") {
        match day.event(message) {
            Ok(event) => {
                let wake = message.pointer("/gold/wake").and_then(Value::as_str);
                if let (Some(wake), EventKind::Said(said)) = (wake, &event.kind)
                    && said.from != Sender::Us
                {
                    labels.push(Label { chat: event.chat.id, message: said.id, wake: wake.to_owned() });
                }
                events.push(event);
            }
            Err(what) => skipped.push(what),
        }
    }
    let source = format!("the labelled day “{}”", text(value, "name").unwrap_or_default());
    Ok(Imported { source, me, zone, circles, events, labels, skipped })
}

fn me(value: &Value) -> Result<Identity, String> {
    let bot = value.get("bot").ok_or("the day names no bot")?;
    Ok(Identity {
        id: PersonId(number(bot, "id").ok_or("the bot has no id")?),
        name: text(bot, "name").unwrap_or_default().to_owned(),
        username: text(bot, "username").unwrap_or_default().to_owned(),
        aliases: list(bot, "aliases").iter().filter_map(Value::as_str).map(str::to_owned).collect(),
    })
}

impl Day<'_> {
    fn event(&mut self, value: &Value) -> Result<Event, String> {
        let id = number(value, "id").ok_or("a message without id")?;
        let chat_id = number(value, "chat").ok_or_else(|| format!("message {id} is in no chat"))?;
        let chat =
            self.chats.get(&chat_id).cloned().ok_or_else(|| format!("message {id}: chat {chat_id} is not listed"))?;
        let time = text(value, "time")
            .and_then(|t| Zone::utc().parse(t))
            .ok_or_else(|| format!("message {id} has no time"))?;
        let from = self.sender(number(value, "from").unwrap_or(0), time);
        // In a DM the other side gives the title.
        let chat = if chat.kind == ChatKind::Private && chat.title.is_empty() {
            let title = self.sender(chat_id, time).name().to_owned();
            Chat { title, ..chat }
        } else {
            chat
        };
        let kind = match text(value, "kind") {
            Some("service") => self.service(value, time),
            Some("edit") => {
                let edited = number(value, "edits").ok_or_else(|| format!("edit {id} names no message"))?;
                let mut message = self.message(value, edited, chat_id, from, time);
                message.edited = Some(time);
                EventKind::Edited(message)
            }
            _ => EventKind::Said(self.message(value, id, chat_id, from, time)),
        };
        Ok(Event { chat, topic: None, time, kind })
    }

    fn message(&mut self, value: &Value, id: i64, chat: i64, from: Sender, time: Timestamp) -> Message {
        let words = text(value, "text").unwrap_or_default().to_owned();
        let reply_to = number(value, "reply_to").map(|id| {
            let known = self.said.get(&(chat, id));
            Quote {
                id: MessageId(id),
                from: known.map(|(from, _)| from.clone()),
                text: known.map(|(_, text)| text.clone()).unwrap_or_default(),
            }
        });
        self.said.insert((chat, id), (from.clone(), words.clone()));
        let kind = match text(value, "kind") {
            Some("photo") => Some(MediaKind::Photo),
            Some("sticker") => Some(MediaKind::Sticker),
            Some("voice") => Some(MediaKind::Voice),
            _ => None,
        };
        let note = match (text(value, "emoji"), number(value, "duration")) {
            (Some(emoji), _) => emoji.to_owned(),
            (None, Some(seconds)) => format!("{seconds} s"),
            (None, None) => String::new(),
        };
        let mentions = handles(&words);
        Message {
            id: MessageId(id),
            from,
            time,
            command: command(&words),
            text: words,
            mentions,
            reply_to,
            media: kind.map(|kind| Media::new(kind, note)).into_iter().collect(),
            forwarded_from: text(value, "forwarded_from").map(str::to_owned),
            edited: None,
            links: vec![],
            album: None,
            parts: vec![],
        }
    }

    fn service(&self, value: &Value, time: Timestamp) -> EventKind {
        let service = &value["service"];
        let people = list(service, "people").iter().filter_map(Value::as_i64).map(|id| self.sender(id, time));
        let first = people.into_iter().find_map(|sender| sender.profile().cloned());
        match (text(service, "type"), first) {
            (Some("join"), Some(profile)) => EventKind::Joined(profile),
            (Some("left"), Some(profile)) => EventKind::Left(profile),
            (what, _) => EventKind::noted(what.unwrap_or("notice"), service.to_string()),
        }
    }

    /// Somebody under the name they went by at that time.
    fn sender(&self, id: i64, time: Timestamp) -> Sender {
        if PersonId(id) == self.me.id {
            return Sender::Us;
        }
        let Some(person) = self.people.get(&id) else {
            return Sender::Person(Profile {
                id: PersonId(id),
                name: String::new(),
                username: None,
                is_bot: false,
                language: None,
            });
        };
        let renamed = list(person, "renames")
            .iter()
            .rfind(|rename| text(rename, "time").and_then(|t| Zone::utc().parse(t)).is_some_and(|at| at <= time));
        let shown = renamed.unwrap_or(person);
        Sender::Person(Profile {
            id: PersonId(id),
            name: text(shown, "name").unwrap_or_default().to_owned(),
            username: text(shown, "username").map(str::to_owned),
            is_bot: person.get("is_bot").and_then(Value::as_bool).unwrap_or(false),
            language: None,
        })
    }
}

/// `@name` where Telegram would mark one: not directly before or after another letter.
fn handles(words: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    for (at, _) in words.match_indices('@') {
        let name: String = words[at + 1..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let before = words[..at].chars().next_back();
        let after = words[at + 1 + name.len()..].chars().next();
        if name.len() >= 4 && !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric) {
            found.push(Mention::Username(name));
        }
    }
    found
}

fn command(words: &str) -> Option<Command> {
    let rest = words.strip_prefix('/')?;
    let (head, args) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let (name, to) = match head.split_once('@') {
        Some((name, to)) => (name, Some(to.to_owned())),
        None => (head, None),
    };
    (!name.is_empty()).then(|| Command { name: name.to_lowercase(), to, args: args.trim().to_owned() })
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

fn number(value: &Value, key: &str) -> Option<i64> {
    value.get(key).and_then(Value::as_i64)
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
