//! What can be done in Telegram.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::ids::MessageId;

/// Kinds of acts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActKind {
    /// Say something; a long text becomes several messages.
    Text {
        /// The text, light Markdown.
        text: String,
        /// The message that it replies to.
        reply_to: Option<MessageId>,
        /// The part of that message that is quoted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        quote: Option<String>,
        /// Without notification.
        quiet: bool,
        /// Buttons under it (under the last message of a long text).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        buttons: Buttons,
    },
    /// Set our reaction to a message, or take it back.
    React {
        /// The message.
        message: MessageId,
        /// An emoji, or `custom:ID`.
        emoji: Option<String>,
    },
    /// Change a message of ours.
    Edit {
        /// The message.
        message: MessageId,
        /// Its new text; none leaves the text and changes the buttons only.
        text: Option<String>,
        /// Its buttons from now on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        buttons: Buttons,
    },
    /// One Bot API method, with its parameters as documented; the chat's id among them.
    Ask {
        /// The method's documented name.
        method: String,
        /// Its parameters.
        body: Value,
        /// What it does, in a few words.
        says: String,
    },
}

impl ActKind {
    /// Whether it puts a new message into a chat.
    pub fn speaks(&self) -> bool {
        match self {
            Self::Text { .. } => true,
            Self::Ask { method, .. } => is_send(method),
            Self::React { .. } | Self::Edit { .. } => false,
        }
    }
}

/// Whether a Bot API method puts a new message into a chat.
pub(super) fn is_send(method: &str) -> bool {
    ["send", "forward", "copy"].iter().any(|verb| method.starts_with(verb))
}

/// Rows of buttons under a message.
pub type Buttons = Vec<Vec<Button>>;

/// One button under a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Button {
    /// What it says.
    pub text: String,
    /// What pressing it does.
    pub does: ButtonDoes,
}

/// What pressing a button does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ButtonDoes {
    /// We are told, with this: 1 to 64 bytes.
    Tell(String),
    /// It opens this address.
    Open(String),
}
