//! Raw Bot API updates to events, field by field.
//!
//! Invariants: never panics, whatever the JSON holds; an update becomes one event, an unsupported one with its raw form
//! if nothing better can be made of it; whoever speaks as a chat (an anonymous administrator, a linked channel) never
//! becomes a person; names and texts are kept raw. Nothing is decoded by a library's types, because they fail on kinds
//! newer than the library.
//!
//! What belongs to no chat of ours (a payment, an inline question, somebody's business account) stands in the chat with
//! ourselves: nobody else can ever read it, and no turn ever happens there.

mod content;
mod field;
mod member;
mod service;
mod unsupported;

use serde_json::Value;

pub(super) use self::member::is_in;

use self::field::{Fields, one_line};
use crate::chat::event::{Event, EventKind};
use crate::chat::ids::{ChatId, MessageId, PersonId, TopicId};
use crate::chat::message::{Message, Quote};
use crate::chat::person::{Chat, ChatKind, Identity, Profile, Sender};
use crate::time::Timestamp;

/// The topic that Telegram sometimes numbers and that has no id of its own for us: General.
const GENERAL_TOPIC: i64 = 1;
/// Accounts that stand in for a chat where old clients need a user: Telegram itself (automatic forwards from a linked
/// channel), the anonymous administrator, and a channel that writes as itself. They are never people.
const STAND_INS: [i64; 3] = [777_000, 1_087_968_824, 136_817_688];
const MOVED: &str = "a live location moved";

/// What an update became.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "nearly every update is an event, and none is kept in a list")]
pub enum Decoded {
    /// Something that happened in a room.
    Event(Event),
    /// What would only repeat itself: a step of somebody's live location, whose message stands already.
    Ignored {
        /// Such as `edited_message: a live location moved`.
        what: String,
    },
}

/// Decodes one update as `getUpdates` gives it.
///
/// Where Telegram tells no time (a button press, most of what is unsupported) the event has time 0: whoever takes updates
/// in stamps it.
pub fn decode(update: &Value, me: &Identity) -> Decoded {
    let nothing = (String::new(), Value::Null);
    let fields = update.as_object();
    let (name, body) = match fields.and_then(|fields| fields.iter().find(|(key, _)| key.as_str() != "update_id")) {
        Some((name, body)) => (name.as_str(), body),
        None => (nothing.0.as_str(), &nothing.1),
    };
    let event = match name {
        "message" | "channel_post" => said(body, me, false),
        "edited_message" | "edited_channel_post" => said(body, me, true),
        "message_reaction" => reacted(body, me),
        "message_reaction_count" => unsupported::counted(body),
        "callback_query" => pressed(body),
        "my_chat_member" => member::standing(body),
        "chat_member" => member::changed(body, me),
        "chat_join_request" => member::asks_to_join(body),
        "chat_boost" => unsupported::boosted(body, true),
        "removed_chat_boost" => unsupported::boosted(body, false),
        // Foreign on purpose: business accounts, inline mode, payments, and what comes next.
        _ => Err("not supported"),
    };
    match event {
        Ok(event) => Decoded::Event(event),
        Err(MOVED) => Decoded::Ignored { what: format!("{name}: {MOVED}") },
        Err(why) => Decoded::Event(unsupported::event(name, why, update, me)),
    }
}

/// The event of an update that could not be decoded at all, for whoever caught the fault.
pub fn undecodable(update: &Value, me: &Identity) -> Event {
    unsupported::event("update", "it cannot be decoded", update, me)
}

/// Decodes a bare `Message` object, such as the answer to `sendMessage`. Service messages are none.
pub fn message(value: &Value, me: &Identity) -> Option<(Chat, Option<TopicId>, Message)> {
    let place = Place::of(value).ok()?;
    match service::event(value, &place, me) {
        Some(_) => None,
        None => {
            let message = plain(value, &place, me);
            Some((place.chat, place.topic, message))
        }
    }
}

/// Where and when a message stands.
struct Place {
    chat: Chat,
    topic: Option<TopicId>,
    id: MessageId,
    time: Timestamp,
}

impl Place {
    fn of(value: &Value) -> Result<Self, &'static str> {
        let chat = chat(value.at("chat"))?;
        let id = value.int("message_id").ok_or("no message id")?;
        // Ephemeral messages share the number 0 and only one person sees them: neither archive nor answer fits.
        if id == 0 || value.has("ephemeral_message_id") {
            return Err("ephemeral");
        }
        let time = Timestamp::from_secs(value.int("date").unwrap_or(0));
        Ok(Self { chat, topic: topic(value), id: MessageId(id), time })
    }
}

fn said(value: &Value, me: &Identity, edited: bool) -> Result<Event, &'static str> {
    let place = Place::of(value)?;
    // Telegram sends an edit for every few steps that somebody takes.
    if edited && value.at("location").has("live_period") {
        return Err(MOVED);
    }
    let kind = match service::event(value, &place, me) {
        Some(kind) => kind?,
        None if edited => EventKind::Edited(plain(value, &place, me)),
        None => EventKind::Said(plain(value, &place, me)),
    };
    let changed = value.int("edit_date").filter(|_| edited).map(Timestamp::from_secs);
    let time = changed.unwrap_or(place.time);
    Ok(Event { chat: place.chat, topic: place.topic, time, kind })
}

fn plain(value: &Value, place: &Place, me: &Identity) -> Message {
    let content = content::of(value);
    Message {
        id: place.id,
        from: sender(value, &place.chat, me),
        time: place.time,
        text: content.text,
        mentions: content.mentions,
        command: content.command,
        reply_to: quote(value, place, me),
        media: content.media,
        forwarded_from: value.get("forward_origin").map(origin),
        edited: value.int("edit_date").map(Timestamp::from_secs),
        links: content.links,
        album: value.at("media_group_id").as_str().map(str::to_owned),
        parts: Vec::new(),
    }
}

fn reacted(value: &Value, me: &Identity) -> Result<Event, &'static str> {
    let chat = chat(value.at("chat"))?;
    let message = MessageId(value.int("message_id").ok_or("no message id")?);
    let by = match value.get("actor_chat") {
        Some(actor) => speaker(actor, &chat),
        None => match value.get("user").and_then(profile) {
            Some(user) if user.id == me.id => Sender::Us,
            Some(user) => Sender::Person(user),
            None => as_chat(&chat),
        },
    };
    let emoji = value.list("new_reaction").iter().map(|reaction| match reaction.text("type") {
        "emoji" => reaction.text("emoji").to_owned(),
        "custom_emoji" => format!("custom:{}", reaction.text("custom_emoji_id")),
        other => other.to_owned(),
    });
    let kind = EventKind::Reacted { message, by, emoji: emoji.collect() };
    // Telegram does not tell the topic of the message that was reacted to.
    Ok(Event { chat, topic: None, time: Timestamp::from_secs(value.int("date").unwrap_or(0)), kind })
}

fn pressed(value: &Value) -> Result<Event, &'static str> {
    let by = value.get("from").and_then(profile).ok_or("no presser")?;
    let message = value.get("message").ok_or("a button outside a chat")?;
    let chat = chat(message.at("chat"))?;
    let data = value.text("data");
    let rows = message.at("reply_markup").list("inline_keyboard");
    let buttons = rows.iter().filter_map(Value::as_array).flatten();
    let label = buttons.filter(|b| b.text("callback_data") == data).map(|b| b.text("text").to_owned()).next();
    let kind = EventKind::Pressed {
        query: value.text("id").to_owned(),
        by,
        message: message.int("message_id").map(MessageId),
        data: data.to_owned(),
        label: label.unwrap_or_default(),
    };
    Ok(Event { chat, topic: topic(message), time: Timestamp(0), kind })
}

/// A forum topic. Reply threads of ordinary supergroups carry a thread id too, without being topics.
fn topic(value: &Value) -> Option<TopicId> {
    let id = value.int("message_thread_id")?;
    (value.flag("is_topic_message") && id != GENERAL_TOPIC).then_some(TopicId(id))
}

fn chat(value: &Value) -> Result<Chat, &'static str> {
    let id = ChatId(value.int("id").ok_or("no chat")?);
    let kind = match value.text("type") {
        "private" => ChatKind::Private,
        "group" => ChatKind::Group,
        "supergroup" => ChatKind::Supergroup,
        "channel" => ChatKind::Channel,
        _ => return Err("unknown kind of chat"),
    };
    // Who may learn what hangs on the sign of the id (`ChatId::is_private`): a chat that lies about it is refused.
    if id.is_private() != (kind == ChatKind::Private) {
        return Err("the chat's id does not fit its kind");
    }
    Ok(Chat { id, kind, title: title(value) })
}

fn title(chat: &Value) -> String {
    match chat.text("title") {
        "" => full_name(chat),
        title => title.to_owned(),
    }
}

fn full_name(value: &Value) -> String {
    match (value.text("first_name"), value.text("last_name")) {
        (first, "") => first.to_owned(),
        ("", last) => last.to_owned(),
        (first, last) => format!("{first} {last}"),
    }
}

/// A `User` object; none for an account that stands in for a chat.
fn profile(value: &Value) -> Option<Profile> {
    let id = PersonId(value.int("id").filter(|id| *id > 0 && !STAND_INS.contains(id))?);
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Some(Profile {
        id,
        name: full_name(value),
        username: some(value.text("username")),
        is_bot: value.flag("is_bot"),
        language: some(value.text("language_code")),
    })
}

fn sender(value: &Value, chat: &Chat, me: &Identity) -> Sender {
    if let Some(speaking) = value.get("sender_chat") {
        return speaker(speaking, chat);
    }
    // The linked channel's post, which Telegram itself carried into the group.
    if value.flag("is_automatic_forward") {
        return speaker(value.at("forward_origin").at("chat"), chat);
    }
    match value.get("from").and_then(profile) {
        Some(from) if from.id == me.id => Sender::Us,
        Some(from) => Sender::Person(from),
        None => as_chat(chat),
    }
}

/// A `Chat` object that speaks; the chat at hand if it cannot be read.
fn speaker(value: &Value, here: &Chat) -> Sender {
    match value.int("id") {
        Some(id) => Sender::Chat { id: ChatId(id), title: title(value) },
        None => as_chat(here),
    }
}

fn as_chat(chat: &Chat) -> Sender {
    Sender::Chat { id: chat.id, title: chat.title.clone() }
}

fn quote(value: &Value, place: &Place, me: &Identity) -> Option<Quote> {
    let replied = value.get("reply_to_message")?;
    let id = replied.int("message_id").filter(|id| *id != 0)?;
    // In a topic every message "replies" to the service message that opened it unless it replies to another one.
    if replied.has("forum_topic_created") || place.topic.is_some_and(|topic| topic.0 == id) {
        return None;
    }
    let text = match value.at("quote").text("text") {
        "" => content::words(replied),
        quoted => quoted.to_owned(),
    };
    // A message that is gone has date 0 and no sender: saying "the chat itself wrote it" would be invented.
    let known = replied.has("from") || replied.has("sender_chat");
    Some(Quote { id: MessageId(id), from: known.then(|| sender(replied, &place.chat, me)), text })
}

/// Whose words a forward holds, as a name.
fn origin(value: &Value) -> String {
    match value.text("type") {
        "user" => full_name(value.at("sender_user")),
        "hidden_user" => value.text("sender_user_name").to_owned(),
        "chat" => title(value.at("sender_chat")),
        "channel" => title(value.at("chat")),
        other => one_line(other),
    }
}

#[cfg(test)]
mod tests;
