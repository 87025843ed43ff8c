//! Scripts and skill code run in child processes of this same binary. Treat what is in them as an attacker's.
//!
//! Invariants:
//! - A child has no ambient authority: no files, no network, no environment. All it can do is speak frames over its
//!   pipes, and every call among them is judged by the host.
//! - One child serves one turn, or the code of one skill; scripts and skill code never share one.
//! - Whatever a script does ends in a [`Report`](crate::call::Report), and the next script runs.

mod child;
mod death;
mod engine;
mod explain;
mod limits;
mod notebook;
mod pool;
mod process;
mod skill;
mod wire;
pub mod worker;

use std::future::Future;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::{Call, CallError, Settled};
use crate::time::{Span, Timestamp};

pub use self::child::Child;
pub use self::pool::Pool;
pub use self::skill::SkillChild;

/// The first argument that makes this binary a child of the sandbox.
pub const CHILD: &str = "sandbox-child";

/// Bytes that `ctx` may have as JSON.
const LARGEST_CTX: usize = 64 * 1024;

/// How children are made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// This binary.
    pub exe: PathBuf,
    /// Bytes that scripts of one turn may use.
    pub memory: u64,
    /// Run even where the kernel cannot isolate.
    pub weak: bool,
    /// Children kept ready.
    pub spares: usize,
}

/// Why scripts cannot run.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// A child cannot be started.
    #[error("the sandbox cannot start a child process: {0}")]
    Spawn(std::io::Error),
    /// A child did not come up.
    #[error("a sandbox child did not come up: {0}")]
    Broken(String),
    /// The kernel lacks what isolates a child.
    #[error(
        "this kernel cannot isolate scripts ({missing}); set `sandbox.weak = true` to run without, at your own risk"
    )]
    Weak {
        /// What is missing.
        missing: String,
    },
    /// A skill's code does not load.
    #[error("skill code does not load: {0}")]
    Load(String),
}

/// What a script's calls reach.
pub trait Host: Send + Sync {
    /// Answers a call.
    fn call(&self, call: Call) -> impl Future<Output = Settled> + Send;
    /// The time that the script's clock shows now.
    fn now(&self) -> Timestamp;
    /// Whether a call of this path may change something outside.
    fn is_effect(&self, path: &str) -> bool;
}

/// What the fetches of skill code reach.
pub trait Fetch: Send + Sync {
    /// Answers a fetch.
    fn fetch(&self, request: FetchRequest) -> impl Future<Output = Result<FetchReply, CallError>> + Send;
}

/// One script of a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Script {
    /// Counts from 1 within the turn.
    pub number: u32,
    /// The code, as its author wrote it.
    pub source: String,
    /// Names of the skill objects.
    pub skills: Vec<String>,
    /// What the room keeps for scripts; `Null` is nothing yet.
    pub ctx: Value,
    /// The time at which its clock begins.
    pub now: Timestamp,
    /// From which its chance is drawn.
    pub seed: u64,
    /// The zone of `Date` and `Temporal`.
    pub zone: String,
    /// How long it may run, its calls included.
    pub deadline: Span,
    /// Bytes that it may print.
    pub output_limit: usize,
}

/// The code of one skill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkillCode {
    /// The skill's name.
    pub name: String,
    /// Its module as JavaScript; the default export is the object, or a function that makes it from the settings.
    pub source: String,
    /// What the operator set, secrets left out.
    pub settings: Value,
}

/// A request of skill code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FetchRequest {
    /// The HTTP method.
    pub method: String,
    /// The address.
    pub url: String,
    /// Headers, as the code set them.
    pub headers: Vec<(String, String)>,
    /// The body as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// The answer to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FetchReply {
    /// The address that answered at last.
    pub url: String,
    /// The HTTP status.
    pub status: u16,
    /// Its headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Its body as text.
    pub body: String,
}
