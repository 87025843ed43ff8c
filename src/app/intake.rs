//! From Telegram's updates to archived events: decoded, journalled, filed, flushed, and only then acknowledged.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::watch;

use super::leave::show;
use crate::calls::house::{Delivery, House};
use crate::calls::leave::{self, Press};
use crate::chat::event::{Event, EventKind};
use crate::chat::ids::ChatId;
use crate::chat::message::Message;
use crate::chat::person::{Identity, Sender};
use crate::clock::{Dice, crash_point};
use crate::commands::words::Words;
use crate::journal::{Key, Kind};
use crate::store::Filed;
use crate::telegram::decode::{Decoded, decode, undecodable};
use crate::telegram::poll::{BATCH, Poller};
use crate::time::{Span, Timestamp};

/// How often the log says that listening goes well.
const HEALTH_EVERY: Span = Span::minutes(10);
/// Tells the dice of these waits from others of the session; they shape nothing that a replay does.
const WAITS: u64 = 0x706f_6c6c;
/// After how many failures in a row rooms think again, although more may be waiting to be heard.
const PATIENT: u32 = 3;
/// How long to wait when updates cannot be filed.
const UNFILED: Span = Span::secs(5);

/// Polls until the session closes. Failures are waited out: Telegram keeps what is not acknowledged for a day.
pub async fn listen(house: Arc<House>, mut poller: Poller, mut closing: watch::Receiver<bool>) {
    let mut dice = Dice::seeded(house.seed ^ WAITS);
    let mut attempt = 0;
    let mut said = house.tape.clock().now();
    loop {
        let polled = tokio::select! {
            biased;
            _ = closing.wait_for(|closing| *closing) => return,
            polled = poller.next() => polled,
        };
        let now = house.tape.clock().now();
        let wait = match polled {
            Ok(updates) => {
                let health = house.polled(|health| health.ended = Some(now));
                if attempt > 0 || now.since(said) >= HEALTH_EVERY {
                    said = now;
                    tracing::info!(last_poll = %now, failed = health.failed, "listening");
                }
                attempt = 0;
                let Some(last) = updates.last().map(|(number, _)| *number) else {
                    house.caught_up.send_replace(true);
                    continue;
                };
                match take_in(&house, &updates).await {
                    Ok(()) => {
                        poller.acknowledge(last);
                        // A full answer has more behind it.
                        house.caught_up.send_replace(updates.len() < BATCH);
                        continue;
                    }
                    // Not acknowledged, so it comes again.
                    Err(error) => tracing::error!(error, "updates could not be filed; they are asked for again"),
                }
                UNFILED
            }
            Err(error) => {
                let health = house.polled(|health| {
                    health.failed += 1;
                    health.failure = Some((now, error.to_string()));
                });
                let wait = error.wait(attempt, &mut dice);
                attempt = attempt.saturating_add(1);
                let last_poll = health.ended.map_or_else(|| "never".to_owned(), |at| at.to_string());
                // What is owed should not wait for an outage of updates alone.
                if attempt >= PATIENT {
                    house.caught_up.send_replace(true);
                }
                tracing::warn!(%error, %last_poll, wait_ms = wait.0, "no updates");
                wait
            }
        };
        tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            () = tokio::time::sleep(wait.to_duration()) => {}
        }
    }
}

/// Takes a batch of updates in: one journal line, one archive batch, one flush.
pub async fn take_in(house: &House, updates: &[(i64, Value)]) -> Result<(), String> {
    let ((events, presses), filed) = house
        .tape
        .inside_with(Key::global(Kind::Update), updates, |now| {
            // What was filed before a crash may come again; events without a number of their own would be doubled.
            let known = house.store.last_update().ok().flatten().unwrap_or(i64::MIN);
            let fresh = updates.iter().filter(|(number, _)| *number > known);
            let came = fresh.filter_map(|(_, update)| event_of(update, &house.me, now));
            let mut presses = Vec::new();
            // A press of a button of our own is no talk: what it decides stands in its place.
            let mut events: Vec<Event> = came
                .filter_map(|event| match leave::press(house, &event, now) {
                    None => Some(event),
                    Some(mut press) => {
                        let decision = press.decision.as_mut().map(|(event, ..)| event.clone());
                        presses.push(press);
                        decision
                    }
                })
                .collect();
            recognize(house, &mut events);
            for event in &events {
                if let EventKind::Migrated { to } = event.kind {
                    follow(house, event.chat.id, to);
                }
            }
            let filed = house.file(&events, updates.iter().map(|(number, _)| *number).max());
            crash_point("archive");
            ((events, presses), filed)
        })
        .await;
    let filed = filed?;
    if !house.tape.flush() {
        return Err("the journal cannot be written".to_owned());
    }
    house.store.flush().map_err(|e| e.to_string())?;
    stop_spinners(house, &events, &filed);
    overtake(house, &events, &filed);
    answer(house, presses, &events, &filed);
    deliver(house, events, filed);
    Ok(())
}

/// Adds what Telegram does not say and the archive knows: in which topic a message stands that was reacted to, edited or
/// pressed, and that a message which goes by the group's or channel's name was ours.
fn recognize(house: &House, events: &mut [Event]) {
    for index in 0..events.len() {
        let (before, rest) = events.split_at_mut(index);
        let Some(event) = rest.first_mut() else { continue };
        let chat = event.chat.id;
        if let Some(about) = event.about().filter(|_| event.topic.is_none()) {
            let heard = before.iter().rev().find(|e| e.chat.id == chat && e.message().is_some_and(|m| m.is(about)));
            event.topic = match heard {
                Some(heard) => heard.topic,
                None => house.store.topic_of(chat, about).unwrap_or_else(|error| {
                    tracing::error!(%error, "the topic of a message cannot be read");
                    None
                }),
            };
        }
        if let EventKind::Said(Message { reply_to: Some(quote), .. }) = &mut event.kind
            && matches!(quote.from, Some(Sender::Chat { .. }))
            && house.message(chat, quote.id).is_ok_and(|known| known.is_some_and(|m| m.from == Sender::Us))
        {
            quote.from = Some(Sender::Us);
        }
    }
}

/// Memory follows a group that became another chat.
fn follow(house: &House, from: ChatId, to: ChatId) {
    if let Err(error) = house.store.moved(from, to) {
        tracing::error!(%error, chat = %from, "memory could not follow the group");
    }
    if house.config.chats_named().contains(&from) {
        tracing::warn!(
            "the group {from} of the configuration is now {to}; write that instead. It holds from the next start"
        );
    }
}

/// Tells Telegram that pressed buttons were noticed: a query not answered soon spins on the presser's screen, and a
/// turn takes longer than that. Nothing depends on it, so it is no act, and a failure is only logged.
fn stop_spinners(house: &House, events: &[Event], filed: &[Filed]) {
    let Some(hands) = &house.hands else { return };
    for (event, filed) in events.iter().zip(filed) {
        let (EventKind::Pressed { query, .. }, Filed::New { .. }) = (&event.kind, filed) else { continue };
        let (api, query) = (hands.api.clone(), query.clone());
        tokio::spawn(async move {
            if let Err(error) = api.answer_press(&query, None).await {
                tracing::debug!(%error, "a pressed button's spinner goes on");
            }
        });
    }
}

/// Tells operators what their presses came to.
fn answer(house: &House, presses: Vec<Press>, events: &[Event], filed: &[Filed]) {
    let Some(hands) = &house.hands else { return };
    for Press { query, language, decision } in presses {
        let counted = decision.filter(|(event, ..)| {
            let place = events.iter().position(|filed| filed == event);
            place.and_then(|at| filed.get(at)).is_some_and(|filed| matches!(filed, Filed::New { .. }))
        });
        let words = Words::of(language);
        let notice = counted.as_ref().map_or(words.leave_gone, |(_, given, _)| words.leave(*given));
        if let Some((_, given, asked)) = &counted {
            show(house, asked, *given);
            house.parked_changed.notify_one();
        }
        let api = hands.api.clone();
        tokio::spawn(async move {
            if let Err(error) = api.answer_press(&query, Some(notice)).await {
                tracing::debug!(%error, "a pressed button's spinner goes on");
            }
        });
    }
}

/// Tells whoever types an answer that there is more to answer.
fn overtake(house: &House, events: &[Event], filed: &[Filed]) {
    let Some(hands) = &house.hands else { return };
    for (event, filed) in events.iter().zip(filed) {
        if let (EventKind::Said(message), Filed::New { .. }) = (&event.kind, filed)
            && let Some(person) = message.from.person().filter(|_| message.command.is_none())
        {
            hands.outbox.heard(event.room(), person);
        }
    }
}

/// Hands what is new to the rooms.
pub fn deliver(house: &House, events: Vec<Event>, filed: Vec<Filed>) {
    for (event, filed) in events.into_iter().zip(filed) {
        match filed {
            // The dispatcher ends only with the session.
            Filed::New { seq } => drop(house.post.send(Delivery { event, seq })),
            Filed::Duplicate => tracing::debug!("an update came twice"),
        }
    }
}

fn event_of(update: &Value, me: &Identity, now: Timestamp) -> Option<Event> {
    // Decoding promises not to panic; if it does all the same, the update is kept, and the loop goes on.
    let decoded = std::panic::catch_unwind(AssertUnwindSafe(|| decode(update, me)));
    match decoded.unwrap_or_else(|_| Decoded::Event(undecodable(update, me))) {
        // Telegram does not say when: just now.
        Decoded::Event(event) if event.time == Timestamp(0) => Some(Event { time: now, ..event }),
        Decoded::Event(event) => Some(event),
        Decoded::Ignored { what } => {
            tracing::debug!(what, "an update that only repeats itself");
            None
        }
    }
}
