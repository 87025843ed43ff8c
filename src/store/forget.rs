//! A person is forgotten: everything of theirs leaves the store, in one batch.
//!
//! What goes: their row and where they were seen; facts about them, for them alone, or learnt from nothing but their
//! words; what they said, in every chat, and all of their private chat with us; quotes and forwards of them in other
//! people's messages; notices that name them; what they asked to be reminded of; what scripts kept under their name; calls that
//! wait for an operator and tell of them.
//! What stays: that something stood there ([`EventKind::Forgot`]), so that a message delivered twice is not heard anew,
//! and other people's own words.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::draft::Draft;
use super::settle::{FACT, MARK, ROOM, RoomRow};
use super::{ActRow, StoreError, intake, keys, parked, parse};
use crate::agenda::Reminder;
use crate::attention::ledger::Mark;
use crate::chat::audience::Audience;
use crate::chat::event::{Event, EventKind};
use crate::chat::ids::{ChatId, MessageId, PersonId, RoomId};
use crate::chat::message::{Mention, Message};
use crate::chat::person::{Chat, Profile, Sender};
use crate::memory::fact::{Fact, Source, Subject};
use crate::memory::person::Person;
use crate::time::Timestamp;

const EVENT: &str = "an archived event";
const ACT: &str = "an act";

/// What takes the place of words that are gone.
const GONE: &str = "forgotten";

/// What is gone with a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forgotten {
    /// Messages, ours in their private chat included.
    pub messages: u64,
    /// Facts, superseded ones included.
    pub facts: u64,
    /// Reminders.
    pub reminders: u64,
    /// A notice for each room whose archive changed, filed under its number: what the room holds in memory is out of
    /// date from there on.
    pub told: Vec<(Event, u64)>,
}

/// Whom to forget, and what is gone of them so far.
struct Whom {
    id: PersonId,
    /// Their number as rows write it: a row without it concerns them only by a name.
    digits: String,
    /// Every name that they were seen under.
    names: Vec<String>,
    /// The messages that are gone.
    gone: BTreeSet<Source>,
}

/// What becomes of an archived event.
enum Fate {
    Stays,
    Changes,
    Goes,
}

/// Writes it all into a draft; rows that the draft itself has written before are not seen. `at` is when they asked.
pub(super) fn forget(draft: &mut Draft<'_>, person: PersonId, at: Timestamp) -> Result<Forgotten, StoreError> {
    let known: Option<Person> = draft.get(&keys::person(person), "a person")?;
    let mut names: Vec<String> = Vec::new();
    if let Some(known) = &known {
        names.extend([known.name.clone()].into_iter().chain(known.former_names.iter().cloned()));
        names.extend(known.username.clone());
        draft.next.people = draft.next.people.saturating_sub(1);
    }
    names.retain(|name| !name.trim().is_empty());
    let mut whom = Whom { id: person, digits: person.to_string(), names, gone: BTreeSet::new() };
    let mut forgotten = Forgotten::default();
    for room in draft.store().rooms()? {
        let Some(chat) = whom.leave_room(draft, room, &mut forgotten)? else { continue };
        let notice = Event { chat, topic: room.topic, time: at, kind: EventKind::Forgot };
        let seq = intake::append(draft, &notice)?;
        forgotten.told.push((notice, seq));
    }
    whom.leave_facts(draft, &mut forgotten)?;
    whom.leave_reminders(draft, &mut forgotten)?;
    whom.leave_acts(draft)?;
    parked::forget(draft, person, |text| whom.tells(text))?;
    draft.remove(keys::person(person));
    for chat in draft.store().chats_of(person)? {
        draft.remove(keys::seen_in(person, chat));
    }
    Ok(forgotten)
}

impl Whom {
    /// Takes them out of one room's archive; the room's chat, without its title, if anything changed.
    fn leave_room(
        &mut self,
        draft: &mut Draft<'_>,
        room: RoomId,
        forgotten: &mut Forgotten,
    ) -> Result<Option<Chat>, StoreError> {
        let store = draft.store();
        let is_theirs = room.chat == self.id.dm();
        let mut changed = None;
        for row in store.tree.scan_prefix(keys::room_events(room)) {
            let (key, bytes) = row.map_err(|e| store.fault(e))?;
            if !is_theirs && !self.may_concern(&bytes) {
                continue;
            }
            let mut event: Event = parse(&key, &bytes, EVENT)?;
            let fate = if is_theirs && event.kind != EventKind::Forgot { Fate::Goes } else { self.fate(&mut event) };
            match fate {
                Fate::Stays => continue,
                Fate::Changes => {}
                Fate::Goes => {
                    if let EventKind::Said(message) | EventKind::Edited(message) = &event.kind {
                        let place = draft.place(room.chat, message.id)?;
                        // An edit, or a further part of an album, is no message of its own.
                        if place.is_some_and(|place| Some(place.seq) == keys::last_number(&key)) {
                            forgotten.messages += 1;
                            draft.next.messages = draft.next.messages.saturating_sub(1);
                        }
                        self.leave_message(draft, room, message)?;
                    }
                    event.kind = EventKind::Forgot;
                    event.chat.title.clear();
                }
            }
            changed = Some(Chat { title: String::new(), ..event.chat.clone() });
            draft.put(key.to_vec(), &event, EVENT)?;
        }
        let key = keys::room(room);
        if let Some(mut row) = draft.get::<RoomRow>(&key, ROOM)? {
            let before = row.ctx.clone();
            if is_theirs {
                row.ctx = Value::Null;
            } else {
                self.prune(&mut row.ctx);
            }
            if row.ctx != before {
                draft.put(key, &row, ROOM)?;
            }
        }
        Ok(changed)
    }

    /// Whether a row could concern them, seen from its bytes alone.
    fn may_concern(&self, bytes: &[u8]) -> bool {
        let Ok(text) = std::str::from_utf8(bytes) else { return true };
        // Names may stand escaped in a row, so what could be a notice or a forward is always looked at; and so are
        // replies to what is gone and pins of it.
        text.contains(&self.digits)
            || ["\"noted\"", "\"decided\"", "\"forwarded_from\"", "\"reply_to\""]
                .iter()
                .any(|field| text.contains(field))
    }

    /// What becomes of an event in somebody else's chat; one that changes is changed already.
    fn fate(&self, event: &mut Event) -> Fate {
        let chat = event.chat.id;
        let goes = |profile: &Profile| if profile.id == self.id { Fate::Goes } else { Fate::Stays };
        match &mut event.kind {
            EventKind::Said(message) | EventKind::Edited(message) => self.fate_of_message(chat, message),
            EventKind::Reacted { by, .. } => by.profile().map_or(Fate::Stays, goes),
            EventKind::Joined(profile) | EventKind::Left(profile) | EventKind::Pressed { by: profile, .. } => {
                goes(profile)
            }
            EventKind::Rang(alarm) => alarm.asked_by.as_ref().map_or(Fate::Stays, goes),
            EventKind::Decided(decision) => {
                let told = [Some(&decision.call), decision.came_of.as_ref()];
                if told.into_iter().flatten().any(|text| self.tells(text)) {
                    return Fate::Goes;
                }
                match decision.by.take_if(|by| by.id == self.id) {
                    Some(_) => Fate::Changes,
                    None => Fate::Stays,
                }
            }
            // That we may or may not speak is no word of theirs.
            EventKind::Standing { by, .. } => match by.take_if(|by| by.id == self.id) {
                Some(_) => Fate::Changes,
                None => Fate::Stays,
            },
            EventKind::Noted { text, raw, .. } => {
                let tells = |text: &str| self.tells(text);
                let is_pin = pinned(text).is_some_and(|message| self.gone.contains(&Source { chat, message }));
                if is_pin || tells(text) || raw.as_deref().is_some_and(tells) { Fate::Goes } else { Fate::Stays }
            }
            EventKind::Migrated { .. } | EventKind::Forgot => Fate::Stays,
        }
    }

    fn fate_of_message(&self, chat: ChatId, message: &mut Message) -> Fate {
        if message.from.person() == Some(self.id) {
            return Fate::Goes;
        }
        let before = message.clone();
        if let Some(quote) = &mut message.reply_to {
            let is_theirs = quote.from.as_ref().and_then(Sender::person) == Some(self.id);
            if is_theirs || self.gone.contains(&Source { chat, message: quote.id }) {
                quote.from = None;
                quote.text.clear();
            }
        }
        message.mentions.retain(|mention| match mention {
            Mention::Person(person) => *person != self.id,
            Mention::Username(_) => true,
        });
        if message.forwarded_from.as_deref().is_some_and(|name| self.names.iter().any(|known| known == name)) {
            message.forwarded_from = None;
            message.text.clear();
            message.media.clear();
            message.links.clear();
        }
        for part in &mut message.parts {
            self.fate_of_message(chat, part);
        }
        if *message == before { Fate::Stays } else { Fate::Changes }
    }

    fn tells(&self, text: &str) -> bool {
        text.contains(&self.digits) || self.is_named(text)
    }

    fn is_named(&self, text: &str) -> bool {
        self.names.iter().any(|name| text.contains(name.as_str()))
    }

    /// Notes that a message is gone; why it was let go may have quoted it.
    fn leave_message(&mut self, draft: &mut Draft<'_>, room: RoomId, message: &Message) -> Result<(), StoreError> {
        for id in std::iter::once(message.id).chain(message.parts.iter().map(|part| part.id)) {
            self.gone.insert(Source { chat: room.chat, message: id });
        }
        // Whoever else sends the same bytes has them looked at again.
        for unique_id in message.media.iter().filter_map(|media| media.unique_id.as_deref()) {
            draft.remove(keys::described(unique_id));
        }
        let key = keys::mark(room, message.id);
        if let Some(Mark::Owed | Mark::LetGo { .. }) = draft.get::<Mark>(&key, MARK)? {
            draft.put(key, &Mark::LetGo { why: GONE.to_owned() }, MARK)?;
            draft.remove(keys::owed(room, message.id));
        }
        Ok(())
    }

    fn leave_facts(&self, draft: &mut Draft<'_>, forgotten: &mut Forgotten) -> Result<(), StoreError> {
        let store = draft.store();
        for row in store.tree.scan_prefix(keys::facts()) {
            let (key, bytes) = row.map_err(|e| store.fault(e))?;
            let mut fact: Fact = parse(&key, &bytes, FACT)?;
            let before = fact.told.sources.len();
            let statement = keys::statement(&fact.told)?;
            fact.told.sources.retain(|source| !self.gone.contains(source));
            let is_only_theirs = before > 0 && fact.told.sources.is_empty();
            let is_about = fact.told.subject == Subject::Person(self.id) || fact.told.audience == Audience::Dm(self.id);
            if is_about || is_only_theirs {
                forgotten.facts += 1;
                draft.remove(key.to_vec());
                draft.remove(keys::fact_place(fact.id));
                if fact.superseded_by.is_none() {
                    draft.remove(statement);
                }
            } else if fact.told.sources.len() < before {
                draft.put(key.to_vec(), &fact, FACT)?;
            }
        }
        Ok(())
    }

    fn leave_reminders(&self, draft: &mut Draft<'_>, forgotten: &mut Forgotten) -> Result<(), StoreError> {
        for Reminder { id, set } in draft.store().reminders(None)? {
            if set.room.chat == self.id.dm() || set.asked_by.as_ref().is_some_and(|by| by.id == self.id) {
                forgotten.reminders += 1;
                draft.remove(keys::reminder(id));
            }
        }
        Ok(())
    }

    /// What we did stays counted; the words of it go, where they answered them.
    fn leave_acts(&self, draft: &mut Draft<'_>) -> Result<(), StoreError> {
        let store = draft.store();
        for row in store.tree.scan_prefix(keys::acts()) {
            let (key, bytes) = row.map_err(|e| store.fault(e))?;
            let mut act: ActRow = parse(&key, &bytes, ACT)?;
            let chat = act.room.chat;
            let answers = act.answers.iter().any(|message| self.gone.contains(&Source { chat, message: *message }));
            if chat == self.id.dm() || answers {
                GONE.clone_into(&mut act.what);
                draft.put(key.to_vec(), &act, ACT)?;
            }
        }
        Ok(())
    }

    /// Takes out of what scripts kept all that stands under their number or name, or names them.
    fn prune(&self, value: &mut Value) {
        let tells = |value: &Value| match value {
            Value::String(text) => *text == self.digits || self.is_named(text),
            Value::Number(number) => number.as_i64() == Some(self.id.0),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
        };
        match value {
            Value::Array(items) => {
                items.retain(|item| !tells(item));
                items.iter_mut().for_each(|item| self.prune(item));
            }
            Value::Object(fields) => {
                fields.retain(|key, item| !tells(item) && *key != self.digits && !self.is_named(key));
                fields.values_mut().for_each(|item| self.prune(item));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                if tells(value) {
                    *value = Value::Null;
                }
            }
        }
    }
}

/// The message that a notice of a pin repeats.
fn pinned(text: &str) -> Option<MessageId> {
    let (_, rest) = text.split_once("pinned message ")?;
    rest.split(':').next()?.trim().parse().ok().map(MessageId)
}

#[cfg(test)]
mod tests;
