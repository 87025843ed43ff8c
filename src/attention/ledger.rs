//! What became of each message that was addressed to us.

use serde::{Deserialize, Serialize};

/// A message's place in the ledger. Messages without a row were heard and not meant for us.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Addressed to us; we owe a decision.
    Owed,
    /// Answered by this act.
    Answered {
        /// The act's number.
        act: u64,
    },
    /// An act that answers it may or may not have been sent; never repeated.
    Unknown {
        /// The act's number.
        act: u64,
    },
    /// Let go, and why.
    LetGo {
        /// The reason, as `turn.pass` or the room gave it.
        why: String,
    },
}

impl Mark {
    /// Whether nothing more is owed.
    pub const fn is_handled(&self) -> bool {
        match self {
            Mark::Owed => false,
            Mark::Answered { .. } | Mark::Unknown { .. } | Mark::LetGo { .. } => true,
        }
    }
}
