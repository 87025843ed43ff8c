//! What commands answer, put together from the table of words.

use super::Order;
use crate::attention::gate::Action;
use crate::attention::ledger::Mark;
use crate::calls::loading::Skills;
use crate::chat::audience::Reader;
use crate::chat::message::Message;
use crate::chat::person::Sender;
use crate::commands::Command;
use crate::commands::words::filled;
use crate::memory::fact::Subject;
use crate::prompt::line;
use crate::room::Room;
use crate::skills::registry::Problem;
use crate::store::Forgotten;
use crate::telegram::poll::Health;
use crate::time::Timestamp;

/// How many facts `/whoami` shows.
const FACTS: usize = 40;

/// How many problems `/reload` tells; the log has all.
const MOST_PROBLEMS: usize = 10;

/// The list of commands that this person may give.
pub(super) fn help(order: &Order<'_>) -> String {
    let words = order.words;
    let line = |command: &Command| format!("/{} — {}", command.name(), words.command(*command));
    let list = |operators: bool| {
        let some = Command::ALL.iter().filter(|command| command.is_for_operators() == operators);
        some.map(line).collect::<Vec<_>>().join("\n")
    };
    let mut text = format!("{}\n{}", words.help, list(false));
    if order.is_operator {
        text.push_str(&format!("\n\n{}\n{}", words.help_operators, list(true)));
    }
    text
}

/// What `/reload` found. Where skills lie is told to the operator alone.
pub(super) fn reloaded(order: &Order<'_>, skills: &Skills, problems: &[Problem], is_private: bool) -> String {
    let words = order.words;
    let (count, guides) = (skills.registry.skills().count(), skills.registry.guides().count());
    let text = filled(words.reloaded, &[("skills", &count.to_string()), ("guides", &guides.to_string())]);
    if problems.is_empty() {
        return text;
    }
    let lines = |line: fn(&Problem) -> String| problems.iter().take(MOST_PROBLEMS).map(line).collect::<Vec<_>>();
    let wrong = if is_private {
        let problems = lines(|p| format!("- {} ({}): {}", p.skill, p.place, p.message)).join("\n");
        filled(words.not_loaded, &[("problems", &problems)])
    } else {
        let mut names = lines(|p| p.skill.clone());
        names.dedup();
        filled(words.not_loaded_names, &[("names", &names.join(", "))])
    };
    format!("{text}\n{wrong}")
}

/// What is gone with whoever asked.
pub(super) fn forgotten(order: &Order<'_>, gone: &Forgotten) -> String {
    let counts = [("messages", gone.messages), ("facts", gone.facts), ("reminders", gone.reminders)];
    let counts = counts.map(|(name, count)| (name, count.to_string()));
    let counts: Vec<(&str, &str)> = counts.iter().map(|(name, count)| (*name, count.as_str())).collect();
    filled(order.words.forgotten, &counts)
}

impl Room {
    pub(super) fn start(&self, order: &Order<'_>) -> String {
        let is_private = self.hearing.room().chat.is_private();
        let text = if is_private { order.words.start } else { order.words.start_group };
        let (name, username) = (&self.house.config.persona.name, &self.house.me.username);
        filled(text, &[("name", name), ("username", username)])
    }

    /// What is remembered of whoever asks, as far as it may be said here.
    pub(super) fn whoami(&self, order: &Order<'_>, reader: Option<&Reader>, now: Timestamp) -> String {
        let words = order.words;
        let (Some(profile), Some(reader)) = (order.message.from.profile(), reader) else {
            return words.nobody.to_owned();
        };
        let store = &self.house.store;
        let zone = &self.house.config.zone;
        let known = self.or_log(store.person(profile.id));
        let (first, last) = known.as_ref().map_or((now, now), |person| (person.first_seen, person.last_seen));
        let mut parts = vec![filled(
            words.whoami,
            &[
                ("name", &line::name(&profile.name)),
                ("id", &profile.id.to_string()),
                ("first", &zone.minute(first)),
                ("last", &zone.minute(last)),
            ],
        )];
        if let Some(person) = known.filter(|person| !person.former_names.is_empty()) {
            let names: Vec<String> = person.former_names.iter().map(|name| line::name(name)).collect();
            parts.push(filled(words.former_names, &[("names", &names.join(", "))]));
        }
        let facts = self.or_log(store.facts(reader, Some(&Subject::Person(profile.id)), now, FACTS));
        if facts.is_empty() {
            parts.push(words.nothing_remembered.to_owned());
        } else {
            parts.push(words.remembered.to_owned());
            parts.extend(facts.iter().map(|fact| format!("- {}", line::one_line(&fact.told.text, 300))));
        }
        if !self.hearing.room().chat.is_private() {
            parts.push(words.only_here.to_owned());
        }
        parts.join("\n")
    }

    /// What was made of the message that `/why` replies to, or of the one before it.
    pub(super) fn why(&self, order: &Order<'_>) -> String {
        let words = order.words;
        let Some(about) = self.why_about(order.message) else { return words.why_nothing.to_owned() };
        let mark = self.or_log(self.house.store.mark(self.hearing.room(), about.id));
        let verdict = self.hearing.verdict(about.id);
        if verdict.is_none() && mark.is_none() {
            return words.why_nothing.to_owned();
        }
        let id = about.id.to_string();
        let mut parts = vec![filled(words.why_of, &[("message", &id), ("name", &line::name(about.from.name()))])];
        if let Some(verdict) = verdict {
            parts.push(match verdict.action {
                Action::Wake => words.why_woke.to_owned(),
                Action::Read => words.why_read.to_owned(),
            });
            parts.push(filled(words.because, &[("why", words.reason(&verdict.why))]));
            if verdict.score > 0.0 && verdict.score < 1.0 {
                parts.push(filled(words.score, &[("score", &format!("{:.2}", verdict.score))]));
            }
        }
        if let Some(mark) = mark {
            parts.push(match &mark {
                Mark::Owed => words.owed.to_owned(),
                Mark::Answered { .. } => words.answered.to_owned(),
                Mark::Unknown { .. } => words.unknown.to_owned(),
                Mark::LetGo { why } => filled(words.let_go, &[("why", &line::one_line(why, 300))]),
            });
        }
        parts.join("\n")
    }

    /// Commands and our own words are left out: nobody wonders about those.
    fn why_about(&self, asked: &Message) -> Option<Message> {
        let transcript = self.hearing.transcript();
        if let Some(quote) = &asked.reply_to {
            return transcript.message(quote.id).cloned();
        }
        let is_other = |message: &&Message| message.from != Sender::Us && message.command.is_none();
        transcript.messages().rev().find(is_other).cloned()
    }

    pub(super) fn quiet_from_now(&self, order: &Order<'_>, until: Option<Timestamp>) -> String {
        match until {
            Some(until) => filled(order.words.quiet, &[("until", &self.house.config.zone.with_weekday(until))]),
            None => order.words.quiet_off.to_owned(),
        }
    }

    /// This chat; in private, where only the operator reads it, everything.
    pub(super) fn status(&self, order: &Order<'_>, health: &Health, now: Timestamp) -> String {
        let (words, house) = (order.words, &self.house);
        let asked = self.hearing.asked();
        let state = match asked.quiet_until {
            _ if asked.is_muted => words.state_muted.to_owned(),
            Some(until) if until > now => {
                filled(words.state_quiet, &[("until", &house.config.zone.with_weekday(until))])
            }
            Some(_) | None => words.state_usual.to_owned(),
        };
        let here = filled(words.status_here, &[("state", &state)]);
        if !self.hearing.room().chat.is_private() {
            return here;
        }
        let counts = house.store.counts().unwrap_or_default();
        let reminders = self.or_log(house.store.reminders(None)).len();
        let all = filled(
            words.status_all,
            &[
                ("version", env!("CARGO_PKG_VERSION")),
                ("messages", &counts.messages.to_string()),
                ("people", &counts.people.to_string()),
                ("rooms", &counts.rooms.to_string()),
                ("facts", &counts.facts.to_string()),
                ("reminders", &reminders.to_string()),
            ],
        );
        let zone = &house.config.zone;
        let ended = health.ended.map_or_else(|| "-".to_owned(), |at| zone.second(at));
        let mut polls = filled(words.status_polls, &[("ended", &ended), ("failed", &health.failed.to_string())]);
        if let Some((at, why)) = &health.failure {
            polls.push_str(&filled(words.status_failure, &[("at", &zone.second(*at)), ("why", why)]));
        }
        format!("{here}\n{all}\n{polls}")
    }
}
