//! The agenda: reminders, when they are due, and how a time is written.

pub mod when;

use serde::{Deserialize, Serialize};

use crate::chat::ids::RoomId;
use crate::chat::person::Profile;
use crate::time::Timestamp;

/// A reminder on its way into the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewReminder {
    /// The room in which it rings.
    pub room: RoomId,
    /// What to do or say then.
    pub what: String,
    /// When it rings.
    pub due: Timestamp,
    /// When it was set.
    pub set: Timestamp,
    /// Who asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_by: Option<Profile>,
}

/// A stored reminder. It is removed when it has rung or was cancelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reminder {
    /// Its number.
    pub id: u64,
    /// The reminder.
    #[serde(flatten)]
    pub set: NewReminder,
}
