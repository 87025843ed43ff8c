//! The archive: what was heard, filed once and in order.

use super::draft::Draft;
use super::places::Place;
use super::{Filed, Store, StoreError, keys, parked};
use crate::agenda::Reminder;
use crate::chat::event::{Event, EventKind};
use crate::chat::ids::{ChatId, MessageId, RoomId};
use crate::chat::message::Message;
use crate::chat::person::{Profile, Sender};
use crate::memory::person::Person;
use crate::time::{Span, Timestamp};

/// How many events go into one batch: enough to share pages and the numbers' row, few enough that a batch stays small
/// in memory and readers never wait long.
const BATCH: usize = 512;

/// How exactly the moment of last sight is kept: somebody who talks must not cost a write for each message. The archive
/// has the exact times.
const SEEN_GRAIN: Span = Span::minutes(10);

const EVENT: &str = "an archived event";
const PERSON: &str = "a person";
const ALBUM: &str = "an album";

impl Store {
    /// Files events in their order, and folds everybody they show into people.
    ///
    /// A message id of a chat is filed once. An edit is filed too and renews the archived text, unless that is already
    /// the same or newer. `upto_update` becomes durable with the last of the events, never before.
    /// Call [`Store::flush`] before anybody is told that they were heard.
    pub fn archive(&self, events: &[Event], upto_update: Option<i64>) -> Result<Vec<Filed>, StoreError> {
        let mut filed = Vec::with_capacity(events.len());
        let mut rest = events;
        loop {
            let (now, later) = rest.split_at(rest.len().min(BATCH));
            rest = later;
            self.write(|draft| {
                for event in now {
                    filed.push(file(draft, event)?);
                }
                if let Some(update) = upto_update.filter(|_| later.is_empty()) {
                    draft.put(keys::update(), &update, "the last update number")?;
                }
                Ok(())
            })?;
            if rest.is_empty() {
                return Ok(filed);
            }
        }
    }

    /// The last update number that an archived batch carried.
    pub fn last_update(&self) -> Result<Option<i64>, StoreError> {
        self.get(&keys::update(), "the last update number")
    }

    /// Takes a reminder off the agenda and files its `Rang` event, in one batch: it rings once, across restarts.
    /// `None` if it has rung or was cancelled; then nothing is filed.
    pub fn ring(&self, id: u64, event: &Event) -> Result<Option<Filed>, StoreError> {
        self.write(|draft| {
            let key = keys::reminder(id);
            if draft.get::<Reminder>(&key, "a reminder")?.is_none() {
                return Ok(None);
            }
            draft.remove(key);
            file(draft, event).map(Some)
        })
    }
}

fn file(draft: &mut Draft<'_>, event: &Event) -> Result<Filed, StoreError> {
    let room = event.room();
    let filed = match &event.kind {
        EventKind::Said(message) => {
            if draft.place(room.chat, message.id)?.is_some() {
                return Ok(Filed::Duplicate);
            }
            match join_album(draft, event, message)? {
                Some(seq) => seq,
                None => append_message(draft, event, message.id)?,
            }
        }
        EventKind::Edited(message) => match renew(draft, event, message)? {
            Some(seq) => seq,
            None => return Ok(Filed::Duplicate),
        },
        EventKind::Decided(decision) => {
            if !parked::decided(draft, decision)? {
                return Ok(Filed::Duplicate);
            }
            append(draft, event)?
        }
        EventKind::Reacted { .. }
        | EventKind::Joined(_)
        | EventKind::Left(_)
        | EventKind::Migrated { .. }
        | EventKind::Pressed { .. }
        | EventKind::Rang(_)
        | EventKind::Standing { .. }
        | EventKind::Noted { .. }
        | EventKind::Forgot => append(draft, event)?,
    };
    if let Some(rested) = resumes(event) {
        draft.remove(keys::rest(rested));
    }
    for profile in event.profiles() {
        saw(draft, profile, room.chat, event.time)?;
    }
    Ok(Filed::New { seq: filed })
}

/// The room whose rest an event ends: we were let in again, a person writes to us alone, a topic was opened again.
fn resumes(event: &Event) -> Option<RoomId> {
    match &event.kind {
        EventKind::Standing { may_speak: true, .. } => Some(RoomId::whole(event.chat.id)),
        EventKind::Said(message) if event.chat.id.is_private() && message.from != Sender::Us => Some(event.room()),
        EventKind::Noted { what, .. } if what == "forum_topic_reopened" => Some(event.room()),
        EventKind::Said(_)
        | EventKind::Edited(_)
        | EventKind::Reacted { .. }
        | EventKind::Joined(_)
        | EventKind::Left(_)
        | EventKind::Migrated { .. }
        | EventKind::Pressed { .. }
        | EventKind::Rang(_)
        | EventKind::Decided(_)
        | EventKind::Standing { .. }
        | EventKind::Noted { .. }
        | EventKind::Forgot => None,
    }
}

pub(super) fn append(draft: &mut Draft<'_>, event: &Event) -> Result<u64, StoreError> {
    draft.next.seq += 1;
    let seq = draft.next.seq;
    draft.put(keys::event(event.room(), seq), event, EVENT)?;
    Ok(seq)
}

fn append_message(draft: &mut Draft<'_>, event: &Event, message: MessageId) -> Result<u64, StoreError> {
    let seq = append(draft, event)?;
    draft.put_place(event.chat.id, message, Place { topic: event.topic, seq })?;
    draft.next.messages += 1;
    Ok(seq)
}

/// Takes a further message of an album into the archived one, which then goes by its number too. `None` if the album is
/// not known.
///
/// The message gets a row of its own as well, which only whoever has not heard it yet reads: so the room hears of it
/// even if it had heard the album's beginning before a crash.
fn join_album(draft: &mut Draft<'_>, event: &Event, part: &Message) -> Result<Option<u64>, StoreError> {
    let Some(album) = &part.album else { return Ok(None) };
    let chat = event.chat.id;
    let begun = keys::album(chat, album);
    if let Some(first) = draft.get::<MessageId>(&begun, ALBUM)?
        && let Some(place) = draft.place(chat, first)?
    {
        let key = keys::event(RoomId { chat, topic: place.topic }, place.seq);
        if let Some(mut archived) = draft.get::<Event>(&key, EVENT)?
            && let EventKind::Said(whole) = &mut archived.kind
            && whole.is_album_of(part)
        {
            whole.take_part(part);
            draft.put(key, &archived, EVENT)?;
            draft.put_place(chat, part.id, place)?;
            return append(draft, event).map(Some);
        }
    }
    draft.put(begun, &part.id, ALBUM)?;
    Ok(None)
}

/// Files an edit and renews the archived copy. `None` if the copy is the same or newer.
fn renew(draft: &mut Draft<'_>, event: &Event, message: &Message) -> Result<Option<u64>, StoreError> {
    let Some(Place { topic, seq }) = draft.place(event.chat.id, message.id)? else {
        // Said before we came: the edit is the first that we know of it.
        return append_message(draft, event, message.id).map(Some);
    };
    // Telegram does not repeat the topic in every edit, so the copy's own place counts.
    let copy = keys::event(RoomId { chat: event.chat.id, topic }, seq);
    let archived = draft.get::<Event>(&copy, EVENT)?;
    // Telegram tells of an edit with the whole text, which would bring back what was to be forgotten.
    if archived.as_ref().is_some_and(|archived| archived.kind == EventKind::Forgot) {
        return Ok(None);
    }
    if let Some(mut archived) = archived
        && let EventKind::Said(text) | EventKind::Edited(text) = &mut archived.kind
    {
        if !text.take_edit(message) {
            return Ok(None);
        }
        draft.put(copy, &archived, EVENT)?;
    }
    append(draft, event).map(Some)
}

/// Folds one sighting of a person in.
pub(super) fn saw(draft: &mut Draft<'_>, profile: &Profile, chat: ChatId, at: Timestamp) -> Result<(), StoreError> {
    let key = keys::person(profile.id);
    match draft.get::<Person>(&key, PERSON)? {
        Some(known) => {
            let mut person = known.clone();
            person.see(profile, at);
            let soon = person.last_seen.since(known.last_seen) < SEEN_GRAIN;
            if !soon || person != (Person { last_seen: person.last_seen, ..known }) {
                draft.put(key, &person, PERSON)?;
            }
        }
        None => {
            draft.next.people += 1;
            draft.put(key, &Person::met(profile, at), PERSON)?;
        }
    }
    let seen = keys::seen_in(profile.id, chat);
    if !draft.has(&seen)? {
        draft.put_bare(seen);
    }
    Ok(())
}
