//! What a room puts into a prompt, read through the turn's reader.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Room;
use crate::attention::gate::Wake;
use crate::attention::ledger::Mark;
use crate::calls::Desk;
use crate::chat::audience::Reader;
use crate::chat::event::{Event, EventKind};
use crate::chat::ids::MessageId;
use crate::chat::person::ChatKind;
use crate::chat::transcript::Entry;
use crate::memory::fact::{Fact, Subject};
use crate::memory::person::Person;
use crate::prompt::line;
use crate::prompt::opening::{self, Opening};
use crate::prompt::request::Request;
use crate::prompt::system::{self, System};
use crate::skills::registry::BRIEFS;
use crate::store::StoreError;
use crate::time::Timestamp;
use crate::turn::Turn;

/// How many people a prompt introduces.
const PEOPLE: usize = 8;
/// How many facts it shows of each, and of the place.
const FACTS_EACH: usize = 6;
/// How many facts recalled by the words of what waits.
const RECALLED: usize = 6;
/// Tokens of a reply where no model is configured, as in a replay.
const MAX_TOKENS: u32 = 2_048;
/// Tokens of a prompt where no model is configured.
const CONTEXT_TOKENS: u32 = 16_384;
/// Bytes that the list of guides may take.
const CATALOGUE: usize = 4 * 1024;

impl Room {
    /// Who listens in a turn here. In a DM also the groups in which the person is a member, as Telegram says now.
    pub(super) async fn reader(&self) -> Reader {
        let room = self.hearing.room();
        let mut member_of = BTreeSet::new();
        if let Some(person) = room.chat.person() {
            let chats = self.or_log(self.house.store.chats_of(person));
            for (n, chat) in chats.into_iter().filter(|chat| !chat.is_private()).enumerate() {
                let n = u64::try_from(n).unwrap_or(u64::MAX);
                if self.house.is_member(room, n, chat, person).await {
                    member_of.insert(chat);
                }
            }
        }
        self.house.config.circles.reader(room.chat, member_of)
    }

    /// What scripts keep for this room.
    pub(super) fn ctx(&self) -> Value {
        self.house.store.room(self.hearing.room()).map_or(Value::Null, |record| record.ctx)
    }

    pub(super) fn request(&self, turn: &Turn, desk: &Desk, wake: &Wake, reader: &Reader, now: Timestamp) -> Request {
        let house = &self.house;
        let place = self.place();
        let rules = house.config.rules_of(self.hearing.room().chat);
        let briefs = desk.skills().registry.briefs(BRIEFS);
        let system = system::write(&System {
            name: &house.config.persona.name,
            username: &house.me.username,
            aliases: &house.me.aliases,
            persona: &house.config.persona.prose,
            rules: &[&rules],
            briefs: &briefs,
            guides: &desk.skills().registry.catalogue(CATALOGUE),
            place: &place,
        });
        let opening = if turn.is_fresh() { self.opening(desk, wake, reader, now) } else { String::new() };
        Request {
            system,
            messages: turn.messages(&opening),
            max_tokens: house.config.model("turn").map_or(MAX_TOKENS, |model| model.max_tokens),
        }
    }

    fn opening(&self, desk: &Desk, wake: &Wake, reader: &Reader, now: Timestamp) -> String {
        let house = &self.house;
        let waiting: Vec<MessageId> = desk.waiting().iter().map(|m| m.id).collect();
        let people = self.people();
        let facts = self.facts(&people, desk, reader, now);
        let agenda: Vec<String> = self
            .or_log(house.store.reminders(Some(self.hearing.room())))
            .iter()
            .map(|r| {
                format!("{} {}: {}", r.id, house.config.zone.with_weekday(r.set.due), line::one_line(&r.set.what, 200))
            })
            .collect();
        let transcript = self.hearing.transcript();
        let is_decided = transcript.entries().rev().find_map(|entry| match entry {
            Entry::Happened(Event { kind: EventKind::Decided(_), .. }) => Some(true),
            Entry::Happened(Event { kind: EventKind::Rang(_), .. }) => Some(false),
            Entry::Happened(_) | Entry::Said { .. } => None,
        });
        let known: BTreeSet<MessageId> = transcript.messages().map(|m| m.id).collect();
        // What waits and is older than the transcript stands before it.
        let older = desk.waiting().iter().filter(|m| !known.contains(&m.id));
        let older = older.map(|m| line::message(&self.described(m), &house.me, &house.config.zone, |_| false));
        let recent = transcript.entries().map(|entry| {
            line::entry(&self.shown(entry), &house.me, &house.config.zone, |quote| known.contains(&quote.id))
        });
        let older: Vec<String> = older.collect();
        let lines: Vec<String> = recent.collect();
        let ctx = self.ctx();
        let ctx = (!ctx.is_null() && ctx != Value::Object(serde_json::Map::new())).then(|| ctx.to_string());
        opening::write(&Opening {
            now,
            zone: &house.config.zone,
            reason: wake.reason,
            is_decided: is_decided.unwrap_or(false),
            waiting: &waiting,
            people: &people,
            facts: &facts,
            agenda: &agenda,
            unsure: &self.unsure(&known),
            guides: &desk.shelf().text(),
            ctx: ctx.as_deref(),
            older: &older,
            lines: &lines,
            most: self.transcript_bytes(),
        })
    }

    /// An entry with what is known to be in its attachments.
    fn shown(&self, entry: &Entry) -> Entry {
        match entry {
            Entry::Said { message, reactions } => {
                Entry::Said { message: self.described(message), reactions: reactions.clone() }
            }
            Entry::Happened(event) => Entry::Happened(event.clone()),
        }
    }

    fn people(&self) -> Vec<Person> {
        let ids = self.hearing.people(PEOPLE);
        ids.into_iter().filter_map(|id| self.or_log(self.house.store.person(id))).collect()
    }

    fn facts(&self, people: &[Person], desk: &Desk, reader: &Reader, now: Timestamp) -> Vec<Fact> {
        let store = &self.house.store;
        let of_people = people.iter().map(|person| Subject::Person(person.id));
        let place = [Subject::Chat(self.hearing.room().chat), Subject::Us];
        let mut facts: Vec<Fact> = of_people
            .chain(place)
            .flat_map(|subject| self.or_log(store.facts(reader, Some(&subject), now, FACTS_EACH)))
            .collect();
        let words = desk.waiting().iter().map(|m| m.text.as_str()).collect::<Vec<_>>().join(" ");
        if !words.trim().is_empty() {
            for fact in self.or_log(store.recall(reader, &words, None, now, RECALLED)) {
                if facts.iter().all(|known| known.id != fact.id) {
                    facts.push(fact);
                }
            }
        }
        facts
    }

    /// Answers that a crash left open, as far as their questions are still in view.
    fn unsure(&self, known: &BTreeSet<MessageId>) -> Vec<String> {
        self.or_log(self.house.store.marks(self.hearing.room()))
            .into_iter()
            .filter(|(id, mark)| known.contains(id) && matches!(mark, Mark::Unknown { .. }))
            .map(|(id, _)| format!("an answer to #{id}"))
            .collect()
    }

    /// Bytes for the transcript, and as many for open guides: one each for every token of context, which leaves a third
    /// and more for all else.
    pub(super) fn transcript_bytes(&self) -> usize {
        let tokens = self.house.config.model("turn").map_or(CONTEXT_TOKENS, |model| model.context_tokens);
        usize::try_from(tokens).unwrap_or(usize::MAX)
    }

    fn place(&self) -> String {
        let chat = self.hearing.chat();
        let title = line::name(&chat.title);
        match chat.kind {
            ChatKind::Private => format!("a direct conversation with {title} (id {})", chat.id),
            ChatKind::Group | ChatKind::Supergroup => match self.hearing.room().topic {
                Some(topic) => format!("topic {topic} of the group “{title}”"),
                None => format!("the group “{title}”"),
            },
            ChatKind::Channel => format!("the channel “{title}”"),
        }
    }

    /// A prompt with less in it is better than no answer; what failed is in the log.
    pub(super) fn or_log<T: Default>(&self, result: Result<T, StoreError>) -> T {
        result.unwrap_or_else(|error| {
            tracing::error!(%error, room = %self.hearing.room(), "the store cannot be read");
            T::default()
        })
    }
}
