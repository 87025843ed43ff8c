//! What passes between a script and the host: calls, their outcomes, and the report of a run.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::ids::{MessageId, PersonId, RoomId};
use crate::time::{Span, Timestamp};

/// One skill method invoked by a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Counts from 1 within the script, in the order in which calls were made.
    pub id: u32,
    /// The whole path, such as `telegram.sendText`.
    pub path: String,
    /// Arguments by value.
    pub args: Vec<Value>,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It gave this value.
    Done(Value),
    /// It threw.
    Failed(CallError),
    /// A rule forbade it before anything happened.
    Denied(CallError),
    /// It waits for the operator.
    Parked(CallError),
    /// It may or may not have happened.
    Unknown(CallError),
}

impl Outcome {
    /// What the script awaits: the value, or the error to throw.
    pub fn into_result(self) -> Result<Value, CallError> {
        match self {
            Outcome::Done(value) => Ok(value),
            Outcome::Failed(e) | Outcome::Denied(e) | Outcome::Parked(e) | Outcome::Unknown(e) => Err(e),
        }
    }

    /// The word that reports and journals use.
    pub const fn word(&self) -> &'static str {
        match self {
            Outcome::Done(_) => "done",
            Outcome::Failed(_) => "failed",
            Outcome::Denied(_) => "denied",
            Outcome::Parked(_) => "parked",
            Outcome::Unknown(_) => "unknown",
        }
    }
}

/// An error as a script sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallError {
    /// The JavaScript error name: `TypeError`, `RangeError`, `PermissionError`, `NetworkError`, …
    pub name: String,
    /// What went wrong and what to do instead. Never quotes what the reader may not know.
    pub message: String,
}

impl CallError {
    /// An error with a name and a message.
    pub fn new(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self { name: name.into(), message: message.into() }
    }
}

/// A call with its outcome, as a report lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// The call.
    pub call: Call,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether it changed something outside (the declaration's `@effect write`).
    pub is_effect: bool,
    /// What it did, in a few words for the author: "sent message 812 to this chat". Empty for reads.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub did: String,
}

/// A call that waits for an operator's leave, or has it and is on its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parked {
    /// Its number.
    pub id: u64,
    /// The room whose script made it.
    pub room: RoomId,
    /// The call.
    pub call: Call,
    /// From when on no answer counts as no.
    pub until: Timestamp,
    /// How far it is.
    pub stage: Stage,
    /// The message that asks, once it is out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
}

/// How far a parked call is. It only goes forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// An operator is being asked.
    Waiting,
    /// It may be made, once.
    Allowed,
    /// It is being made. Found so after a crash, it may or may not have happened.
    Begun,
}

/// The message in which an operator was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The operator.
    pub operator: PersonId,
    /// The message, in their private chat with us.
    pub message: MessageId,
    /// What it says, so that the answer can be written under it.
    pub text: String,
}

/// What running a script gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Everything printed, in order, already bounded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// The value of the last expression or of a top-level `return`, printed; `None` if undefined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Where that value came from.
    #[serde(default)]
    pub origin: Origin,
    /// Why the script failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ScriptError>,
    /// Every call, in the order made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Settled>,
    /// How long it ran, by the script's own clock.
    #[serde(default)]
    pub took: Span,
    /// The child was lost, and with it the variables of earlier steps.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub variables_gone: bool,
    /// `ctx` as the script left it, if it changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ctx: Option<Value>,
}

/// Where a script's final value came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Computed, or there is none.
    #[default]
    Computed,
    /// A top-level `return`.
    Returned,
    /// The result of the call with this id.
    Call(u32),
}

/// Why a script failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptError {
    /// How it ended.
    pub kind: Fault,
    /// The error's name, such as `TypeError`.
    pub name: String,
    /// The error's message.
    pub message: String,
    /// 1-based line and column in the author's own text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<(u32, u32)>,
    /// The call that failed, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
}

/// The way in which a script failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// It does not parse.
    Syntax,
    /// It threw, or a promise was rejected and nobody caught it.
    Thrown,
    /// It waits for something that nobody will settle.
    Stuck,
    /// Its time was over.
    TimedOut,
    /// It used more memory than it may.
    OutOfMemory,
    /// The child died, or spoke nonsense.
    Crashed,
}

impl Fault {
    /// Whether a limit or crash ended it, so that a replay takes the record instead of running it again.
    pub const fn ends_the_child(self) -> bool {
        match self {
            Fault::Syntax | Fault::Thrown | Fault::Stuck => false,
            Fault::TimedOut | Fault::OutOfMemory | Fault::Crashed => true,
        }
    }
}
