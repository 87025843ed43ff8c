//! Typing as people do: the chat sees that we write, for as long as somebody would need for that many words, up to a bound.
//!
//! Meanwhile whoever is to be answered may go on talking; then what was about to be said is dropped, and its author told.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

use super::{Act, ActError, ActKind, Inner};
use crate::chat::ids::{PersonId, RoomId};
use crate::config::Typing;
use crate::memory::recall::is_cjk;
use crate::time::Span;

/// Telegram shows "typing…" for five seconds, or until a message comes; it is asked for anew a little before.
const SHOWN: Span = Span::millis(4_500);
/// What the author of an overtaken message reads.
const OVERTAKEN: &str =
    "nothing was sent: somebody whom it answers has just said more. Read what is new, then answer all of it";

/// Who waits for what is being typed.
#[derive(Clone, Default)]
pub(super) struct Typists {
    waiting: Arc<Mutex<Vec<Draft>>>,
}

struct Draft {
    room: RoomId,
    by: Vec<PersonId>,
    overtaken: Arc<Notify>,
}

/// A message on its way that news may overtake, until this is dropped.
pub(super) struct Overtakable {
    typists: Typists,
    overtaken: Arc<Notify>,
}

impl Typists {
    /// Watches for news about an act, if any may overtake it.
    pub(super) fn watch(&self, act: &Act) -> Option<Overtakable> {
        let by = act.typed.clone()?;
        let overtaken = Arc::new(Notify::new());
        let draft = Draft { room: act.room, by, overtaken: overtaken.clone() };
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(draft);
        Some(Overtakable { typists: self.clone(), overtaken })
    }

    /// Somebody said something.
    pub(super) fn heard(&self, room: RoomId, by: PersonId) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        for draft in waiting.iter().filter(|draft| draft.room == room && draft.by.contains(&by)) {
            draft.overtaken.notify_one();
        }
    }
}

impl Drop for Overtakable {
    fn drop(&mut self) {
        let mut waiting = self.typists.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|draft| !Arc::ptr_eq(&draft.overtaken, &self.overtaken));
    }
}

impl Inner {
    /// Shows that we type, for as long as these words take. Refused if they are overtaken meanwhile.
    pub(super) async fn type_out(&self, kind: &ActKind, room: RoomId, watched: &Overtakable) -> Result<(), ActError> {
        let (ActKind::Text { text, .. }, Some(typing)) = (kind, self.typing) else { return Ok(()) };
        let end = self.clock.now() + takes(typing, text);
        loop {
            let left = end.since(self.clock.now());
            if left.0 <= 0 {
                return Ok(());
            }
            self.show_typing(room);
            tokio::select! {
                biased;
                () = watched.overtaken.notified() => return Err(ActError::Refused(OVERTAKEN.to_owned())),
                () = self.clock.sleep(left.min(SHOWN)) => {}
            }
        }
    }

    /// Nothing depends on it, so nobody waits for the answer.
    fn show_typing(&self, RoomId { chat, topic }: RoomId) {
        let api = self.api.clone();
        tokio::spawn(async move {
            if let Err(error) = api.typing(chat, topic).await {
                tracing::debug!(%error, %chat, "the typing sign was not shown");
            }
        });
    }
}

/// How long a person would need to type this. A character of Chinese is a word's worth of keys.
fn takes(typing: Typing, words: &str) -> Span {
    let keys: u64 = words.chars().map(|c| 1 + u64::from(is_cjk(c))).sum();
    let millis = keys.saturating_mul(1000) / u64::from(typing.speed.max(1));
    Span::millis(i64::try_from(millis).unwrap_or(i64::MAX)).min(typing.most)
}
