//! The host's side of a child that runs scripts.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::process::ChildStdout;

use super::death::Death;
use super::process::{Process, receive};
use super::wire::{self, Ended, FromChild, ToChild};
use super::{Host, LARGEST_CTX, Script};
use crate::call::{Call, CallError, Fault, Outcome, Report, ScriptError, Settled};
use crate::time::Span;

/// How many calls one script may make, timers included.
const MOST_CALLS: usize = 1_000;
/// How many calls of one script are answered at the same time; further ones wait their turn.
const AT_ONCE: usize = 16;
/// Bytes that the calls of one script may have together; the host keeps them for its report.
const MOST_CALLED: usize = 16 * 1024 * 1024;
/// Bytes of answers that may wait for a child that does not read, before further calls wait.
const MOST_WAITING: usize = 4 * 1024 * 1024;
/// Bytes of the largest frame of a script, its output apart: a call with its arguments, or `ctx` with its escapes.
const LARGEST_FRAME: usize = 1024 * 1024;
/// By how much JSON may lengthen what was printed (`\\u001b` for one byte), three times: output, value and message.
const ESCAPES: usize = 3 * 6;
/// Bytes of what an error says. The child keeps to less.
const LONGEST_WORDS: usize = 8 * 1024;

/// How long effects that are under way when a script ends may take to end as well. What was sent should be known as sent;
/// but Telegram may take half a minute to say that it does not answer, and the author waits.
const DRAIN: Duration = Duration::from_secs(5);

/// A child that runs the scripts of one turn.
#[derive(Debug)]
pub struct Child {
    process: Process,
    is_dead: bool,
}

/// Calls that the host answers.
type Running<'h> = FuturesUnordered<BoxFuture<'h, Settled>>;

/// Why a script's child is no longer of use.
enum Lost {
    TimedOut,
    TooManyCalls,
    TooMuchCalled,
    Died(std::io::Error),
    Nonsense(String),
}

/// The engine copies a text at every `+=`: 40,000 of them take a third of a second, 200,000 thirteen.
const GROWING: &str =
    ". `text += part` copies the text each time; in a long loop push the parts to an array and join them";

/// Whether a script adds to something by `+=` that is no plain number.
fn grows_text(source: &str) -> bool {
    source.match_indices("+=").any(|(at, sign)| {
        let added = source[at + sign.len()..].trim_start();
        !added.starts_with(|c: char| c.is_ascii_digit())
    })
}

impl Child {
    pub(super) const fn new(process: Process) -> Self {
        Self { process, is_dead: false }
    }

    /// Runs a script to its report. If the report says that the variables are gone, the child is dead: take another.
    pub async fn run<H: Host>(&mut self, script: Script, host: &H) -> Report {
        let begun = script.now;
        let (deadline, limit) = (script.deadline, script.output_limit);
        let grows = grows_text(&script.source);
        let mut ledger = Ledger::default();
        let mut running = FuturesUnordered::new();
        let ended = if self.is_dead {
            Err(Lost::Died(std::io::ErrorKind::BrokenPipe.into()))
        } else {
            // Whoever drops this run half-way leaves a child that nobody can speak to any more.
            self.is_dead = true;
            let serving = self.serve(script, host, &mut ledger, &mut running);
            match tokio::time::timeout(deadline.to_duration(), serving).await {
                Ok(ended) => ended,
                Err(_) => Err(Lost::TimedOut),
            }
        };
        let ended = match ended {
            Ok(ended) => Ok(ended),
            Err(lost) => {
                let mut error = self.obituary(lost, deadline).await;
                if grows && error.kind == Fault::TimedOut {
                    error.message.push_str(GROWING);
                }
                Err(error)
            }
        };
        // The child is gone, or says that it waits for nothing. What it began goes on outside, whoever waits for it.
        let _ = tokio::time::timeout(DRAIN, ledger.drain(&mut running, host)).await;
        let calls = ledger.close(host);
        let took = host.now().since(begun);
        match ended {
            Ok(ended) => {
                self.is_dead = false;
                let Ended { output, value, origin, error, ctx } = sane(ended, limit);
                Report { output, value, origin, error, calls, took, variables_gone: false, ctx }
            }
            Err(error) => Report { error: Some(error), calls, took, variables_gone: true, ..Report::default() },
        }
    }

    async fn serve<'h, H: Host>(
        &mut self,
        script: Script,
        host: &'h H,
        ledger: &mut Ledger,
        running: &mut Running<'h>,
    ) -> Result<Ended, Lost> {
        let largest = script.output_limit.saturating_mul(ESCAPES).saturating_add(LARGEST_FRAME).min(wire::LARGEST);
        self.process.send(&ToChild::Run(Box::new(script))).await.map_err(Lost::Died)?;
        let Process { to, from, .. } = &mut self.process;
        let mut reading = Box::pin(read_on(from, largest));
        let mut queued: VecDeque<Call> = VecDeque::new();
        // A child in the middle of its calls does not read, so writing must not keep us from reading.
        let mut answers: VecDeque<u8> = VecDeque::new();
        let (mut made, mut called) = (0, 0);
        loop {
            while running.len() < AT_ONCE
                && answers.len() < MOST_WAITING
                && let Some(call) = queued.pop_front()
            {
                ledger.open(&call);
                running.push(host.call(call).boxed());
            }
            tokio::select! {
                biased;
                Some(settled) = running.next(), if !running.is_empty() => {
                    let id = settled.call.id;
                    let result = settled.outcome.clone().into_result();
                    answers.extend(answer(id, result, host.now()).map_err(Lost::Died)?);
                    ledger.settle(settled);
                }
                (frame, from) = &mut reading => {
                    let (frame, bytes) = match frame {
                        Ok(frame) => frame,
                        Err(e) if e.kind() == std::io::ErrorKind::InvalidData => return Err(Lost::Nonsense(e.to_string())),
                        Err(e) => return Err(Lost::Died(e)),
                    };
                    match frame {
                        FromChild::Called(call) => {
                            (made, called) = (made + 1, called + bytes);
                            if made > MOST_CALLS {
                                return Err(Lost::TooManyCalls);
                            }
                            if called > MOST_CALLED {
                                return Err(Lost::TooMuchCalled);
                            }
                            // A timer only waits; it takes nobody's place.
                            if call.path.starts_with('$') {
                                running.push(host.call(call).boxed());
                            } else {
                                queued.push_back(call);
                            }
                        }
                        FromChild::Done(ended) => return Ok(*ended),
                        other => return Err(Lost::Nonsense(format!("{other:?}").chars().take(80).collect())),
                    }
                    reading = Box::pin(read_on(from, largest));
                }
                written = to.write(answers.as_slices().0), if !answers.is_empty() => {
                    answers.drain(..written.map_err(Lost::Died)?);
                }
            }
        }
    }

    async fn obituary(&mut self, lost: Lost, deadline: Span) -> ScriptError {
        // Whatever it was: nobody speaks to this child again.
        let death = match &lost {
            Lost::Died(_) => self.process.death().await,
            Lost::TimedOut | Lost::TooManyCalls | Lost::TooMuchCalled | Lost::Nonsense(_) => {
                self.process.kill();
                Death::default()
            }
        };
        if let Lost::Died(error) = &lost {
            tracing::debug!(%error, ?death, "a script's child died");
        }
        let (kind, message) = match lost {
            Lost::TimedOut => (
                Fault::TimedOut,
                format!(
                    "it ran for more than {} s and was stopped. Date.now() moves only with calls and timers, so a loop \
                     that waits for time never ends; wait with `await new Promise(r => setTimeout(r, ms))`",
                    deadline.0 / 1000
                ),
            ),
            Lost::TooManyCalls => (Fault::Crashed, format!("it made more than {MOST_CALLS} calls and was stopped")),
            Lost::TooMuchCalled => (
                Fault::Crashed,
                format!("the arguments of its calls had more than {} MB together; it was stopped", MOST_CALLED >> 20),
            ),
            Lost::Nonsense(what) => (Fault::Crashed, format!("its process spoke nonsense ({what}) and was stopped")),
            Lost::Died(_) => death.told(self.process.memory),
        };
        let name = match kind {
            Fault::TimedOut => "TimeoutError",
            Fault::OutOfMemory => "MemoryError",
            Fault::Crashed | Fault::Syntax | Fault::Thrown | Fault::Stuck => "Error",
        };
        ScriptError { kind, name: name.to_owned(), message, position: None, call: None }
    }
}

/// The frame that answers a call; what does not fit in one becomes an error that says so.
fn answer(
    id: u32,
    result: Result<serde_json::Value, CallError>,
    now: crate::time::Timestamp,
) -> std::io::Result<Vec<u8>> {
    let frame = wire::encode(&ToChild::Answer { id, result, now });
    frame.or_else(|_| {
        let error = CallError::new("RangeError", "the result is too large to be passed; ask for less");
        wire::encode(&ToChild::Answer { id, result: Err(error), now })
    })
}

/// What is known of a script's calls.
#[derive(Default)]
struct Ledger {
    settled: Vec<Settled>,
    under_way: BTreeMap<u32, Call>,
}

impl Ledger {
    fn open(&mut self, call: &Call) {
        self.under_way.insert(call.id, call.clone());
    }

    fn settle(&mut self, settled: Settled) {
        self.under_way.remove(&settled.call.id);
        if !settled.call.path.starts_with('$') {
            self.settled.push(settled);
        }
    }

    /// Waits for the effects among the calls that are under way.
    async fn drain<H: Host>(&mut self, running: &mut Running<'_>, host: &H) {
        while self.under_way.values().any(|call| host.is_effect(&call.path)) {
            match running.next().await {
                Some(settled) => self.settle(settled),
                None => return,
            }
        }
    }

    /// All calls in their order. Of effects that were cut off nobody knows whether they happened.
    fn close<H: Host>(self, host: &H) -> Vec<Settled> {
        let Self { mut settled, under_way } = self;
        settled.extend(under_way.into_values().map(|call| {
            let is_effect = host.is_effect(&call.path);
            let (message, did) = if is_effect {
                ("the script was stopped while this call was under way; it may have happened", "may have happened")
            } else {
                ("the script was stopped while this call was under way", "")
            };
            let outcome = Outcome::Unknown(CallError::new("Error", message));
            Settled { call, outcome, is_effect, did: did.to_owned() }
        }));
        settled.sort_by_key(|settled| settled.call.id);
        settled
    }
}

/// What a child said of a script's end, held to its limits even if the child itself was taken over.
fn sane(mut ended: Ended, output_limit: usize) -> Ended {
    // The note about what was left out comes on top.
    let most = output_limit + 1024;
    cut(&mut ended.output, most);
    if let Some(value) = &mut ended.value {
        cut(value, most);
    }
    if let Some(error) = &mut ended.error {
        cut(&mut error.name, LONGEST_WORDS);
        cut(&mut error.message, LONGEST_WORDS);
        if let Some(call) = &mut error.call {
            cut(call, LONGEST_WORDS);
        }
    }
    ended.ctx = ended.ctx.filter(|ctx| ctx.to_string().len() <= LARGEST_CTX);
    ended
}

fn cut(text: &mut String, most: usize) {
    text.truncate(text.floor_char_boundary(most.min(text.len())));
}

/// One frame and the reader, so that the read can go on across turns of a select loop.
async fn read_on(
    from: &mut BufReader<ChildStdout>,
    most: usize,
) -> (std::io::Result<(FromChild, usize)>, &mut BufReader<ChildStdout>) {
    (receive(from, most).await, from)
}
