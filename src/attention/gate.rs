//! The state machine that decides when a room thinks.
//!
//! Time and chance are arguments. One gate belongs to one room.
//!
//! Invariants, each with a property test: one turn at a time; a wake never comes before [`Gate::due`]; speaking unasked
//! keeps to its budget in every hour, to quiet hours and to asked-for quiet; another bot cannot wake us more than
//! `bot_cap` times an hour unless a person speaks to us again; a reminder that rang is never swallowed by a running turn.

mod pending;
#[cfg(test)]
mod tests;
mod unasked;

use serde::{Deserialize, Serialize};

use self::pending::{Pending, is_unasked};
use self::unasked::Unasked;
use super::address::{Address, How};
use super::cues;
use super::settings::Settings;
use crate::chat::event::{Event, EventKind};
use crate::chat::ids::{MessageId, PersonId};
use crate::chat::message::Message;
use crate::chat::person::{Chat, ChatKind, Identity, Sender};
use crate::commands::Command;
use crate::time::{Span, Timestamp};

/// Why a room thinks, or would have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Mention, reply to us, our name, DM or button.
    Direct,
    /// The talk with somebody we just answered goes on.
    FollowUp,
    /// Nobody asked, but there may be something to say.
    Ambient,
    /// A reminder or errand is due, or an operator decided about a call.
    Agenda,
    /// After long silence.
    Idle,
}

/// What the gate made of one event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What happens next.
    pub action: Action,
    /// The reason, where the event counts towards a wake.
    pub reason: Option<Reason>,
    /// How strongly it speaks for a wake, 0 to 1.
    pub score: f32,
    /// In a few words, for `/why`: "mentions us", "another bot", "talk among others".
    pub why: String,
}

/// What the gate does with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Nothing: it is in the transcript, that is all.
    Read,
    /// Wait until the speaker has finished, then think.
    Wake,
}

/// The decision to think.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wake {
    /// Why.
    pub reason: Reason,
    /// The messages that are to be answered, oldest first; empty for ambient and idle wakes.
    pub messages: Vec<MessageId>,
    /// When the gate decided.
    pub at: Timestamp,
}

/// How much longer a speaker is waited for who has only called our name so far: the point is still to come.
const BARE: i64 = 4;
/// How long a request for quiet holds, if nobody lifts it.
const ASKED_QUIET: Span = Span::hours(8);
/// After how long another bot's replies count anew: a loop answers within seconds, a daily report does not.
const BOT_MEMORY: Span = Span::hours(1);
/// How long after their last words a speaker may still be going on, as multiples of the wait for them; in a backlog
/// everything arrives at once, and only the messages' own times tell a burst from another hour's talk.
const SAME_BREATH: i64 = 4;

/// Decides when a room thinks. One gate belongs to one room.
#[derive(Clone, Debug)]
pub struct Gate {
    settings: Settings,
    address: Address,
    pending: Option<Pending>,
    is_thinking: bool,
    /// Whom we answered, and until when their next words count as meant for us.
    followed: Vec<(PersonId, Timestamp)>,
    /// Our names that somebody else here goes by.
    taken: Vec<String>,
    quiet_until: Option<Timestamp>,
    /// No turns here; what rings waits.
    is_muted: bool,
    /// Wakes by other bots since a person last spoke to us, and when the last was.
    by_bots: u32,
    last_by_bot: Option<Timestamp>,
    unasked: Unasked,
    /// The album that the last message belongs to.
    album: Option<String>,
}

impl Gate {
    /// A gate that has heard nothing.
    pub fn new(settings: Settings, me: &Identity) -> Self {
        Self {
            settings,
            address: Address::new(me),
            pending: None,
            is_thinking: false,
            followed: Vec::new(),
            taken: Vec::new(),
            quiet_until: None,
            is_muted: false,
            by_bots: 0,
            last_by_bot: None,
            unasked: Unasked::default(),
            album: None,
        }
    }

    /// Takes in what an earlier life heard: names that others go by, quiet that was asked for, our share of the talk.
    /// Nothing wakes. `kept` is until when the last `/quiet` holds: it goes before words that came before it.
    pub fn recollect(&mut self, event: &Event, kept: Option<Timestamp>) {
        let EventKind::Said(message) = &event.kind else { return };
        let is_ours = message.from == Sender::Us;
        self.unasked.said(is_ours);
        if is_ours || message.from.is_other_bot() {
            return;
        }
        if Command::of(message, self.address.username()) == Some(Command::Quiet) {
            self.quiet_until = kept;
        } else if self.how(message, &event.chat).is_some() {
            self.note_hush(&message.text, message.time);
        }
    }

    /// Takes an event in. `roll` is the chance for speaking unasked, 0 to 1.
    pub fn hear(&mut self, event: &Event, now: Timestamp, roll: f32) -> Verdict {
        match &event.kind {
            EventKind::Said(message) => self.said(message, event, now, roll),
            EventKind::Rang(_) => {
                self.wait_for(Reason::Agenda, None, None, now, Span::ZERO);
                if let Some(pending) = &mut self.pending {
                    pending.has_rung = true;
                }
                Verdict::wake(Reason::Agenda, 1.0, "a reminder is due")
            }
            EventKind::Decided(decision) if decision.leave.is_given() && decision.came_of.is_none() => {
                Verdict::read("an operator gave leave")
            }
            EventKind::Decided(_) => {
                self.wait_for(Reason::Agenda, None, None, now, Span::ZERO);
                if let Some(pending) = &mut self.pending {
                    pending.has_rung = true;
                }
                Verdict::wake(Reason::Agenda, 1.0, "an operator decided")
            }
            EventKind::Pressed { .. } if self.is_muted => Verdict::read("muted here"),
            EventKind::Pressed { by, message, .. } => {
                self.wait_for(Reason::Direct, *message, Some(by.id), now, Span::ZERO);
                Verdict::wake(Reason::Direct, 1.0, "a button of ours was pressed")
            }
            EventKind::Edited(_) => Verdict::read("an edit"),
            EventKind::Reacted { .. } => Verdict::read("a reaction"),
            EventKind::Joined(_)
            | EventKind::Left(_)
            | EventKind::Migrated { .. }
            | EventKind::Standing { .. }
            | EventKind::Noted { .. }
            | EventKind::Forgot => Verdict::read("a notice"),
        }
    }

    fn said(&mut self, message: &Message, event: &Event, now: Timestamp, roll: f32) -> Verdict {
        let is_ours = message.from == Sender::Us;
        self.unasked.said(is_ours);
        if is_ours {
            // We have just spoken: what we might have said unasked is out of date, and nobody answers themselves.
            self.pending.take_if(|pending| is_unasked(pending.reason));
            return Verdict::read("our own");
        }
        let is_stale = now.since(message.time) > self.settings.stale;
        if is_stale && message.command.is_some() {
            return Verdict::read("an old command");
        }
        if Command::of(message, self.address.username()).is_some() {
            return Verdict::read("a command of ours");
        }
        if self.is_muted {
            return Verdict::read("muted here");
        }
        let how = self.how(message, &event.chat);
        if message.from.is_other_bot() {
            if self.last_by_bot.is_some_and(|at| now.since(at) >= BOT_MEMORY) {
                self.by_bots = 0;
            }
            // A bot that only names us talks to its readers; one that answers us may be in a loop with us.
            if how != Some(How::Reply) || self.by_bots >= self.settings.bot_cap {
                return Verdict::read("another bot");
            }
            self.by_bots += 1;
            self.last_by_bot = Some(now);
        }
        // One album comes as several messages; whatever its first one came to holds for all of it, unless a later one
        // carries the words that are meant for us.
        let is_further = message.album.is_some() && self.album == message.album;
        self.album.clone_from(&message.album);
        if is_further && (how.is_none() || self.pending.as_ref().is_some_and(|p| p.reason == Reason::Direct)) {
            return Verdict::read("more of an album");
        }
        let finish =
            if event.chat.kind == ChatKind::Private { self.settings.finish_dm } else { self.settings.finish_group };
        let person = message.from.person();
        if let Some(how) = how {
            if !message.from.is_other_bot() {
                self.by_bots = 0;
            }
            self.note_hush(&message.text, now);
            let is_bare = self.address.is_bare_call(&message.text);
            self.wait_for(
                Reason::Direct,
                Some(message.id),
                person,
                now,
                if is_bare { Span(finish.0 * BARE) } else { finish },
            );
            if let Some(pending) = &mut self.pending {
                pending.spoken = message.time;
                if is_bare {
                    pending.finish = Span(finish.0 * BARE);
                }
            }
            return Verdict::wake(Reason::Direct, 1.0, how.why());
        }
        let is_to_another = message.reply_to.is_some() || !message.mentions.is_empty();
        let goes_on = self.pending.as_ref().is_some_and(|p| {
            person.is_some_and(|person| p.people.contains(&person))
                && message.time.since(p.spoken) <= Span(p.finish.0.max(finish.0).saturating_mul(SAME_BREATH))
        });
        if goes_on && !is_to_another && !self.is_thinking {
            let (reason, finish) =
                self.pending.as_ref().map_or((Reason::Direct, finish), |p| (p.reason, p.finish.max(finish)));
            self.wait_for(reason, Some(message.id), person, now, finish);
            if let Some(pending) = &mut self.pending {
                pending.spoken = message.time;
            }
            return Verdict::wake(reason, 0.8, "the speaker goes on");
        }
        if self.is_quiet(now) {
            return Verdict::read("asked to be quiet");
        }
        let is_followed = self.followed.iter().any(|(who, until)| Some(*who) == person && *until >= now);
        if is_followed && !is_to_another && cues::wants_more(&message.text) {
            self.wait_for(Reason::FollowUp, Some(message.id), person, now, finish);
            if let Some(pending) = &mut self.pending {
                pending.spoken = message.time;
            }
            return Verdict::wake(Reason::FollowUp, 0.6, "somebody we just answered goes on");
        }
        self.ambient(message, is_to_another, now, roll)
    }

    fn ambient(&mut self, message: &Message, is_to_another: bool, now: Timestamp, roll: f32) -> Verdict {
        let score = self.unasked.score(message, is_to_another);
        let s = &self.settings;
        let may = s.ambient
            && now.since(message.time) <= s.stale
            && self.pending.is_none()
            && !self.is_thinking
            && score >= s.ambient_threshold
            && self.unasked.is_within(s, now)
            && !self.is_quiet_hour(now)
            && roll < score;
        if !may {
            return Verdict { action: Action::Read, reason: None, score, why: "talk among others".to_owned() };
        }
        self.unasked.relieve();
        let finish = Span(self.settings.finish_group.0 * 2);
        self.wait_for(Reason::Ambient, None, None, now, finish);
        Verdict::wake(Reason::Ambient, score, "perhaps something to say")
    }

    fn wait_for(
        &mut self,
        reason: Reason,
        message: Option<MessageId>,
        person: Option<PersonId>,
        now: Timestamp,
        finish: Span,
    ) {
        self.pending.get_or_insert_with(|| Pending::new(reason, now, finish)).add(reason, message, person, now, finish);
    }

    /// When to call [`Gate::wake`] next; none while nothing waits or a turn goes on.
    pub fn due(&self) -> Option<Timestamp> {
        if self.is_thinking || self.is_muted { None } else { self.pending.as_ref().map(|pending| pending.due) }
    }

    /// The wake that is due: one for everything that waits. A turn then goes on until [`Gate::ended`].
    pub fn wake(&mut self, now: Timestamp) -> Option<Wake> {
        if self.due().is_none_or(|due| due > now) {
            return None;
        }
        let pending = self.pending.take()?;
        if is_unasked(pending.reason) {
            // Quiet may have begun while the speaker was waited for.
            if self.is_quiet(now) || self.is_quiet_hour(now) {
                return None;
            }
            self.unasked.woke(now);
        }
        self.is_thinking = true;
        Some(Wake { reason: pending.reason, messages: pending.messages, at: now })
    }

    /// A running turn takes what was said to us meanwhile into itself, so that no second wake comes of it. A reminder
    /// that rang meanwhile keeps its own.
    pub fn absorb(&mut self) -> Vec<MessageId> {
        let Some(pending) = self.pending.take_if(|pending| matches!(pending.reason, Reason::Direct | Reason::FollowUp))
        else {
            return Vec::new();
        };
        if pending.has_rung {
            self.pending = Some(pending.only_alarm());
        }
        pending.messages
    }

    /// A turn ended. If we spoke, what `to` say next counts as meant for us for a while.
    pub fn ended(&mut self, spoke: bool, to: &[PersonId], now: Timestamp) {
        self.is_thinking = false;
        self.followed.retain(|(_, until)| *until >= now);
        if spoke {
            self.unasked.relieve();
            for person in to {
                self.followed.retain(|(who, _)| who != person);
                self.followed.push((*person, now + self.settings.follow_up));
            }
        }
    }

    /// A message is still owed a decision, after a restart or an outage.
    pub fn owe(&mut self, message: &Message, now: Timestamp) {
        self.wait_for(Reason::Direct, Some(message.id), message.from.person(), now, Span::ZERO);
    }

    /// Nothing unasked until then; `None` lifts it.
    pub fn quiet_until(&mut self, until: Option<Timestamp>) {
        self.quiet_until = until;
    }

    /// No turns until this is lifted. What had been waiting is let go, but for a reminder that rang: it waits on.
    pub fn mute(&mut self, is_muted: bool) {
        if is_muted && let Some(pending) = self.pending.take() {
            self.pending = pending.has_rung.then(|| pending.only_alarm());
        }
        self.is_muted = is_muted;
    }

    fn is_quiet(&self, now: Timestamp) -> bool {
        self.quiet_until.is_some_and(|until| until > now)
    }

    fn is_quiet_hour(&self, now: Timestamp) -> bool {
        let Some((from, to)) = self.settings.quiet else { return false };
        let hour = u8::try_from(self.settings.zone.civil(now).hour).unwrap_or(0);
        if from <= to { (from..to).contains(&hour) } else { hour >= from || hour < to }
    }

    /// How a message is addressed to us, if it is. A name that somebody else here took does not call us.
    fn how(&mut self, message: &Message, chat: &Chat) -> Option<How> {
        if !message.from.is_other_bot() {
            self.note_namesake(message);
        }
        let is_taken = |name: &str| self.taken.iter().any(|taken| taken == name);
        self.address
            .of(message, chat)
            .filter(|how| *how != How::Name || !self.address.called(&message.text).is_some_and(is_taken))
    }

    /// Somebody who introduces themselves by a name of ours takes it here: calls by it are theirs from now on.
    fn note_namesake(&mut self, message: &Message) {
        let shown = message.from.name().to_lowercase();
        for name in self.address.names() {
            if (cues::introduces(&message.text, name) || shown == *name) && !self.taken.contains(name) {
                self.taken.push(name.clone());
            }
        }
    }

    fn note_hush(&mut self, text: &str, now: Timestamp) {
        match cues::hush(text) {
            Some(true) => self.quiet_until = Some(now + ASKED_QUIET),
            Some(false) => self.quiet_until = None,
            None => {}
        }
    }
}

impl Verdict {
    fn read(why: &str) -> Self {
        Self { action: Action::Read, reason: None, score: 0.0, why: why.to_owned() }
    }

    fn wake(reason: Reason, score: f32, why: &str) -> Self {
        Self { action: Action::Wake, reason: Some(reason), score, why: why.to_owned() }
    }
}

impl How {
    const fn why(self) -> &'static str {
        match self {
            How::Dm => "said to us alone",
            How::Mention => "mentions us",
            How::Reply => "answers us",
            How::Name => "calls us by name",
            How::Command => "a command for us",
        }
    }
}
