//! Reminders that are due become events in their rooms: once each, late ones too.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::watch;

use crate::agenda::Reminder;
use crate::calls::house::{Delivery, House, kind_of};
use crate::chat::event::{Alarm, Event, EventKind};
use crate::chat::person::Chat;
use crate::journal::{Key, Kind};
use crate::store::Filed;
use crate::time::Span;

/// How long to wait before the store is asked again after it failed.
const AFTER_FAILURE: Span = Span::minutes(1);

/// Rings what is due until the session closes.
pub async fn watch(house: Arc<House>, mut closing: watch::Receiver<bool>) {
    loop {
        let clock = house.tape.clock();
        // Asked for before the store is read, so that no change slips between.
        let changed = house.agenda_changed.notified();
        let next = match house.store.reminders(None) {
            Ok(reminders) => reminders.into_iter().next(),
            Err(error) => {
                tracing::error!(%error, "the agenda cannot be read");
                clock.sleep(AFTER_FAILURE).await;
                continue;
            }
        };
        let due = async {
            match &next {
                Some(reminder) => clock.sleep_until(reminder.set.due).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            _ = closing.wait_for(|closing| *closing) => return,
            () = changed => continue,
            () = due => {}
        }
        if let Some(reminder) = next {
            let event = event(&reminder, clock.now());
            if let Err(error) = ring(&house, reminder.id, event).await {
                tracing::error!(%error, "a reminder could not ring");
                clock.sleep(AFTER_FAILURE).await;
            }
        }
    }
}

/// Makes a reminder ring: it is taken off the agenda and its event is filed, in one batch.
pub async fn ring(house: &House, id: u64, event: Event) -> Result<(), String> {
    let question = json!({ "id": id, "event": event });
    let filed = house
        .tape
        .inside(Key::global(Kind::Alarm), &question, |_| house.store.ring(id, &event).map_err(|e| e.to_string()))
        .await?;
    house.store.flush().map_err(|e| e.to_string())?;
    if let Some(Filed::New { seq }) = filed {
        // The dispatcher ends only with the session.
        let _ = house.post.send(Delivery { event, seq });
    }
    Ok(())
}

fn event(reminder: &Reminder, now: crate::time::Timestamp) -> Event {
    let room = reminder.set.room;
    Event {
        chat: Chat { id: room.chat, kind: kind_of(room.chat), title: String::new() },
        topic: room.topic,
        time: now,
        kind: EventKind::Rang(Alarm {
            id: reminder.id,
            what: reminder.set.what.clone(),
            due: reminder.set.due,
            asked_by: reminder.set.asked_by.clone(),
        }),
    }
}
