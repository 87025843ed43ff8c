//! A group that became a supergroup: what was kept for the old chat is kept for the new one.
//!
//! The archive stays where it is, since the new chat counts its messages from 1 again; whoever may read the new chat may
//! read the old one's.

use super::draft::Draft;
use super::settle::{self, RoomRow};
use super::{ChatRecord, Store, StoreError, keys};
use crate::agenda::Reminder;
use crate::chat::audience::Audience;
use crate::chat::ids::{ChatId, RoomId};
use crate::memory::fact::{Fact, Subject};

/// How often a chat can have moved: Telegram does it once, a damaged row must not turn that into a loop.
const MOVES: usize = 4;

impl Store {
    /// Hands facts, reminders, `ctx`, what was asked of us and who was seen from a chat on to the one that it became, in one batch; durable
    /// when this returns. `false` if that was done before, or if a DM is named: those never move.
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
            if let Some(asked) = draft.get::<ChatRecord>(&keys::chat(from), settle::CHAT)? {
                draft.put(keys::chat(to), &asked, settle::CHAT)?;
            }
            let (old, new) = (RoomId::whole(from), RoomId::whole(to));
            if let Some(row) = draft.get::<RoomRow>(&keys::room(old), settle::ROOM)? {
                let mut kept = draft.get::<RoomRow>(&keys::room(new), settle::ROOM)?.unwrap_or_default();
                if kept.ctx.is_null() {
                    kept.ctx = row.ctx;
                    draft.put(keys::room(new), &kept, settle::ROOM)?;
                }
            }
            Ok(true)
        })?;
        self.flush()?;
        Ok(moved)
    }

    /// The chat that a chat became; itself if it never moved.
    pub fn successor(&self, chat: ChatId) -> Result<ChatId, StoreError> {
        let mut now = chat;
        for _ in 0..MOVES {
            match self.get(&keys::moved(now), "a chat's move")? {
                Some(next) => now = next,
                None => break,
            }
        }
        Ok(now)
    }

    fn move_facts(&self, draft: &mut Draft<'_>, from: ChatId, to: ChatId) -> Result<(), StoreError> {
        for row in self.tree.scan_prefix(keys::facts_for(&Audience::Chat(from))) {
            let (key, bytes) = row.map_err(|e| self.fault(e))?;
            let mut fact: Fact = super::parse(&key, &bytes, settle::FACT)?;
            draft.remove(key.to_vec());
            draft.remove(keys::statement(&fact.told)?);
            fact.told.audience = Audience::Chat(to);
            if fact.told.subject == Subject::Chat(from) {
                fact.told.subject = Subject::Chat(to);
            }
            let (audience, subject, id) = (&fact.told.audience, &fact.told.subject, fact.id);
            draft.put(keys::fact_place(id), &(audience, subject), settle::FACT)?;
            if fact.superseded_by.is_none() {
                draft.put(keys::statement(&fact.told)?, &id, settle::FACT)?;
            }
            draft.put(keys::fact(audience, subject, id), &fact, settle::FACT)?;
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
