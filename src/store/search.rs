//! Search in the archive: a bounded scan of the chats that a reader may read, newest first.
//!
//! A scan needs no index that could fall behind or remember what was forgotten. Rows are first looked through as bytes;
//! only those that hold a term are parsed. Statistics are of the scanned rows, which are all readable.

use super::{Hit, Store, StoreError, keys};
use crate::chat::audience::{Circles, Reader};
use crate::chat::event::{Event, EventKind};
use crate::chat::ids::RoomId;
use crate::chat::message::Message;
use crate::memory::recall::{self, Terms};
use crate::time::Timestamp;

/// How many rows one search looks at, over all rooms: about a third of a second. Older talk needs a narrower question.
const MAX_ROWS: usize = 300_000;

/// How many matching messages are weighed; a term in more of them says nothing.
const MAX_CANDIDATES: usize = 20_000;

/// What a message that holds the whole query gains, in the weight of a rare term.
const WHOLE: f64 = 4.0;

struct Candidate {
    room: RoomId,
    seq: u64,
    time: Timestamp,
    held: u64,
    whole: bool,
}

impl Store {
    /// Messages with words of the query, best first, the newer first among equals; only from chats that this reader may
    /// read. Parts of Chinese sentences are found as they stand.
    pub fn search(
        &self,
        reader: &Reader,
        circles: &Circles,
        query: &str,
        limit: usize,
    ) -> Result<Vec<Hit>, StoreError> {
        let terms = Terms::of(query);
        if terms.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let mut rooms = Vec::new();
        for room in self.rooms()? {
            if self.may_read(reader, circles, room.chat)? {
                rooms.push(room);
            }
        }
        // The reader's own chat first: if the bound is reached, it is the far ones that are left out.
        rooms.sort_by_key(|room| (room.chat != reader.chat, *room));
        let mut scan = Scan { sieve: Sieve::new(&terms), terms: &terms, rows: 0, found: Vec::new() };
        for room in rooms {
            self.scan(room, &mut scan)?;
        }
        let mut weights = Vec::with_capacity(terms.len());
        for term in 0..terms.len() {
            let holders = scan.found.iter().filter(|c| c.held >> term & 1 == 1).count();
            weights.push(recall::rarity(scan.rows.max(holders), holders));
        }
        let mut scored: Vec<(f64, Candidate)> = scan
            .found
            .into_iter()
            .map(|c| {
                let held = weights.iter().enumerate().filter(|(n, _)| c.held >> n & 1 == 1).map(|(_, w)| w);
                (held.sum::<f64>() + if c.whole { WHOLE } else { 0.0 }, c)
            })
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (b.1.time, b.1.seq).cmp(&(a.1.time, a.1.seq))));
        // A text with few of the terms is noise once another one has them all.
        let least = scored.first().map_or(0.0, |best| best.0 / 3.0);
        scored.retain(|(score, _)| *score >= least);
        let mut hits = Vec::new();
        for (_, c) in scored.into_iter().take(limit) {
            let event: Option<Event> = self.get(&keys::event(c.room, c.seq), "an archived event")?;
            if let Some(message) = event.and_then(into_message) {
                hits.push(Hit { room: c.room, message });
            }
        }
        Ok(hits)
    }

    fn scan(&self, room: RoomId, scan: &mut Scan<'_>) -> Result<(), StoreError> {
        for row in self.tree.scan_prefix(keys::room_events(room)).rev() {
            if scan.rows >= MAX_ROWS || scan.found.len() >= MAX_CANDIDATES {
                break;
            }
            scan.rows += 1;
            let (key, bytes) = row.map_err(|e| self.fault(e))?;
            if !scan.sieve.may_hold(&bytes) {
                continue;
            }
            let event: Event = super::parse(&key, &bytes, "an archived event")?;
            let Some(message) = event.message() else { continue };
            let text = readable(message);
            let held = scan.terms.matches(&text);
            let seq = keys::last_number(&key).unwrap_or_default();
            // An edit's own row is skipped where the message it renewed is found in its place, an album's for the album.
            if held != 0 && self.stands_at(&event, seq)? {
                let whole = scan.terms.stands_whole_in(&text);
                scan.found.push(Candidate { room, seq, time: message.time, held, whole });
            }
        }
        Ok(())
    }

    /// Whether this row is where the message's current text stands.
    pub(super) fn stands_at(&self, event: &Event, seq: u64) -> Result<bool, StoreError> {
        match &event.kind {
            EventKind::Said(message) if message.album.is_none() => Ok(true),
            EventKind::Said(message) | EventKind::Edited(message) => {
                let place = self.place(event.chat.id, message.id)?;
                Ok(place.is_some_and(|place| place.seq == seq))
            }
            EventKind::Reacted { .. }
            | EventKind::Joined(_)
            | EventKind::Left(_)
            | EventKind::Migrated { .. }
            | EventKind::Pressed { .. }
            | EventKind::Rang(_)
            | EventKind::Decided(_)
            | EventKind::Standing { .. }
            | EventKind::Noted { .. }
            | EventKind::Forgot => Ok(false),
        }
    }
}

struct Scan<'t> {
    sieve: Sieve,
    terms: &'t Terms,
    rows: usize,
    found: Vec<Candidate>,
}

/// Lets rows through that may hold a term, looking at their bytes only.
struct Sieve {
    /// Terms as they would stand in a row; `None` if some term can stand in more than one way.
    needles: Option<Vec<String>>,
    lower: std::cell::RefCell<String>,
}

impl Sieve {
    fn new(terms: &Terms) -> Self {
        // Beyond ASCII only scripts without case stand in a row exactly as in the query.
        let plain = |term: &str| term.chars().all(|c| c.is_ascii() || recall::is_cjk(c));
        let needles = terms.iter().all(plain).then(|| terms.iter().map(str::to_owned).collect());
        Self { needles, lower: std::cell::RefCell::new(String::new()) }
    }

    fn may_hold(&self, row: &[u8]) -> bool {
        let (Some(needles), Ok(text)) = (&self.needles, std::str::from_utf8(row)) else { return true };
        let mut lower = self.lower.borrow_mut();
        lower.clear();
        lower.push_str(text);
        lower.make_ascii_lowercase();
        needles.iter().any(|needle| lower.contains(needle.as_str()))
    }
}

/// The words of a message: its text and what its attachments are called.
fn readable(message: &Message) -> String {
    let mut text = message.text.clone();
    for media in &message.media {
        text.push('\n');
        text.push_str(&media.note);
    }
    text
}

pub(super) fn into_message(event: Event) -> Option<Message> {
    match event.kind {
        EventKind::Said(message) | EventKind::Edited(message) => Some(message),
        EventKind::Reacted { .. }
        | EventKind::Joined(_)
        | EventKind::Left(_)
        | EventKind::Migrated { .. }
        | EventKind::Pressed { .. }
        | EventKind::Rang(_)
        | EventKind::Decided(_)
        | EventKind::Standing { .. }
        | EventKind::Noted { .. }
        | EventKind::Forgot => None,
    }
}
