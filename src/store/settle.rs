//! What a turn changed, applied in one batch.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::draft::Draft;
use super::{Applied, ChatRecord, Store, StoreError, forget, intake, keys, moved};
use crate::agenda::Reminder;
use crate::attention::ledger::Mark;
use crate::chat::audience::Audience;
use crate::chat::ids::{ChatId, MessageId, RoomId};
use crate::memory::change::Change;
use crate::memory::fact::{Fact, FactId, NewFact, Source, Subject};

pub(super) const FACT: &str = "a fact";
pub(super) const ROOM: &str = "a room";
pub(super) const CHAT: &str = "what a chat asked for";
pub(super) const DESCRIPTION: &str = "what is in an attachment";
pub(super) const MARK: &str = "a message's mark";

/// How many sources one fact keeps, the latest: enough to show where it came from, bounded however often it is told.
const SOURCES_KEPT: usize = 16;

/// How long a chain of superseded facts is followed: longer than any real one, so that a damaged one ends too.
const CHAIN: usize = 1000;

/// The stored part of a [`RoomRecord`](super::RoomRecord); what is owed has rows of its own.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct RoomRow {
    #[serde(default)]
    pub(super) considered: u64,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub(super) ctx: Value,
}

impl Store {
    /// Applies changes in their order, all or none; durable when this returns.
    ///
    /// A mark never makes a handled message owed again, `Considered` never goes back, and a fact never supersedes one
    /// of another audience (it is then only added). A fact whose source is a DM stays for that DM, whatever audience it
    /// was given.
    pub fn commit(&self, changes: &[Change]) -> Result<Vec<Applied>, StoreError> {
        let applied = self.write(|draft| changes.iter().map(|change| apply(draft, change)).collect())?;
        self.flush()?;
        Ok(applied)
    }
}

fn apply(draft: &mut Draft<'_>, change: &Change) -> Result<Applied, StoreError> {
    match &moved::followed(draft, change)? {
        Change::SawPerson { profile, room, at } => intake::saw(draft, profile, room.chat, *at)?,
        Change::AddFact(told) => {
            let (id, refreshed) = tell(draft, told)?;
            return Ok(Applied::Fact { id, refreshed });
        }
        Change::Supersede { old, new } => {
            let (id, refreshed) = supersede(draft, *old, new)?;
            return Ok(Applied::Fact { id, refreshed });
        }
        Change::Mark { room, message, mark: new } => mark(draft, *room, *message, new)?,
        Change::Considered { room, upto } => {
            let mut row = room_row(draft, *room)?;
            row.considered = row.considered.max(*upto);
            draft.put(keys::room(*room), &row, ROOM)?;
        }
        Change::SetCtx { room, value } => {
            let mut row = room_row(draft, *room)?;
            row.ctx.clone_from(value);
            draft.put(keys::room(*room), &row, ROOM)?;
        }
        Change::Describe { unique_id, text } => draft.put(keys::described(unique_id), text, DESCRIPTION)?,
        Change::Hush { chat, until } => chat_row(draft, *chat, |row| row.quiet_until = *until)?,
        Change::Mute { chat, is_muted } => chat_row(draft, *chat, |row| row.is_muted = *is_muted)?,
        Change::AddReminder(set) => {
            draft.next.reminder += 1;
            let id = draft.next.reminder;
            draft.put(keys::reminder(id), &Reminder { id, set: set.clone() }, "a reminder")?;
            return Ok(Applied::Reminder { id });
        }
        Change::CancelReminder { room, id } => {
            let key = keys::reminder(*id);
            let stands = draft.get::<Reminder>(&key, "a reminder")?.is_some_and(|r| r.set.room == *room);
            if stands {
                draft.remove(key);
            }
            return Ok(Applied::Cancelled(stands));
        }
        Change::Forget { person, at } => return forget::forget(draft, *person, *at).map(Applied::Forgotten),
    }
    Ok(Applied::Nothing)
}

fn chat_row(draft: &mut Draft<'_>, chat: ChatId, change: impl FnOnce(&mut ChatRecord)) -> Result<(), StoreError> {
    let mut row: ChatRecord = draft.get(&keys::chat(chat), CHAT)?.unwrap_or_default();
    change(&mut row);
    draft.put(keys::chat(chat), &row, CHAT)
}

fn room_row(draft: &Draft<'_>, room: RoomId) -> Result<RoomRow, StoreError> {
    Ok(draft.get(&keys::room(room), ROOM)?.unwrap_or_default())
}

/// Sets a mark, unless that would make a handled message owed again.
pub(super) fn mark(draft: &mut Draft<'_>, room: RoomId, message: MessageId, new: &Mark) -> Result<(), StoreError> {
    let key = keys::mark(room, message);
    let handled = draft.get::<Mark>(&key, MARK)?.is_some_and(|old| old.is_handled());
    if new.is_handled() {
        draft.remove(keys::owed(room, message));
    } else if handled {
        return Ok(());
    } else {
        draft.put_bare(keys::owed(room, message));
    }
    draft.put(key, new, MARK)
}

/// Adds a statement, or refreshes the standing one that says the same to the same audience.
fn tell(draft: &mut Draft<'_>, told: &NewFact) -> Result<(FactId, bool), StoreError> {
    let mut told = told.clone();
    told.audience = narrowed(&told);
    let statement = keys::statement(&told)?;
    if let Some(id) = draft.get::<FactId>(&statement, FACT)? {
        let key = keys::fact(&told.audience, &told.subject, id);
        if let Some(mut fact) = draft.get::<Fact>(&key, FACT)? {
            refresh(&mut fact, told);
            draft.put(key, &fact, FACT)?;
            return Ok((id, true));
        }
    }
    draft.next.fact += 1;
    let id = FactId(draft.next.fact);
    bound(&mut told.sources);
    let fact = Fact { id, first_seen: told.seen, told, superseded_by: None };
    draft.put(keys::fact_place(id), &(&fact.told.audience, &fact.told.subject), FACT)?;
    draft.put(statement, &id, FACT)?;
    draft.put(keys::fact(&fact.told.audience, &fact.told.subject, id), &fact, FACT)?;
    Ok((id, false))
}

fn refresh(fact: &mut Fact, mut again: NewFact) {
    let old = &mut fact.told;
    fact.first_seen = fact.first_seen.min(again.seen);
    again.sources.retain(|source| !old.sources.contains(source));
    old.sources.append(&mut again.sources);
    bound(&mut old.sources);
    old.confidence = old.confidence.max(again.confidence);
    if again.seen >= old.seen {
        old.seen = again.seen;
        old.text = again.text;
        old.kind = again.kind;
        old.expires = again.expires;
    }
}

fn bound(sources: &mut Vec<Source>) {
    let over = sources.len().saturating_sub(SOURCES_KEPT);
    sources.drain(..over);
}

/// Adds the newer statement and points the older one at it, within one audience.
fn supersede(draft: &mut Draft<'_>, old: FactId, new: &NewFact) -> Result<(FactId, bool), StoreError> {
    let (id, refreshed) = tell(draft, new)?;
    let audience = narrowed(new);
    // What took the old one's place meanwhile is contradicted as well.
    let mut at = old;
    for _ in 0..CHAIN {
        let place: Option<(Audience, Subject)> = draft.get(&keys::fact_place(at), FACT)?;
        let Some((_, subject)) = place.filter(|(under, _)| at != id && *under == audience) else { break };
        let key = keys::fact(&audience, &subject, at);
        let Some(mut fact) = draft.get::<Fact>(&key, FACT)? else { break };
        if let Some(later) = fact.superseded_by {
            at = later;
            continue;
        }
        fact.superseded_by = Some(id);
        draft.remove(keys::statement(&fact.told)?);
        draft.put(key, &fact, FACT)?;
        break;
    }
    Ok((id, refreshed))
}

/// The audience as asked for, or narrower: words from a DM stay in that DM, words from several DMs are for nobody.
fn narrowed(told: &NewFact) -> Audience {
    let mut people = told.sources.iter().filter_map(|source| source.chat.person());
    let Some(person) = people.next() else { return told.audience.clone() };
    if people.any(|other| other != person) {
        return Audience::Us;
    }
    match &told.audience {
        Audience::Us => Audience::Us,
        Audience::Dm(other) if *other != person => Audience::Us,
        Audience::Dm(_) | Audience::Chat(_) | Audience::Circle(_) | Audience::Everyone => Audience::Dm(person),
    }
}
