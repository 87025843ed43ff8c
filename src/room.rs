//! Our side of one chat or topic: hear, think, settle. One task; at most one turn at a time.
//!
//! Invariants:
//! - A room is a fold over its archive and ledger: [`Room::open`] rebuilds it, whatever happened before.
//! - News is heard while a turn goes on, and only at the steps that the tape orders.
//! - What is considered is written only when nothing heard before it still waits, so a crash forgets nothing.

mod allowed;
pub mod hearing;
mod looking;
mod obey;
mod prompting;
mod settle;
mod think;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

use crate::attention::gate::{Reason, Verdict};
use crate::attention::ledger::Mark;
use crate::attention::settings::Settings;
use crate::calls::house::{Delivery, House};
use crate::calls::loading::Skills;
use crate::chat::event::{Event, EventKind};
use crate::chat::ids::RoomId;
use crate::chat::message::Message;
use crate::chat::person::Chat;
use crate::chat::transcript;
use crate::config::Config;
use crate::journal::{Key, Kind};
use crate::memory::change::Change;
use crate::skills::guide::shelf::Shelf;
use crate::store::StoreError;
use crate::time::{Span, Timestamp};

use hearing::Hearing;

/// How many events a room hears before it writes down how far it is, when no turn does.
const CONSIDERED_EVERY: u64 = 256;
/// How many unheard events are read at once.
const PAGE: usize = 256;
/// How long a room waits after a model that failed, at first and at most.
const OUTAGE: (Span, Span) = (Span::secs(5), Span::minutes(5));

/// One room.
#[derive(Debug)]
pub struct Room {
    house: Arc<House>,
    hearing: Hearing,
    inbox: mpsc::UnboundedReceiver<Delivery>,
    /// Events of an earlier life that were never considered, and one that was received but not yet heard.
    waiting_room: VecDeque<Delivery>,
    /// Where the unheard events of the earlier life go on, and where they end; they are read page by page.
    unheard: std::ops::Range<u64>,
    closing: watch::Receiver<bool>,
    turns: u64,
    /// The last place in the archive that the store knows to be considered.
    considered: u64,
    outage: Option<Outage>,
    /// Files that could not be looked at or listened to in this life.
    unknowable: BTreeSet<String>,
    /// We do not belong here, and asked to be out already.
    has_left: bool,
    /// As they were when the last turn began.
    skills: Arc<Skills>,
    /// The guides that lie open. They do not outlive the process: whoever needs one loads it again.
    shelf: Shelf,
}

/// The model could not be asked.
#[derive(Clone, Copy, Debug)]
struct Outage {
    until: Timestamp,
    wait: Span,
}

/// What a room does next.
enum Next {
    Hear(Box<Delivery>),
    Wake,
    /// In a replay: write down how far the room is, as it did when its session closed.
    Consider,
    Close,
}

impl Room {
    /// Rebuilds a room from the store. Of the archive, what stands before `before` belongs to its earlier life.
    pub fn open(
        house: Arc<House>,
        chat: Chat,
        id: RoomId,
        before: Option<u64>,
        inbox: mpsc::UnboundedReceiver<Delivery>,
        closing: watch::Receiver<bool>,
    ) -> Result<Self, StoreError> {
        let now = house.tape.clock().now();
        let record = house.store.room(id)?;
        let settings = gate_settings(&house.config);
        let mut hearing = Hearing::new(chat, id, settings, &house.me, house.seed);
        hearing.follow(house.asked_in(id.chat)?);
        if !house.belongs_in(id.chat)? {
            tracing::warn!(chat = %id.chat, title = hearing.chat().title, "this group is not in [groups] allow");
        }
        let end = match before {
            Some(before) => before,
            None => house.store.last_seq(id)?.map_or(0, |last| last + 1),
        };
        for (seq, event) in house.store.tail(id, transcript::CAPACITY)? {
            if seq <= record.considered && seq < end {
                hearing.recollect(seq, &event);
            }
        }
        // What is owed may be older than the transcript; it is owed all the same.
        for message in record.owed.iter().copied() {
            if let Some(message) = house.message(id.chat, message)? {
                hearing.owe(&message, now);
            }
        }
        let skills = house.skills.now();
        let considered = record.considered;
        let unheard = considered + 1..end;
        Ok(Self {
            house,
            hearing,
            inbox,
            waiting_room: VecDeque::new(),
            unheard,
            closing,
            turns: 0,
            considered,
            outage: None,
            unknowable: BTreeSet::new(),
            has_left: false,
            skills,
            shelf: Shelf::default(),
        })
    }

    /// The next page of what an earlier life left unheard. What it had handled already is only recollected.
    fn read_unheard(&mut self) -> Result<(), StoreError> {
        let id = self.hearing.room();
        while self.waiting_room.is_empty() && !self.unheard.is_empty() {
            let page = self.house.store.since(id, self.unheard.start - 1, PAGE)?;
            let Some((last, _)) = page.last() else {
                self.unheard = 0..0;
                return Ok(());
            };
            let end = self.unheard.end;
            self.unheard.start = last + 1;
            for (seq, event) in page {
                if seq >= end {
                    self.unheard = 0..0;
                    break;
                }
                let is_handled = match &event.kind {
                    EventKind::Said(message) => self.is_handled(message)?,
                    _ => false,
                };
                if is_handled {
                    self.hearing.recollect(seq, &event);
                } else {
                    self.waiting_room.push_back(Delivery { event, seq });
                }
            }
        }
        Ok(())
    }

    /// Whether a message, or the album that it belongs to, was answered or let go.
    fn is_handled(&self, message: &Message) -> Result<bool, StoreError> {
        let room = self.hearing.room();
        let album = match &message.album {
            Some(_) => self.house.message(room.chat, message.id)?,
            None => None,
        };
        let mark = self.house.store.mark(room, album.map_or(message.id, |album| album.id))?;
        Ok(mark.is_some_and(|mark| mark.is_handled()))
    }

    /// Lives until the session closes and everything received is heard.
    pub async fn live(mut self) {
        loop {
            match self.next().await {
                Next::Hear(delivery) => {
                    self.hear_and_obey(*delivery).await;
                    self.note_progress().await;
                }
                Next::Wake => self.wake().await,
                Next::Consider => self.consider().await,
                Next::Close => break,
            }
        }
        if !self.house.tape.is_replay() {
            self.consider().await;
        }
    }

    async fn next(&mut self) -> Next {
        let key = Key::of(self.hearing.room(), Kind::Woke);
        let due = match (self.hearing.due(), self.outage) {
            (Some(due), Some(outage)) => Some(due.max(outage.until)),
            (due, _) => due,
        };
        let settled = Key::of(self.hearing.room(), Kind::Settled);
        let house = self.house.clone();
        let mut closing = self.closing.clone();
        tokio::select! {
            biased;
            received = self.received() => match received {
                Some(delivery) => Next::Hear(Box::new(delivery)),
                None => Next::Close,
            },
            _ = closing.wait_for(|closing| *closing) => Next::Close,
            () = async {
                house.tape.due(key, due).await;
                if !house.tape.is_replay() {
                    house.is_caught_up().await;
                }
            } => Next::Wake,
            () = house.tape.turn_of(settled), if house.tape.is_replay() => Next::Consider,
        }
    }

    /// The next event whose turn it is; none once the senders are gone. Nothing is lost if this is dropped half-way.
    async fn received(&mut self) -> Option<Delivery> {
        if let Err(error) = self.read_unheard() {
            tracing::error!(%error, "what was left unheard cannot be read; it is taken up at the next start");
            self.unheard = 0..0;
        }
        if self.waiting_room.is_empty() {
            let delivery = self.inbox.recv().await?;
            self.waiting_room.push_back(delivery);
        }
        self.house.tape.turn_of(Key::of(self.hearing.room(), Kind::Heard)).await;
        self.waiting_room.pop_front()
    }

    async fn hear(&mut self, Delivery { event, seq }: Delivery) -> Verdict {
        let room = self.hearing.room();
        let house = self.house.clone();
        let hearing = &mut self.hearing;
        let question = heard_question(seq, &event);
        house
            .tape
            .inside(Key::of(room, Kind::Heard), &question, |now| {
                // Another topic of the chat may have been asked.
                match house.asked_in(room.chat) {
                    Ok(asked) => hearing.follow(asked),
                    Err(error) => tracing::error!(%error, "what was asked of us here cannot be read"),
                }
                let verdict = hearing.hear(seq, &event, now);
                if event.kind == EventKind::Forgot {
                    let talk = house.store.tail(room, transcript::CAPACITY).unwrap_or_else(|error| {
                        tracing::error!(%error, "the talk cannot be read again, so all of it is forgotten here");
                        Vec::new()
                    });
                    hearing.refold(&talk);
                }
                if let (Some(Reason::Direct), EventKind::Said(message)) = (verdict.reason, &event.kind) {
                    let owed = Change::Mark { room, message: hearing.whole(message.id), mark: Mark::Owed };
                    if let Err(error) = house.store.commit(&[owed]) {
                        tracing::error!(%error, "the ledger cannot be written");
                    }
                }
                verdict
            })
            .await
    }

    async fn wake(&mut self) {
        let room = self.hearing.room();
        let hearing = &mut self.hearing;
        let tape = self.house.tape.clone();
        // Live, the moment may have passed with nothing due; then nothing is written.
        if !tape.is_replay() && hearing.due().is_none_or(|due| due > tape.clock().now()) {
            return;
        }
        let (house, skills) = (&self.house, &mut self.skills);
        let woken = |now| {
            *skills = house.skills.now();
            hearing.wake(now)
        };
        let wake = tape.inside(Key::of(room, Kind::Woke), &Value::Null, woken).await;
        if let Some(wake) = wake {
            self.think(wake).await;
        }
    }

    /// Writes down how far the room has heard, now and then, when nothing waits.
    async fn note_progress(&mut self) {
        if self.hearing.due().is_none() && self.hearing.heard() >= self.considered + CONSIDERED_EVERY {
            self.consider().await;
        }
    }

    async fn consider(&mut self) {
        let upto = self.hearing.heard();
        if self.hearing.due().is_some() || upto <= self.considered {
            return;
        }
        let changes = [Change::Considered { room: self.hearing.room(), upto }];
        self.commit("considered", &changes).await;
        self.considered = upto;
    }
}

/// When a room thinks, as the operator configured it.
pub fn gate_settings(config: &Config) -> Settings {
    Settings { zone: config.zone.clone(), ..config.attention.clone() }
}

/// What a line about a heard event names.
fn heard_question(seq: u64, event: &Event) -> Value {
    match &event.kind {
        EventKind::Said(message) => json!({ "seq": seq, "message": message.id }),
        EventKind::Edited(message) => json!({ "seq": seq, "edited": message.id }),
        EventKind::Reacted { message, .. } => json!({ "seq": seq, "reacted": message }),
        EventKind::Joined(p) => json!({ "seq": seq, "joined": p.id }),
        EventKind::Left(p) => json!({ "seq": seq, "left": p.id }),
        EventKind::Migrated { to } => json!({ "seq": seq, "migrated": to }),
        EventKind::Pressed { data, .. } => json!({ "seq": seq, "pressed": data }),
        EventKind::Rang(alarm) => json!({ "seq": seq, "rang": alarm.id }),
        EventKind::Decided(decision) => json!({ "seq": seq, "decided": decision.id }),
        EventKind::Standing { may_speak, .. } => json!({ "seq": seq, "may_speak": may_speak }),
        EventKind::Noted { what, .. } => json!({ "seq": seq, "noted": what }),
        EventKind::Forgot => json!({ "seq": seq, "forgot": true }),
    }
}
