//! Long polling for raw updates.
//!
//! Invariants: Telegram is told that an update was received only after [`Poller::acknowledge`], so the caller makes it
//! durable first; whatever was not acknowledged comes again. A poll always ends: one that outlasts what it asked for is
//! given up, with its connection.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::wire::{ApiError, Wire};
use crate::clock::Dice;
use crate::time::{Span, Timestamp};

/// How long Telegram may hold a request that has nothing to tell, unless it is configured.
const HOLD: Span = Span::secs(50);
/// How much longer than that we wait, at least and at most: the network's share.
const GRACE: (Span, Span) = (Span::secs(2), Span::secs(20));
/// What an answer that told nothing must at least have taken; else a cache answers in Telegram's place, without end.
const HASTE: Duration = Duration::from_millis(200);
/// What is added at most to a wait that Telegram asked for.
const MORE_MS: u64 = 1000;
/// The most updates in one answer, as Telegram allows.
pub const BATCH: usize = 100;
/// What we hear. Reactions and other people's coming and going are left out by Telegram unless they are asked for.
const KINDS: [&str; 12] = [
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "message_reaction",
    "callback_query",
    "my_chat_member",
    "chat_member",
    "chat_join_request",
    "chat_boost",
    "removed_chat_boost",
    "message_reaction_count",
];

/// Why a poll brought nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PollError {
    /// It was refused, or cut.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// It went on longer than it may.
    #[error("the poll stalled for {} s; the connection is built anew", .0.0 / 1000)]
    Stalled(Span),
}

impl PollError {
    /// How long to wait before the next attempt, which counts from 0. By chance between half and all of what it could
    /// be, so that bots that lost one server do not come back to it all at once.
    pub fn wait(&self, attempt: u32, dice: &mut Dice) -> Span {
        let error = match self {
            // It was waited for long enough.
            PollError::Stalled(_) => return Span(dice.between(0, MORE_MS).cast_signed()),
            PollError::Api(error) => error,
        };
        let most = error.wait(attempt).0.max(0).cast_unsigned();
        Span(match error {
            ApiError::RetryAfter(_) => dice.between(most, most.saturating_add(MORE_MS)).cast_signed(),
            _ => dice.between(most / 2, most).cast_signed(),
        })
    }
}

/// How listening goes, for `/status` and the log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    /// When the last poll ended with an answer of Telegram's.
    pub ended: Option<Timestamp>,
    /// How many polls failed since the start.
    pub failed: u64,
    /// When the last of them did, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<(Timestamp, String)>,
}

/// Asks for updates, one request at a time.
pub struct Poller {
    wire: Wire,
    hold: Span,
    /// Nothing more waits behind the last answer, so the next request may be held.
    caught_up: bool,
    acknowledged: Option<i64>,
}

impl Poller {
    /// A poller that goes on after update `after`; `None` begins with whatever Telegram still holds.
    pub fn new(base: &str, token: &str, after: Option<i64>) -> Self {
        Self { wire: Wire::new(base, token), hold: HOLD, caught_up: true, acknowledged: after }
    }

    /// Lets Telegram hold a request for this long.
    pub fn holding(self, hold: Span) -> Self {
        Self { hold, ..self }
    }

    /// Asks without being held until nothing is left that was said before.
    pub fn catching_up(self) -> Self {
        Self { caught_up: false, ..self }
    }

    /// Waits for the next updates, oldest first; empty if none came for a while. Confirms everything acknowledged so
    /// far. After an error, wait [`PollError::wait`]. Safe to drop at any time.
    pub async fn next(&mut self) -> Result<Vec<(i64, Value)>, PollError> {
        let hold = if self.caught_up { self.hold.0 } else { 0 };
        let mut body = json!({"timeout": hold / 1000, "limit": BATCH, "allowed_updates": KINDS});
        if let Some(last) = self.acknowledged {
            body["offset"] = json!(last.saturating_add(1));
        }
        let most = Span(self.hold.0 + self.hold.0.clamp(GRACE.0.0, GRACE.1.0));
        let asked = tokio::time::Instant::now();
        let answer = self.wire.post("getUpdates", body.to_string().into_bytes(), 2 * most.to_duration(), || ());
        let answer = match tokio::time::timeout(most.to_duration(), answer).await {
            Ok(answer) => answer?,
            Err(_) => {
                self.wire = self.wire.anew();
                return Err(PollError::Stalled(most));
            }
        };
        let unclear = |why: &str| PollError::Api(ApiError::Unclear(why.to_owned()));
        let Value::Array(updates) = answer else { return Err(unclear("getUpdates answered without a list")) };
        let count = updates.len();
        let numbered = updates.into_iter().filter_map(|update| Some((update.get("update_id")?.as_i64()?, update)));
        let numbered: Vec<(i64, Value)> = numbered.collect();
        match (count, numbered.len()) {
            (0, _) if hold > 0 && asked.elapsed() < HASTE => {
                Err(unclear("getUpdates answered at once and with nothing"))
            }
            (1.., 0) => Err(unclear("getUpdates answered with updates that have no number")),
            (count, _) => {
                self.caught_up = count < BATCH;
                Ok(numbered)
            }
        }
    }

    /// Marks updates up to this one as received: they are durable here, and the next request says so. Never goes back.
    pub fn acknowledge(&mut self, update: i64) {
        self.acknowledged = self.acknowledged.max(Some(update));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_scatter_and_never_undercut_what_telegram_asked() {
        let mut dice = Dice::seeded(1);
        let lost = PollError::Api(ApiError::Unclear(String::new()));
        for (attempt, most) in [(0, 1000), (1, 2000), (5, 32_000), (6, 60_000), (60, 60_000)] {
            let waits: Vec<i64> = (0..50).map(|_| lost.wait(attempt, &mut dice).0).collect();
            assert!(waits.iter().all(|wait| (most / 2..=most).contains(wait)), "{attempt}: {waits:?}");
            assert!(waits.iter().collect::<std::collections::BTreeSet<_>>().len() > 25, "scattered");
        }
        let asked = PollError::Api(ApiError::RetryAfter(Span::secs(37)));
        assert!((0..50).all(|n| (37_000..=38_000).contains(&asked.wait(n, &mut dice).0)));
    }
}
