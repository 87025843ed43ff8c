//! What the server knows: chats, people, messages, updates that wait.
//!
//! Invariants: message ids count up per chat; update ids count up over all; an update is gone once an offset confirmed it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Value, json};

use super::entities::entities;
use super::{Check, Failure, SeenAct, Standing};
use crate::chat::ids::{ChatId, MessageId, PersonId, TopicId};
use crate::chat::person::Profile;
use crate::time::Timestamp;

/// Supergroups count down from here, as real ones look.
const FIRST_GROUP: i64 = -1_002_000_000_000;

pub(super) struct World {
    pub(super) bot: Profile,
    pub(super) people: BTreeMap<PersonId, Profile>,
    pub(super) rooms: BTreeMap<ChatId, Room>,
    pub(super) updates: VecDeque<(i64, Value)>,
    pub(super) acknowledged: i64,
    pub(super) polls: u64,
    /// Where the bot showed that it types, each time.
    pub(super) signs: Vec<ChatId>,
    /// What looks at every request first, and what it objected to.
    pub(super) check: Option<Check>,
    pub(super) objections: Vec<String>,
    /// Whether groups show the bot only what is meant for it.
    pub(super) is_private: bool,
    pub(super) acts: Vec<SeenAct>,
    /// By `file_id`: the path and the bytes.
    pub(super) files: BTreeMap<String, (String, Vec<u8>)>,
    pub(super) downloads: u64,
    next_update: i64,
    /// What every number is above.
    base: i64,
    /// By method in lower case: how often, and how.
    failures: BTreeMap<String, VecDeque<(u32, Failure)>>,
}

/// One chat.
#[derive(Default)]
pub(super) struct Room {
    /// Empty for a DM.
    pub(super) title: String,
    pub(super) members: BTreeSet<PersonId>,
    pub(super) topics: BTreeMap<TopicId, String>,
    /// Topics in which nobody may write now.
    pub(super) closed: BTreeSet<TopicId>,
    pub(super) messages: BTreeMap<MessageId, Value>,
    pub(super) moved_to: Option<ChatId>,
    /// What the bot may do there.
    pub(super) standing: Standing,
    last_message: i64,
}

impl Room {
    pub(super) fn next_message(&mut self, base: i64) -> MessageId {
        self.last_message = self.last_message.max(base) + 1;
        MessageId(self.last_message)
    }
}

impl World {
    pub(super) fn new(bot: Profile) -> Self {
        Self {
            bot,
            people: BTreeMap::new(),
            rooms: BTreeMap::new(),
            updates: VecDeque::new(),
            acknowledged: 0,
            polls: 0,
            signs: Vec::new(),
            check: None,
            objections: Vec::new(),
            is_private: false,
            acts: Vec::new(),
            files: BTreeMap::new(),
            downloads: 0,
            next_update: 1,
            base: 0,
            failures: BTreeMap::new(),
        }
    }

    pub(super) fn count_from(&mut self, base: i64) {
        self.base = self.base.max(base);
        self.next_update = self.next_update.max(base + 1);
    }

    pub(super) fn add_group(&mut self, title: &str) -> ChatId {
        let groups = self.rooms.keys().filter(|chat| !chat.is_private()).count();
        let id = ChatId(FIRST_GROUP - i64::try_from(groups).unwrap_or(0) - 1);
        // The first message is the notice that the group was created; it is also what the General topic is numbered.
        self.rooms.insert(id, Room { title: title.to_owned(), last_message: 1, ..Room::default() });
        id
    }

    pub(super) fn add_topic(&mut self, chat: ChatId, name: &str) -> TopicId {
        let base = self.base;
        let room = self.rooms.entry(chat).or_default();
        let id = room.next_message(base);
        room.topics.insert(TopicId(id.0), name.to_owned());
        TopicId(id.0)
    }

    pub(super) fn add_person(&mut self, profile: Profile) {
        self.people.insert(profile.id, profile);
    }

    pub(super) fn join(&mut self, chat: ChatId, person: PersonId) {
        self.rooms.entry(chat).or_default().members.insert(person);
    }

    pub(super) fn leave(&mut self, chat: ChatId, person: PersonId) {
        self.rooms.entry(chat).or_default().members.remove(&person);
    }

    pub(super) fn say(
        &mut self,
        chat: ChatId,
        topic: Option<TopicId>,
        from: PersonId,
        text: &str,
        reply_to: Option<MessageId>,
        now: Timestamp,
    ) -> MessageId {
        self.join(chat, from);
        let sender = self.user(from);
        let message = self.message(chat, topic, sender, text, entities(text), reply_to, now);
        let id = MessageId(message["message_id"].as_i64().unwrap_or_default());
        self.push(json!({"message": message}));
        id
    }

    pub(super) fn send(&mut self, chat: ChatId, from: PersonId, fields: &Value, now: Timestamp) -> MessageId {
        self.join(chat, from);
        let sender = self.user(from);
        let mut message = self.message(chat, None, sender, "", Vec::new(), None, now);
        for (name, value) in fields.as_object().into_iter().flatten() {
            message[name] = value.clone();
        }
        self.keep(chat, &message);
        let id = MessageId(message["message_id"].as_i64().unwrap_or_default());
        self.push(json!({"message": message}));
        id
    }

    pub(super) fn edit(&mut self, chat: ChatId, message: MessageId, text: &str, now: Timestamp) {
        let Some(stored) = self.rooms.get_mut(&chat).and_then(|room| room.messages.get_mut(&message)) else { return };
        rewrite(stored, text, entities(text), now);
        let edited = stored.clone();
        self.push(json!({"edited_message": edited}));
    }

    pub(super) fn react(&mut self, chat: ChatId, message: MessageId, from: PersonId, emoji: &[&str], now: Timestamp) {
        let new: Vec<Value> = emoji.iter().map(|emoji| json!({"type": "emoji", "emoji": emoji})).collect();
        let update = json!({"chat": self.chat(chat), "message_id": message.0, "user": self.user(from),
            "date": now.secs(), "old_reaction": [], "new_reaction": new});
        self.push(json!({"message_reaction": update}));
    }

    pub(super) fn press(&mut self, chat: ChatId, message: MessageId, from: PersonId, data: &str) -> Option<String> {
        let carrier = self.rooms.get(&chat)?.messages.get(&message)?.clone();
        let query = format!("press-{}", self.next_update);
        self.push(json!({"callback_query": {"id": query, "from": self.user(from), "message": carrier,
            "chat_instance": chat.0.to_string(), "data": data}}));
        Some(query)
    }

    pub(super) fn set_standing(&mut self, chat: ChatId, standing: Standing, by: PersonId, now: Timestamp) {
        let bot = user(&self.bot);
        let member = |standing: Standing| match standing {
            Standing::Member => json!({"status": "member", "user": bot}),
            Standing::Muted => {
                json!({"status": "restricted", "user": bot, "is_member": true, "can_send_messages": false})
            }
            Standing::Out => json!({"status": "kicked", "user": bot, "until_date": 0}),
        };
        let room = self.rooms.entry(chat).or_default();
        let (old, new) = (member(room.standing), member(standing));
        room.standing = standing;
        let (chat, by) = (self.chat(chat), self.user(by));
        self.push(json!({"my_chat_member": {"chat": chat, "from": by, "date": now.secs(),
            "old_chat_member": old, "new_chat_member": new}}));
    }

    pub(super) fn delete(&mut self, chat: ChatId, message: MessageId) -> bool {
        self.rooms.get_mut(&chat).is_some_and(|room| room.messages.remove(&message).is_some())
    }

    pub(super) fn migrate(&mut self, chat: ChatId, now: Timestamp) -> ChatId {
        let title = self.rooms.get(&chat).map(|room| room.title.clone()).unwrap_or_default();
        let to = self.add_group(&title);
        let bot = user(&self.bot);
        let mut notice = self.message(chat, None, bot, "", Vec::new(), None, now);
        notice["migrate_to_chat_id"] = json!(to.0);
        if let Some(old) = self.rooms.get_mut(&chat) {
            old.moved_to = Some(to);
            let members = old.members.clone();
            self.rooms.entry(to).or_default().members = members;
        }
        self.push(json!({"message": notice}));
        to
    }

    /// Writes a message down and returns it as the API shows it.
    #[expect(clippy::too_many_arguments, reason = "one private constructor; every field of a message")]
    pub(super) fn message(
        &mut self,
        chat: ChatId,
        topic: Option<TopicId>,
        from: Value,
        text: &str,
        entities: Vec<Value>,
        reply_to: Option<MessageId>,
        now: Timestamp,
    ) -> Value {
        let shown = self.chat(chat);
        let base = self.base;
        let room = self.rooms.entry(chat).or_default();
        let id = room.next_message(base);
        let mut message = json!({"message_id": id.0, "date": now.secs(), "chat": shown, "from": from});
        if !text.is_empty() {
            message["text"] = json!(text);
        }
        if !entities.is_empty() {
            message["entities"] = Value::Array(entities);
        }
        if let Some(topic) = topic {
            message["message_thread_id"] = json!(topic.0);
            message["is_topic_message"] = json!(true);
        }
        if let Some(mut replied) = reply_to.and_then(|id| room.messages.get(&id)).cloned() {
            // Telegram shows one level.
            if let Some(fields) = replied.as_object_mut() {
                fields.remove("reply_to_message");
            }
            message["reply_to_message"] = replied;
        }
        room.messages.insert(id, message.clone());
        message
    }

    /// Writes a message down anew, as it reads now.
    pub(super) fn keep(&mut self, chat: ChatId, message: &Value) {
        let id = MessageId(message["message_id"].as_i64().unwrap_or_default());
        self.rooms.entry(chat).or_default().messages.insert(id, message.clone());
    }

    /// Queues an update under the next number.
    pub(super) fn push(&mut self, mut update: Value) -> i64 {
        let id = self.next_update;
        self.next_update += 1;
        if let Some(fields) = update.as_object_mut() {
            fields.insert("update_id".to_owned(), json!(id));
        }
        self.updates.push_back((id, update));
        id
    }

    pub(super) fn fail_next(&mut self, method: &str, times: u32, how: Failure) {
        self.failures.entry(method.to_lowercase()).or_default().push_back((times, how));
    }

    pub(super) fn recover(&mut self, method: &str) {
        self.failures.remove(&method.to_lowercase());
    }

    pub(super) fn failure(&mut self, method: &str) -> Option<Failure> {
        let queue = self.failures.get_mut(&method.to_lowercase())?;
        while queue.front().is_some_and(|(times, _)| *times == 0) {
            queue.pop_front();
        }
        let (times, how) = queue.front_mut()?;
        *times -= 1;
        Some(how.clone())
    }

    /// A person as the API shows them; somebody never introduced is made up.
    pub(super) fn user(&self, id: PersonId) -> Value {
        match self.people.get(&id) {
            Some(profile) => user(profile),
            None if id == self.bot.id => user(&self.bot),
            None => json!({"id": id.0, "is_bot": false, "first_name": format!("User {id}")}),
        }
    }

    /// A chat as the API shows it.
    pub(super) fn chat(&self, id: ChatId) -> Value {
        if let Some(person) = id.person() {
            let mut shown = self.user(person);
            if let Some(fields) = shown.as_object_mut() {
                fields.retain(|key, _| ["id", "first_name", "username"].contains(&key.as_str()));
                fields.insert("type".to_owned(), json!("private"));
            }
            return shown;
        }
        let room = self.rooms.get(&id);
        let mut shown = json!({"id": id.0, "type": "supergroup", "title": room.map_or("", |room| room.title.as_str())});
        if room.is_some_and(|room| !room.topics.is_empty()) {
            shown["is_forum"] = json!(true);
        }
        shown
    }
}

/// A profile as a `User` object.
pub(super) fn user(profile: &Profile) -> Value {
    let mut shown = json!({"id": profile.id.0, "is_bot": profile.is_bot, "first_name": profile.name});
    if let Some(username) = &profile.username {
        shown["username"] = json!(username);
    }
    if let Some(language) = &profile.language {
        shown["language_code"] = json!(language);
    }
    shown
}

/// Changes a message's text.
pub(super) fn rewrite(message: &mut Value, text: &str, entities: Vec<Value>, now: Timestamp) {
    let field = if message.get("caption").is_some() { "caption" } else { "text" };
    message[field] = json!(text);
    message["edit_date"] = json!(now.secs());
    if let Some(fields) = message.as_object_mut() {
        fields.remove("entities");
        if !entities.is_empty() {
            fields.insert("entities".to_owned(), Value::Array(entities));
        }
    }
}
