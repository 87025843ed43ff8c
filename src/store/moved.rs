//! A group that became a supergroup: what was kept for the old chat is kept for the new one.
//!
//! The archive and its ledger stay where they are, since the new chat counts its messages from 1 again: a mark of the old
//! chat's message 5 must not settle the new one's. Whoever may read the new chat may read the old one's archive, and what
//! the old room still owes is answered in the new chat.

use super::draft::Draft;
use super::settle::{self, RoomRow};
use super::{ChatRecord, Store, StoreError, keys};
use crate::agenda::Reminder;
use crate::chat::audience::Audience;
use crate::chat::ids::{ChatId, RoomId};
use crate::memory::change::Change;
use crate::memory::fact::{Fact, NewFact, Subject};

/// How often a chat can have moved: Telegram does it once, a damaged row must not turn that into a loop.
const MOVES: usize = 4;

impl Store {
    /// Hands facts, reminders, `ctx`, rests, what was asked of us and who was seen from a chat on to the one that it
    /// became, in one batch; durable when this returns. What the chat's rooms commit later follows too. `false` if that
    /// was done before, or if a DM is named: those never move.
    pub fn moved(&self, from: ChatId, to: ChatId) -> Result<bool, StoreError> {
        if from == to || from.is_private() || to.is_private() {
            return Ok(false);
        }
        let moved = self.write(|draft| {
            if draft.has(&keys::moved(from))? {
                return Ok(false);
            }
            draft.put(keys::moved(from), &to, "a chat's move")?;
            self.move_facts(draft, from, to)?;
            self.move_reminders(draft, from, to)?;
            self.move_sightings(draft, from, to)?;
            self.move_rooms(draft, from, to)?;
            self.move_leave(draft, from, to)?;
            if let Some(asked) = draft.get::<ChatRecord>(&keys::chat(from), settle::CHAT)? {
                draft.put(keys::chat(to), &asked, settle::CHAT)?;
            }
            Ok(true)
        })?;
        self.flush()?;
        Ok(moved)
    }

    /// The chat that a chat became; itself if it never moved.
    pub fn successor(&self, chat: ChatId) -> Result<ChatId, StoreError> {
        follow(chat, |chat| self.get(&keys::moved(chat), "a chat's move"))
    }

    fn move_facts(&self, draft: &mut Draft<'_>, from: ChatId, to: ChatId) -> Result<(), StoreError> {
        // Of all of them: what is said about the chat may be for its circle, or for everyone.
        for row in self.tree.scan_prefix(keys::facts()) {
            let (key, bytes) = row.map_err(|e| self.fault(e))?;
            let mut fact: Fact = super::parse(&key, &bytes, settle::FACT)?;
            if fact.told.audience != Audience::Chat(from) && fact.told.subject != Subject::Chat(from) {
                continue;
            }
            draft.remove(key.to_vec());
            if fact.superseded_by.is_none() {
                draft.remove(keys::statement(&fact.told)?);
            }
            move_told(&mut fact.told, |chat| Ok(if chat == from { to } else { chat }))?;
            let (audience, subject, id) = (&fact.told.audience, &fact.told.subject, fact.id);
            draft.put(keys::fact_place(id), &(audience, subject), settle::FACT)?;
            if fact.superseded_by.is_none() {
                draft.put(keys::statement(&fact.told)?, &id, settle::FACT)?;
            }
            draft.put(keys::fact(audience, subject, id), &fact, settle::FACT)?;
        }
        Ok(())
    }

    /// `ctx` and rests, of topics too.
    fn move_rooms(&self, draft: &mut Draft<'_>, from: ChatId, to: ChatId) -> Result<(), StoreError> {
        let there = |key: &[u8]| keys::room_of(key).map(|room| RoomId { chat: to, ..room });
        for row in self.tree.scan_prefix(keys::rooms_of(from)) {
            let (key, bytes) = row.map_err(|e| self.fault(e))?;
            let row: RoomRow = super::parse(&key, &bytes, settle::ROOM)?;
            let Some(room) = there(&key).filter(|_| !row.ctx.is_null()) else { continue };
            let mut kept = draft.get::<RoomRow>(&keys::room(room), settle::ROOM)?.unwrap_or_default();
            if kept.ctx.is_null() {
                kept.ctx = row.ctx;
                draft.put(keys::room(room), &kept, settle::ROOM)?;
            }
        }
        for row in self.tree.scan_prefix(keys::rests_of(from)) {
            let (key, why) = row.map_err(|e| self.fault(e))?;
            draft.remove(key.to_vec());
            if let Some(room) = there(&key) {
                draft.put_bytes(keys::rest(room), why.to_vec());
            }
        }
        Ok(())
    }

    fn move_reminders(&self, draft: &mut Draft<'_>, from: ChatId, to: ChatId) -> Result<(), StoreError> {
        for Reminder { id, mut set } in self.reminders(None)? {
            if set.room.chat == from {
                set.room = RoomId { chat: to, ..set.room };
                draft.put(keys::reminder(id), &Reminder { id, set }, "a reminder")?;
            }
        }
        Ok(())
    }

    fn move_sightings(&self, draft: &mut Draft<'_>, from: ChatId, to: ChatId) -> Result<(), StoreError> {
        for person in self.people()? {
            if draft.has(&keys::seen_in(person.id, from))? {
                draft.put_bare(keys::seen_in(person.id, to));
            }
        }
        Ok(())
    }
}

/// A change in the chat that its chat became meanwhile: a turn may settle after its group has moved. The ledger stays
/// with the messages that it names.
pub(super) fn followed(draft: &Draft<'_>, change: &Change) -> Result<Change, StoreError> {
    let now = |chat| follow(chat, |chat| draft.get(&keys::moved(chat), "a chat's move"));
    let mut change = change.clone();
    match &mut change {
        Change::AddFact(told) | Change::Supersede { new: told, .. } => move_told(told, now)?,
        Change::AddReminder(set) => set.room.chat = now(set.room.chat)?,
        Change::SawPerson { room, .. } | Change::SetCtx { room, .. } | Change::CancelReminder { room, .. } => {
            room.chat = now(room.chat)?;
        }
        Change::Hush { chat, .. } | Change::Mute { chat, .. } => *chat = now(*chat)?,
        Change::Mark { .. } | Change::Considered { .. } | Change::Forget { .. } | Change::Describe { .. } => {}
    }
    Ok(change)
}

fn move_told(told: &mut NewFact, now: impl Fn(ChatId) -> Result<ChatId, StoreError>) -> Result<(), StoreError> {
    if let Audience::Chat(chat) = &mut told.audience {
        *chat = now(*chat)?;
    }
    if let Subject::Chat(chat) = &mut told.subject {
        *chat = now(*chat)?;
    }
    Ok(())
}

fn follow(chat: ChatId, next: impl Fn(ChatId) -> Result<Option<ChatId>, StoreError>) -> Result<ChatId, StoreError> {
    let mut now = chat;
    for _ in 0..MOVES {
        match next(now)? {
            Some(next) => now = next,
            None => break,
        }
    }
    Ok(now)
}
