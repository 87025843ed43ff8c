//! A script's calls on the host's side: permission first, then act, change or answer.
//!
//! Invariants:
//! - Every call passes through [`Desk`]; nothing a script says reaches a chat, the store or the network otherwise.
//! - What is read is read through the turn's [`Reader`]; what is told passes [`may_tell`](crate::chat::audience::Circles::may_tell). Both are decided
//!   here, before anything happens, and an error about them quotes nothing.
//! - Changes to memory are collected and committed when the turn settles; a turn sees its own pending ones.
//! - Every call ends in one `called` line of the journal, in the order in which answers went back to the script.

mod agenda;
mod args;
mod code;
pub mod fetch;
pub mod guide;
pub mod house;
pub mod leave;
pub mod loading;
mod memory;
mod rules;
pub mod senses;
mod skills;
mod telegram;
mod turn;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use self::house::{Delivery, House};
use self::loading::Skills;
use crate::attention::gate::Reason;
use crate::call::{Call, CallError, Outcome, Settled};
use crate::chat::audience::Reader;
use crate::chat::ids::{MessageId, RoomId};
use crate::chat::message::Message;
use crate::clock::Hold;
use crate::journal::{Key, Kind};
use crate::memory::change::Change;
use crate::sandbox;
use crate::skills::disclose::Disclosure;
use crate::skills::guide::shelf::Shelf;
use crate::skills::permission::Verdict;
use crate::skills::registry::Effect;
use crate::store::StoreError;
use crate::time::{Span, Timestamp};

/// How many visible acts one turn may make: more is a loop, not a conversation.
const MOST_ACTS: usize = 12;
/// Bytes of documentation that one error or request may bring.
pub const DOCS: usize = 6 * 1024;
/// Scripts of one turn get numbers this far apart, so that (script, call) is one number in the journal.
pub const CALLS_PER_SCRIPT: u64 = 1_000_000;

/// How the host answers one method of its own, within the process and at the moment that the tape gives.
type Answer = fn(&Desk, &Call, Timestamp) -> Settled;

/// One turn's side of its scripts' calls.
#[derive(Debug)]
pub struct Desk {
    house: Arc<House>,
    /// As they were when the turn began.
    skills: Arc<Skills>,
    room: RoomId,
    /// Why the turn began.
    wake: Reason,
    reader: Reader,
    /// What waits for an answer in this room.
    waiting: Vec<Message>,
    /// How this turn's dice were thrown; skills draw theirs from it.
    seed: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    script: u32,
    pending: Pending,
    acts: usize,
    /// Something was said, or was about to be.
    has_spoken: bool,
    /// Sends of scripts that failed; each absorbs one equal later call.
    absorbing: Vec<Settled>,
    /// Sends of the running script, those among them that it took over from a failed one; *unknown* until they end.
    sends: Vec<Settled>,
    docs: Vec<Disclosure>,
    visible: BTreeSet<String>,
    /// The guides that lie open here.
    shelf: Shelf,
    /// The time at which the script's last call was answered; its own clock stands there.
    now: Timestamp,
    /// Keeps virtual time still while the script runs, unless it only waits for timers.
    hold: Option<Hold>,
    timers: u32,
}

/// What a turn has done and not yet settled.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    /// Changes to commit.
    pub changes: Vec<Change>,
    /// Our own messages to this room, filed but not yet heard by it.
    pub own: Vec<Delivery>,
    /// The last act that answered in this room.
    pub answered: Option<u64>,
    /// The last act that may or may not have been sent here.
    pub unknown: Option<u64>,
    /// Sends to here that began and did not end: their script was stopped, and nobody waited for them any longer.
    pub cut_off: usize,
}

impl Desk {
    /// A desk for one turn.
    pub fn new(
        house: Arc<House>,
        room: RoomId,
        wake: Reason,
        reader: Reader,
        waiting: Vec<Message>,
        seed: u64,
    ) -> Self {
        let skills = house.skills.now();
        Self { house, skills, room, wake, reader, waiting, seed, state: Mutex::default() }
    }

    /// The turn that this desk serves now waits for this as well.
    pub fn joined(&mut self, message: Message) {
        self.waiting.push(message);
    }

    /// The messages that wait for an answer.
    pub fn waiting(&self) -> &[Message] {
        &self.waiting
    }

    /// The skills with which the turn began, and the guides that lie open.
    pub fn lay_out(&mut self, skills: Arc<Skills>, shelf: Shelf) {
        self.skills = skills;
        self.lock().shelf = shelf;
    }

    /// The skills of this turn.
    pub fn skills(&self) -> &Skills {
        &self.skills
    }

    /// The guides that lie open now.
    pub fn shelf(&self) -> Shelf {
        self.lock().shelf.clone()
    }

    /// A script begins; `visible` are the docs that its author can still see.
    pub fn begin(&self, script: u32, now: Timestamp, visible: &BTreeSet<String>) {
        let mut state = self.lock();
        state.script = script;
        state.now = now;
        state.hold = Some(self.house.tape.clock().hold());
        state.sends.clear();
        state.visible.clone_from(visible);
    }

    /// A script ended. Sends of one that failed absorb equal ones of its correction.
    pub fn ended(&self, failed: bool) {
        let mut state = self.lock();
        state.hold = None;
        let mut sends = std::mem::take(&mut state.sends);
        if failed {
            // What it took over came before what it did not, so of two equal ones the older stays in front.
            sends.append(&mut state.absorbing);
            state.absorbing = sends;
        }
    }

    /// Docs that the script asked for.
    pub fn take_docs(&self) -> Option<Disclosure> {
        let docs = std::mem::take(&mut self.lock().docs);
        let text = docs.iter().map(|d| d.text.as_str()).collect::<Vec<_>>().join("\n\n");
        (!text.is_empty()).then(|| Disclosure { text, paths: docs.into_iter().flat_map(|d| d.paths).collect() })
    }

    /// A script left this for the room's later scripts.
    pub fn keep_ctx(&self, value: Value) {
        let change = Change::SetCtx { room: self.room, value };
        let mut state = self.lock();
        state.pending.changes.retain(|c| !matches!(c, Change::SetCtx { .. }));
        state.pending.changes.push(change);
    }

    /// `ctx` as the turn's scripts left it, if one changed it: the store has it only once the turn settled.
    pub fn ctx(&self) -> Option<Value> {
        let state = self.lock();
        let changes = state.pending.changes.iter().rev();
        changes
            .filter_map(|change| if let Change::SetCtx { value, .. } = change { Some(value.clone()) } else { None })
            .next()
    }

    /// Our own messages that this room has yet to hear.
    pub fn take_own(&self) -> Vec<Delivery> {
        std::mem::take(&mut self.lock().pending.own)
    }

    /// What is to be settled.
    pub fn take_pending(&self) -> Pending {
        std::mem::take(&mut self.lock().pending)
    }

    async fn answer(&self, call: &Call) -> Settled {
        let n = {
            let state = self.lock();
            u64::from(state.script) * CALLS_PER_SCRIPT + u64::from(call.id)
        };
        if let Some(first) = self.absorb(call) {
            return self.inside(n, call, |_| first).await;
        }
        match call.path.as_str() {
            "$timer" => {
                let span = Span::millis(call.args.first().and_then(Value::as_i64).unwrap_or(0).max(0));
                let _waiting = Waiting::begin(self);
                let sleep = async {
                    self.house.tape.clock().sleep(span).await;
                    settled(call, Outcome::Done(Value::Null), false, String::new())
                };
                let taken = self.house.tape.outside(Key::of(self.room, Kind::Called).number(n), call, sleep).await;
                self.lock().now = taken.at;
                taken.answer
            }
            _ => {
                if let Some(denied) = self.denied(call) {
                    return self.inside(n, call, |_| denied).await;
                }
                if self.verdict(call, false) == Verdict::Ask
                    && let Some(settled) = self.ask_leave(n, call).await
                {
                    return settled;
                }
                self.perform(n, call).await
            }
        }
    }

    /// Answers a call that may run.
    async fn perform(&self, n: u64, call: &Call) -> Settled {
        if let Some(answer) = built_in(&call.path) {
            return self.inside(n, call, |now| answer(self, call, now)).await;
        }
        if guide::answers(&call.path) {
            return self.guide(n, call).await;
        }
        if self.is_telegram(&call.path) {
            let settled = self.telegram(n, call).await;
            return self.inside(n, call, |_| settled).await;
        }
        // Hooks have seen this before the journal did.
        let settled = self.code(n, call).await;
        self.recorded(n, call, |_| settled).await
    }

    /// What an equal send of a failed script gave. It is now the running script's, whose correction may need it again.
    fn absorb(&self, call: &Call) -> Option<Settled> {
        let mut state = self.lock();
        let is_equal = |first: &Settled| first.call.path == call.path && first.call.args == call.args;
        let at = state.absorbing.iter().position(is_equal)?;
        let first = Settled { call: call.clone(), ..state.absorbing.remove(at) };
        state.sends.push(first.clone());
        let did = format!("{} (by the failed script; not repeated)", first.did);
        Some(Settled { did, ..first })
    }

    /// A send is about to leave. Should its script be stopped before it ends, it may have been sent.
    fn sending(&self, call: &Call, to: RoomId) {
        let message = format!(
            "{}: an equal send was under way when its script was stopped; it may have been sent, so it is not sent again",
            call.path
        );
        let unknown = Outcome::Unknown(CallError::new("TelegramError", message));
        let mut state = self.lock();
        state.sends.push(settled(call, unknown, true, "may have been sent".to_owned()));
        state.pending.cut_off += usize::from(to == self.room);
    }

    /// A send ended, as `settled` says.
    fn sent(&self, settled: &Settled, to: RoomId) {
        let mut state = self.lock();
        state.sends.retain(|send| send.call.id != settled.call.id);
        if matches!(settled.outcome, Outcome::Done(_) | Outcome::Unknown(_)) {
            state.sends.push(settled.clone());
        }
        state.pending.cut_off -= usize::from(to == self.room);
    }

    fn read(&self, call: &Call, result: Result<Value, CallError>) -> Settled {
        settled(call, outcome(result), false, String::new())
    }

    fn written(&self, call: &Call, result: Result<(Value, String), CallError>) -> Settled {
        match result {
            Ok((value, did)) => settled(call, Outcome::Done(value), true, did),
            Err(e) => settled(call, Outcome::Failed(e), true, String::new()),
        }
    }

    /// The error for a path that nothing answers, or that looks like a slip of the pen for one that is declared.
    fn slip(&self, path: &str) -> Option<CallError> {
        let registry = &self.skills.registry;
        let skill = path.split('.').next().unwrap_or_default();
        let has_code = registry.skill(skill).is_some_and(|skill| skill.code.is_some());
        let near = if registry.method(path).is_some() { Vec::new() } else { registry.nearest(path) };
        let is_ours = built_in(path).is_some() || guide::answers(path) || self.is_telegram(path);
        let is_answered = is_ours || has_code && near.is_empty();
        (!is_answered).then(|| {
            let hint = if near.is_empty() { String::new() } else { format!("; there is {}", near.join(", ")) };
            CallError::new("TypeError", format!("{path} is not a function{hint}"))
        })
    }

    fn is_telegram(&self, path: &str) -> bool {
        path.starts_with("telegram.") && self.skills.registry.method(path).is_some()
    }

    fn is_effect(&self, path: &str) -> bool {
        self.skills.registry.effect(path) == Effect::Write
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl sandbox::Host for Desk {
    async fn call(&self, call: Call) -> Settled {
        self.answer(&call).await
    }

    fn now(&self) -> Timestamp {
        self.lock().now
    }

    fn is_effect(&self, path: &str) -> bool {
        Desk::is_effect(self, path)
    }
}

/// Lets virtual time go on while a script waits for a timer.
struct Waiting<'a>(&'a Desk);

impl<'a> Waiting<'a> {
    fn begin(desk: &'a Desk) -> Self {
        let mut state = desk.lock();
        state.timers += 1;
        state.hold = None;
        Self(desk)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.timers -= 1;
        if state.timers == 0 {
            state.hold = Some(self.0.house.tape.clock().hold());
        }
    }
}

fn settled(call: &Call, outcome: Outcome, is_effect: bool, did: String) -> Settled {
    Settled { call: call.clone(), outcome, is_effect, did }
}

fn outcome(result: Result<Value, CallError>) -> Outcome {
    match result {
        Ok(value) => Outcome::Done(value),
        Err(error) => Outcome::Failed(error),
    }
}

/// The host's own method at this path. It wins over a skill's of the same path, since it carries the rules; what a
/// built-in skill does not name is left to the skill's code, if it has any. `telegram` alone has to wait for others
/// and stands in [`Desk::answer`].
fn built_in(path: &str) -> Option<Answer> {
    let (skill, method) = path.split_once('.')?;
    match skill {
        "memory" => memory::method(method),
        "agenda" => agenda::method(method),
        "skills" => skills::method(method),
        "turn" => turn::method(method),
        _ => None,
    }
}

/// The error for what the store could not do.
fn store_error(error: &StoreError) -> CallError {
    tracing::error!(%error, "the store failed a call");
    CallError::new("Error", "memory cannot be read just now")
}

/// Messages that this room waits to have answered, by id.
fn ids(messages: &[Message]) -> Vec<MessageId> {
    messages.iter().map(|message| message.id).collect()
}
