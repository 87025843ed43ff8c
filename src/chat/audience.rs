//! Who may learn a piece of information, and the two questions every row and act is asked.
//!
//! Invariant: nothing reaches a prompt, a script or a chat but through [`Reader::may_read`] and
//! [`Circles::may_tell`]. Both answer "no" to what they do not know.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::ids::{ChatId, PersonId};

/// Who may learn a piece of information.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Anyone.
    Everyone,
    /// The chats of one circle and their members.
    Circle(String),
    /// One chat and its members.
    Chat(ChatId),
    /// One person, in their DM only.
    Dm(PersonId),
    /// Nobody but us: never in a prompt of any room.
    Us,
}

/// Which chats share what is remembered, as the operator configured it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Circles {
    /// The circle of each chat that has one.
    pub of: BTreeMap<ChatId, String>,
    /// Chats whose talk is for everyone.
    pub public: BTreeSet<ChatId>,
}

/// Who listens in one turn: the room's own audience, and in a DM the groups its person belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    /// The chat the turn belongs to.
    pub chat: ChatId,
    /// The chat's circle, if any.
    pub circle: Option<String>,
    /// In a DM: groups in which Telegram confirmed the person's membership just now.
    pub member_of: BTreeSet<ChatId>,
    /// In a DM: circles of those groups.
    pub member_circles: BTreeSet<String>,
}

/// Where something would go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The chat that would receive it.
    pub chat: ChatId,
    /// For a DM: whether its person is a member of the chat that the turn belongs to. Unknown is `false`.
    pub is_member: bool,
}

impl Circles {
    /// The audience of what is said in a chat.
    pub fn audience(&self, chat: ChatId) -> Audience {
        match chat.person() {
            Some(person) => Audience::Dm(person),
            None if self.public.contains(&chat) => Audience::Everyone,
            None => match self.of.get(&chat) {
                Some(circle) => Audience::Circle(circle.clone()),
                None => Audience::Chat(chat),
            },
        }
    }

    /// The reader that a turn in `chat` is. `member_of` matters in a DM only.
    pub fn reader(&self, chat: ChatId, member_of: BTreeSet<ChatId>) -> Reader {
        let member_of = if chat.is_private() { member_of } else { BTreeSet::new() };
        let member_circles = member_of.iter().filter_map(|group| self.of.get(group).cloned()).collect();
        Reader { chat, circle: self.of.get(&chat).cloned(), member_of, member_circles }
    }

    /// Whether what a turn in `from` produced may go to `to`.
    ///
    /// Allowed are the chat itself, its circle, and the DM of one of its members; from a DM only that DM.
    /// A public chat is no exception for its own turns: they may have read what is for that chat.
    pub fn may_tell(&self, from: ChatId, to: Destination) -> bool {
        if from == to.chat {
            return true;
        }
        if from.is_private() {
            return false;
        }
        if to.chat.is_private() {
            return to.is_member;
        }
        matches!((self.of.get(&from), self.of.get(&to.chat)), (Some(a), Some(b)) if a == b)
    }
}

impl Reader {
    /// Whether this turn may use something with that audience.
    pub fn may_read(&self, audience: &Audience) -> bool {
        match audience {
            Audience::Everyone => true,
            Audience::Us => false,
            Audience::Dm(person) => self.chat.person() == Some(*person),
            Audience::Chat(chat) => *chat == self.chat || self.member_of.contains(chat),
            Audience::Circle(name) => self.circle.as_ref() == Some(name) || self.member_circles.contains(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUP: ChatId = ChatId(-100);
    const SISTER: ChatId = ChatId(-101);
    const OTHER: ChatId = ChatId(-200);
    const ANN: PersonId = PersonId(7);
    const BOB: PersonId = PersonId(8);

    fn circles() -> Circles {
        Circles { of: [(GROUP, "work".to_owned()), (SISTER, "work".to_owned())].into(), public: [ChatId(-300)].into() }
    }

    #[test]
    fn reading_follows_the_table() {
        let c = circles();
        let in_group = c.reader(GROUP, BTreeSet::new());
        let in_other = c.reader(OTHER, BTreeSet::new());
        let ann = c.reader(ANN.dm(), [GROUP].into());
        let bob = c.reader(BOB.dm(), BTreeSet::new());
        let rows = [
            (Audience::Everyone, [true, true, true, true]),
            (Audience::Circle("work".into()), [true, false, true, false]),
            (Audience::Chat(GROUP), [true, false, true, false]),
            (Audience::Chat(OTHER), [false, true, false, false]),
            (Audience::Dm(ANN), [false, false, true, false]),
            (Audience::Us, [false, false, false, false]),
        ];
        for (audience, expected) in rows {
            let got = [&in_group, &in_other, &ann, &bob].map(|reader| reader.may_read(&audience));
            assert_eq!(got, expected, "{audience:?}");
        }
    }

    #[test]
    fn telling_follows_the_table() {
        let c = circles();
        let to = |chat, is_member| Destination { chat, is_member };
        let rows = [
            (GROUP, to(GROUP, false), true),
            (GROUP, to(SISTER, false), true),
            (GROUP, to(OTHER, false), false),
            (GROUP, to(ANN.dm(), true), true),
            (GROUP, to(BOB.dm(), false), false),
            (ANN.dm(), to(ANN.dm(), false), true),
            (ANN.dm(), to(GROUP, false), false),
            (ANN.dm(), to(BOB.dm(), true), false),
            (OTHER, to(GROUP, false), false),
        ];
        for (from, dest, expected) in rows {
            assert_eq!(c.may_tell(from, dest), expected, "{from} → {dest:?}");
        }
    }

    #[test]
    fn a_group_never_reads_through_a_member() {
        let reader = circles().reader(OTHER, [GROUP].into());
        assert!(!reader.may_read(&Audience::Chat(GROUP)));
    }
}
