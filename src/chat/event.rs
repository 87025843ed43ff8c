//! One thing that happened in a room. Events are what is archived, heard and replayed.

use serde::{Deserialize, Serialize};

use super::ids::{ChatId, MessageId, RoomId, TopicId};
use super::message::Message;
use super::person::{Chat, Profile, Sender};
use crate::time::Timestamp;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Where.
    pub chat: Chat,
    /// In which forum topic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<TopicId>,
    /// When, by Telegram's clock.
    pub time: Timestamp,
    /// What.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// Somebody (we too) said something.
    Said(Message),
    /// A message now reads like this.
    Edited(Message),
    /// Somebody's reactions to a message are now these; empty means taken back.
    Reacted {
        /// The message.
        message: MessageId,
        /// Who reacted.
        by: Sender,
        /// Emoji, or `custom:ID`.
        emoji: Vec<String>,
    },
    /// Somebody came in.
    Joined(Profile),
    /// Somebody went.
    Left(Profile),
    /// The group became a supergroup.
    Migrated {
        /// The new chat.
        to: ChatId,
    },
    /// A button of ours was pressed.
    Pressed {
        /// What must be answered to stop the spinner.
        query: String,
        /// Who pressed.
        by: Profile,
        /// The message that carries the button.
        message: Option<MessageId>,
        /// What the button carries.
        data: String,
        /// What the button says, if its message still shows it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        label: String,
    },
    /// A reminder or errand is due.
    Rang(Alarm),
    /// An operator decided about a call that needed leave, or what they allowed was made.
    Decided(Decision),
    /// Whether we may speak here changed: we were added, removed, restricted.
    Standing {
        /// Whether we are in and may write.
        may_speak: bool,
        /// Who did it.
        by: Option<Profile>,
        /// What we are now, in words: `an administrator who may pin messages`; empty in older records.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        now: String,
    },
    /// Anything else worth a line: a title, a pin, a topic, a boost.
    Noted {
        /// Telegram's word for it, such as `pinned_message`.
        what: String,
        /// What a transcript shows.
        text: String,
        /// What Telegram sent, of something that we do not know; cut at [`super::media::RAW_BYTES`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw: Option<String>,
    },
    /// What stood here was forgotten, as whoever it belonged to wished.
    Forgot,
}

/// An agenda item that is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alarm {
    /// The agenda item.
    pub id: u64,
    /// What was asked for.
    pub what: String,
    /// When it should have rung.
    pub due: Timestamp,
    /// The person it was set for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_by: Option<Profile>,
}

/// What became of a call that needed an operator's leave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The parked call.
    pub id: u64,
    /// The call in words: its path and arguments, bounded.
    pub call: String,
    /// Who decided, if somebody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Profile>,
    /// The answer.
    pub leave: Leave,
    /// What came of the call, once it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub came_of: Option<String>,
}

/// An answer to a call that needed leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leave {
    /// This call may be made.
    Once,
    /// It may, and every later one of the same method in this chat.
    Chat,
    /// It may not.
    Denied,
    /// Nobody answered in time, which is a no.
    Late,
    /// We were restarted before anybody answered, which is a no.
    Restart,
}

impl Leave {
    /// Whether the call is to be made.
    pub const fn is_given(self) -> bool {
        match self {
            Leave::Once | Leave::Chat => true,
            Leave::Denied | Leave::Late | Leave::Restart => false,
        }
    }
}

impl EventKind {
    /// A notice with these words.
    pub fn noted(what: impl Into<String>, text: impl Into<String>) -> Self {
        EventKind::Noted { what: what.into(), text: text.into(), raw: None }
    }
}

impl Event {
    /// The room it happened in.
    pub const fn room(&self) -> RoomId {
        RoomId { chat: self.chat.id, topic: self.topic }
    }

    /// The message it is about, if it says or edits one.
    pub const fn message(&self) -> Option<&Message> {
        match &self.kind {
            EventKind::Said(message) | EventKind::Edited(message) => Some(message),
            EventKind::Reacted { .. }
            | EventKind::Joined(_)
            | EventKind::Left(_)
            | EventKind::Migrated { .. }
            | EventKind::Pressed { .. }
            | EventKind::Rang(_)
            | EventKind::Decided(_)
            | EventKind::Standing { .. }
            | EventKind::Noted { .. }
            | EventKind::Forgot => None,
        }
    }

    /// The message that was there before and that something happened to.
    pub const fn about(&self) -> Option<MessageId> {
        match &self.kind {
            EventKind::Edited(message) => Some(message.id),
            EventKind::Reacted { message, .. } => Some(*message),
            EventKind::Pressed { message, .. } => *message,
            EventKind::Said(_)
            | EventKind::Joined(_)
            | EventKind::Left(_)
            | EventKind::Migrated { .. }
            | EventKind::Rang(_)
            | EventKind::Decided(_)
            | EventKind::Standing { .. }
            | EventKind::Noted { .. }
            | EventKind::Forgot => None,
        }
    }

    /// Every person whom the event shows, for their names to be remembered.
    pub fn profiles(&self) -> impl Iterator<Item = &Profile> {
        let (first, second) = match &self.kind {
            EventKind::Said(m) | EventKind::Edited(m) => {
                (m.from.profile(), m.reply_to.as_ref().and_then(|q| q.from.as_ref()).and_then(Sender::profile))
            }
            EventKind::Reacted { by, .. } => (by.profile(), None),
            EventKind::Joined(p) | EventKind::Left(p) | EventKind::Pressed { by: p, .. } => (Some(p), None),
            EventKind::Rang(alarm) => (alarm.asked_by.as_ref(), None),
            EventKind::Standing { by, .. } => (by.as_ref(), None),
            // Who decided did so in a chat of their own, and need not be in this one.
            EventKind::Migrated { .. } | EventKind::Decided(_) | EventKind::Noted { .. } | EventKind::Forgot => {
                (None, None)
            }
        };
        first.into_iter().chain(second)
    }
}
