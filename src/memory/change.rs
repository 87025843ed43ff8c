//! The only ways in which memory alters. A change is an operation that the store applies, never a row to overwrite.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fact::{FactId, NewFact};
use crate::agenda::NewReminder;
use crate::attention::ledger::Mark;
use crate::chat::ids::{ChatId, MessageId, PersonId, RoomId};
use crate::chat::person::Profile;
use crate::time::Timestamp;

/// One change to what is remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// A person was seen under this name.
    SawPerson {
        /// As Telegram showed them.
        profile: Profile,
        /// In which chat; their DM gives it too.
        room: RoomId,
        /// When.
        at: Timestamp,
    },
    /// Remember a statement; an equal one of the same subject and audience is refreshed instead.
    AddFact(NewFact),
    /// A newer statement of the same audience takes the place of an older one.
    Supersede {
        /// The older one.
        old: FactId,
        /// The newer one.
        new: NewFact,
    },
    /// A message's place in the ledger.
    Mark {
        /// The room.
        room: RoomId,
        /// The message.
        message: MessageId,
        /// Its mark from now on.
        mark: Mark,
    },
    /// Everything up to this archive sequence number was heard and considered.
    Considered {
        /// The room.
        room: RoomId,
        /// The last archive sequence number.
        upto: u64,
    },
    /// What scripts keep for this room; `Null` clears it.
    SetCtx {
        /// The room.
        room: RoomId,
        /// The value.
        value: Value,
    },
    /// Nothing unasked in a chat until then; `None` lifts it.
    Hush {
        /// The chat, with all its topics.
        chat: ChatId,
        /// Until when.
        until: Option<Timestamp>,
    },
    /// Whether a chat gets no turns at all.
    Mute {
        /// The chat, with all its topics.
        chat: ChatId,
        /// Muted from now on, or no longer.
        is_muted: bool,
    },
    /// What is in an attachment, however often it is sent.
    Describe {
        /// Telegram's name for the bytes.
        unique_id: String,
        /// What a model told.
        text: String,
    },
    /// Set a reminder.
    AddReminder(NewReminder),
    /// Cancel a reminder of this room; one of another room is left alone.
    CancelReminder {
        /// The room.
        room: RoomId,
        /// Its number.
        id: u64,
    },
    /// Forget a person, everywhere. It sees what was committed before, so it stands alone in its batch.
    Forget {
        /// Whom.
        person: PersonId,
        /// When they asked for it.
        at: Timestamp,
    },
}
