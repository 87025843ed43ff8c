//! The outbox's rows: an act is written before its request, and its end after Telegram's answer.

use super::draft::Draft;
use super::{ActEnd, ActRow, Store, StoreError, keys};
use crate::attention::ledger::Mark;
use crate::chat::ids::RoomId;

const ACT: &str = "an act";
const END: &str = "an act's end";
const REST: &str = "a room's rest";

impl Store {
    /// Writes an act before its request goes out. It is durable when this returns.
    pub fn begin_act(&self, row: &ActRow) -> Result<u64, StoreError> {
        let act = self.write(|draft| {
            draft.next.act += 1;
            let act = draft.next.act;
            draft.put(keys::act(act), row, ACT)?;
            draft.put_bare(keys::left_act(act));
            Ok(act)
        })?;
        self.flush()?;
        Ok(act)
    }

    /// Writes how an act ended, and what that makes of the messages it answers: sent means answered, unknown means
    /// unknown, refused leaves them. It is durable when this returns.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if no act has that number.
    pub fn end_act(&self, act: u64, end: &ActEnd) -> Result<(), StoreError> {
        self.write(|draft| finish(draft, act, end))?;
        self.flush()
    }

    /// Every act with its end, oldest first.
    pub fn acts(&self) -> Result<Vec<(u64, ActRow, Option<ActEnd>)>, StoreError> {
        let mut acts = Vec::new();
        for row in self.tree.scan_prefix(keys::acts()) {
            let (key, bytes) = row.map_err(|e| self.fault(e))?;
            let act = keys::last_number(&key).unwrap_or_default();
            acts.push((act, super::parse(&key, &bytes, ACT)?, self.get(&keys::act_end(act), END)?));
        }
        Ok(acts)
    }

    /// Nothing is sent to a room (or, without a topic, to its whole chat) from now on, until it is heard that we may
    /// write there again. It is durable when this returns.
    pub fn rest(&self, room: RoomId, why: &str) -> Result<(), StoreError> {
        self.write(|draft| draft.put(keys::rest(room), &why, REST))?;
        self.flush()
    }

    /// Why nothing is sent there, if it rests.
    pub fn rests(&self, room: RoomId) -> Result<Option<String>, StoreError> {
        match self.get(&keys::rest(RoomId::whole(room.chat)), REST)? {
            Some(why) => Ok(Some(why)),
            None => self.get(&keys::rest(room), REST),
        }
    }

    /// Ends every act that a crash left open, as unknown.
    pub(super) fn end_left_acts(&self) -> Result<(), StoreError> {
        let mut left = Vec::new();
        for row in self.tree.scan_prefix(keys::left_acts()) {
            let (key, _) = row.map_err(|e| self.fault(e))?;
            left.extend(keys::last_number(&key));
        }
        if left.is_empty() {
            return Ok(());
        }
        let end = ActEnd::Unknown { why: "the program stopped before Telegram's answer was read".to_owned() };
        self.write(|draft| left.iter().try_for_each(|act| finish(draft, *act, &end)))?;
        self.flush()
    }
}

fn finish(draft: &mut Draft<'_>, act: u64, end: &ActEnd) -> Result<(), StoreError> {
    let Some(row) = draft.get::<ActRow>(&keys::act(act), ACT)? else {
        return Err(StoreError::Missing { kind: ACT, id: act });
    };
    draft.put(keys::act_end(act), end, END)?;
    draft.remove(keys::left_act(act));
    let mark = match end {
        ActEnd::Sent { .. } => Mark::Answered { act },
        ActEnd::Unknown { .. } => Mark::Unknown { act },
        ActEnd::Refused { .. } => return Ok(()),
    };
    row.answers.iter().try_for_each(|message| super::settle::mark(draft, row.room, *message, &mark))
}
