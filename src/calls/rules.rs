//! What stands around every call: rules and before-hooks, after-hooks, and the line of the journal.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::{Desk, settled};
use crate::call::{Call, CallError, Outcome, Settled};
use crate::chat::ids::PersonId;
use crate::journal::{Key, Kind};
use crate::skills::hook::Scene;
use crate::skills::permission::{self, Case, Verdict};
use crate::time::Timestamp;

/// A call as the journal keeps it, for whoever asks later what was done and for whom.
#[derive(Debug, Serialize)]
struct Audit<'a> {
    id: u32,
    path: &'a str,
    /// Redacted as the answer is.
    args: Vec<Value>,
    /// Who waited for an answer.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    by: BTreeSet<PersonId>,
}

impl Desk {
    /// What rules and hooks say of a call before anything happens.
    pub(super) fn verdict(&self, call: &Call, is_remembered: bool) -> Verdict {
        let path = call.path.as_str();
        if self.slip(path).is_some() {
            // Nothing would happen; what is misspelt is told so, and not that it needs leave.
            return Verdict::Allow;
        }
        let declared = self.skills.registry.risk(path);
        let guards = self.house.config.hooks.before(&self.scene(call));
        permission::judge(&Case { path, declared, guards, is_remembered }, &self.house.config.permissions)
    }

    /// A call as hooks see it.
    pub(super) fn scene<'a>(&self, call: &'a Call) -> Scene<'a> {
        Scene { path: &call.path, args: &call.args, chat: self.room.chat, wake: self.wake }
    }

    /// The answer to a call that a rule forbids.
    pub(super) fn denied(&self, call: &Call) -> Option<Settled> {
        match self.verdict(call, false) {
            Verdict::Allow | Verdict::Ask => None,
            Verdict::Deny(why) => {
                let message = format!("{why}; nothing was done, so do without it or say so");
                let outcome = Outcome::Denied(CallError::new("PermissionError", message));
                Some(settled(call, outcome, self.is_effect(&call.path), String::new()))
            }
        }
    }

    /// A call whose answer the after-hooks rewrite.
    pub(super) async fn inside(&self, n: u64, call: &Call, compute: impl FnOnce(Timestamp) -> Settled) -> Settled {
        self.recorded(n, call, |now| self.house.config.hooks.after(&self.scene(call), compute(now))).await
    }

    pub(super) async fn recorded(&self, n: u64, call: &Call, compute: impl FnOnce(Timestamp) -> Settled) -> Settled {
        let compute = |now| {
            self.lock().now = now;
            compute(now)
        };
        let args = self.house.config.hooks.audited(&self.scene(call));
        let by = self.waiting.iter().filter_map(|message| message.from.person()).collect();
        let audit = Audit { id: call.id, path: &call.path, args, by };
        self.house.tape.inside(Key::of(self.room, Kind::Called).number(n), &audit, compute).await
    }
}
