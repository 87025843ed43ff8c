//! The host's side of a child that runs scripts.

use std::process::Stdio;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStdin, ChildStdout, Command};

use super::wire::{self, Ended, FromChild, ToChild};
use super::{CHILD, Host, SandboxError, Script, Settings};
use crate::call::{Call, Fault, Report, ScriptError, Settled};
use crate::time::Span;

/// How long a child may take to come up. A debug build on a busy machine needs a second.
const COMING_UP: Duration = Duration::from_secs(20);
/// How many calls one script may make.
const MOST_CALLS: usize = 1_000;
/// How many calls of one script are answered at the same time; further ones wait their turn.
const AT_ONCE: usize = 16;
/// Bytes of a child's last words that are looked at.
const LAST_WORDS: u64 = 4096;

/// A child process with its pipes.
#[derive(Debug)]
pub(super) struct Process {
    process: tokio::process::Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    memory: u64,
    pub(super) holds: Vec<String>,
    pub(super) missing: Vec<String>,
}

impl Process {
    pub(super) async fn start(settings: &Settings) -> Result<Self, SandboxError> {
        let mut process = Command::new(&settings.exe)
            .arg0("groupmate-sandbox")
            .arg(CHILD)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(SandboxError::Spawn)?;
        let (Some(to), Some(from)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(SandboxError::Broken("it has no pipes".to_owned()));
        };
        let from = BufReader::new(from);
        let mut started = Self { process, to, from, memory: settings.memory, holds: Vec::new(), missing: Vec::new() };
        started
            .send(&ToChild::Begin { memory: settings.memory, weak: settings.weak })
            .await
            .map_err(SandboxError::Spawn)?;
        match tokio::time::timeout(COMING_UP, started.receive()).await {
            Ok(Ok(FromChild::Ready { holds, missing })) => {
                if !missing.is_empty() && !settings.weak {
                    return Err(SandboxError::Weak { missing: missing.join(", ") });
                }
                (started.holds, started.missing) = (holds, missing);
                Ok(started)
            }
            Ok(Ok(other)) => Err(SandboxError::Broken(format!("it said {other:?} first"))),
            Ok(Err(error)) => Err(SandboxError::Broken(format!("{error}; {}", started.last_words().await))),
            Err(_) => Err(SandboxError::Broken("it was silent for too long".to_owned())),
        }
    }

    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }

    pub(super) async fn send(&mut self, frame: &ToChild) -> std::io::Result<()> {
        self.to.write_all(&wire::encode(frame)?).await
    }

    /// Reads a frame. Not safe to drop half-way: see [`Frames`] for that.
    pub(super) async fn receive(&mut self) -> std::io::Result<FromChild> {
        receive(&mut self.from).await
    }

    pub(super) fn split(self) -> (ChildStdin, BufReader<ChildStdout>, tokio::process::Child) {
        (self.to, self.from, self.process)
    }

    /// How the process ended, in plain words.
    async fn last_words(&mut self) -> String {
        // It may hang as well as be dead; either way it is over.
        let _ = self.process.start_kill();
        let mut words = Vec::new();
        if let Some(stderr) = &mut self.process.stderr {
            let _ = tokio::time::timeout(Duration::from_secs(1), stderr.take(LAST_WORDS).read_to_end(&mut words)).await;
        }
        String::from_utf8_lossy(&words).into_owned()
    }
}

/// Reads one frame.
pub(super) async fn receive(from: &mut BufReader<ChildStdout>) -> std::io::Result<FromChild> {
    let mut prefix = [0; 4];
    from.read_exact(&mut prefix).await?;
    let mut bytes = vec![0; wire::length(prefix)?];
    from.read_exact(&mut bytes).await?;
    Ok(serde_json::from_slice(&bytes)?)
}

/// A child that runs the scripts of one turn.
#[derive(Debug)]
pub struct Child {
    process: Process,
    is_dead: bool,
}

/// Why a script's child is no longer of use.
enum Lost {
    TimedOut,
    TooManyCalls,
    Died,
    Nonsense(String),
}

impl Child {
    pub(super) const fn new(process: Process) -> Self {
        Self { process, is_dead: false }
    }

    /// Runs a script to its report. If the report says that the variables are gone, the child is dead: take another.
    pub async fn run<H: Host>(&mut self, script: Script, host: &H) -> Report {
        let begun = script.now;
        let deadline = script.deadline;
        let mut calls = Vec::new();
        let ended = if self.is_dead {
            Err(Lost::Died)
        } else {
            match tokio::time::timeout(deadline.to_duration(), self.serve(script, host, &mut calls)).await {
                Ok(ended) => ended,
                Err(_) => Err(Lost::TimedOut),
            }
        };
        calls.sort_by_key(|settled: &Settled| settled.call.id);
        calls.retain(|settled| !settled.call.path.starts_with('$'));
        let took = host.now().since(begun);
        match ended {
            Ok(Ended { output, value, origin, error, ctx }) => {
                Report { output, value, origin, error, calls, took, variables_gone: false, ctx }
            }
            Err(lost) => {
                self.is_dead = true;
                let error = self.obituary(lost, deadline).await;
                Report { error: Some(error), calls, took, variables_gone: true, ..Report::default() }
            }
        }
    }

    async fn serve<H: Host>(&mut self, script: Script, host: &H, calls: &mut Vec<Settled>) -> Result<Ended, Lost> {
        self.process.send(&ToChild::Run(Box::new(script))).await.map_err(|_| Lost::Died)?;
        let Process { to, from, .. } = &mut self.process;
        let mut reading = Box::pin(read_on(from));
        let mut running = FuturesUnordered::new();
        let mut queued: std::collections::VecDeque<Call> = std::collections::VecDeque::new();
        let mut made = 0;
        loop {
            tokio::select! {
                biased;
                Some(settled) = running.next(), if !running.is_empty() => {
                    let settled: Settled = settled;
                    let answer = ToChild::Answer {
                        id: settled.call.id,
                        result: settled.outcome.clone().into_result(),
                        now: host.now(),
                    };
                    calls.push(settled);
                    if let Some(call) = queued.pop_front() {
                        running.push(host.call(call));
                    }
                    to.write_all(&wire::encode(&answer).map_err(|_| Lost::Died)?).await.map_err(|_| Lost::Died)?;
                }
                (frame, from) = &mut reading => {
                    match frame.map_err(|_| Lost::Died)? {
                        FromChild::Called(call) => {
                            made += 1;
                            if made > MOST_CALLS {
                                return Err(Lost::TooManyCalls);
                            }
                            // A timer only waits; it takes nobody's place.
                            if running.len() < AT_ONCE || call.path.starts_with('$') {
                                running.push(host.call(call));
                            } else {
                                queued.push_back(call);
                            }
                        }
                        FromChild::Done(ended) => return Ok(*ended),
                        other => return Err(Lost::Nonsense(format!("{other:?}").chars().take(80).collect())),
                    }
                    reading = Box::pin(read_on(from));
                }
            }
        }
    }

    async fn obituary(&mut self, lost: Lost, deadline: Span) -> ScriptError {
        let words = self.process.last_words().await;
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
            Lost::Nonsense(what) => (Fault::Crashed, format!("its process spoke nonsense ({what}) and was stopped")),
            Lost::Died if words.contains("memory allocation") || words.contains("capacity overflow") => (
                Fault::OutOfMemory,
                format!("it used more than {} MB and was stopped", self.process.memory / (1024 * 1024)),
            ),
            Lost::Died if words.contains("stack") => {
                (Fault::Crashed, "it went too deep (recursion or nesting) and was stopped".to_owned())
            }
            Lost::Died => (Fault::Crashed, "the engine crashed on it; write it in another way".to_owned()),
        };
        let name = match kind {
            Fault::TimedOut => "TimeoutError",
            Fault::OutOfMemory => "MemoryError",
            Fault::Crashed | Fault::Syntax | Fault::Thrown | Fault::Stuck => "Error",
        };
        tracing::debug!(?kind, words, "a script's child was lost");
        ScriptError { kind, name: name.to_owned(), message, position: None, call: None }
    }
}

/// One frame and the reader, so that the read can go on across turns of a select loop.
async fn read_on(from: &mut BufReader<ChildStdout>) -> (std::io::Result<FromChild>, &mut BufReader<ChildStdout>) {
    (receive(from).await, from)
}
