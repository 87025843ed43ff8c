//! Ids as newtypes, so that a person is never passed where a chat is meant.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(
    /// A chat as Telegram numbers it: negative for groups and channels, a person's id for a DM.
    ChatId
);
id!(
    /// A forum topic: the id of the message that opened it. General has none.
    TopicId
);
id!(
    /// A message within its chat.
    MessageId
);
id!(
    /// A person (or bot) across all chats.
    PersonId
);

impl ChatId {
    /// Whether this is a direct conversation with one person.
    pub const fn is_private(self) -> bool {
        self.0 > 0
    }

    /// The person on the other side of a DM.
    pub const fn person(self) -> Option<PersonId> {
        if self.is_private() { Some(PersonId(self.0)) } else { None }
    }
}

impl PersonId {
    /// The chat in which this person is met directly.
    pub const fn dm(self) -> ChatId {
        ChatId(self.0)
    }
}

/// Our side of one chat, or of one forum topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RoomId {
    /// The chat; audience, memory and limits belong to it.
    pub chat: ChatId,
    /// The topic; `None` for General and for chats without topics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<TopicId>,
}

impl RoomId {
    /// The room of a whole chat (or its General topic).
    pub const fn whole(chat: ChatId) -> Self {
        Self { chat, topic: None }
    }
}

impl fmt::Display for RoomId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.topic {
            None => write!(f, "{}", self.chat),
            Some(topic) => write!(f, "{}/{}", self.chat, topic),
        }
    }
}
