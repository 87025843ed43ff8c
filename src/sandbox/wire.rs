//! Frames between host and child: four bytes of length, little end first, then JSON.
//!
//! Invariant: neither side trusts the other's length; a frame beyond [`LARGEST`] is an error, not an allocation.

use std::cell::RefCell;
use std::io::{BufReader, Read, Write as _};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{FetchReply, FetchRequest, Script, SkillCode};
use crate::call::{Call, CallError, Origin, ScriptError};
use crate::time::Timestamp;

/// Bytes of the largest frame: a fetched megabyte with room for escapes.
pub(super) const LARGEST: usize = 8 * 1024 * 1024;

/// From the host to a child.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum ToChild {
    /// Limits, before anything else.
    Begin { memory: u64, weak: bool },
    /// Run a script.
    Run(Box<Script>),
    /// A call was answered.
    Answer { id: u32, result: Result<Value, CallError>, now: Timestamp },
    /// Load skill code.
    Load(Vec<SkillCode>),
    /// Call a method of a skill.
    Invoke { id: u32, path: String, args: Vec<Value>, now: Timestamp, seed: u64 },
    /// A fetch was answered.
    Fetched { id: u32, result: Result<FetchReply, CallError> },
}

/// From a child to the host.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum FromChild {
    /// The child is up; what isolates it, and what does not hold.
    Ready { holds: Vec<String>, missing: Vec<String> },
    /// A script called a method.
    Called(Call),
    /// A script ended.
    Done(Box<Ended>),
    /// Skill code is loaded, or says why not.
    Loaded(Result<(), String>),
    /// A method of a skill gave this; with the invocation's number.
    Invoked { id: u32, result: Result<Value, CallError> },
    /// Skill code fetches; with the number of the invocation that it serves.
    Fetching { id: u32, invocation: u32, request: FetchRequest },
}

/// What the child knows of a script's end.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Ended {
    pub(super) output: String,
    pub(super) value: Option<String>,
    pub(super) origin: Origin,
    pub(super) error: Option<ScriptError>,
    pub(super) ctx: Option<Value>,
}

/// Bytes of frames that a child gathers before it writes them.
const GATHERED: usize = 32 * 1024;

thread_local! {
    /// What the child has to say and has not written yet: a write wakes the host, so calls that are made together go
    /// together. Before the child waits, all of it is written.
    static GATHER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Says something to the host, at the latest when this thread waits for a frame.
pub(super) fn say(frame: &FromChild) -> std::io::Result<()> {
    let bytes = encode(frame)?;
    let is_full = GATHER.with_borrow_mut(|gathered| {
        gathered.extend(bytes);
        gathered.len() >= GATHERED
    });
    if is_full { flush() } else { Ok(()) }
}

fn flush() -> std::io::Result<()> {
    let gathered = GATHER.take();
    if gathered.is_empty() {
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    out.write_all(&gathered)?;
    out.flush()
}

/// A frame's bytes.
pub(super) fn encode(frame: &impl Serialize) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; 4];
    serde_json::to_writer(&mut bytes, frame)?;
    let length = bytes.len() - 4;
    match u32::try_from(length) {
        Ok(prefix) if length <= LARGEST => bytes[..4].copy_from_slice(&prefix.to_le_bytes()),
        _ => return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "a frame is too large")),
    }
    Ok(bytes)
}

/// Reads a frame; `None` at a clean end. Says first what is still to be said, unless an answer is there already.
pub(super) fn hear<T: DeserializeOwned>(from: &mut BufReader<impl Read>) -> std::io::Result<Option<T>> {
    if from.buffer().is_empty() {
        flush()?;
    }
    let mut prefix = [0; 4];
    match from.read_exact(&mut prefix) {
        Ok(()) => {}
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(e) => return Err(e),
    }
    let length = length(prefix, LARGEST)?;
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(Some(serde_json::from_slice(&bytes)?))
}

/// A frame's length, if it is one that we read.
pub(super) fn length(prefix: [u8; 4], most: usize) -> std::io::Result<usize> {
    let length = usize::try_from(u32::from_le_bytes(prefix)).unwrap_or(usize::MAX);
    if length > most {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "a frame is too large"));
    }
    Ok(length)
}
