//! The store: one sled folder with everything that outlives a process.
//!
//! Three writers use it: intake writes the archive, the outbox writes acts, `Room::settle` commits changes; and a call that
//! needs an operator's leave is parked as it is made. Each write is one batch in one tree, so a crash leaves all of it or nothing of it.
//!
//! What holds:
//! - A message id of a chat stands in the archive once, whatever is delivered twice; sequence numbers only grow.
//! - The update number that a batch carries is durable exactly when the events of that batch are.
//! - A fact is stored under its audience, and a [`Reader`](crate::chat::audience::Reader) visits only the audiences it
//!   may read: what it may not know is never loaded, so neither rows nor statistics can leak.
//! - An act without an end is *unknown* after the next [`Store::open`]; it is never repeated.
//! - A message that was handled never becomes owed again.

mod acts;
mod draft;
mod forget;
mod history;
mod intake;
mod keys;
mod moved;
mod parked;
mod places;
mod read;
mod search;
mod settle;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::ids::{MessageId, PersonId, RoomId};
use crate::chat::message::Message;
use crate::memory::fact::FactId;
use crate::time::Timestamp;

use draft::Draft;
pub use forget::Forgotten;

/// The shape of keys and rows that this build reads and writes.
const SCHEMA: u32 = 1;

/// How often a folder that is locked is tried again, and how long each wait is: sled lets go of its lock a moment after
/// the last handle is dropped, so a restart within one process must be given that moment.
const LOCK_TRIES: u32 = 20;
const LOCK_WAIT: std::time::Duration = std::time::Duration::from_millis(50);

/// How often sled writes out what nobody flushed: a bound on what a power cut can take of unacknowledged rows.
const FLUSH_EVERY_MS: u64 = 1000;

/// The smallest cache that sled is given; below it every read goes to the disk.
const CACHE_LEAST: u64 = 1 << 20;

/// Everything that is remembered. Share it with `Arc`; every method may block on the disk for a moment.
pub struct Store {
    tree: sled::Tree,
    db: sled::Db,
    dir: PathBuf,
    /// One writer at a time: a batch is decided on rows that nobody else changes meanwhile.
    next: Mutex<Next>,
}

/// What went wrong in the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process holds the folder.
    #[error("{} is in use by another groupmate; stop that one, or set another `data` folder in the configuration", dir.display())]
    Locked {
        /// The folder.
        dir: PathBuf,
    },
    /// The folder was written by another version.
    #[error("{} has store schema {found}, this build knows {known}; use the groupmate that wrote it, or another `data` folder", dir.display())]
    Schema {
        /// The folder.
        dir: PathBuf,
        /// What the folder says.
        found: String,
        /// What this build writes.
        known: u32,
    },
    /// The files do not hold together.
    #[error("{} is damaged ({what}); restore the folder from a copy, or move it away to start anew", dir.display())]
    Corrupt {
        /// The folder.
        dir: PathBuf,
        /// What sled said.
        what: String,
    },
    /// No room on the disk.
    #[error("the disk that holds {} is full; free some space and start again, nothing was half-written", dir.display())]
    Full {
        /// The folder.
        dir: PathBuf,
    },
    /// The file system refused.
    #[error("cannot read or write {}: {source}; check that it is a folder which this user may write", dir.display())]
    Io {
        /// The folder.
        dir: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// One row cannot be read.
    #[error("row {key} of the store cannot be read as {kind}: {why}; restore the folder from a copy, or report this")]
    Row {
        /// What the row should hold.
        kind: &'static str,
        /// Its key, in hexadecimal.
        key: String,
        /// Why it is not that.
        why: String,
    },
    /// A number that the caller gave names nothing.
    #[error("the store has no {kind} {id}")]
    Missing {
        /// What it would be.
        kind: &'static str,
        /// The number.
        id: u64,
    },
}

/// What the archive did with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filed {
    /// It stands in the archive under this number, higher than all before it.
    New {
        /// The number.
        seq: u64,
    },
    /// It was there already; nothing changed.
    Duplicate,
}

/// An act on its way out, written before its request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActRow {
    /// The room that acts.
    pub room: RoomId,
    /// The messages that it answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<MessageId>,
    /// What it does, in a few words, for `/why` and for the next turn.
    pub what: String,
    /// When it began.
    pub at: Timestamp,
}

/// How an act ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActEnd {
    /// Telegram has it, as these messages.
    Sent {
        /// Their ids; empty for acts that make no message.
        messages: Vec<MessageId>,
    },
    /// Telegram refused; nothing happened.
    Refused {
        /// Its reason.
        why: String,
    },
    /// It may or may not have happened.
    Unknown {
        /// Why nobody knows.
        why: String,
    },
}

/// What one change of a commit did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Applied {
    /// Nothing that has a number.
    Nothing,
    /// A fact stands.
    Fact {
        /// Its number.
        id: FactId,
        /// Whether it was known and is now newer.
        refreshed: bool,
    },
    /// A reminder is set.
    Reminder {
        /// Its number.
        id: u64,
    },
    /// Whether there was such a reminder in that room.
    Cancelled(bool),
    /// A person is forgotten.
    Forgotten(Forgotten),
}

/// What a room keeps between turns and restarts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoomRecord {
    /// Everything up to this archive number was considered.
    pub considered: u64,
    /// Messages that still wait for a decision, oldest first.
    pub owed: Vec<MessageId>,
    /// What scripts keep; `Null` if nothing.
    pub ctx: Value,
}

/// What people asked of us in a chat, kept until they ask otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatRecord {
    /// Nothing unasked until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet_until: Option<Timestamp>,
    /// No turns at all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_muted: bool,
}

/// What to look back for in a room. The default looks for anything, and finds nothing: set a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look<'a> {
    /// At least half of these words.
    pub query: Option<&'a str>,
    /// Said by this person.
    pub by: Option<PersonId>,
    /// Said before this message.
    pub before: Option<MessageId>,
    /// How many messages at most.
    pub limit: usize,
}

/// A message that a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Where it was said.
    pub room: RoomId,
    /// The message, as it reads now.
    pub message: Message,
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Messages in the archive.
    pub messages: u64,
    /// People ever seen.
    pub people: u64,
    /// Facts, superseded ones included.
    pub facts: u64,
    /// Rooms that have archived something.
    pub rooms: u64,
}

/// The next free numbers and running totals, kept as one row of every batch that moves them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Next {
    seq: u64,
    fact: u64,
    act: u64,
    reminder: u64,
    messages: u64,
    people: u64,
    #[serde(default)]
    parked: u64,
}

impl Store {
    /// Opens the folder, creating it if needed. Acts that a crash left without an end become unknown, and so do the
    /// messages that they answered.
    ///
    /// `cache` is the number of bytes that sled may hold of its pages.
    pub fn open(dir: &Path, cache: u64) -> Result<Store, StoreError> {
        let config = sled::Config::default()
            .path(dir)
            .cache_capacity(cache.max(CACHE_LEAST))
            .flush_every_ms(Some(FLUSH_EVERY_MS));
        let mut tries = 0;
        let db = loop {
            match config.open() {
                Ok(db) => break db,
                Err(error) if is_lock(&error) && tries < LOCK_TRIES => {
                    tries += 1;
                    std::thread::sleep(LOCK_WAIT);
                }
                Err(error) => return Err(fault(dir, error)),
            }
        };
        let tree: sled::Tree = (*db).clone();
        let store = Store { tree, db, dir: dir.to_owned(), next: Mutex::new(Next::default()) };
        store.check_schema()?;
        let next: Next = store.get(&keys::next(), "the next free numbers")?.unwrap_or_default();
        *store.lock() = next;
        store.end_left_acts()?;
        Ok(store)
    }

    /// Waits until everything written so far would survive a crash.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.tree.flush().map(|_| ()).map_err(|e| self.fault(e))
    }

    /// Whether nothing was ever archived or remembered.
    pub fn is_empty(&self) -> bool {
        *self.lock() == Next::default()
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Bytes on the disk.
    pub fn size_on_disk(&self) -> Result<u64, StoreError> {
        self.db.size_on_disk().map_err(|e| self.fault(e))
    }

    fn check_schema(&self) -> Result<(), StoreError> {
        let key = keys::schema();
        match self.tree.get(&key).map_err(|e| self.fault(e))? {
            Some(found) if *found == *SCHEMA.to_string().as_bytes() => Ok(()),
            Some(found) => Err(StoreError::Schema {
                dir: self.dir.clone(),
                found: String::from_utf8_lossy(&found).into_owned(),
                known: SCHEMA,
            }),
            None if self.tree.is_empty() => {
                self.tree.insert(key, SCHEMA.to_string().as_bytes()).map_err(|e| self.fault(e))?;
                self.flush()
            }
            None => Err(StoreError::Schema { dir: self.dir.clone(), found: "none".to_owned(), known: SCHEMA }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Next> {
        // A writer that panicked wrote nothing: numbers move only after their batch was applied.
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs one write alone: `decide` collects rows and moves numbers; both count only if the batch is applied.
    fn write<T>(&self, decide: impl FnOnce(&mut Draft<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut next = self.lock();
        let mut draft = Draft::new(self, *next);
        let result = decide(&mut draft)?;
        *next = draft.apply(*next)?;
        Ok(result)
    }

    fn fault(&self, error: sled::Error) -> StoreError {
        fault(&self.dir, error)
    }

    fn get<T: serde::de::DeserializeOwned>(&self, key: &[u8], kind: &'static str) -> Result<Option<T>, StoreError> {
        match self.tree.get(key).map_err(|e| self.fault(e))? {
            Some(bytes) => parse(key, &bytes, kind).map(Some),
            None => Ok(None),
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("dir", &self.dir).finish_non_exhaustive()
    }
}

fn parse<T: serde::de::DeserializeOwned>(key: &[u8], bytes: &[u8], kind: &'static str) -> Result<T, StoreError> {
    serde_json::from_slice(bytes).map_err(|e| row_error(key, kind, e.to_string()))
}

fn row_error(key: &[u8], kind: &'static str, why: String) -> StoreError {
    let key = key.iter().fold(String::new(), |mut hex, byte| {
        hex.push_str(&format!("{byte:02x}"));
        hex
    });
    StoreError::Row { kind, key, why }
}

/// sled has no error kind for a lock that another process holds, only this text.
fn is_lock(error: &sled::Error) -> bool {
    matches!(error, sled::Error::Io(e) if e.to_string().contains("could not acquire lock"))
}

fn fault(dir: &Path, error: sled::Error) -> StoreError {
    let dir = dir.to_owned();
    match error {
        ref locked if is_lock(locked) => StoreError::Locked { dir },
        sled::Error::Io(source) if source.kind() == io::ErrorKind::StorageFull => StoreError::Full { dir },
        sled::Error::Io(source) => StoreError::Io { dir, source },
        sled::Error::CollectionNotFound(_)
        | sled::Error::Unsupported(_)
        | sled::Error::ReportableBug(_)
        | sled::Error::Corruption { .. } => StoreError::Corrupt { dir, what: error.to_string() },
    }
}

#[cfg(test)]
mod tests;
