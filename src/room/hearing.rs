//! What a room knows of its chat, without IO: the transcript, the gate, and what is still owed.
//!
//! Both the room's task and the replay of an import drive it, so what is tested is what ships.

use std::collections::{BTreeSet, VecDeque};

use crate::attention::gate::{Action, Gate, Verdict, Wake};
use crate::attention::settings::Settings;
use crate::chat::event::{Event, EventKind};
use crate::chat::ids::{MessageId, PersonId, RoomId};
use crate::chat::message::Message;
use crate::chat::person::{Chat, Identity};
use crate::chat::transcript::{Entry, Transcript};
use crate::clock::Dice;
use crate::store::ChatRecord;
use crate::time::Timestamp;

/// How many verdicts are kept to be explained.
const EXPLAINED: usize = 64;

/// A room's senses.
#[derive(Debug)]
pub struct Hearing {
    room: RoomId,
    chat: Chat,
    transcript: Transcript,
    gate: Gate,
    dice: Dice,
    /// The last place in the archive that was heard.
    heard: u64,
    may_speak: bool,
    /// What people asked for, as it was followed last.
    asked: ChatRecord,
    /// What the gate made of the last messages, for `/why`.
    verdicts: VecDeque<(MessageId, Verdict)>,
}

impl Hearing {
    /// A room that has heard nothing yet.
    pub fn new(chat: Chat, room: RoomId, settings: Settings, me: &Identity, seed: u64) -> Self {
        Self {
            room,
            chat,
            transcript: Transcript::default(),
            gate: Gate::new(settings, me),
            dice: Dice::seeded(seed ^ room_bits(room)),
            heard: 0,
            may_speak: true,
            asked: ChatRecord::default(),
            verdicts: VecDeque::new(),
        }
    }

    /// Fills the transcript with what was heard in an earlier life; nothing wakes.
    pub fn recollect(&mut self, seq: u64, event: &Event) {
        self.heard = self.heard.max(seq);
        self.note(event);
        self.transcript.apply(event);
        self.gate.recollect(event, self.asked.quiet_until);
    }

    /// Begins the transcript anew with these events, as far as they were heard: some of it was forgotten.
    pub fn refold(&mut self, events: &[(u64, Event)]) {
        self.transcript = Transcript::default();
        for (_, event) in events.iter().filter(|(seq, _)| *seq <= self.heard) {
            self.transcript.apply(event);
        }
    }

    /// Hears an event.
    pub fn hear(&mut self, seq: u64, event: &Event, now: Timestamp) -> Verdict {
        self.heard = self.heard.max(seq);
        self.note(event);
        self.transcript.apply(event);
        let roll = self.dice.unit();
        // What waits for an answer is the album, whichever of its messages carries the words.
        let verdict = match self.of_album(event) {
            Some(event) => self.gate.hear(&event, now, roll),
            None => self.gate.hear(event, now, roll),
        };
        if let EventKind::Said(message) = &event.kind {
            if self.verdicts.len() == EXPLAINED {
                self.verdicts.pop_front();
            }
            self.verdicts.push_back((message.id, verdict.clone()));
        }
        verdict
    }

    /// A further message of an album, under the album's number.
    fn of_album(&self, event: &Event) -> Option<Event> {
        let EventKind::Said(message) = &event.kind else { return None };
        let whole = self.whole(message.id);
        let kind = EventKind::Said(Message { id: whole, ..message.clone() });
        (whole != message.id).then(|| Event { kind, ..event.clone() })
    }

    /// The number under which a message stands here: its album's, if it belongs to one.
    pub fn whole(&self, id: MessageId) -> MessageId {
        self.transcript.message(id).map_or(id, |message| message.id)
    }

    fn note(&mut self, event: &Event) {
        if !event.chat.title.is_empty() || self.chat.title.is_empty() {
            self.chat = Chat { title: event.chat.title.clone(), ..event.chat.clone() };
        }
        if let EventKind::Standing { may_speak, .. } = event.kind {
            self.may_speak = may_speak;
        }
    }

    /// Does as people asked, in this topic or another one of the chat. What the gate itself heard since stands, unless
    /// they asked anew.
    pub fn follow(&mut self, asked: ChatRecord) {
        if asked.quiet_until != self.asked.quiet_until {
            self.gate.quiet_until(asked.quiet_until);
        }
        if asked.is_muted != self.asked.is_muted {
            self.gate.mute(asked.is_muted);
        }
        self.asked = asked;
    }

    /// What people asked for.
    pub const fn asked(&self) -> ChatRecord {
        self.asked
    }

    /// What the gate made of a message, if that is still known.
    pub fn verdict(&self, message: MessageId) -> Option<&Verdict> {
        self.verdicts.iter().rev().find(|(id, _)| *id == message).map(|(_, verdict)| verdict)
    }

    /// A message of an earlier life is still owed a decision.
    pub fn owe(&mut self, message: &Message, now: Timestamp) {
        self.gate.owe(message, now);
    }

    /// When to call [`Hearing::wake`] next.
    pub fn due(&self) -> Option<Timestamp> {
        if self.may_speak { self.gate.due() } else { None }
    }

    /// The wake that is due, if one is.
    pub fn wake(&mut self, now: Timestamp) -> Option<Wake> {
        if self.may_speak { self.gate.wake(now) } else { None }
    }

    /// A running turn takes in what else waits for an answer.
    pub fn absorb(&mut self) -> Vec<MessageId> {
        self.gate.absorb()
    }

    /// A turn ended.
    pub fn ended(&mut self, spoke: bool, to: &[PersonId], now: Timestamp) {
        self.gate.ended(spoke, to, now);
    }

    /// The room.
    pub const fn room(&self) -> RoomId {
        self.room
    }

    /// The chat, as Telegram showed it last.
    pub const fn chat(&self) -> &Chat {
        &self.chat
    }

    /// The transcript.
    pub const fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The last place in the archive that was heard.
    pub const fn heard(&self) -> u64 {
        self.heard
    }

    /// The messages with these ids that are still in the transcript, oldest first.
    pub fn messages(&self, ids: &[MessageId]) -> Vec<Message> {
        self.transcript.messages().filter(|m| ids.contains(&m.id)).cloned().collect()
    }

    /// People who spoke or were spoken to lately, the latest first.
    pub fn people(&self, most: usize) -> Vec<PersonId> {
        let mut seen = BTreeSet::new();
        let mut people = Vec::new();
        for entry in self.transcript.entries().rev() {
            let profiles: Vec<PersonId> = match entry {
                Entry::Said { message, .. } => {
                    let quoted = message.reply_to.as_ref().and_then(|q| q.from.as_ref()).and_then(|from| from.person());
                    message.from.person().into_iter().chain(quoted).collect()
                }
                Entry::Happened(event) => event.profiles().map(|p| p.id).collect(),
            };
            for person in profiles {
                if seen.insert(person) {
                    people.push(person);
                }
                if people.len() == most {
                    return people;
                }
            }
        }
        people
    }
}

/// Whether a verdict asks for a wake.
pub const fn asks_for_wake(verdict: &Verdict) -> bool {
    match verdict.action {
        Action::Wake => true,
        Action::Read => false,
    }
}

/// A room's own contribution to seeds.
#[allow(clippy::cast_sign_loss)] // bits, not numbers
pub fn room_bits(room: RoomId) -> u64 {
    let topic = room.topic.map_or(0, |topic| topic.0);
    (room.chat.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (topic as u64).rotate_left(32)
}
