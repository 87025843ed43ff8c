//! What all rooms share, and what reaches outside this process.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;
use tokio::sync::{Notify, mpsc, watch};

use super::fetch;
use super::loading::Shared;
use crate::chat::event::{Event, EventKind};
use crate::chat::ids::{ChatId, MessageId, PersonId, RoomId};
use crate::chat::message::Message;
use crate::chat::person::{Chat, ChatKind, Identity};
use crate::config::{Config, Secret};
use crate::journal::tape::{Taken, Tape};
use crate::journal::{Key, Kind};
use crate::llm;
use crate::sandbox;
use crate::store::{ChatRecord, Filed, Store, StoreError};
use crate::telegram::api::Api;
use crate::telegram::outbox::{Act, ActError, ActKind, Acted, Outbox};
use crate::telegram::poll::Health;
use crate::time::Timestamp;

/// What all rooms share.
#[derive(Debug)]
pub struct House {
    /// The configuration.
    pub config: Config,
    /// Who we are.
    pub me: Identity,
    /// From which all chance is drawn.
    pub seed: u64,
    /// What every step goes through.
    pub tape: Tape,
    /// What is remembered.
    pub store: Arc<Store>,
    /// What scripts can use.
    pub skills: Shared,
    /// Where scripts run.
    pub pool: sandbox::Pool,
    /// What reaches outside; none in a replay.
    pub hands: Option<Hands>,
    /// Events for rooms, in the order in which they were filed.
    pub post: mpsc::UnboundedSender<Delivery>,
    /// Whether all that Telegram held for us is heard. Until then nobody thinks: what was said while we were away gives
    /// a chat one wake, not one for each batch.
    pub caught_up: watch::Sender<bool>,
    /// How listening to Telegram goes.
    pub health: Mutex<Health>,
    /// Told when reminders were set or cancelled.
    pub agenda_changed: Notify,
    /// Told when an operator was asked about a call.
    pub parked_changed: Notify,
}

/// An event on its way to its room.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// What happened.
    pub event: Event,
    /// Its place in the archive.
    pub seq: u64,
}

/// What reaches outside this process.
pub struct Hands {
    /// The models.
    pub models: llm::Router,
    /// Questions to Telegram.
    pub api: Api,
    /// Acts in Telegram.
    pub outbox: Outbox,
    /// The network, for skill code.
    pub web: fetch::Web,
}

impl std::fmt::Debug for Hands {
    /// Without what holds the token.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hands").field("web", &self.web).finish_non_exhaustive()
    }
}

impl House {
    /// Whether somebody is a member of a chat, as Telegram says now; what it does not say counts as no.
    pub async fn is_member(&self, room: RoomId, n: u64, chat: ChatId, person: PersonId) -> bool {
        let key = Key::of(room, Kind::Member).number(n);
        let ask = async {
            match &self.hands {
                Some(hands) => hands.api.member(chat, person).await.unwrap_or_else(|error| {
                    tracing::warn!(%chat, %person, %error, "membership unknown; counts as no");
                    false
                }),
                None => false,
            }
        };
        self.tape.outside(key, &json!({ "chat": chat, "person": person }), ask).await.answer
    }

    /// Waits until all that Telegram held for us is heard.
    pub async fn is_caught_up(&self) {
        // Never an error: the sender lives in this house.
        let _ = self.caught_up.subscribe().wait_for(|caught_up| *caught_up).await;
    }

    /// Writes down how a poll ended; how it stands now.
    pub fn polled(&self, note: impl FnOnce(&mut Health)) -> Health {
        let mut health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        note(&mut health);
        health.clone()
    }

    /// How listening goes, in a room's own step `n`: of the world outside, so the journal keeps it.
    pub async fn health(&self, room: RoomId, n: u64) -> Health {
        let now = async { self.polled(|_| ()) };
        self.tape.outside(Key::of(room, Kind::Polled).number(n), &json!(null), now).await.answer
    }

    /// The value that the operator gave for a skill's secret.
    pub fn secret(&self, skill: &str, name: &str) -> Option<Secret> {
        let value = self.config.skills.get(skill)?.value(name).ok()??;
        value.as_str().map(Secret::new)
    }

    /// Whether we belong in a chat: a group that the operator allowed, or what became of one; DMs always.
    pub fn belongs_in(&self, chat: ChatId) -> Result<bool, StoreError> {
        let Some(allowed) = self.config.groups.allow.as_ref().filter(|_| !chat.is_private()) else { return Ok(true) };
        for group in allowed {
            if *group == chat || self.store.successor(*group)? == chat {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What people asked of us in a chat. Where we do not belong we are muted.
    pub fn asked_in(&self, chat: ChatId) -> Result<ChatRecord, StoreError> {
        let asked = self.store.chat(chat)?;
        Ok(ChatRecord { is_muted: asked.is_muted || !self.belongs_in(chat)?, ..asked })
    }

    /// A message of a chat, for a turn in that same chat.
    pub fn message(&self, chat: ChatId, id: MessageId) -> Result<Option<Message>, StoreError> {
        let reader = self.config.circles.reader(chat, BTreeSet::new());
        self.store.message(&reader, &self.config.circles, chat, id)
    }

    /// Acts in Telegram, in a room's own step `n`.
    pub async fn act(&self, room: RoomId, n: u64, act: &Act) -> Taken<Result<Acted, ActError>> {
        let live = async {
            match &self.hands {
                Some(hands) => hands.outbox.act(act.clone()).await,
                None => Err(ActError::Refused("there is no Telegram here".to_owned())),
            }
        };
        self.tape.outside(Key::of(room, Kind::Acted).number(n), act, live).await
    }

    /// Files what an act of ours made at `at`: our own words, as everybody there sees them. What landed in this room is
    /// given back to be heard; another room hears of it through the post.
    pub async fn file_own(&self, room: RoomId, n: u64, at: Timestamp, act: &Act, acted: &Acted) -> Vec<Delivery> {
        let id = acted.moved_to.unwrap_or(act.room.chat);
        let chat = Chat { id, kind: kind_of(id), title: String::new() };
        let is_edit = matches!(act.kind, ActKind::Edit { .. });
        let kind = |message: &Message| {
            if is_edit { EventKind::Edited(message.clone()) } else { EventKind::Said(message.clone()) }
        };
        let event = |m| Event { chat: chat.clone(), topic: act.room.topic, time: at, kind: kind(m) };
        let events: Vec<Event> = acted.messages.iter().map(event).collect();
        if events.is_empty() {
            return Vec::new();
        }
        let key = Key::of(room, Kind::Filed).number(n);
        let filed = self.tape.inside(key, &events, |_| self.file(&events, None)).await;
        let filed = filed.unwrap_or_else(|error| {
            tracing::error!(%error, "our own message could not be filed");
            Vec::new()
        });
        let new = events.into_iter().zip(filed).filter_map(|(event, filed)| match filed {
            Filed::New { seq } => Some(Delivery { event, seq }),
            Filed::Duplicate => None,
        });
        let (here, elsewhere): (Vec<_>, Vec<_>) = new.partition(|delivery| delivery.event.room() == room);
        for delivery in elsewhere {
            // The dispatcher ends only with the session.
            let _ = self.post.send(delivery);
        }
        here
    }

    /// Files events in the archive; for use inside a step of the tape. What cannot be filed stops the session.
    pub fn file(&self, events: &[Event], update: Option<i64>) -> Result<Vec<Filed>, String> {
        self.store.archive(events, update).map_err(|e| e.to_string())
    }
}

/// What a chat's number tells of its kind.
pub const fn kind_of(chat: ChatId) -> ChatKind {
    if chat.is_private() { ChatKind::Private } else { ChatKind::Supergroup }
}
