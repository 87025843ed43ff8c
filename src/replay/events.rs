//! Hearing an import: every event through store, transcript and gate, on the events' own time, without a model.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::attention::gate::{Reason, Verdict, Wake};
use crate::chat::event::Event;
use crate::chat::ids::RoomId;
use crate::config::Config;
use crate::journal::file::{JournalError, Reader};
use crate::journal::{Header, Kind};
use crate::room::gate_settings;
use crate::room::hearing::Hearing;
use crate::store::{Counts, Filed, Store, StoreError};
use crate::time::{Timestamp, Zone};

/// How many events are filed at once: a group commit.
const BATCH: usize = 512;

/// Why an import cannot be heard.
#[derive(Debug, thiserror::Error)]
pub enum HearError {
    /// The journal does not read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A line holds no event.
    #[error("journal line {seq} holds no event: {what}")]
    Event {
        /// The line's number.
        seq: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The header names what cannot be used.
    #[error("the journal's header: {0}")]
    Header(String),
}

/// What hearing came to.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// Events, told apart from repetitions.
    pub events: u64,
    /// Events that the archive knew already.
    pub repeated: u64,
    /// Wakes by reason.
    pub wakes: BTreeMap<Reason, u64>,
    /// What the store holds afterwards.
    pub counts: Counts,
}

/// What an observer is told.
#[derive(Debug)]
pub enum Told<'a> {
    /// An event was heard.
    Event(&'a Event, &'a Verdict),
    /// A room woke.
    Wake(RoomId, &'a Wake),
}

/// Hears a whole journal of events.
pub fn hear(
    config: &Config,
    store: &Store,
    journal: Reader,
    mut tell: impl FnMut(&Told<'_>),
) -> Result<Heard, HearError> {
    let header = journal.header().clone();
    let mut config = config.clone();
    config.zone = Zone::named(&header.zone).map_err(HearError::Header)?;
    config.circles = header.circles.clone();
    let mut rooms = Rooms { config: &config, header: &header, rooms: BTreeMap::new(), due: BTreeSet::new() };
    let mut heard = Heard::default();
    let mut batch: Vec<Event> = Vec::with_capacity(BATCH);
    let mut end = header.at;
    for line in journal {
        let line = line?;
        if line.kind != Kind::Event {
            continue;
        }
        let event: Event = serde_json::from_value(line.question)
            .map_err(|e| HearError::Event { seq: line.seq, what: e.to_string() })?;
        end = end.max(event.time);
        batch.push(event);
        if batch.len() == BATCH {
            rooms.take(store, &mut batch, &mut heard, &mut tell)?;
        }
    }
    rooms.take(store, &mut batch, &mut heard, &mut tell)?;
    // What still waits for its speaker to finish wakes in the silence after the last event.
    while let Some((due, _)) = rooms.due.first().copied() {
        rooms.wake_until(due, &mut heard, &mut tell);
        end = end.max(due);
    }
    store.flush()?;
    heard.counts = store.counts()?;
    Ok(heard)
}

struct Rooms<'a> {
    config: &'a Config,
    header: &'a Header,
    rooms: BTreeMap<RoomId, Hearing>,
    due: BTreeSet<(Timestamp, RoomId)>,
}

impl Rooms<'_> {
    fn take(
        &mut self,
        store: &Store,
        batch: &mut Vec<Event>,
        heard: &mut Heard,
        tell: &mut impl FnMut(&Told<'_>),
    ) -> Result<(), HearError> {
        let filed = store.archive(batch, None)?;
        store.flush()?;
        for (event, filed) in batch.drain(..).zip(filed) {
            let Filed::New { seq } = filed else {
                heard.repeated += 1;
                continue;
            };
            heard.events += 1;
            self.wake_until(event.time, heard, tell);
            let id = event.room();
            let (config, header) = (self.config, self.header);
            let room = self.rooms.entry(id).or_insert_with(|| {
                Hearing::new(event.chat.clone(), id, gate_settings(config), &header.me, header.seed)
            });
            let before = room.due();
            let verdict = room.hear(seq, &event, event.time);
            Self::note_due(&mut self.due, id, before, room.due());
            tell(&Told::Event(&event, &verdict));
        }
        Ok(())
    }

    /// Lets every room wake whose moment has come by `now`, in the order of their moments.
    fn wake_until(&mut self, now: Timestamp, heard: &mut Heard, tell: &mut impl FnMut(&Told<'_>)) {
        while let Some((due, id)) = self.due.first().copied().filter(|(due, _)| *due <= now) {
            self.due.remove(&(due, id));
            let Some(room) = self.rooms.get_mut(&id) else { continue };
            if let Some(wake) = room.wake(due) {
                *heard.wakes.entry(wake.reason).or_default() += 1;
                tell(&Told::Wake(id, &wake));
                // Nobody thinks here, so the wake is over at once and nothing was said.
                room.ended(false, &[], due);
            }
            // A moment that did not pass would be asked for again for ever.
            if let Some(next) = room.due().filter(|next| *next > due) {
                self.due.insert((next, id));
            }
        }
    }

    fn note_due(
        all: &mut BTreeSet<(Timestamp, RoomId)>,
        id: RoomId,
        before: Option<Timestamp>,
        after: Option<Timestamp>,
    ) {
        if before != after {
            if let Some(before) = before {
                all.remove(&(before, id));
            }
            if let Some(after) = after {
                all.insert((after, id));
            }
        }
    }
}

impl Told<'_> {
    /// As `replay --json` prints it.
    pub fn json(&self) -> Value {
        match self {
            Told::Event(event, verdict) => json!({
                "kind": "event",
                "at": event.time.to_string(),
                "chat": event.chat.id,
                "topic": event.topic,
                "message": event.message().map(|m| m.id),
                "verdict": verdict.action,
                "reason": verdict.reason,
                "score": verdict.score,
                "why": verdict.why,
            }),
            Told::Wake(room, wake) => json!({
                "kind": "wake",
                "at": wake.at.to_string(),
                "chat": room.chat,
                "topic": room.topic,
                "reason": wake.reason,
                "messages": wake.messages,
            }),
        }
    }
}
