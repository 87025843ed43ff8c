//! The end of a turn: its changes in one batch, and every message that waited gets its place in the ledger.

use serde_json::json;

use super::Room;
use crate::attention::ledger::Mark;
use crate::calls::Desk;
use crate::chat::ids::PersonId;
use crate::clock::crash_point;
use crate::journal::{Key, Kind};
use crate::memory::change::Change;
use crate::turn::{Ending, Turn};

impl Room {
    pub(super) async fn settle(&mut self, desk: &Desk, turn: &Turn, ending: Ending) {
        let room = self.hearing.room();
        let pending = desk.take_pending();
        let mark = match (&ending, pending.answered, pending.unknown) {
            (Ending::Acted, Some(act), _) => Some(Mark::Answered { act }),
            (Ending::Acted, None, Some(act)) => Some(Mark::Unknown { act }),
            (Ending::Acted, None, None) if pending.cut_off > 0 => {
                let why = "an answer was under way when its script was stopped; it may have been sent";
                Some(Mark::LetGo { why: why.to_owned() })
            }
            // It spoke, but elsewhere.
            (Ending::Acted, None, None) => Some(Mark::LetGo { why: "answered in another chat".to_owned() }),
            (Ending::Passed { why }, ..) => Some(Mark::LetGo { why: format!("passed: {why}") }),
            (Ending::LetGo { why }, ..) => Some(Mark::LetGo { why: why.clone() }),
            (Ending::Quiet, ..) => Some(Mark::LetGo { why: "nothing to say".to_owned() }),
        };
        let mut changes = pending.changes;
        if let Some(mark) = mark {
            changes.extend(desk.waiting().iter().map(|m| Change::Mark { room, message: m.id, mark: mark.clone() }));
        }
        let spoke = turn.acted();
        let to: Vec<PersonId> = desk.waiting().iter().filter_map(|m| m.from.person()).collect();
        let now = self.house.tape.clock().now();
        self.hearing.ended(spoke, &to, now);
        // What came in meanwhile and still waits is not considered: after a crash it is heard again.
        let upto = self.hearing.heard();
        if self.hearing.due().is_none() && upto > self.considered {
            changes.push(Change::Considered { room, upto });
            self.considered = upto;
        }
        tracing::info!(?ending, asks = turn.asks(), "the turn ended");
        let question = json!({ "turn": self.turns, "asks": turn.asks(), "ending": ending });
        crash_point("settle");
        self.commit_as(&question, &changes).await;
    }

    pub(super) async fn commit(&self, what: &str, changes: &[Change]) {
        self.commit_as(&json!({ "what": what }), changes).await;
    }

    async fn commit_as(&self, question: &serde_json::Value, changes: &[Change]) {
        let key = Key::of(self.hearing.room(), Kind::Settled);
        let question = json!({ "of": question, "changes": changes });
        let store = &self.house.store;
        let applied =
            self.house.tape.inside(key, &question, |_| store.commit(changes).map_err(|e| e.to_string())).await;
        if let Err(error) = applied {
            tracing::error!(%error, "changes could not be committed; they are lost with this turn");
        }
        if changes.iter().any(|c| matches!(c, Change::AddReminder(_) | Change::CancelReminder { .. })) {
            self.house.agenda_changed.notify_one();
        }
    }
}
