//! Calls that wait for an operator's leave, and what operators allowed for good.
//!
//! A parked call goes from waiting to allowed to begun and is gone when what came of it is filed; from waiting it may
//! also go at once. Each step is one batch with the event that tells of it, so no press and no crash repeats one.

use super::draft::Draft;
use super::{Store, StoreError, keys};
use crate::call::{Asked, Call, Parked, Stage};
use crate::chat::event::{Decision, Leave};
use crate::chat::ids::{ChatId, PersonId, RoomId};
use crate::time::Timestamp;

const PARKED: &str = "a parked call";

impl Store {
    /// Parks a call; durable when this returns its number.
    pub fn park(&self, room: RoomId, call: &Call, until: Timestamp) -> Result<u64, StoreError> {
        let id = self.write(|draft| {
            draft.next.parked += 1;
            let id = draft.next.parked;
            let row = Parked { id, room, call: call.clone(), until, stage: Stage::Waiting, asked: None };
            draft.put(keys::parked(id), &row, PARKED)?;
            Ok(id)
        })?;
        self.flush()?;
        Ok(id)
    }

    /// Notes in which message an operator was asked; nobody was, if there is none, and then the call is forgotten.
    pub fn asked(&self, id: u64, asked: Option<&Asked>) -> Result<(), StoreError> {
        self.write(|draft| {
            let key = keys::parked(id);
            match (draft.get::<Parked>(&key, PARKED)?, asked) {
                (Some(row), Some(asked)) => draft.put(key, &Parked { asked: Some(asked.clone()), ..row }, PARKED),
                (Some(_), None) => {
                    draft.remove(key);
                    Ok(())
                }
                // It was decided in the meantime.
                (None, _) => Ok(()),
            }
        })?;
        self.flush()
    }

    /// Begins to make an allowed call: from now on it may have happened. Gives it as it was before; `None` if it is gone.
    pub fn begin(&self, id: u64) -> Result<Option<Parked>, StoreError> {
        let before = self.write(|draft| {
            let key = keys::parked(id);
            let Some(row) = draft.get::<Parked>(&key, PARKED)? else { return Ok(None) };
            draft.put(key, &Parked { stage: Stage::Begun, ..row.clone() }, PARKED)?;
            Ok(Some(row))
        })?;
        self.flush()?;
        Ok(before)
    }

    /// A parked call by its number.
    pub fn parked(&self, id: u64) -> Result<Option<Parked>, StoreError> {
        self.get(&keys::parked(id), PARKED)
    }

    /// All parked calls, oldest first.
    pub fn all_parked(&self) -> Result<Vec<Parked>, StoreError> {
        let mut all = Vec::new();
        self.each(keys::all_parked(), PARKED, |_, row: Parked| {
            all.push(row);
            true
        })?;
        Ok(all)
    }

    /// Whether an operator allowed this method in this chat for good.
    pub fn is_allowed(&self, chat: ChatId, path: &str) -> Result<bool, StoreError> {
        Ok(self.get::<()>(&keys::allowed(chat, path), PARKED)?.is_some())
    }

    /// Hands what was allowed and what still waits on to the chat that a chat became.
    pub(super) fn move_leave(&self, draft: &mut Draft<'_>, from: ChatId, to: ChatId) -> Result<(), StoreError> {
        let prefix = keys::allowed(from, "");
        for row in self.tree.scan_prefix(&prefix) {
            let (key, _) = row.map_err(|e| self.fault(e))?;
            let path = String::from_utf8_lossy(key.get(prefix.len()..).unwrap_or_default()).into_owned();
            draft.put(keys::allowed(to, &path), &(), PARKED)?;
        }
        for mut row in self.all_parked()?.into_iter().filter(|row| row.room.chat == from) {
            row.room.chat = to;
            draft.put(keys::parked(row.id), &row, PARKED)?;
        }
        Ok(())
    }
}

/// Does to a parked call what a decision says. `false` if that is out of date: decided before, or gone.
pub(super) fn decided(draft: &mut Draft<'_>, decision: &Decision) -> Result<bool, StoreError> {
    let key = keys::parked(decision.id);
    let Some(row) = draft.get::<Parked>(&key, PARKED)? else { return Ok(false) };
    if decision.came_of.is_some() {
        draft.remove(key);
        return Ok(true);
    }
    if row.stage != Stage::Waiting {
        return Ok(false);
    }
    if decision.leave == Leave::Chat {
        draft.put(keys::allowed(row.room.chat, &row.call.path), &(), PARKED)?;
    }
    if decision.leave.is_given() {
        draft.put(key, &Parked { stage: Stage::Allowed, ..row }, PARKED)?;
    } else {
        draft.remove(key);
    }
    Ok(true)
}

/// Forgets calls of a person's private chat, what was allowed there, and calls whose arguments tell of them. One that is
/// being made stays until it is.
pub(super) fn forget(draft: &mut Draft<'_>, person: PersonId, tells: impl Fn(&str) -> bool) -> Result<(), StoreError> {
    let store = draft.store();
    for row in store.all_parked()? {
        let is_theirs = row.room.chat == person.dm() || row.call.args.iter().any(|arg| tells(&arg.to_string()));
        if is_theirs && row.stage != Stage::Begun {
            draft.remove(keys::parked(row.id));
        }
    }
    for row in store.tree.scan_prefix(keys::allowed(person.dm(), "")) {
        let (key, _) = row.map_err(|e| store.fault(e))?;
        draft.remove(key.to_vec());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::chat::event::{Event, EventKind};
    use crate::chat::person::{Chat, ChatKind};
    use crate::memory::change::Change;
    use crate::store::Filed;

    const ROOM: RoomId = RoomId::whole(ChatId(-7));

    fn decided(id: u64, leave: Leave, came_of: Option<&str>) -> Event {
        let chat = Chat { id: ROOM.chat, kind: ChatKind::Supergroup, title: String::new() };
        let decision = Decision { id, call: "a.b(1)".into(), by: None, leave, came_of: came_of.map(str::to_owned) };
        Event { chat, topic: None, time: Timestamp(5), kind: EventKind::Decided(decision) }
    }

    /// What each decision does to a call at each stage: whether it is news, what is left, and what is remembered.
    #[test]
    fn a_parked_call_only_goes_forward() {
        use Stage::{Allowed, Begun, Waiting};
        let rows = [
            (Waiting, Leave::Once, None, true, Some(Allowed), false),
            (Waiting, Leave::Chat, None, true, Some(Allowed), true),
            (Waiting, Leave::Denied, None, true, None, false),
            (Waiting, Leave::Late, None, true, None, false),
            (Waiting, Leave::Restart, None, true, None, false),
            (Allowed, Leave::Once, None, false, Some(Allowed), false),
            (Allowed, Leave::Chat, None, false, Some(Allowed), false),
            (Allowed, Leave::Denied, None, false, Some(Allowed), false),
            (Begun, Leave::Once, None, false, Some(Begun), false),
            (Begun, Leave::Late, None, false, Some(Begun), false),
            (Begun, Leave::Once, Some("done"), true, None, false),
        ];
        for (stage, leave, came_of, is_news, left, is_remembered) in rows {
            let dir = tempfile::tempdir().unwrap();
            let store = Store::open(dir.path(), 0).unwrap();
            let call = Call { id: 1, path: "a.b".into(), args: vec![json!(1)] };
            let id = store.park(ROOM, &call, Timestamp(9)).unwrap();
            if stage != Waiting {
                store.archive(&[decided(id, Leave::Once, None)], None).unwrap();
            }
            if stage == Begun {
                assert_eq!(store.begin(id).unwrap().unwrap().stage, Allowed);
                assert_eq!(store.begin(id).unwrap().unwrap().stage, Begun, "a second time it was begun before");
            }
            let filed = store.archive(&[decided(id, leave, came_of)], None).unwrap();
            let case = format!("{stage:?} {leave:?} {came_of:?}");
            assert_eq!(filed[0] != Filed::Duplicate, is_news, "{case}");
            assert_eq!(store.parked(id).unwrap().map(|row| row.stage), left, "{case}");
            assert_eq!(store.is_allowed(ROOM.chat, "a.b").unwrap(), is_remembered, "{case}");
            assert!(!store.is_allowed(ROOM.chat, "a").unwrap() && !store.is_allowed(ChatId(-8), "a.b").unwrap());
            let unknown = store.archive(&[decided(99, leave, came_of)], None).unwrap();
            assert_eq!(unknown[0], Filed::Duplicate, "nobody decides about what is not parked");
        }
    }

    #[test]
    fn leave_follows_a_group_and_calls_are_forgotten_with_whom_they_tell_of() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path(), 0).unwrap();
        let call = |about: i64| Call { id: 1, path: "a.b".into(), args: vec![json!([about])] };
        let first = store.park(ROOM, &call(1), Timestamp(9)).unwrap();
        store.archive(&[decided(first, Leave::Chat, None)], None).unwrap();
        let of_somebody = store.park(ROOM, &call(4711), Timestamp(9)).unwrap();
        assert!(store.moved(ROOM.chat, ChatId(-70)).unwrap());
        assert!(store.is_allowed(ChatId(-70), "a.b").unwrap());
        assert_eq!(store.parked(first).unwrap().unwrap().room, RoomId::whole(ChatId(-70)));
        store.commit(&[Change::Forget { person: PersonId(4711), at: Timestamp(1) }]).unwrap();
        assert!(store.parked(of_somebody).unwrap().is_none() && store.parked(first).unwrap().is_some());
    }
}
