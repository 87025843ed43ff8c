//! A child process with its pipes, whatever it is used for.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

use super::death::Death;
use super::wire::{self, FromChild, ToChild};
use super::{CHILD, SandboxError, Settings};

/// How long a child may take to come up. A debug build on a busy machine needs a second.
const COMING_UP: Duration = Duration::from_secs(20);
/// How long a child that closed its pipes may take to be gone, and to say its last words.
const DYING: Duration = Duration::from_millis(500);
/// Bytes of a child's last words that are looked at.
const LAST_WORDS: u64 = 4096;

/// A child process with its pipes.
#[derive(Debug)]
pub(super) struct Process {
    process: tokio::process::Child,
    pub(super) to: ChildStdin,
    pub(super) from: BufReader<ChildStdout>,
    /// The beginning of what it writes on standard error, once that is closed or long enough.
    words: Option<JoinHandle<Vec<u8>>>,
    pub(super) memory: u64,
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
        let (Some(to), Some(from), Some(said)) = (process.stdin.take(), process.stdout.take(), process.stderr.take())
        else {
            return Err(SandboxError::Broken("it has no pipes".to_owned()));
        };
        let (from, words) = (BufReader::new(from), Some(tokio::spawn(last_words(said))));
        let (holds, missing) = (Vec::new(), Vec::new());
        let mut started = Self { process, to, from, words, memory: settings.memory, holds, missing };
        // One that died before it could read this is told from one that lives by what comes next from it.
        let _ = started.send(&ToChild::Begin { memory: settings.memory, weak: settings.weak }).await;
        match tokio::time::timeout(COMING_UP, started.receive()).await {
            Ok(Ok(FromChild::Ready { holds, missing })) => {
                if !missing.is_empty() && !settings.weak {
                    return Err(SandboxError::Weak { missing: missing.join(", ") });
                }
                (started.holds, started.missing) = (holds, missing);
                Ok(started)
            }
            Ok(Ok(other)) => Err(SandboxError::Broken(format!("it said {other:?} first"))),
            Ok(Err(error)) => Err(SandboxError::Broken(format!("{error}; {}", started.death().await.words))),
            Err(_) => Err(SandboxError::Spawn(std::io::ErrorKind::TimedOut.into())),
        }
    }

    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }

    pub(super) async fn send(&mut self, frame: &ToChild) -> std::io::Result<()> {
        self.to.write_all(&wire::encode(frame)?).await
    }

    /// Reads a frame. Not safe to drop half-way.
    pub(super) async fn receive(&mut self) -> std::io::Result<FromChild> {
        receive(&mut self.from, wire::LARGEST).await.map(|(frame, _)| frame)
    }

    pub(super) fn split(self) -> (ChildStdin, BufReader<ChildStdout>, tokio::process::Child) {
        (self.to, self.from, self.process)
    }

    /// How a process ended whose pipes are closed; one that does not end by itself is killed.
    pub(super) async fn death(&mut self) -> Death {
        let status = match tokio::time::timeout(DYING, self.process.wait()).await {
            Ok(Ok(status)) => Some(status),
            Ok(Err(_)) | Err(_) => None,
        };
        self.kill();
        let words = match self.words.take() {
            Some(words) => tokio::time::timeout(DYING, words).await.ok().and_then(Result::ok).unwrap_or_default(),
            None => Vec::new(),
        };
        Death { status, words: String::from_utf8_lossy(&words).into_owned() }
    }

    /// Kills it now; whoever drops it reaps it.
    pub(super) fn kill(&mut self) {
        // It may be dead already; either way it is over.
        let _ = self.process.start_kill();
    }
}

/// Reads as it is written, so that a child never waits for its reader, and closes the pipe after so many bytes, so that
/// it cannot keep the reader busy either.
async fn last_words(said: ChildStderr) -> Vec<u8> {
    let mut words = Vec::new();
    // What was read until an error is all there is.
    let _ = said.take(LAST_WORDS).read_to_end(&mut words).await;
    words
}

/// Reads one frame of at most so many bytes, and says how many it had. Whatever the child wrote, this is all that
/// it can do to the host: an error, or a frame.
pub(super) async fn receive(from: &mut (impl AsyncRead + Unpin), most: usize) -> std::io::Result<(FromChild, usize)> {
    let mut prefix = [0; 4];
    from.read_exact(&mut prefix).await?;
    let length = wire::length(prefix, most)?;
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).await?;
    Ok((serde_json::from_slice(&bytes)?, length))
}

#[cfg(test)]
mod garbage;
