//! What a room remembers word for word: the last messages, with edits and reactions folded in.
//!
//! Invariants: a message id stands here at most once, whatever is delivered twice; an album is one message.

use std::collections::VecDeque;

use super::event::{Event, EventKind};
use super::ids::MessageId;
use super::message::Message;
use super::person::Sender;
use crate::time::Timestamp;

/// How many entries a room keeps; older ones are in the archive.
pub const CAPACITY: usize = 200;

/// The last things that happened in a room.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    entries: VecDeque<Entry>,
}

/// One line of a transcript.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A message, as it reads now.
    Said {
        /// The message.
        message: Message,
        /// Who reacted, and how.
        reactions: Vec<(String, String)>,
    },
    /// Anything else.
    Happened(Event),
}

impl Entry {
    /// When it happened.
    pub const fn time(&self) -> Timestamp {
        match self {
            Entry::Said { message, .. } => message.time,
            Entry::Happened(event) => event.time,
        }
    }
}

impl Transcript {
    /// Folds an event in. Returns whether anything changed.
    pub fn apply(&mut self, event: &Event) -> bool {
        match &event.kind {
            EventKind::Said(message) => {
                if self.message(message.id).is_some() {
                    return false;
                }
                if let Some(album) = self.album_of(message) {
                    return album.take_part(message);
                }
                self.push(Entry::Said { message: message.clone(), reactions: Vec::new() });
                true
            }
            EventKind::Edited(message) => match self.entry_mut(message.id) {
                Some((stored, _)) => stored.take_edit(message),
                None => false,
            },
            EventKind::Reacted { message, by, emoji } => match self.entry_mut(*message) {
                Some((_, reactions)) => {
                    let name = reactor(by);
                    reactions.retain(|(who, _)| *who != name);
                    reactions.extend(emoji.iter().map(|e| (name.clone(), e.clone())));
                    true
                }
                None => false,
            },
            EventKind::Joined(_)
            | EventKind::Left(_)
            | EventKind::Migrated { .. }
            | EventKind::Pressed { .. }
            | EventKind::Rang(_)
            | EventKind::Decided(_)
            | EventKind::Standing { .. }
            | EventKind::Noted { .. } => {
                self.push(Entry::Happened(event.clone()));
                true
            }
            EventKind::Forgot => false,
        }
    }

    /// All entries, oldest first.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &Entry> + ExactSizeIterator {
        self.entries.iter()
    }

    /// All messages, oldest first.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Said { message, .. } => Some(message),
            Entry::Happened(_) => None,
        })
    }

    /// A message by id, if it is still here; an album by any of its ids.
    pub fn message(&self, id: MessageId) -> Option<&Message> {
        self.messages().rev().find(|message| message.is(id))
    }

    fn entry_mut(&mut self, id: MessageId) -> Option<(&mut Message, &mut Vec<(String, String)>)> {
        self.entries.iter_mut().rev().find_map(|entry| match entry {
            Entry::Said { message, reactions } if message.is(id) => Some((message, reactions)),
            Entry::Said { .. } | Entry::Happened(_) => None,
        })
    }

    /// The album that a message belongs to, if its beginning is still here.
    fn album_of(&mut self, part: &Message) -> Option<&mut Message> {
        part.album.as_ref()?;
        self.entries.iter_mut().rev().find_map(|entry| match entry {
            Entry::Said { message, .. } if message.is_album_of(part) => Some(message),
            Entry::Said { .. } | Entry::Happened(_) => None,
        })
    }

    fn push(&mut self, entry: Entry) {
        if self.entries.len() == CAPACITY {
            self.entries.pop_front();
        }
        self.entries.push_back(entry);
    }
}

fn reactor(by: &Sender) -> String {
    match by {
        Sender::Us => "you".to_owned(),
        Sender::Person(_) | Sender::Chat { .. } => by.name().to_owned(),
    }
}
