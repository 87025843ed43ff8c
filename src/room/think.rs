//! One turn of a room: asks the model, runs its scripts, hears what comes in meanwhile.

use std::collections::BTreeMap;
use std::pin::pin;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tracing::Instrument as _;

use super::{OUTAGE, Outage, Room};
use crate::attention::gate::{Reason, Wake};
use crate::call::{Call, Fault, Outcome, Report, ScriptError};
use crate::calls::house::Delivery;
use crate::calls::{DOCS, Desk};
use crate::chat::ids::MessageId;
use crate::chat::message::{Message, Quote};
use crate::chat::transcript::Entry;
use crate::clock::Dice;
use crate::journal::{Key, Kind};
use crate::llm::LlmError;
use crate::prompt::line;
use crate::prompt::request::{Part, Reply, Request};
use crate::room::hearing::room_bits;
use crate::sandbox::{Child, Host as _, Script};
use crate::skills::disclose::{self, Disclosure};
use crate::time::Timestamp;
use crate::turn::{Ending, Limits, Step, Turn, reply};

/// How often news may make an answer stale and have the model asked anew, in one turn.
const MOST_CANCELS: u32 = 2;

/// Why the model did not answer, as the journal keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Failure {
    what: String,
    is_temporary: bool,
}

impl From<LlmError> for Failure {
    fn from(error: LlmError) -> Self {
        Self { is_temporary: error.is_temporary(), what: error.to_string() }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

/// What a turn is made of while it goes on.
struct Thinking {
    turn: Turn,
    desk: Desk,
    child: Option<Child>,
    dice: Dice,
    cancels: u32,
    /// News since the last ask, as lines.
    news: Vec<String>,
    /// When the last reply came: a script's own clock begins there, in a replay too.
    replied: Timestamp,
}

impl Room {
    pub(super) async fn think(&mut self, wake: Wake) {
        self.turns += 1;
        let span = tracing::info_span!("turn", room = %self.hearing.room(), n = self.turns, reason = ?wake.reason);
        self.think_inside(wake).instrument(span).await;
    }

    async fn think_inside(&mut self, wake: Wake) {
        let room = self.hearing.room();
        let seed = self.house.seed ^ room_bits(room) ^ self.turns.rotate_left(17);
        let reader = self.reader().await;
        let waiting = self.messages(&wake.messages);
        self.look(&waiting).await;
        let mut desk = Desk::new(self.house.clone(), room, wake.reason, reader.clone(), waiting, seed);
        self.shelf.tidy(wake.at, self.house.config.turn.guides, self.transcript_bytes());
        desk.lay_out(self.skills.clone(), std::mem::take(&mut self.shelf));
        let mut thinking = Thinking {
            turn: Turn::new(wake.reason, self.limits()),
            desk,
            child: None,
            dice: Dice::seeded(seed),
            cancels: 0,
            news: Vec::new(),
            replied: wake.at,
        };
        let begun = wake.at;
        let ending = loop {
            // By the time of the last reply, which a replay knows too.
            let is_over = matches!(thinking.turn.step(), Step::Done(_));
            if !is_over && thinking.replied.since(begun) > self.house.config.turn.wall {
                break thinking.turn.given_up("it took too long");
            }
            match thinking.turn.step().clone() {
                Step::Ask => match self.ask(&mut thinking, &wake, &reader).await {
                    Ok((opening, reply)) => thinking.turn.replied(&opening, &reply.text),
                    Err(failure) if thinking.turn.acted() => {
                        tracing::warn!(%failure, "the model failed after we had acted; the turn ends");
                        break Ending::Acted;
                    }
                    Err(failure) if failure.is_temporary => return self.outage(&thinking, &failure).await,
                    Err(failure) => {
                        tracing::error!(%failure, "the model cannot be asked");
                        break Ending::LetGo { why: format!("the model cannot be asked: {}", failure.what) };
                    }
                },
                Step::Run { number, script } => self.run(&mut thinking, number, script).await,
                Step::Done(ending) => break ending,
            }
        };
        self.outage = None;
        self.shelf = thinking.desk.shelf();
        self.settle(&thinking.desk, &thinking.turn, ending).await;
    }

    /// Asks the model, as often as news makes the question stale.
    async fn ask(
        &mut self,
        thinking: &mut Thinking,
        wake: &Wake,
        reader: &crate::chat::audience::Reader,
    ) -> Result<(String, Reply), Failure> {
        let room = self.hearing.room();
        let tape = self.house.tape.clone();
        let asking = Key::of(room, Kind::Asking);
        let _hold = tape.clock().hold();
        'anew: loop {
            loop {
                tokio::select! {
                    biased;
                    Some(delivery) = self.received() => { self.hear_meanwhile(thinking, delivery).await; }
                    () = tape.turn_of(asking) => break,
                }
            }
            self.absorb(thinking);
            if !thinking.news.is_empty() && !thinking.turn.is_fresh() {
                let lines = std::mem::take(&mut thinking.news).join("\n");
                thinking.turn.news(&lines);
            }
            thinking.news.clear();
            let request: Request = {
                let (this, thinking) = (&*self, &*thinking);
                tape.inside(asking, &Value::Null, |now| this.request(&thinking.turn, &thinking.desk, wake, reader, now))
                    .await
            };
            let opening = opening_of(&request);
            let house = self.house.clone();
            let live = async {
                match &house.hands {
                    Some(hands) => {
                        hands.models.ask("turn", &request, &reply::script_is_complete).await.map_err(Failure::from)
                    }
                    None => std::future::pending().await,
                }
            };
            let mut asked = pin!(tape.outside(Key::of(room, Kind::Asked), &Value::Null, live));
            loop {
                tokio::select! {
                    biased;
                    taken = &mut asked => {
                        thinking.replied = taken.at;
                        return taken.answer.map(|reply: Reply| {
                        let usage = reply.usage;
                        tracing::info!(input = usage.input, cached = usage.cached, output = usage.output, "the model answered");
                        (opening, reply)
                    });
                    }
                    Some(delivery) = self.received() => {
                        let is_stale = self.hear_meanwhile(thinking, delivery).await;
                        if is_stale && thinking.cancels < MOST_CANCELS {
                            thinking.cancels += 1;
                            tracing::debug!("news made the question stale; asking anew");
                            continue 'anew;
                        }
                    }
                }
            }
        }
    }

    /// Hears an event while a turn goes on. Says whether it makes an answer in the making stale.
    async fn hear_meanwhile(&mut self, thinking: &mut Thinking, delivery: Delivery) -> bool {
        let event = delivery.event.clone();
        let (verdict, came) = self.hear_and_obey(delivery).await;
        for event in [event].into_iter().chain(came) {
            let entry = match event.message() {
                Some(message) => Entry::Said { message: message.clone(), reactions: Vec::new() },
                None => Entry::Happened(event),
            };
            let is_known = |_: &Quote| false;
            thinking.news.push(line::entry(&entry, &self.house.me, &self.house.config.zone, is_known));
        }
        verdict.reason == Some(Reason::Direct)
    }

    fn absorb(&mut self, thinking: &mut Thinking) {
        let ids = self.hearing.absorb();
        for message in self.messages(&ids) {
            if !thinking.desk.waiting().iter().any(|m| m.id == message.id) {
                thinking.desk.joined(message);
            }
        }
    }

    /// Messages of this room, from the transcript or, where it no longer holds them, from the archive.
    fn messages(&self, ids: &[MessageId]) -> Vec<Message> {
        let transcript = self.hearing.transcript();
        let chat = self.hearing.room().chat;
        ids.iter()
            .filter_map(|id| match transcript.message(*id) {
                Some(message) => Some(message.clone()),
                None => self.or_log(self.house.message(chat, *id)),
            })
            .collect()
    }

    async fn run(&mut self, thinking: &mut Thinking, number: u32, source: String) {
        let room = self.hearing.room();
        let ran = Key::of(room, Kind::Ran).number(u64::from(number));
        let tape = self.house.tape.clone();
        let script = Script {
            number,
            skills: thinking.desk.skills().registry.globals(),
            ctx: thinking.desk.ctx().unwrap_or_else(|| self.ctx()),
            now: thinking.replied,
            seed: thinking.dice.seed(),
            zone: self.house.config.zone.name().to_owned(),
            deadline: self.house.config.sandbox.deadline,
            // Cut once, where everything is still there to be counted.
            output_limit: self.limits().output,
            source,
        };
        thinking.desk.begin(number, script.now, thinking.turn.visible());
        let report = match recorded_end(tape.foresee(ran)) {
            // What a limit ended would not end at the same place again: its calls are made anew, its report is taken.
            Some(report) => {
                let calls = recorded_calls(tape.before(ran, Kind::Called), &report);
                let calls = futures_util::future::join_all(calls.into_iter().map(|call| thinking.desk.call(call)));
                // Those that were cut off then are cut off now.
                tokio::select! {
                    biased;
                    _ = calls => {}
                    () = tape.turn_of(ran) => {}
                }
                report
            }
            None => self.run_in_child(thinking, script).await,
        };
        thinking.desk.ended(report.error.is_some());
        let report = tape.inside(ran, &Value::Null, |_| report).await;
        if report.variables_gone {
            thinking.child = None;
        }
        for delivery in thinking.desk.take_own() {
            self.hear(delivery).await;
        }
        let docs = self.docs(thinking, &report);
        thinking.turn.ran(&report, docs.as_ref());
        if let Some(ctx) = &report.ctx {
            thinking.desk.keep_ctx(ctx.clone());
        }
    }

    async fn run_in_child(&self, thinking: &mut Thinking, script: Script) -> Report {
        if thinking.child.is_none() {
            match self.house.pool.take().await {
                Ok(child) => thinking.child = Some(child),
                Err(error) => {
                    tracing::error!(%error, "no sandbox");
                    return no_sandbox();
                }
            }
        }
        match &mut thinking.child {
            Some(child) => child.run(script, &thinking.desk).await,
            None => no_sandbox(),
        }
    }

    /// What the failed code says it meant, and what the script asked for.
    fn docs(&self, thinking: &Thinking, report: &Report) -> Option<Disclosure> {
        let asked_for = thinking.desk.take_docs();
        let is_parked = |path: &String| {
            report.calls.iter().any(|c| c.call.path == *path && matches!(c.outcome, Outcome::Parked(_)))
        };
        // A call that waits for an operator was used rightly.
        let error = report.error.as_ref().filter(|error| !error.call.as_ref().is_some_and(is_parked));
        let meant = error.and_then(|error| {
            let mut visible = thinking.turn.visible().clone();
            visible.extend(asked_for.iter().flat_map(|docs| docs.paths.iter().cloned()));
            let scripts: Vec<&str> = thinking.turn.scripts().collect();
            disclose::disclose(&thinking.desk.skills().registry, error.call.as_deref(), &scripts, &visible, DOCS)
        });
        match (meant, asked_for) {
            (Some(meant), Some(asked_for)) => Some(Disclosure {
                text: format!("{}\n\n{}", meant.text, asked_for.text),
                paths: [meant.paths, asked_for.paths].concat(),
            }),
            (meant, asked_for) => meant.or(asked_for),
        }
    }

    fn limits(&self) -> Limits {
        let turn = &self.house.config.turn;
        Limits { asks: turn.steps, output: usize::try_from(turn.output).unwrap_or(usize::MAX) }
    }

    async fn outage(&mut self, thinking: &Thinking, failure: &Failure) {
        self.shelf = thinking.desk.shelf();
        let now = self.house.tape.clock().now();
        let wait = self.outage.map_or(OUTAGE.0, |outage| Outage::longer(outage.wait));
        tracing::warn!(%failure, wait = wait.0 / 1000, "the model is away; what waits is kept");
        self.outage = Some(Outage { until: now + wait, wait });
        self.hearing.ended(false, &[], now);
        for message in thinking.desk.waiting() {
            self.hearing.owe(message, now);
        }
    }
}

impl Outage {
    fn longer(wait: crate::time::Span) -> crate::time::Span {
        crate::time::Span((wait.0 * 2).min(OUTAGE.1.0))
    }
}

fn opening_of(request: &Request) -> String {
    let first = request.messages.first().into_iter().flat_map(|message| &message.parts);
    first
        .filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Image(_) => None,
        })
        .collect()
}

/// The recorded report of a script that a limit ended.
fn recorded_end(answer: Option<Value>) -> Option<Report> {
    let report: Report = serde_json::from_value(answer?).ok()?;
    report.error.as_ref().is_some_and(|error| error.kind.ends_the_child()).then_some(report)
}

/// The calls of such a script in their order: those that were answered, timers among them, and those that were cut off.
fn recorded_calls(answered: Vec<Value>, report: &Report) -> Vec<Call> {
    let answered = answered.into_iter().filter_map(|call| serde_json::from_value(call).ok());
    let listed = report.calls.iter().map(|settled| settled.call.clone());
    let calls: BTreeMap<u32, Call> = answered.chain(listed).map(|call: Call| (call.id, call)).collect();
    calls.into_values().collect()
}

fn no_sandbox() -> Report {
    let error = ScriptError {
        kind: Fault::Crashed,
        name: "Error".to_owned(),
        message: "scripts cannot run just now".to_owned(),
        position: None,
        call: None,
    };
    Report { error: Some(error), variables_gone: true, ..Report::default() }
}
