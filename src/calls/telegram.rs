//! Calls to `telegram`: where to, whether it may go there, and the act itself.

mod look;
mod methods;
mod sticker;
mod wanted;

use serde_json::{Value, json};

use self::wanted::wanted;
use super::args::Args;
use super::{Desk, MOST_ACTS, ids, settled, store_error};
use crate::call::{Call, CallError, Outcome, Settled};
use crate::chat::audience::Destination;
use crate::chat::ids::{MessageId, PersonId, RoomId};
use crate::chat::person::Sender;
use crate::journal::tape::Taken;
use crate::telegram::outbox::{Act, ActError, ActKind, Acted};
use crate::time::Timestamp;

impl Desk {
    /// The answer to `telegram.NAME`. What is or may have been sent is kept, should the script fail or be stopped.
    pub(super) async fn telegram(&self, n: u64, call: &Call) -> Settled {
        if let Some(looked) = self.look(n, call).await {
            return looked;
        }
        let now = self.lock().now;
        let (to, kind) = match self.asked(call, now.secs()) {
            Ok(wanted) => wanted,
            Err(error) => return settled(call, Outcome::Failed(error), true, String::new()),
        };
        if let Some(error) = self.refused(n, call, to).await {
            return settled(call, Outcome::Denied(error), true, String::new());
        }
        let answers = if to == self.room { ids(&self.waiting) } else { Vec::new() };
        let typed = self.typed(to, &kind);
        let act = Act { room: to, answers, kind, typed };
        let speaks = act.kind.speaks();
        if speaks {
            self.sending(call, to);
        }
        let settled = self.done(n, call, &act).await;
        if speaks {
            self.sent(&settled, to);
        }
        settled
    }

    /// Whose further words make this out of date. Only the first thing that a turn says can be: once it speaks it goes on.
    fn typed(&self, to: RoomId, kind: &ActKind) -> Option<Vec<PersonId>> {
        if !matches!(kind, ActKind::Text { .. }) {
            return None;
        }
        let is_first = !std::mem::replace(&mut self.lock().has_spoken, true);
        let answered = self.waiting.iter().filter(|_| is_first && to == self.room);
        Some(answered.filter_map(|message| message.from.person()).collect())
    }

    async fn done(&self, n: u64, call: &Call, act: &Act) -> Settled {
        let Taken { at, answer } = self.house.act(self.room, n, act).await;
        match answer {
            Ok(acted) => self.acted(n, call, at, act, &acted).await,
            Err(ActError::Refused(why)) => {
                let error = CallError::new("TelegramError", format!("{}: {why}", call.path));
                settled(call, Outcome::Failed(error), true, String::new())
            }
            Err(ActError::Unknown { act: number, why }) => {
                if act.room == self.room {
                    self.lock().pending.unknown = Some(number);
                }
                let message =
                    format!("{}: no answer came ({why}); it may have been sent, so do not repeat it", call.path);
                settled(
                    call,
                    Outcome::Unknown(CallError::new("TelegramError", message)),
                    true,
                    "may have been sent".into(),
                )
            }
        }
    }

    async fn acted(&self, n: u64, call: &Call, at: Timestamp, act: &Act, acted: &Acted) -> Settled {
        for delivery in self.house.file_own(self.room, n, at, act, acted).await {
            self.lock().pending.own.push(delivery);
        }
        if act.room == self.room {
            self.lock().pending.answered = Some(acted.act);
        }
        let place = if act.room == self.room { "this chat".to_owned() } else { format!("chat {}", act.room.chat) };
        let (value, did) = match (&act.kind, acted.messages.first()) {
            (ActKind::React { message, emoji: Some(emoji) }, _) => {
                (Value::Null, format!("reacted {emoji} to message {message}"))
            }
            (ActKind::React { message, emoji: None }, _) => {
                (Value::Null, format!("took the reaction to message {message} back"))
            }
            (ActKind::Ask { says, .. }, first) => {
                let told = acted.answer.as_ref().map_or(Value::Null, told);
                (first.map_or(told, |first| json!({ "id": first.id })), says.clone())
            }
            (ActKind::Edit { message, .. }, _) => (Value::Null, format!("edited message {message}")),
            (ActKind::Text { .. }, Some(first)) => {
                (json!({ "id": first.id }), format!("sent message {} to {place}", first.id))
            }
            (ActKind::Text { .. }, None) => (Value::Null, format!("sent to {place}")),
        };
        settled(call, Outcome::Done(value), true, did)
    }

    /// What a call asks for. Only what we said ourselves may be deleted.
    fn asked(&self, call: &Call, now: i64) -> Result<(RoomId, ActKind), CallError> {
        if call.path == "telegram.sticker" {
            return self.sticker(call);
        }
        let wanted = wanted(call, self.room, now)?;
        if call.path != "telegram.delete" {
            return Ok(wanted);
        }
        let id = Args::of(call).id(0, "message").map(MessageId)?;
        match self.house.message(self.room.chat, id) {
            Ok(Some(message)) if message.from == Sender::Us => Ok(wanted),
            Ok(_) => Err(CallError::new("PermissionError", format!("{}: message {id} is not one of yours", call.path))),
            Err(error) => Err(store_error(&error)),
        }
    }

    /// Whether the audience rule or a bound forbids the act.
    async fn refused(&self, n: u64, call: &Call, to: RoomId) -> Option<CallError> {
        {
            let mut state = self.lock();
            if state.acts >= MOST_ACTS {
                let message = format!("{}: a turn may act {MOST_ACTS} times, and did", call.path);
                return Some(CallError::new("RangeError", message));
            }
            state.acts += 1;
        }
        if to.chat == self.room.chat {
            return None;
        }
        let from = self.room.chat;
        let is_member = match to.chat.person() {
            Some(person) if !from.is_private() => self.house.is_member(self.room, n, from, person).await,
            Some(_) | None => false,
        };
        (!self.house.config.circles.may_tell(from, Destination { chat: to.chat, is_member })).then(|| {
            CallError::new(
                "PermissionError",
                format!("{}: what is talked about here may not go to chat {}; nothing was sent", call.path, to.chat),
            )
        })
    }
}

/// What of Telegram's answer a script can use.
fn told(answer: &Value) -> Value {
    let first = |keys: &[&str]| keys.iter().find_map(|key| answer.get(*key).cloned());
    if let Some(link) = answer.get("invite_link") {
        return link.clone();
    }
    first(&["message_thread_id", "message_id"]).map_or(Value::Null, |id| json!({ "id": id }))
}
