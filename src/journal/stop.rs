//! Why a session's tape can stand still for good.

/// Why a tape stands still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The journal can no longer be written; nothing may happen that it does not hold.
    Journal(String),
    /// The replay does what the recording did not.
    Diverged(Box<Divergence>),
}

/// Where a replay left its recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The line of the recording.
    pub seq: u64,
    /// The step.
    pub step: String,
    /// What the recording holds.
    pub recorded: String,
    /// What happened now.
    pub now: String,
}
