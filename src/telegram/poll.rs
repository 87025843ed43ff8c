//! Long polling for raw updates.
//!
//! Invariant: Telegram is told that an update was received only after [`Poller::acknowledge`], so the caller makes it
//! durable first; whatever was not acknowledged comes again.

use std::time::Duration;

use serde_json::{Value, json};

use super::wire::{ApiError, Wire};

/// How long Telegram holds a request that has nothing to tell.
const HOLD: Duration = Duration::from_secs(50);
/// How much longer than that we wait: the network's share.
const GRACE: Duration = Duration::from_secs(20);
/// The most updates in one answer, as Telegram allows.
const BATCH: u32 = 100;
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

/// Asks for updates, one request at a time.
pub struct Poller {
    wire: Wire,
    acknowledged: Option<i64>,
}

impl Poller {
    /// A poller that goes on after update `after`; `None` begins with whatever Telegram still holds.
    pub fn new(base: &str, token: &str, after: Option<i64>) -> Self {
        Self { wire: Wire::new(base, token), acknowledged: after }
    }

    /// Waits for the next updates, oldest first; empty if none came for a while. Confirms everything acknowledged so
    /// far. After an error, wait [`ApiError::wait`]. Safe to drop at any time.
    pub async fn next(&mut self) -> Result<Vec<(i64, Value)>, ApiError> {
        let mut body = json!({"timeout": HOLD.as_secs(), "limit": BATCH, "allowed_updates": KINDS});
        if let Some(last) = self.acknowledged {
            body["offset"] = json!(last.saturating_add(1));
        }
        let answer = self.wire.post("getUpdates", body.to_string().into_bytes(), HOLD + GRACE, || ()).await?;
        let Value::Array(updates) = answer else {
            return Err(ApiError::Unclear("getUpdates answered without a list".to_owned()));
        };
        let numbered = updates.into_iter().filter_map(|update| Some((update.get("update_id")?.as_i64()?, update)));
        Ok(numbered.collect())
    }

    /// Marks updates up to this one as received: they are durable here, and the next request says so. Never goes back.
    pub fn acknowledge(&mut self, update: i64) {
        self.acknowledged = self.acknowledged.max(Some(update));
    }
}
