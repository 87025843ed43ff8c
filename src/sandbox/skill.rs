//! The host's side of a child that holds skill code: many invocations at once, respawned when it dies.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use tokio::process::ChildStdin;
use tokio::sync::{Mutex, mpsc};

use super::process::{Process, receive};
use super::wire::{self, FromChild, ToChild};
use super::{Fetch, SandboxError, Settings, SkillCode};
use crate::call::{CallError, Outcome};
use crate::time::{Span, Timestamp};

/// How long skill code may take to load.
const LOADING: Duration = Duration::from_secs(30);
/// How many requests one invocation may make.
const MOST_FETCHES: usize = 100;

/// A child that holds the code of one skill, or of several harmless ones. Clones share it.
#[derive(Clone, Debug)]
pub struct SkillChild(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: Settings,
    code: Vec<SkillCode>,
    line: Mutex<Option<Line>>,
}

/// The way to a living child.
#[derive(Debug)]
struct Line {
    to: ChildStdin,
    next: u32,
    /// Where the frames of each invocation go.
    waiting: Arc<std::sync::Mutex<BTreeMap<u32, mpsc::UnboundedSender<FromChild>>>>,
    reader: tokio::task::JoinHandle<()>,
}

impl Drop for Line {
    fn drop(&mut self) {
        // The reader owns the process, which is killed with it.
        self.reader.abort();
    }
}

impl SkillChild {
    pub(super) async fn load(settings: Settings, code: Vec<SkillCode>) -> Result<Self, SandboxError> {
        let line = Line::open(&settings, &code).await?;
        Ok(Self(Arc::new(Inner { settings, code, line: Mutex::new(Some(line)) })))
    }

    /// Calls a method, such as `tavily.search`. A child that died is made anew.
    pub async fn invoke<F: Fetch>(
        &self,
        path: &str,
        args: Vec<Value>,
        now: Timestamp,
        seed: u64,
        deadline: Span,
        fetch: &F,
    ) -> Outcome {
        let invoked = tokio::time::timeout(deadline.to_duration(), self.invoked(path, args, now, seed, fetch)).await;
        match invoked {
            Ok(Ok(Ok(value))) => Outcome::Done(value),
            Ok(Ok(Err(error))) => Outcome::Failed(error),
            Ok(Err(error)) => Outcome::Failed(CallError::new("Error", format!("{path}: {error}"))),
            Err(_) => {
                // What still runs in there may never end; the next call gets a new child.
                *self.0.line.lock().await = None;
                let message = format!("{path} did not answer within {} s", deadline.0 / 1000);
                Outcome::Failed(CallError::new("TimeoutError", message))
            }
        }
    }

    async fn invoked<F: Fetch>(
        &self,
        path: &str,
        args: Vec<Value>,
        now: Timestamp,
        seed: u64,
        fetch: &F,
    ) -> Result<Result<Value, CallError>, SandboxError> {
        let (id, mut frames) = {
            let mut line = self.0.line.lock().await;
            if line.as_ref().is_none_or(|line| line.reader.is_finished()) {
                *line = Some(Line::open(&self.0.settings, &self.0.code).await?);
            }
            let Some(line) = line.as_mut() else { return Err(SandboxError::Broken("it is gone".to_owned())) };
            line.next += 1;
            let id = line.next;
            let (sender, frames) = mpsc::unbounded_channel();
            line.waiting().insert(id, sender);
            line.send(&ToChild::Invoke { id, path: path.to_owned(), args, now, seed }).await?;
            (id, frames)
        };
        let mut fetching = FuturesUnordered::new();
        let mut fetches = 0;
        loop {
            tokio::select! {
                frame = frames.recv() => match frame {
                    Some(FromChild::Invoked { result, .. }) => return Ok(result),
                    Some(FromChild::Fetching { id: number, request, .. }) => {
                        fetches += 1;
                        if fetches > MOST_FETCHES {
                            let message = format!("{path} made more than {MOST_FETCHES} requests and was stopped");
                            return Ok(Err(CallError::new("Error", message)));
                        }
                        fetching.push(async move { (number, fetch.fetch(request).await) });
                    }
                    Some(_) | None => {
                        tracing::warn!(path, invocation = id, "the skill's process died");
                        let what = "its process died; it is started anew at the next call";
                        return Err(SandboxError::Broken(what.to_owned()));
                    }
                },
                Some((number, result)) = fetching.next(), if !fetching.is_empty() => {
                    let mut line = self.0.line.lock().await;
                    if let Some(line) = line.as_mut() {
                        line.send(&ToChild::Fetched { id: number, result }).await?;
                    }
                }
            }
        }
    }
}

impl Line {
    async fn open(settings: &Settings, code: &[SkillCode]) -> Result<Self, SandboxError> {
        let mut process = Process::start(settings).await?;
        // Whether it could still read this shows in what it says next.
        let _ = process.send(&ToChild::Load(code.to_vec())).await;
        match tokio::time::timeout(LOADING, process.receive()).await {
            Ok(Ok(FromChild::Loaded(Ok(())))) => {}
            Ok(Ok(FromChild::Loaded(Err(what)))) => return Err(SandboxError::Load(what)),
            Ok(Ok(other)) => return Err(SandboxError::Load(format!("it said {other:?} while loading"))),
            Ok(Err(error)) => return Err(SandboxError::Load(format!("its process died: {error}"))),
            Err(_) => return Err(SandboxError::Load("it took too long".to_owned())),
        }
        let (to, mut from, process) = process.split();
        let waiting: Arc<std::sync::Mutex<BTreeMap<u32, mpsc::UnboundedSender<FromChild>>>> = Arc::default();
        let shared = waiting.clone();
        let reader = tokio::spawn(async move {
            // Killed when the reader ends.
            let _process = process;
            while let Ok((frame, _)) = receive(&mut from, wire::LARGEST).await {
                let (id, is_last) = match &frame {
                    FromChild::Invoked { id, .. } => (*id, true),
                    FromChild::Fetching { invocation, .. } => (*invocation, false),
                    FromChild::Ready { .. } | FromChild::Called(_) | FromChild::Done(_) | FromChild::Loaded(_) => break,
                };
                let mut waiting = shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                let sender = if is_last { waiting.remove(&id) } else { waiting.get(&id).cloned() };
                if let Some(sender) = sender {
                    // Whoever asked may have given up.
                    let _ = sender.send(frame);
                }
            }
            shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clear();
        });
        Ok(Self { to, next: 0, waiting, reader })
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, BTreeMap<u32, mpsc::UnboundedSender<FromChild>>> {
        self.waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    async fn send(&mut self, frame: &ToChild) -> Result<(), SandboxError> {
        let bytes = wire::encode(frame).map_err(|e| SandboxError::Broken(e.to_string()))?;
        self.to.write_all(&bytes).await.map_err(|e| SandboxError::Broken(e.to_string()))
    }
}
