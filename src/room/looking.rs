//! Before a room thinks: what is new in view is looked at and listened to, once for each file.
//!
//! Which files is decided from the transcript and the record alone: live, those that nobody has described yet; in a
//! replay, those whose description was recorded. So a replay needs neither bytes nor the models that saw them.

use futures_util::future::join_all;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::Room;
use crate::calls::senses::role;
use crate::chat::media::{Media, Sense};
use crate::chat::message::Message;
use crate::journal::{Key, Kind};
use crate::memory::change::Change;

/// How many files one turn has described at most; the newest go first, the others wait for the next turn.
const MOST: usize = 4;
/// How far back in the transcript it looks, in messages.
const IN_VIEW: usize = 40;

impl Room {
    /// Has described what is in view and not known yet.
    pub(super) async fn look(&mut self, waiting: &[Message]) {
        let house = self.house.clone();
        let room = self.hearing.room();
        let language = house.config.language_of(room.chat);
        let mut wanted: Vec<(Key, Media, Sense)> = Vec::new();
        let transcript = self.hearing.transcript().messages().rev().take(IN_VIEW);
        for media in waiting.iter().chain(transcript).flat_map(|message| &message.media) {
            let (Some(sense), Some(unique_id)) = (media.sense(), &media.unique_id) else { continue };
            let key = Key::of(room, Kind::Described).number(number(unique_id));
            if wanted.len() < MOST
                && !self.unknowable.contains(unique_id)
                && wanted.iter().all(|(other, ..)| *other != key)
                && self.is_wanted(key, media, sense)
            {
                wanted.push((key, media.clone(), sense));
            }
        }
        if wanted.is_empty() {
            return;
        }
        let _hold = house.tape.clock().hold();
        let told = join_all(wanted.iter().map(|(key, media, sense)| {
            let live = async {
                match &house.hands {
                    Some(hands) => hands.perceive(media, *sense, language).await,
                    None => std::future::pending().await,
                }
            };
            let question = json!({ "file": media.unique_id, "by": role(*sense) });
            let house = &house;
            async move { house.tape.outside(*key, &question, live).await }
        }))
        .await;
        let mut changes = Vec::new();
        for ((_, media, sense), taken) in wanted.into_iter().zip(told) {
            let Some(unique_id) = media.unique_id else { continue };
            match taken.answer {
                Ok(text) => changes.push(Change::Describe { unique_id, text }),
                Err(why) => {
                    tracing::warn!(why, by = role(sense), kind = media.kind.word(), "an attachment stays unknown");
                    self.unknowable.insert(unique_id);
                }
            }
        }
        if !changes.is_empty() {
            self.commit("described", &changes).await;
        }
    }

    fn is_wanted(&self, key: Key, media: &Media, sense: Sense) -> bool {
        if self.house.tape.is_replay() {
            return self.house.tape.foresee(key).is_some();
        }
        let has_role = self.house.hands.as_ref().is_some_and(|hands| hands.models.has(role(sense)));
        has_role && self.or_log(self.house.store.description(media)).is_none()
    }

    /// A message with what is known to be in its attachments.
    pub(super) fn described(&self, message: &Message) -> Message {
        let mut message = message.clone();
        self.or_log(self.house.store.describe(&mut message));
        message
    }
}

/// A number for a file that stays the same in every session.
fn number(unique_id: &str) -> u64 {
    let digest = Sha256::digest(unique_id);
    // Within 53 bits: other readers of a journal keep numbers as floats.
    digest.iter().take(6).fold(0, |number, byte| number << 8 | u64::from(*byte))
}
