//! What can be asked of the store. Whatever tells what was said or remembered takes a [`Reader`].

use std::cmp::Reverse;

use serde::de::DeserializeOwned;

use super::{ChatRecord, Counts, RoomRecord, Store, StoreError, keys, parse, settle};
use crate::agenda::Reminder;
use crate::attention::ledger::Mark;
use crate::chat::audience::{Audience, Reader};
use crate::chat::event::Event;
use crate::chat::ids::{ChatId, MessageId, PersonId, RoomId};
use crate::memory::fact::{Fact, Subject};
use crate::memory::person::Person;
use crate::memory::recall;
use crate::time::Timestamp;

impl Store {
    /// A person by id.
    pub fn person(&self, id: PersonId) -> Result<Option<Person>, StoreError> {
        self.get(&keys::person(id), "a person")
    }

    /// People who go or went by a name or username, in any case: those of exactly that name first, then those whose
    /// name begins with it or contains it (`小夏` finds `夏小夏`). Who was seen last comes first among equals.
    pub fn people_named(&self, name: &str, limit: usize) -> Result<Vec<Person>, StoreError> {
        let wanted = name.trim().trim_start_matches('@').to_lowercase();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let mut found: Vec<(Likeness, Person)> = Vec::new();
        self.each(keys::people(), "a person", |_, person: Person| {
            if let Some(likeness) = likeness(&person, &wanted) {
                found.push((likeness, person));
            }
            true
        })?;
        found.sort_by_key(|(likeness, person)| (*likeness, Reverse(person.last_seen), person.id));
        Ok(found.into_iter().take(limit).map(|(_, person)| person).collect())
    }

    /// Everybody ever seen, by id.
    pub fn people(&self) -> Result<Vec<Person>, StoreError> {
        let mut people = Vec::new();
        self.each(keys::people(), "a person", |_, person: Person| {
            people.push(person);
            true
        })?;
        Ok(people)
    }

    /// Every chat in which a person was seen.
    pub fn chats_of(&self, person: PersonId) -> Result<Vec<ChatId>, StoreError> {
        let mut chats = Vec::new();
        for row in self.tree.scan_prefix(keys::seen_in_any(person)) {
            let (key, _) = row.map_err(|e| self.fault(e))?;
            chats.extend(keys::last_id(&key).map(ChatId));
        }
        Ok(chats)
    }

    /// What this reader may know, newest first; superseded and expired facts are left out.
    pub fn facts(
        &self,
        reader: &Reader,
        about: Option<&Subject>,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<Fact>, StoreError> {
        let mut facts = self.standing(reader, about, now)?;
        facts.truncate(limit);
        Ok(facts)
    }

    /// What this reader may know that speaks to a query, best first. Asked about one subject, the rest of what is known
    /// of it follows, newest first, because words alone miss much of a person.
    pub fn recall(
        &self,
        reader: &Reader,
        query: &str,
        about: Option<&Subject>,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<Fact>, StoreError> {
        let facts = self.standing(reader, about, now)?;
        let mut order = recall::rank(query, &facts, now);
        if about.is_some() && order.len() < limit {
            let rest: Vec<usize> = (0..facts.len()).filter(|n| !order.contains(n)).collect();
            order.extend(rest);
        }
        order.truncate(limit);
        let mut facts: Vec<Option<Fact>> = facts.into_iter().map(Some).collect();
        Ok(order.into_iter().filter_map(|n| facts.get_mut(n).and_then(Option::take)).collect())
    }

    /// The last events of a room with their archive numbers, oldest first.
    pub fn tail(&self, room: RoomId, limit: usize) -> Result<Vec<(u64, Event)>, StoreError> {
        let rows = self.tree.scan_prefix(keys::room_events(room)).rev().take(limit);
        let mut events = rows.map(|row| self.event_row(row)).collect::<Result<Vec<_>, _>>()?;
        events.reverse();
        Ok(events)
    }

    /// The first events of a room behind an archive number, oldest first.
    pub fn since(&self, room: RoomId, after: u64, limit: usize) -> Result<Vec<(u64, Event)>, StoreError> {
        let from = keys::event(room, after.saturating_add(1));
        let to = keys::event(room, u64::MAX);
        self.tree.range(from..=to).take(limit).map(|row| self.event_row(row)).collect()
    }

    /// Every room with something in the archive.
    pub fn rooms(&self) -> Result<Vec<RoomId>, StoreError> {
        self.rooms_under(&keys::events())
    }

    /// The archive number of a room's last event.
    pub fn last_seq(&self, room: RoomId) -> Result<Option<u64>, StoreError> {
        match self.tree.scan_prefix(keys::room_events(room)).next_back() {
            Some(row) => Ok(keys::last_number(&row.map_err(|e| self.fault(e))?.0)),
            None => Ok(None),
        }
    }

    /// What a room keeps; the empty record if it is new.
    pub fn room(&self, room: RoomId) -> Result<RoomRecord, StoreError> {
        let row: settle::RoomRow = self.get(&keys::room(room), "a room")?.unwrap_or_default();
        let mut owed = Vec::new();
        for row in self.tree.scan_prefix(keys::all_owed(room)) {
            let (key, _) = row.map_err(|e| self.fault(e))?;
            owed.extend(keys::last_id(&key).map(MessageId));
        }
        Ok(RoomRecord { considered: row.considered, owed, ctx: row.ctx })
    }

    /// What people asked of us in a chat.
    pub fn chat(&self, chat: ChatId) -> Result<ChatRecord, StoreError> {
        Ok(self.get(&keys::chat(chat), settle::CHAT)?.unwrap_or_default())
    }

    /// A message's mark; `None` if it was not meant for us.
    pub fn mark(&self, room: RoomId, message: MessageId) -> Result<Option<Mark>, StoreError> {
        self.get(&keys::mark(room, message), settle::MARK)
    }

    /// All marks of a room, oldest message first.
    pub fn marks(&self, room: RoomId) -> Result<Vec<(MessageId, Mark)>, StoreError> {
        let mut marks = Vec::new();
        self.each(keys::marks(room), settle::MARK, |key, mark| {
            marks.extend(keys::last_id(key).map(|id| (MessageId(id), mark)));
            true
        })?;
        Ok(marks)
    }

    /// Reminders of one room, or of all, the next due first.
    pub fn reminders(&self, room: Option<RoomId>) -> Result<Vec<Reminder>, StoreError> {
        let mut reminders = Vec::new();
        self.each(keys::reminders(), "a reminder", |_, reminder: Reminder| {
            if room.is_none_or(|room| reminder.set.room == room) {
                reminders.push(reminder);
            }
            true
        })?;
        reminders.sort_by_key(|reminder| (reminder.set.due, reminder.id));
        Ok(reminders)
    }

    /// How much there is.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        let next = *self.lock();
        let rooms = self.rooms()?.len() as u64;
        Ok(Counts { messages: next.messages, people: next.people, facts: next.fact, rooms })
    }

    /// Facts that stand, newest first. Only rows under the reader's own audiences are touched.
    fn standing(&self, reader: &Reader, about: Option<&Subject>, now: Timestamp) -> Result<Vec<Fact>, StoreError> {
        let mut facts = Vec::new();
        for audience in audiences(reader) {
            let prefix = match about {
                Some(subject) => keys::facts_about(&audience, subject),
                None => keys::facts_for(&audience),
            };
            self.each(prefix, "a fact", |_, fact: Fact| {
                // The key says who may know it and the row says it again: both must agree.
                let visible = fact.told.audience == audience && reader.may_read(&fact.told.audience);
                let stands = fact.superseded_by.is_none() && fact.told.expires.is_none_or(|end| end > now);
                if visible && stands && about.is_none_or(|subject| fact.told.subject == *subject) {
                    facts.push(fact);
                }
                true
            })?;
        }
        facts.sort_by_key(|fact| (Reverse(fact.told.seen), Reverse(fact.id)));
        Ok(facts)
    }

    /// The rooms whose events stand under a prefix: jumps from room to room, whatever they hold.
    pub(super) fn rooms_under(&self, prefix: &[u8]) -> Result<Vec<RoomId>, StoreError> {
        let mut rooms = Vec::new();
        let Some(end) = keys::behind(prefix) else { return Ok(rooms) };
        let mut from = prefix.to_vec();
        while let Some(row) = self.tree.range::<&[u8], _>(&*from..&*end).next() {
            let (key, _) = row.map_err(|e| self.fault(e))?;
            rooms.extend(keys::room_of(&key));
            match key.get(..keys::ROOM_PREFIX).and_then(keys::behind) {
                Some(next) => from = next,
                None => break,
            }
        }
        Ok(rooms)
    }

    pub(super) fn event_row(&self, row: sled::Result<(sled::IVec, sled::IVec)>) -> Result<(u64, Event), StoreError> {
        let (key, bytes) = row.map_err(|e| self.fault(e))?;
        Ok((keys::last_number(&key).unwrap_or_default(), parse(&key, &bytes, "an archived event")?))
    }

    /// Reads every row under a prefix, in key order, until `see` says `false`.
    pub(super) fn each<T: DeserializeOwned>(
        &self,
        prefix: keys::Key,
        kind: &'static str,
        mut see: impl FnMut(&[u8], T) -> bool,
    ) -> Result<(), StoreError> {
        for row in self.tree.scan_prefix(prefix) {
            let (key, bytes) = row.map_err(|e| self.fault(e))?;
            if !see(&key, parse(&key, &bytes, kind)?) {
                break;
            }
        }
        Ok(())
    }
}

/// Every audience that a reader may read; never [`Audience::Us`].
fn audiences(reader: &Reader) -> Vec<Audience> {
    let own = match reader.chat.person() {
        Some(person) => Audience::Dm(person),
        None => Audience::Chat(reader.chat),
    };
    let mut all = vec![Audience::Everyone, own];
    all.extend(reader.circle.iter().chain(&reader.member_circles).cloned().map(Audience::Circle));
    all.extend(reader.member_of.iter().copied().map(Audience::Chat));
    all.sort_unstable();
    all.dedup();
    all
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Exact,
    Former,
    Begins,
    Contains,
}

fn likeness(person: &Person, wanted: &str) -> Option<Likeness> {
    let name = person.name.to_lowercase();
    let username = person.username.as_deref().unwrap_or_default().to_lowercase();
    let former: Vec<String> = person.former_names.iter().map(|name| name.to_lowercase()).collect();
    let any = |test: &dyn Fn(&str) -> bool| test(&name) || test(&username) || former.iter().any(|f| test(f));
    if name == wanted || username == wanted {
        Some(Likeness::Exact)
    } else if former.iter().any(|f| f == wanted) {
        Some(Likeness::Former)
    } else if any(&|n| n.starts_with(wanted)) {
        Some(Likeness::Begins)
    } else if any(&|n| n.contains(wanted)) {
        Some(Likeness::Contains)
    } else {
        None
    }
}
