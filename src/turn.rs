//! One wake's loop of ask, run, observe, without IO: [`Turn::step`] says what to do next, the room does it.
//!
//! Invariants:
//! - A plain reply is one ask: a script that acts, prints nothing and returns nothing ends the turn.
//! - Somebody who spoke to us is never met with silence by accident: an ending without act, output or pass is told to
//!   the model once, and the second time the message is let go with that reason.
//! - Everything is bounded by [`Limits`].

pub mod reasoning;
pub mod reply;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::attention::gate::Reason;
use crate::call::{Origin, Outcome, Report};
use crate::prompt::observation;
use crate::prompt::request::{Role, Turned};
use crate::skills::disclose::Disclosure;

/// Bounds of one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How often the model may be asked.
    pub asks: u32,
    /// Bytes of script output that one observation may hold.
    pub output: usize,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Ask the model, then call [`Turn::replied`].
    Ask,
    /// Run a script, then call [`Turn::ran`].
    Run {
        /// Counts from 1 within the turn.
        number: u32,
        /// The code.
        script: String,
    },
    /// The turn is over.
    Done(Ending),
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// With at least one act.
    Acted,
    /// With silence on purpose.
    Passed {
        /// Why, in the model's words.
        why: String,
    },
    /// With silence that nobody waits for: no one had spoken to us.
    Quiet,
    /// Without an answer to somebody who waits for one.
    LetGo {
        /// Why.
        why: String,
    },
}

/// One turn.
#[derive(Clone, Debug)]
pub struct Turn {
    reason: Reason,
    limits: Limits,
    asks: u32,
    opening: Option<String>,
    exchanges: Vec<Exchange>,
    scripts: Vec<String>,
    visible: BTreeSet<String>,
    acted: bool,
    was_told: bool,
    next: Step,
}

#[derive(Clone, Debug)]
struct Exchange {
    reply: String,
    observation: String,
}

/// What a reply without a script leaves in history when it was empty: providers refuse empty messages.
const NOTHING: &str = "(an empty reply)";

impl Turn {
    /// A turn that begins.
    pub fn new(reason: Reason, limits: Limits) -> Self {
        Self {
            reason,
            limits,
            asks: 0,
            opening: None,
            exchanges: Vec::new(),
            scripts: Vec::new(),
            visible: BTreeSet::new(),
            acted: false,
            was_told: false,
            next: Step::Ask,
        }
    }

    /// What to do next.
    pub fn step(&self) -> &Step {
        &self.next
    }

    /// How often the model was asked.
    pub const fn asks(&self) -> u32 {
        self.asks
    }

    /// Whether anything was done that people see.
    pub const fn acted(&self) -> bool {
        self.acted
    }

    /// The scripts so far, the last one last.
    pub fn scripts(&self) -> impl Iterator<Item = &str> {
        self.scripts.iter().map(String::as_str)
    }

    /// The methods whose docs the model can still see.
    pub const fn visible(&self) -> &BTreeSet<String> {
        &self.visible
    }

    /// Whether the first reply is still to come, so that the opening may be written anew.
    pub fn is_fresh(&self) -> bool {
        self.exchanges.is_empty()
    }

    /// The conversation for the next ask. `opening` is used until the first reply has come, and kept from then on.
    pub fn messages(&self, opening: &str) -> Vec<Turned> {
        let opening = self.opening.as_deref().unwrap_or(opening);
        let mut messages = vec![Turned::text(Role::User, opening)];
        for exchange in &self.exchanges {
            messages.push(Turned::text(Role::Assistant, exchange.reply.as_str()));
            messages.push(Turned::text(Role::User, exchange.observation.as_str()));
        }
        messages
    }

    /// Talk that came in meanwhile joins the next ask.
    pub fn news(&mut self, lines: &str) {
        if let Some(last) = self.exchanges.last_mut() {
            last.observation.push_str("\n\n");
            last.observation.push_str(&observation::news(lines));
        }
    }

    /// The model answered `text` to the conversation that began with `opening`.
    pub fn replied(&mut self, opening: &str, text: &str) {
        self.asks += 1;
        self.opening.get_or_insert_with(|| opening.to_owned());
        let parsed = reply::parse(text);
        let kept = if parsed.kept.is_empty() { NOTHING.to_owned() } else { parsed.kept };
        self.exchanges.push(Exchange { reply: kept, observation: String::new() });
        match parsed.script {
            Some(script) => {
                let number = u32::try_from(self.scripts.len()).unwrap_or(u32::MAX).saturating_add(1);
                self.scripts.push(script.clone());
                self.next = Step::Run { number, script };
            }
            None => self.end_unless_told(observation::NO_SCRIPT, "the model wrote no script"),
        }
    }

    /// The script ran. `docs` are what the failed code asked for.
    pub fn ran(&mut self, report: &Report, docs: Option<&Disclosure>) {
        let happened = |outcome: &Outcome| matches!(outcome, Outcome::Done(_) | Outcome::Unknown(_));
        self.acted |= report.calls.iter().any(|c| is_visible(&c.call.path) && c.is_effect && happened(&c.outcome));
        if let Some(docs) = docs {
            self.visible.extend(docs.paths.iter().cloned());
        }
        if report.error.is_none()
            && let Some(why) = passed(report)
        {
            self.next = Step::Done(if self.acted { Ending::Acted } else { Ending::Passed { why } });
        } else if goes_on(report) {
            let script = self.scripts.last().map_or("", String::as_str);
            self.observe(observation::report(script, report, docs.map(|d| d.text.as_str()), self.limits.output));
        } else {
            self.end_unless_told(observation::NOTHING_DONE, "the script did nothing that anybody could see");
        }
    }

    /// How the turn ends if it has to stop where it is.
    pub fn given_up(&self, why: &str) -> Ending {
        if self.acted {
            Ending::Acted
        } else if is_awaited(self.reason) {
            Ending::LetGo { why: why.to_owned() }
        } else {
            Ending::Quiet
        }
    }

    fn end_unless_told(&mut self, told: &str, why: &str) {
        if self.acted {
            self.next = Step::Done(Ending::Acted);
        } else if !is_awaited(self.reason) {
            self.next = Step::Done(Ending::Quiet);
        } else if self.was_told {
            self.next = Step::Done(Ending::LetGo { why: why.to_owned() });
        } else {
            self.was_told = true;
            self.observe(told.to_owned());
        }
    }

    fn observe(&mut self, text: String) {
        if let Some(last) = self.exchanges.last_mut() {
            last.observation = text;
        }
        self.next = if self.asks < self.limits.asks {
            Step::Ask
        } else {
            Step::Done(self.given_up(&format!("no answer after {} steps", self.asks)))
        };
    }
}

/// Whether somebody waits for an answer.
const fn is_awaited(reason: Reason) -> bool {
    match reason {
        Reason::Direct | Reason::Agenda => true,
        Reason::FollowUp | Reason::Ambient | Reason::Idle => false,
    }
}

/// Whether a call's effect shows in a chat.
fn is_visible(path: &str) -> bool {
    path.starts_with("telegram.")
}

/// Whether a call exists only to be read, so that a script that ends in it wants to go on.
fn is_for_reading(path: &str) -> bool {
    matches!(path, "skills.docs" | "skills.load" | "skills.read")
}

fn passed(report: &Report) -> Option<String> {
    report
        .calls
        .iter()
        .rev()
        .find(|c| c.call.path == "turn.pass" && matches!(c.outcome, Outcome::Done(_)))
        .map(|c| c.call.args.first().and_then(serde_json::Value::as_str).unwrap_or("no reason given").trim().to_owned())
}

/// Whether the model wants to see what came of its script.
fn goes_on(report: &Report) -> bool {
    report.error.is_some()
        || !report.output.is_empty()
        || report.calls.iter().any(|c| is_for_reading(&c.call.path))
        || match report.origin {
            Origin::Returned => true,
            Origin::Computed => report.value.is_some(),
            Origin::Call(id) => report.value.is_some() && !report.calls.iter().any(|c| c.call.id == id && c.is_effect),
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::{Call, Fault, ScriptError, Settled};
    use serde_json::json;

    const LIMITS: Limits = Limits { asks: 4, output: 2000 };
    const SEND: &str = "```js\nawait telegram.sendText('好')\n```";

    fn call(id: u32, path: &str, outcome: Outcome) -> Settled {
        let is_effect = path.starts_with("telegram.") || path == "memory.remember";
        Settled {
            call: Call { id, path: path.into(), args: vec![json!("因为")] },
            outcome,
            is_effect,
            did: String::new(),
        }
    }

    fn sent() -> Report {
        let calls = vec![call(1, "telegram.sendText", Outcome::Done(json!({"id": 5})))];
        Report { value: Some("{ id: 5 }".into()), origin: Origin::Call(1), calls, ..Report::default() }
    }

    fn failed() -> Report {
        let error = ScriptError {
            kind: Fault::Thrown,
            name: "TypeError".into(),
            message: "no".into(),
            position: None,
            call: None,
        };
        Report { error: Some(error), ..Report::default() }
    }

    #[test]
    fn a_plain_reply_is_one_ask() {
        let mut turn = Turn::new(Reason::Direct, LIMITS);
        assert_eq!(*turn.step(), Step::Ask);
        turn.replied("open", SEND);
        assert!(matches!(turn.step(), Step::Run { number: 1, .. }));
        turn.ran(&sent(), None);
        assert_eq!(*turn.step(), Step::Done(Ending::Acted));
        assert_eq!(turn.asks(), 1);
    }

    #[test]
    fn what_goes_on_and_what_ends() {
        let remembered = |origin| Report {
            value: Some("{ id: 1 }".into()),
            origin,
            calls: vec![call(1, "memory.remember", Outcome::Done(json!({"id": 1})))],
            ..Report::default()
        };
        let recalled = Report {
            value: Some("[]".into()),
            origin: Origin::Call(1),
            calls: vec![call(1, "memory.recall", Outcome::Done(json!([])))],
            ..Report::default()
        };
        let passed = Report { calls: vec![call(1, "turn.pass", Outcome::Done(json!(null)))], ..Report::default() };
        let done = |ending| Step::Done(ending);
        let rows = [
            ("sent", sent(), done(Ending::Acted)),
            ("failed", failed(), Step::Ask),
            ("printed", Report { output: "5".into(), ..sent() }, Step::Ask),
            ("returned", Report { origin: Origin::Returned, ..Report::default() }, Step::Ask),
            ("a value", Report { value: Some("5".into()), ..Report::default() }, Step::Ask),
            ("read", recalled, Step::Ask),
            ("an effect's value, unseen", remembered(Origin::Call(1)), Step::Ask),
            ("nothing", Report::default(), Step::Ask),
            ("passed", passed, done(Ending::Passed { why: "因为".into() })),
        ];
        for (what, report, expected) in rows {
            let mut turn = Turn::new(Reason::Direct, LIMITS);
            turn.replied("open", SEND);
            turn.ran(&report, None);
            assert_eq!(*turn.step(), expected, "{what}");
        }
    }

    #[test]
    fn silence_towards_somebody_is_told_once_then_let_go() {
        let mut turn = Turn::new(Reason::Direct, LIMITS);
        turn.replied("open", "{\"name\":\"send\",\"arguments\":{}}");
        assert_eq!(*turn.step(), Step::Ask);
        assert!(turn.messages("open").last().is_some_and(|m| format!("{m:?}").contains("turn.pass")));
        turn.replied("open", "");
        assert!(matches!(turn.step(), Step::Done(Ending::LetGo { .. })));
        let mut ambient = Turn::new(Reason::Ambient, LIMITS);
        ambient.replied("open", "nothing to add");
        assert_eq!(*ambient.step(), Step::Done(Ending::Quiet));
    }

    #[test]
    fn steps_are_bounded_and_the_opening_is_kept() {
        let mut turn = Turn::new(Reason::Direct, LIMITS);
        while *turn.step() == Step::Ask {
            let opening = format!("open {}", turn.asks());
            turn.replied(&opening, SEND);
            turn.ran(&failed(), None);
        }
        assert_eq!(turn.asks(), LIMITS.asks);
        assert!(matches!(turn.step(), Step::Done(Ending::LetGo { .. })));
        assert_eq!(turn.messages("new")[0], Turned::text(Role::User, "open 0"));
        let roles: Vec<_> = turn.messages("new").iter().map(|m| m.role).collect();
        assert!(roles.windows(2).all(|pair| pair[0] != pair[1]), "roles alternate: {roles:?}");
    }

    #[test]
    fn an_act_of_a_failed_script_counts() {
        let mut turn = Turn::new(Reason::Direct, LIMITS);
        turn.replied("open", SEND);
        turn.ran(&Report { error: failed().error, ..sent() }, None);
        assert_eq!(*turn.step(), Step::Ask);
        turn.replied("open", "");
        assert_eq!(*turn.step(), Step::Done(Ending::Acted));
    }
}
