//! `memory.*`: what is remembered, within what this turn may read.

use serde_json::{Value, json};

use super::args::{Args, Options, as_id};
use super::{Answer, Desk, store_error};
use crate::call::{Call, CallError};
use crate::chat::ids::{ChatId, MessageId, PersonId};
use crate::chat::message::Message;
use crate::chat::person::Sender;
use crate::memory::change::Change;
use crate::memory::fact::{Fact, FactId, FactKind, NewFact, Source, Subject};
use crate::memory::recall;
use crate::prompt::line;
use crate::store::Look;
use crate::time::Timestamp;

/// How many characters one remembered statement may have: it is a sentence, not a document.
const LONGEST_FACT: usize = 500;
/// The most rows that one call gives.
const MOST_ROWS: usize = 50;
/// How many of the room's last messages are looked through for a source.
const SOURCES_WITHIN: usize = 400;

/// The answer to `memory.NAME`.
pub(super) fn method(name: &str) -> Option<Answer> {
    Some(match name {
        "remember" => |desk, call, now| desk.written(call, desk.remember(call, now)),
        "recall" => |desk, call, now| desk.read(call, desk.recall(call, now)),
        "person" => |desk, call, _| desk.read(call, desk.person(call)),
        "history" => |desk, call, _| desk.read(call, desk.history(call)),
        _ => return None,
    })
}

impl Desk {
    fn remember(&self, call: &Call, now: Timestamp) -> Result<(Value, String), CallError> {
        let args = Args::of(call);
        let text = args.text(0, "text")?.trim().to_owned();
        if text.chars().count() > LONGEST_FACT {
            let message = format!("{}: a statement may have {LONGEST_FACT} characters; keep what matters", call.path);
            return Err(CallError::new("RangeError", message));
        }
        let options = args.options(1, &["about", "kind", "confidence", "from", "expires"])?;
        let subject = self.subject(&options)?.unwrap_or_else(|| self.default_subject());
        let kind = match options.text("kind")? {
            None => FactKind::default(),
            Some(word) => serde_json::from_value(json!(word)).map_err(|_| {
                options.wrong("kind", "one of trait, preference, plan, event, relation", Some(&json!(word)))
            })?,
        };
        let confidence = match options.get("confidence") {
            None => 80,
            Some(value) => {
                confidence(value).ok_or_else(|| options.wrong("confidence", "between 0 and 1", Some(value)))?
            }
        };
        let expires = match options.get("expires") {
            None => None,
            Some(value) => Some(super::agenda::moment(&options, "expires", value, now, &self.house.config.zone)?),
        };
        let sources = self.sources(&options)?;
        if matches!(subject, Subject::Person(_)) && !sources.is_empty() && sources.iter().all(|m| m.from == Sender::Us)
        {
            let message =
                format!("{}: its only source is what you said yourself; that is no knowledge of a person", call.path);
            return Err(CallError::new("TypeError", message));
        }
        let chat = self.room.chat;
        let fact = NewFact {
            subject,
            text,
            kind,
            confidence,
            sources: sources.iter().map(|m| Source { chat, message: m.id }).collect(),
            audience: self.house.config.circles.audience(chat),
            seen: now,
            expires,
        };
        self.lock().pending.changes.push(Change::AddFact(fact));
        Ok((Value::Null, "remembered".to_owned()))
    }

    fn recall(&self, call: &Call, now: Timestamp) -> Result<Value, CallError> {
        let args = Args::of(call);
        let query = match args.value(0) {
            None => String::new(),
            Some(_) => args.text(0, "query")?,
        };
        let options = args.options(1, &["about", "limit"])?;
        let about = self.subject(&options)?;
        let limit = options.limit(8, MOST_ROWS)?;
        let stored =
            self.house.store.recall(&self.reader, &query, about.as_ref(), now, limit).map_err(|e| store_error(&e))?;
        let mut facts = self.pending_facts(&query, about.as_ref(), now);
        facts.extend(stored);
        facts.truncate(limit);
        Ok(facts.iter().map(|fact| self.fact(fact)).collect())
    }

    fn person(&self, call: &Call) -> Result<Value, CallError> {
        let args = Args::of(call);
        let found = match args.value(0) {
            Some(value) if as_id(value).is_some() => {
                let id = PersonId(as_id(value).unwrap_or_default());
                self.house.store.person(id).map_err(|e| store_error(&e))?.into_iter().collect()
            }
            Some(Value::String(name)) if !name.trim().is_empty() => self
                .house
                .store
                .people_named(name.trim().trim_start_matches('@'), MOST_ROWS)
                .map_err(|e| store_error(&e))?,
            other => return Err(args.wrong("person", "an id or a name", other)),
        };
        // No room learns whom we know from elsewhere.
        let (store, circles) = (&self.house.store, &self.house.config.circles);
        for person in found {
            if store.may_meet(&self.reader, circles, person.id).map_err(|e| store_error(&e))? {
                return Ok(json!({
                    "id": person.id,
                    "name": person.name,
                    "username": person.username,
                    "isBot": person.is_bot,
                    "formerNames": person.former_names,
                    "firstSeen": self.house.config.zone.minute(person.first_seen),
                    "lastSeen": self.house.config.zone.minute(person.last_seen),
                }));
            }
        }
        Ok(Value::Null)
    }

    fn history(&self, call: &Call) -> Result<Value, CallError> {
        let args = Args::of(call);
        let options = args.options(0, &["query", "person", "limit", "before"])?;
        let limit = options.limit(20, MOST_ROWS)?;
        let person = options.id("person")?.map(PersonId);
        let before = options.id("before")?.map(MessageId);
        let (store, circles) = (&self.house.store, &self.house.config.circles);
        let query = options.text("query")?.map(str::trim).filter(|q| !q.is_empty());
        let here = Look { query, by: person, before, limit };
        let room = self.room;
        let mut rows: Vec<(ChatId, Message)> = store
            .history(&self.reader, circles, room, &here)
            .map_err(|e| store_error(&e))?
            .into_iter()
            .map(|message| (room.chat, message))
            .collect();
        // Words are looked for in every chat that this turn may read; this one comes first.
        if let Some(query) = query.filter(|_| before.is_none()) {
            for hit in store.search(&self.reader, circles, query, MOST_ROWS).map_err(|e| store_error(&e))? {
                let is_theirs = person.is_none_or(|p| hit.message.from.person() == Some(p));
                if is_theirs && rows.iter().all(|(chat, m)| (*chat, m.id) != (hit.room.chat, hit.message.id)) {
                    rows.push((hit.room.chat, hit.message));
                }
            }
        }
        Ok(rows
            .into_iter()
            .take(limit)
            .map(|(chat, m)| {
                json!({
                    "id": m.id,
                    "chat": chat,
                    "from": line::sender(&m.from, &self.house.me),
                    "at": self.house.config.zone.minute(m.time),
                    "text": m.text,
                })
            })
            .collect())
    }

    fn subject(&self, options: &Options<'_>) -> Result<Option<Subject>, CallError> {
        let value = match options.get("about") {
            None => return Ok(None),
            Some(value) => value,
        };
        Ok(Some(match value.as_str() {
            Some("chat") => Subject::Chat(self.room.chat),
            Some("us" | "me" | "self") => Subject::Us,
            Some("world") => Subject::World,
            Some(_) | None => {
                let id = as_id(value).ok_or_else(|| {
                    options.wrong("about", "a person's id, or \"chat\", \"us\" or \"world\"", Some(value))
                })?;
                Subject::Person(PersonId(id))
            }
        }))
    }

    /// The one person who waits for us; otherwise the chat.
    fn default_subject(&self) -> Subject {
        let mut people: Vec<_> = self.waiting.iter().filter_map(|m| m.from.person()).collect();
        people.dedup();
        match people.as_slice() {
            [one] => Subject::Person(*one),
            _ => Subject::Chat(self.room.chat),
        }
    }

    fn sources(&self, options: &Options<'_>) -> Result<Vec<Message>, CallError> {
        let wanted: Vec<i64> = match options.get("from") {
            None => return Ok(self.waiting.clone()),
            Some(Value::Array(items)) => items.iter().filter_map(as_id).collect(),
            Some(value) => as_id(value)
                .map(|id| vec![id])
                .ok_or_else(|| options.wrong("from", "message numbers, such as [812]", Some(value)))?,
        };
        let tail = self.house.store.tail(self.room, SOURCES_WITHIN).map_err(|e| store_error(&e))?;
        Ok(tail.into_iter().filter_map(|(_, e)| e.message().cloned()).filter(|m| wanted.contains(&m.id.0)).collect())
    }

    fn pending_facts(&self, query: &str, about: Option<&Subject>, now: Timestamp) -> Vec<Fact> {
        let facts: Vec<Fact> = self
            .lock()
            .pending
            .changes
            .iter()
            .filter_map(|change| match change {
                Change::AddFact(new) if about.is_none_or(|subject| new.subject == *subject) => {
                    Some(Fact { id: FactId(0), told: new.clone(), first_seen: new.seen, superseded_by: None })
                }
                _ => None,
            })
            .collect();
        if query.is_empty() {
            return facts;
        }
        recall::rank(query, &facts, now).into_iter().filter_map(|index| facts.get(index).cloned()).collect()
    }

    fn fact(&self, fact: &Fact) -> Value {
        json!({
            "text": fact.told.text,
            "about": match &fact.told.subject {
                Subject::Person(id) => json!(id),
                Subject::Chat(_) => json!("chat"),
                Subject::World => json!("world"),
                Subject::Us => json!("us"),
            },
            "kind": fact.told.kind,
            "confidence": f64::from(fact.told.confidence) / 100.0,
            "since": self.house.config.zone.minute(fact.first_seen),
            "seen": self.house.config.zone.minute(fact.told.seen),
        })
    }
}

fn confidence(value: &Value) -> Option<u8> {
    let number = value.as_f64()?;
    // Both 0.9 and 90 are written; 1 is certain.
    let percent = if number <= 1.0 { number * 100.0 } else { number };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within 0..=100
    (0.0..=100.0).contains(&percent).then_some(percent.round() as u8)
}
