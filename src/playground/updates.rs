//! Long polling, as the server sees it.

use std::time::Duration;

use serde_json::{Value, json};

use super::Shared;
use super::http::{Answer, Request, refuse};

/// The most updates in one answer.
const MAX_BATCH: i64 = 100;
/// The longest a poll is held, as Telegram does.
const MAX_HOLD: i64 = 50;
/// Updates that Telegram leaves out unless they are asked for.
const ON_REQUEST: [&str; 3] = ["message_reaction", "message_reaction_count", "chat_member"];

/// Confirms what the offset says, then waits for news.
pub(super) async fn get_updates(shared: &Shared, request: &Request) -> Answer {
    let hold = Duration::from_secs(request.int("timeout").unwrap_or(0).clamp(0, MAX_HOLD).unsigned_abs());
    let limit = usize::try_from(request.int("limit").unwrap_or(MAX_BATCH).clamp(1, MAX_BATCH)).unwrap_or(1);
    let wanted: Vec<String> = match request.0.get("allowed_updates").and_then(Value::as_array) {
        Some(kinds) => kinds.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        None => Vec::new(),
    };
    let ours = {
        let mut world = shared.world();
        world.polls += 1;
        match request.int("offset") {
            Some(offset) if offset > 0 => {
                world.updates.retain(|(id, _)| *id >= offset);
                world.acknowledged = world.acknowledged.max(offset - 1);
            }
            // A negative offset means the last few, and forgets those before them.
            Some(offset) if offset < 0 => {
                let keep = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
                while world.updates.len() > keep {
                    world.updates.pop_front();
                }
            }
            Some(_) | None => {}
        }
        world.polls
    };
    // An earlier poll that is still held ends now, in conflict with this one.
    shared.news.notify_waiters();

    let deadline = tokio::time::Instant::now() + hold;
    loop {
        let news = shared.news.notified();
        {
            let mut world = shared.world();
            if world.polls != ours {
                let text = "Conflict: terminated by other getUpdates request; \
                            make sure that only one bot instance is running";
                return Err(refuse(409, text));
            }
            world.updates.retain(|(_, update)| is_wanted(update, &wanted));
            let ready: Vec<Value> = world.updates.iter().take(limit).map(|(_, update)| update.clone()).collect();
            if !ready.is_empty() {
                return Ok(Value::Array(ready));
            }
        }
        if tokio::time::timeout_at(deadline, news).await.is_err() {
            return Ok(json!([]));
        }
    }
}

fn is_wanted(update: &Value, wanted: &[String]) -> bool {
    let on_request = ON_REQUEST.iter().find(|kind| update.get(**kind).is_some());
    on_request.is_none_or(|kind| wanted.iter().any(|wanted| wanted == kind))
}
