//! How fast messages may go out: what Telegram asks of bots, kept before it has to ask.
//!
//! A chat's own limit is waited for before a place among all chats is taken, so that a chat that must wait takes nothing
//! from the others.

use std::collections::{HashMap, VecDeque};

use crate::chat::ids::ChatId;
use crate::time::{Span, Timestamp};

/// Messages over all chats within [`SECOND`].
const OVERALL: usize = 30;
/// Messages in one group within [`MINUTE`].
const GROUP: usize = 20;
const SECOND: Span = Span::secs(1);
const MINUTE: Span = Span::minutes(1);
/// How many chats are remembered before those that were quiet for a minute are forgotten.
const MANY: usize = 1024;

/// When messages went out.
#[derive(Debug, Default)]
pub(super) struct Pace {
    chats: HashMap<ChatId, VecDeque<Timestamp>>,
    overall: VecDeque<Timestamp>,
}

impl Pace {
    /// Takes a place for one message now, or says when to ask again.
    pub(super) fn take(&mut self, chat: ChatId, now: Timestamp) -> Result<(), Timestamp> {
        if self.chats.len() > MANY {
            self.chats.retain(|_, sent| sent.back().is_some_and(|last| now.since(*last) < MINUTE));
        }
        forget(&mut self.overall, now, SECOND);
        let sent = self.chats.entry(chat).or_default();
        forget(sent, now, MINUTE);
        if let Some(last) = sent.back().filter(|last| now.since(**last) < SECOND) {
            return Err(*last + SECOND);
        }
        if let Some(first) = sent.front().filter(|_| !chat.is_private() && sent.len() >= GROUP) {
            return Err(*first + MINUTE);
        }
        if let Some(first) = self.overall.front().filter(|_| self.overall.len() >= OVERALL) {
            return Err(*first + SECOND);
        }
        sent.push_back(now);
        self.overall.push_back(now);
        Ok(())
    }

    /// A group became another chat: what went out there counts on.
    pub(super) fn moved(&mut self, from: Option<ChatId>, to: ChatId) {
        if let Some(sent) = from.and_then(|from| self.chats.remove(&from)) {
            let all = self.chats.entry(to).or_default();
            all.extend(sent);
            all.make_contiguous().sort_unstable();
        }
    }
}

fn forget(sent: &mut VecDeque<Timestamp>, now: Timestamp, window: Span) {
    while sent.front().is_some_and(|at| now.since(*at) >= window) {
        sent.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends as many as wished, each as soon as it may go; the milliseconds at which they went.
    fn run(pace: &mut Pace, chat: ChatId, count: usize, mut now: Timestamp) -> Vec<i64> {
        let mut went = Vec::new();
        while went.len() < count {
            match pace.take(chat, now) {
                Ok(()) => went.push(now.0),
                Err(at) => {
                    assert!(at > now, "a wait ends later than now");
                    now = at;
                }
            }
        }
        went
    }

    #[test]
    fn a_group_gets_one_a_second_and_twenty_a_minute_a_private_chat_one_a_second() {
        let group = run(&mut Pace::default(), ChatId(-9), 41, Timestamp(0));
        assert_eq!(group[..3], [0, 1000, 2000]);
        assert_eq!((group[19], group[20], group[40]), (19_000, 60_000, 120_000));
        let private = run(&mut Pace::default(), ChatId(9), 41, Timestamp(0));
        assert_eq!(private[40], 40_000);
    }

    #[test]
    fn all_chats_together_get_thirty_a_second_and_a_waiting_one_takes_nothing_from_them() {
        let mut pace = Pace::default();
        run(&mut pace, ChatId(-1), 20, Timestamp(0));
        let now = Timestamp(19_500);
        assert_eq!(pace.take(ChatId(-1), Timestamp(30_000)), Err(Timestamp(60_000)), "the group waits for its minute");
        let mut pace = Pace::default();
        for chat in 1..=30 {
            assert_eq!(pace.take(ChatId(chat), now), Ok(()));
            assert!(pace.take(ChatId(chat), now).is_err(), "waits, and takes no place");
        }
        assert_eq!(pace.take(ChatId(31), now), Err(now + SECOND));
        assert_eq!(pace.take(ChatId(31), now + SECOND), Ok(()));
    }
}
