//! Parked calls that nobody decides about: their time runs out, or a restart finds them. Both count as no.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::watch;

use crate::call::{Asked, Parked, Stage};
use crate::calls::house::{Delivery, House};
use crate::calls::leave::{decision, language_of};
use crate::chat::event::{Event, Leave};
use crate::commands::words::Words;
use crate::journal::{Key, Kind};
use crate::store::Filed;
use crate::time::Span;

/// How long to wait before the store is asked again after it failed.
const AFTER_FAILURE: Span = Span::minutes(1);

/// Denies what an earlier life left undecided: an operator who is asked before a crash must not answer to another talk.
pub async fn close_left(house: &House) {
    match house.store.all_parked() {
        Ok(all) => {
            for row in all.iter().filter(|row| row.stage == Stage::Waiting) {
                deny(house, row, Leave::Restart).await;
            }
        }
        Err(error) => tracing::error!(%error, "what an earlier life left undecided cannot be read"),
    }
}

/// Denies what nobody answered in time, until the session closes.
pub async fn watch(house: Arc<House>, mut closing: watch::Receiver<bool>) {
    loop {
        let clock = house.tape.clock();
        // Asked for before the store is read, so that no change slips between.
        let changed = house.parked_changed.notified();
        let next = match house.store.all_parked() {
            Ok(all) => all.into_iter().filter(|row| row.stage == Stage::Waiting).min_by_key(|row| row.until),
            Err(error) => {
                tracing::error!(%error, "parked calls cannot be read");
                clock.sleep(AFTER_FAILURE).await;
                continue;
            }
        };
        let due = async {
            match &next {
                Some(row) => clock.sleep_until(row.until).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            _ = closing.wait_for(|closing| *closing) => return,
            () = changed => continue,
            () = due => {}
        }
        // Asked again: a press may have come first.
        if let Some(row) = next.and_then(|row| house.store.parked(row.id).ok().flatten())
            && !deny(&house, &row, Leave::Late).await
        {
            clock.sleep(AFTER_FAILURE).await;
        }
    }
}

async fn deny(house: &House, row: &Parked, leave: Leave) -> bool {
    let event = decision(row, leave, None, house.tape.clock().now());
    match decide(house, event).await {
        Ok(true) => {
            if let Some(asked) = &row.asked {
                show(house, asked, leave);
            }
            true
        }
        Ok(false) => true,
        Err(error) => {
            tracing::error!(%error, "a parked call could not be ended");
            false
        }
    }
}

/// Files a decision that no press brought, and hands it to its room. `false` if it was out of date.
pub async fn decide(house: &House, event: Event) -> Result<bool, String> {
    let key = Key::global(Kind::Decided);
    let question = json!({ "event": event });
    let filed = house.tape.inside(key, &question, |_| house.file(std::slice::from_ref(&event), None)).await?.pop();
    house.store.flush().map_err(|e| e.to_string())?;
    let Some(Filed::New { seq }) = filed else { return Ok(false) };
    // The dispatcher ends only with the session.
    let _ = house.post.send(Delivery { event, seq });
    Ok(true)
}

/// Writes an answer under the message that asked for it, and takes its buttons away. Nothing depends on it, so it is no
/// act, and a failure is only logged.
pub fn show(house: &House, asked: &Asked, leave: Leave) {
    let Some(hands) = &house.hands else { return };
    let words = Words::of(language_of(house, asked.operator));
    let text = format!("{}\n\n{}", asked.text, words.leave(leave));
    let body = json!({ "chat_id": asked.operator.dm().0, "message_id": asked.message.0, "text": text.trim_start() });
    let api = hands.api.clone();
    tokio::spawn(async move {
        if let Err(error) = api.ask_raw("editMessageText", &body, || ()).await {
            tracing::warn!(%error, "an operator's answer could not be shown");
        }
    });
}
