//! Looking back in one room: who said what, before which message.

use super::keys;
use super::places::Place;
use super::{Look, Store, StoreError, settle};
use crate::chat::audience::{Circles, Reader};
use crate::chat::event::EventKind;
use crate::chat::ids::{ChatId, MessageId, PersonId, RoomId};
use crate::chat::media::Media;
use crate::chat::message::Message;
use crate::memory::recall::Terms;

/// How many rows one look back reads at most, so that a question about somebody silent ends soon.
const MAX_ROWS: usize = 50_000;

impl Store {
    /// The last messages of a room that fit, oldest first; none if this reader may not read that chat.
    pub fn history(
        &self,
        reader: &Reader,
        circles: &Circles,
        room: RoomId,
        look: &Look<'_>,
    ) -> Result<Vec<Message>, StoreError> {
        if !self.may_read(reader, circles, room.chat)? {
            return Ok(Vec::new());
        }
        let terms = look.query.map(Terms::of).filter(|terms| !terms.is_empty());
        let end = match look.before {
            Some(message) => self.place(room.chat, message)?.filter(|place| place.topic == room.topic),
            None => None,
        };
        let end = keys::event(room, end.map_or(u64::MAX, |place| place.seq));
        let mut found = Vec::new();
        for row in self.tree.range(keys::room_events(room)..end).rev().take(MAX_ROWS) {
            if found.len() >= look.limit {
                break;
            }
            let (seq, event) = self.event_row(row)?;
            if !self.stands_at(&event, seq)? {
                continue;
            }
            let (EventKind::Said(message) | EventKind::Edited(message)) = event.kind else { continue };
            let earlier = look.before.is_none_or(|before| message.id != before);
            let theirs = look.by.is_none_or(|person| message.from.person() == Some(person));
            let about = terms.as_ref().is_none_or(|terms| {
                let held = terms.matches(&message.text).count_ones();
                held as usize * 2 >= terms.len() && held > 0
            });
            if earlier && theirs && about {
                let mut message = message;
                self.describe(&mut message)?;
                found.push(message);
            }
        }
        found.reverse();
        Ok(found)
    }

    /// One archived message as it reads now, if this reader may read its chat.
    pub fn message(
        &self,
        reader: &Reader,
        circles: &Circles,
        chat: ChatId,
        id: MessageId,
    ) -> Result<Option<Message>, StoreError> {
        if !self.may_read(reader, circles, chat)? {
            return Ok(None);
        }
        let Some(Place { topic, seq }) = self.place(chat, id)? else { return Ok(None) };
        let event = self.get(&keys::event(RoomId { chat, topic }, seq), "an archived event")?;
        let mut message = event.and_then(super::search::into_message);
        if let Some(message) = &mut message {
            self.describe(message)?;
        }
        Ok(message)
    }

    /// Adds what is known to be in a message's attachments.
    pub fn describe(&self, message: &mut Message) -> Result<(), StoreError> {
        for media in &mut message.media {
            media.described = self.description(media)?;
        }
        Ok(())
    }

    /// What is known to be in an attachment.
    pub fn description(&self, media: &Media) -> Result<Option<String>, StoreError> {
        match &media.unique_id {
            Some(unique_id) => self.get(&keys::described(unique_id), settle::DESCRIPTION),
            None => Ok(None),
        }
    }

    /// Whether this reader may know that we know a person: they were seen in a chat which the reader may read. Ask it
    /// before a script is told of somebody found by name.
    pub fn may_meet(&self, reader: &Reader, circles: &Circles, person: PersonId) -> Result<bool, StoreError> {
        for chat in self.chats_of(person)? {
            if self.may_read(reader, circles, chat)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a reader may read the archive of a chat, or of the chat that it became.
    pub(super) fn may_read(&self, reader: &Reader, circles: &Circles, chat: ChatId) -> Result<bool, StoreError> {
        if reader.may_read(&circles.audience(chat)) {
            return Ok(true);
        }
        let now = self.successor(chat)?;
        Ok(now != chat && reader.may_read(&circles.audience(now)))
    }
}
