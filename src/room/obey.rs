//! Commands: done and answered at once, by code.
//!
//! What a command does and says is one step of the tape, so that a replay obeys exactly as the session did. Its answer
//! is an act like any other and names the command, so that after a crash it is not given twice.

mod say;

use std::sync::Arc;

use serde_json::json;

use super::Room;
use crate::agenda::when;
use crate::attention::gate::Verdict;
use crate::calls::house::Delivery;
use crate::calls::loading::Skills;
use crate::chat::audience::Reader;
use crate::chat::event::{Event, EventKind};
use crate::chat::ids::RoomId;
use crate::chat::language::Language;
use crate::chat::message::Message;
use crate::commands::Command;
use crate::commands::words::{Words, filled};
use crate::config::Others;
use crate::journal::tape::Taken;
use crate::journal::{Key, Kind};
use crate::memory::change::Change;
use crate::skills::registry::Problem;
use crate::store::Applied;
use crate::telegram::outbox::{Act, ActKind};
use crate::telegram::poll::Health;
use crate::time::{Span, Timestamp, Zone};

/// How long `/quiet` holds that names no time.
const QUIET: Span = Span::hours(8);
/// Words that end quiet.
const OFF: [&str; 6] = ["off", "stop", "end", "关", "取消", "结束"];

/// Words that confirm `/forget`.
const YES: [&str; 5] = ["yes", "确认", "确定", "確認", "是"];

/// A command that is to be obeyed.
pub(super) struct Order<'a> {
    pub(super) command: Command,
    pub(super) message: &'a Message,
    pub(super) words: &'static Words,
    pub(super) is_operator: bool,
}

/// What was looked up for a command before it is obeyed.
struct Found<'a> {
    reader: Option<&'a Reader>,
    reloaded: Option<&'a (Arc<Skills>, Vec<Problem>)>,
    health: Health,
}

impl Order<'_> {
    /// What stands behind the command.
    fn args(&self) -> &str {
        self.message.command.as_ref().map_or("", |command| command.args.trim())
    }
}

impl Room {
    /// Hears an event and, if it is a command of ours or an operator's leave, does as it says. What came of the latter is
    /// an event of its own, already heard.
    pub(super) async fn hear_and_obey(&mut self, delivery: Delivery) -> (Verdict, Option<Event>) {
        let Delivery { event, seq } = delivery.clone();
        let verdict = self.hear(delivery).await;
        let belongs = self.house.belongs_in(event.chat.id).unwrap_or_else(|error| {
            tracing::error!(%error, "whether we belong here cannot be read; taken as no");
            false
        });
        if !belongs && self.house.config.groups.others == Others::Leave {
            self.leave(&event, seq).await;
        } else if let EventKind::Said(message) = &event.kind
            && let Some(command) = Command::of(message, &self.house.me.username)
            && (belongs || self.is_operator(message))
        {
            self.obey(command, message, &event, seq).await;
        }
        let came = match &event.kind {
            EventKind::Decided(decision) if decision.leave.is_given() && decision.came_of.is_none() => {
                self.carry_out(decision, &event, seq).await
            }
            _ => None,
        };
        (verdict, came)
    }

    /// Leaves a group where we do not belong, once each time that we are let in.
    async fn leave(&mut self, event: &Event, seq: u64) {
        let may_speak = if let EventKind::Standing { may_speak, .. } = event.kind { Some(may_speak) } else { None };
        if may_speak == Some(false) || (self.has_left && may_speak.is_none()) {
            return;
        }
        self.has_left = true;
        let room = self.hearing.room();
        tracing::warn!(chat = %room.chat, title = event.chat.title, "left: this group is not in [groups] allow");
        let body = json!({ "chat_id": room.chat.0 });
        let kind = ActKind::Ask { method: "leaveChat".to_owned(), body, says: "left the group".to_owned() };
        let act = Act { room: RoomId::whole(room.chat), answers: Vec::new(), kind, typed: None };
        if let Err(error) = self.house.act(room, seq, &act).await.answer {
            tracing::warn!(%error, "the group could not be left");
        }
    }

    fn is_operator(&self, message: &Message) -> bool {
        message.from.person().is_some_and(|person| self.house.config.operators.contains(&person))
    }

    async fn obey(&mut self, command: Command, message: &Message, event: &Event, seq: u64) {
        let room = self.hearing.room();
        let house = self.house.clone();
        let order = Order {
            command,
            message,
            words: Words::of(self.language_for(message)),
            is_operator: self.is_operator(message),
        };
        let reader = match command {
            Command::Whoami => Some(self.reader().await),
            _ => None,
        };
        let health = match command {
            Command::Status => house.health(room, seq).await,
            _ => Health::default(),
        };
        let reloaded = match command {
            Command::Reload if order.is_operator => Some(house.reload(room, seq).await),
            _ => None,
        };
        let key = Key::of(room, Kind::Obeyed).number(seq);
        let question = json!({ "command": command.name(), "message": message.id });
        let mut told = Vec::new();
        let says = {
            let (this, told) = (&mut *self, &mut told);
            let found = Found { reader: reader.as_ref(), reloaded: reloaded.as_ref(), health };
            let obeyed = |now| this.obeyed(&order, &found, event, now, told);
            house.tape.inside(key, &question, obeyed).await
        };
        let is_forgotten = !told.is_empty();
        for (event, seq) in told {
            // The dispatcher ends only with the session.
            let _ = house.post.send(Delivery { event, seq });
        }
        let Some(text) = says else { return };
        // In private there is nobody else whom it could be meant for; and a quote of somebody just forgotten would be the
        // first thing known of them again.
        let reply_to = (!room.chat.is_private() && !is_forgotten).then_some(message.id);
        let kind = ActKind::Text { text, reply_to, quote: None, quiet: true, buttons: Vec::new() };
        let act = Act { room, answers: vec![message.id], kind, typed: None };
        let Taken { at, answer } = house.act(room, seq, &act).await;
        match answer {
            Ok(acted) => {
                for delivery in house.file_own(room, seq, at, &act, &acted).await {
                    self.hear(delivery).await;
                }
            }
            Err(error) => tracing::warn!(%error, command = command.name(), "a command's answer was not sent"),
        }
    }

    /// Does it; what is said to it, if anything. Rooms that must read their talk again are `told`.
    fn obeyed(
        &mut self,
        order: &Order<'_>,
        found: &Found<'_>,
        event: &Event,
        now: Timestamp,
        told: &mut Vec<(Event, u64)>,
    ) -> Option<String> {
        // After downtime whoever gave it has long seen that nothing came of it.
        if now.since(order.message.time) > self.house.config.attention.stale {
            return None;
        }
        let chat = event.chat.id;
        if order.command.is_for_operators() && !order.is_operator {
            let id = order.message.from.person().map_or_else(|| "?".to_owned(), |person| person.to_string());
            return Some(filled(order.words.not_operator, &[("id", &id)]));
        }
        match order.command {
            Command::Start => Some(self.start(order)),
            Command::Help => Some(say::help(order)),
            Command::Whoami => Some(self.whoami(order, found.reader, now)),
            Command::Why => Some(self.why(order)),
            Command::Reload => found.reloaded.map(|(skills, problems)| {
                self.house.skills.replace(skills.clone());
                for problem in problems {
                    tracing::error!(skill = problem.skill, place = problem.place, "{}", problem.message);
                }
                say::reloaded(order, skills, problems, chat.is_private())
            }),
            Command::Status => Some(self.status(order, &found.health, now)),
            Command::Mute | Command::Unmute => {
                let is_muted = order.command == Command::Mute;
                let done = if is_muted { order.words.muted } else { order.words.unmuted };
                Some(self.change(order, &Change::Mute { chat, is_muted }, |_, _| done.to_owned()))
            }
            Command::Quiet => Some(match until(order.args(), order.message.time, now, &self.house.config.zone) {
                Ok(until) => {
                    self.change(order, &Change::Hush { chat, until }, |room, _| room.quiet_from_now(order, until))
                }
                Err(()) => filled(order.words.quiet_unclear, &[("text", order.args())]),
            }),
            Command::Forget => {
                let Some(person) = order.message.from.person() else { return Some(order.words.nobody.to_owned()) };
                if !YES.contains(&order.args().to_lowercase().as_str()) {
                    return Some(order.words.forget.to_owned());
                }
                Some(self.change(order, &Change::Forget { person, at: now }, |_, applied| {
                    let Applied::Forgotten(gone) = applied else { return order.words.not_kept.to_owned() };
                    let says = say::forgotten(order, &gone);
                    told.extend(gone.told);
                    says
                }))
            }
        }
    }

    /// Writes down what a command asked for; what is said to that, or that it failed.
    fn change(&mut self, order: &Order<'_>, change: &Change, done: impl FnOnce(&Self, Applied) -> String) -> String {
        let applied = match self.house.store.commit(std::slice::from_ref(change)) {
            Ok(mut applied) => applied.pop().unwrap_or(Applied::Nothing),
            Err(error) => {
                tracing::error!(%error, command = order.command.name(), "what a command asked for could not be kept");
                return order.words.not_kept.to_owned();
            }
        };
        self.hearing.follow(self.or_log(self.house.asked_in(self.hearing.room().chat)));
        self.house.agenda_changed.notify_one();
        done(self, applied)
    }

    /// The chat's own language; in private the person's, if Telegram told.
    fn language_for(&self, message: &Message) -> Language {
        let chat = self.hearing.room().chat;
        let config = &self.house.config;
        let is_set = config.chats.get(&chat).is_some_and(|own| own.language.is_some());
        let own = message.from.profile().and_then(|profile| profile.language.as_deref());
        match own {
            Some(tag) if chat.is_private() && !is_set => Language::for_tag(tag),
            Some(_) | None => config.language_of(chat),
        }
    }
}

/// Until when a text asks for quiet; `None` ends it. Spans count from when it was said.
fn until(text: &str, said: Timestamp, now: Timestamp, zone: &Zone) -> Result<Option<Timestamp>, ()> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Some(said + QUIET));
    }
    if OFF.contains(&text.to_lowercase().as_str()) {
        return Ok(None);
    }
    // What is over by now was asked for all the same: it ends whatever holds.
    let forms = [text.to_owned(), format!("in {text}"), format!("{text}后")];
    let read = forms.iter().find_map(|form| when::parse(form, said, zone).ok());
    read.map(|until| (until > now).then_some(until)).ok_or(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_is_asked_for_in_many_ways() {
        let zone = Zone::named("Asia/Shanghai").unwrap();
        // 2026-05-14 12:00 there.
        let said = zone.moment(2026, 5, 14, 12, 0, 0).unwrap();
        let rows = [
            ("", Some(Span::hours(8))),
            (" 2h ", Some(Span::hours(2))),
            ("30m", Some(Span::minutes(30))),
            ("30 minutes", Some(Span::minutes(30))),
            ("in 1 hour", Some(Span::hours(1))),
            ("2小时", Some(Span::hours(2))),
            ("半小时", Some(Span::minutes(30))),
            ("明早九点", Some(Span::hours(21))),
            ("tomorrow 9:00", Some(Span::hours(21))),
            ("off", None),
            ("OFF", None),
            ("取消", None),
        ];
        for (text, span) in rows {
            assert_eq!(until(text, said, said, &zone), Ok(span.map(|span| said + span)), "{text}");
        }
        assert_eq!(until("please", said, said, &zone), Err(()));
        assert_eq!(until("2h", said, said + Span::hours(3), &zone), Ok(None), "over before it was heard");
    }
}
