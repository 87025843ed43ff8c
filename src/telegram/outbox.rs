//! Acts on their way out: at most once each, in order within a chat.
//!
//! Invariants: an act's row is durable before its request leaves, and names the messages it answers. A request is sent
//! again only after an answer (or the lack of a connection) proved that it did not happen. Whatever else goes wrong
//! leaves the act *unknown*, and unknown acts are never repeated. An act begun is finished even if nobody waits for it
//! any more. A chat that must wait holds up no other chat.
//!
//! Long because an act's way through lane, pace, rest, row and error is one thing to follow.

mod explain;
mod kind;
mod pace;
mod request;
mod typing;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::OwnedMutexGuard;

use self::explain::{explain, is_fine};
pub use self::kind::{ActKind, Button, ButtonDoes, Buttons};
use self::pace::Pace;
use self::request::{Request, requests, what};
use self::typing::{Overtakable, Typists};
use super::api::{Api, ApiError};
use crate::chat::ids::{ChatId, MessageId, PersonId, RoomId};
use crate::chat::message::Message;
use crate::clock::{Clock, crash_point};
use crate::config::Typing;
use crate::store::{ActEnd, ActRow, Store, StoreError};
use crate::time::{Span, Timestamp};

/// The longest that one act waits because Telegram asks to; a longer wait is refused, so that a turn can end.
const MAX_WAIT: Span = Span::minutes(2);
/// How often a connection is tried. Each failure proved that nothing was sent.
const CONNECT_TRIES: u32 = 3;

/// Something visible to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    /// Where.
    pub room: RoomId,
    /// The messages that it answers: sent or unknown makes them handled.
    pub answers: Vec<MessageId>,
    /// What.
    pub kind: ActKind,
    /// Typed out as people do, and dropped if one of these says more meanwhile; none goes out at once. It is how a live
    /// session sends, and no part of what a recording compares.
    #[serde(skip)]
    pub typed: Option<Vec<PersonId>>,
}

/// An act that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acted {
    /// Its number.
    pub act: u64,
    /// What we said, as Telegram numbered it, oldest first; empty for a reaction.
    pub messages: Vec<Message>,
    /// Why later parts of a long text are missing, or may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsent: Option<String>,
    /// The supergroup that the chat became, where it landed there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<ChatId>,
    /// What Telegram answered to an act that says nothing, where that tells more than "done".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
}

/// An act that did not happen, or perhaps did.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActError {
    /// Nothing happened.
    #[error("{0}")]
    Refused(String),
    /// It may have happened; it must not be repeated.
    #[error("{why}; do not repeat it")]
    Unknown {
        /// Its number.
        act: u64,
        /// Why nobody knows.
        why: String,
    },
}

/// Sends acts. Clones share their queues.
#[derive(Clone)]
pub struct Outbox {
    inner: Arc<Inner>,
}

struct Inner {
    api: Api,
    store: Arc<Store>,
    clock: Clock,
    /// How fast messages go out; none goes out as fast as it can.
    pace: Option<Mutex<Pace>>,
    /// How fast we seem to type; none sends at once.
    typing: Option<Typing>,
    typists: Typists,
    lanes: Mutex<HashMap<ChatId, Arc<tokio::sync::Mutex<Lane>>>>,
}

/// The queue of one chat.
#[derive(Default)]
struct Lane {
    /// Telegram asked not to write here before.
    not_before: Timestamp,
    /// The group's new id, which has a lane of its own.
    moved_to: Option<ChatId>,
}

/// How one try of a whole act went.
enum Try {
    Done(Acted),
    Failed(ActError),
    /// Nothing of it happened; again then.
    Again(Pause),
}

/// What a request gave.
enum Answer {
    /// Messages as they stand now; none for what leaves no message.
    Said(Vec<Message>),
    /// Something else.
    Value(Value),
}

/// What to wait for.
#[derive(Clone, Copy)]
enum Pause {
    /// Telegram's wish, by the clock.
    Asked(Span),
    /// The network to come back, in real time: virtual time may stand still while a script waits.
    Network(Span),
}

impl Outbox {
    /// An outbox that sends through `api` and writes its acts to `store`.
    pub fn new(api: Api, store: Arc<Store>, clock: Clock) -> Self {
        Self::with(api, store, clock, None, None)
    }

    /// The same, no faster than Telegram wants bots to be: one message a second in a chat, twenty a minute in a group,
    /// thirty a second over all.
    pub fn paced(api: Api, store: Arc<Store>, clock: Clock) -> Self {
        Self::with(api, store, clock, Some(Mutex::default()), None)
    }

    /// The same, and what scripts say is typed out first.
    pub fn typed(api: Api, store: Arc<Store>, clock: Clock, typing: Typing) -> Self {
        Self::with(api, store, clock, Some(Mutex::default()), (typing.speed > 0).then_some(typing))
    }

    fn with(api: Api, store: Arc<Store>, clock: Clock, pace: Option<Mutex<Pace>>, typing: Option<Typing>) -> Self {
        let (typists, lanes) = (Typists::default(), Mutex::default());
        Self { inner: Arc::new(Inner { api, store, clock, pace, typing, typists, lanes }) }
    }

    /// Somebody said something: what is being typed as an answer to them may be out of date.
    pub fn heard(&self, room: RoomId, by: PersonId) {
        self.inner.typists.heard(room, by);
    }

    /// Does it, after what was asked before in the same chat. Finishes even if the caller stops waiting.
    pub async fn act(&self, act: Act) -> Result<Acted, ActError> {
        let mut requests = requests(&act)?;
        let watched = self.inner.typists.watch(&act);
        // Queued here, not in the task: acts of a chat go out in the order in which they were asked for.
        let (room, lane) = self.inner.enter(act.room).await?;
        if room != act.room && !requests.iter_mut().all(|request| request.move_to(room.chat)) {
            return Err(ActError::Refused(explain(&ApiError::Migrated(room.chat))));
        }
        let inner = self.inner.clone();
        match tokio::spawn(async move { inner.act(act, room, requests, lane, watched).await }).await {
            Ok(result) => result,
            // The runtime is going down, or a bug: the row stays open and is unknown after the next start.
            Err(e) => Err(ActError::Unknown { act: 0, why: format!("the act was interrupted ({e})") }),
        }
    }
}

impl Inner {
    /// Waits for the lane of a room's chat, or of the one that it became; says where that is.
    async fn enter(&self, room: RoomId) -> Result<(RoomId, OwnedMutexGuard<Lane>), ActError> {
        let unread = |e: StoreError| ActError::Refused(format!("nothing was sent, for the store cannot be read: {e}"));
        let mut chat = self.store.successor(room.chat).map_err(unread)?;
        loop {
            let lane = self.lane(chat).lock_owned().await;
            match lane.moved_to {
                Some(to) => chat = to,
                None => return Ok((RoomId { chat, ..room }, lane)),
            }
        }
    }

    /// Holds the lane of `room`'s chat until the act is over: where it goes, which is not where it was asked for if the
    /// group has moved.
    async fn act(
        &self,
        act: Act,
        mut room: RoomId,
        requests: Vec<Request>,
        mut lane: OwnedMutexGuard<Lane>,
        mut watched: Option<Overtakable>,
    ) -> Result<Acted, ActError> {
        let mut waited = Span::ZERO;
        let mut connects = 0;
        loop {
            self.wait_for_turn(&lane, &mut waited).await?;
            if let Some(first) = requests.first() {
                self.keep_pace(first, &lane).await;
            }
            self.check_rest(room).await?;
            if let Some(watched) = watched.take() {
                self.type_out(&act.kind, room, &watched).await?;
            }
            let number = self.begin(&act).await?;
            crash_point("act row");
            let tried = self.send_all(room, number, &requests, &mut lane, &mut connects).await;
            room.chat = lane.moved_to.unwrap_or(room.chat);
            match tried {
                Try::Done(acted) => {
                    let messages = acted.messages.iter().map(|message| message.id).collect();
                    self.end(number, ActEnd::Sent { messages }).await;
                    return Ok(Acted { moved_to: (room != act.room).then_some(room.chat), ..acted });
                }
                Try::Failed(error) => {
                    let end = match &error {
                        ActError::Refused(why) => ActEnd::Refused { why: why.clone() },
                        ActError::Unknown { why, .. } => ActEnd::Unknown { why: why.clone() },
                    };
                    self.end(number, end).await;
                    return Err(error);
                }
                // This row ends here, so that a crash while we wait leaves nothing that "may have been sent".
                Try::Again(pause) => {
                    self.end(number, ActEnd::Refused { why: "nothing was sent; tried again later".to_owned() }).await;
                    match pause {
                        Pause::Asked(span) => lane.not_before = self.clock.now() + span,
                        Pause::Network(span) => tokio::time::sleep(span.to_duration()).await,
                    }
                }
            }
        }
    }

    fn lane(&self, chat: ChatId) -> Arc<tokio::sync::Mutex<Lane>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner).entry(chat).or_default().clone()
    }

    /// Waits as long as Telegram asked this chat to, within what an act may wait at all.
    async fn wait_for_turn(&self, lane: &Lane, waited: &mut Span) -> Result<(), ActError> {
        let left = lane.not_before.since(self.clock.now());
        if left.0 <= 0 {
            return Ok(());
        }
        *waited = Span(waited.0.saturating_add(left.0));
        if *waited > MAX_WAIT {
            let secs = (left.0 + 999) / 1000;
            return Err(ActError::Refused(format!(
                "Telegram asks to wait {secs} s in this chat; try again after that"
            )));
        }
        tracing::info!(wait_ms = left.0, "waiting as Telegram asked");
        self.clock.sleep(left).await;
        Ok(())
    }

    /// Waits until the request may go out, if it says something. Only its chat waits.
    async fn keep_pace(&self, request: &Request, lane: &Lane) {
        let (Some(pace), Some(chat)) = (&self.pace, request.speaks_in()) else { return };
        let chat = lane.moved_to.unwrap_or(chat);
        loop {
            let taken = pace.lock().unwrap_or_else(PoisonError::into_inner).take(chat, self.clock.now());
            match taken {
                Ok(()) => return,
                Err(at) => self.clock.sleep_until(at).await,
            }
        }
    }

    async fn send_all(&self, room: RoomId, act: u64, requests: &[Request], lane: &mut Lane, connects: &mut u32) -> Try {
        let mut messages = Vec::new();
        let mut answer = None;
        let mut waited = Span::ZERO;
        let mut next = requests.iter();
        let mut current = next.next();
        while let Some(request) = current {
            // The first one's place was taken before the act's row was written.
            if !messages.is_empty() {
                self.keep_pace(request, lane).await;
            }
            let result = self.send(request.clone(), lane).await;
            crash_point("reply read");
            let error = match result {
                Ok(Answer::Said(message)) => {
                    messages.extend(message);
                    current = next.next();
                    continue;
                }
                Ok(Answer::Value(value)) => {
                    answer = Some(value);
                    current = next.next();
                    continue;
                }
                Err(error) => error,
            };
            self.rest_after(RoomId { chat: lane.moved_to.unwrap_or(room.chat), ..room }, &error).await;
            let is_first = messages.is_empty();
            match error {
                ApiError::RetryAfter(span) if is_first => return Try::Again(Pause::Asked(span)),
                // Between two parts of one text we wait here: the first part stands already.
                ApiError::RetryAfter(span) => {
                    lane.not_before = self.clock.now() + span;
                    if let Err(error) = self.wait_for_turn(lane, &mut waited).await {
                        return Try::Done(Acted {
                            act,
                            messages,
                            unsent: Some(error.to_string()),
                            moved_to: None,
                            answer,
                        });
                    }
                }
                ApiError::Unreachable { .. } if *connects + 1 < CONNECT_TRIES => {
                    let wait = error.wait(*connects);
                    *connects += 1;
                    if is_first {
                        return Try::Again(Pause::Network(wait));
                    }
                    tokio::time::sleep(wait.to_duration()).await;
                }
                error if !is_first => {
                    tracing::warn!(act, %error, "the rest of a long text was not sent");
                    return Try::Done(Acted { act, messages, unsent: Some(explain(&error)), moved_to: None, answer });
                }
                ApiError::Unclear(_) => return Try::Failed(ActError::Unknown { act, why: explain(&error) }),
                ApiError::Unreachable { .. }
                | ApiError::Unauthorized
                | ApiError::Conflict(_)
                | ApiError::Migrated(_)
                | ApiError::ReplyGone
                | ApiError::CannotWrite(_)
                | ApiError::Refused(_) => return Try::Failed(ActError::Refused(explain(&error))),
            }
        }
        Try::Done(Acted { act, messages, unsent: None, moved_to: None, answer })
    }

    /// One request; again at once where Telegram said what to change: a new chat id, a message to reply to that is gone.
    async fn send(&self, mut request: Request, lane: &mut Lane) -> Result<Answer, ApiError> {
        if let Some(to) = lane.moved_to
            && !request.move_to(to)
        {
            return Err(ApiError::Migrated(to));
        }
        match self.request(request.clone()).await {
            Err(ApiError::Migrated(to)) => {
                if let Some(pace) = &self.pace {
                    pace.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .moved(lane.moved_to.or(request.speaks_in()), to);
                }
                lane.moved_to = Some(to);
                if request.move_to(to) { self.request(request).await } else { Err(ApiError::Migrated(to)) }
            }
            Err(error) if request.amend(&error) => match self.request(request.clone()).await {
                // The quote was wrong, and what it was taken from is gone too.
                Err(error) if request.amend(&error) => self.request(request).await,
                result => result,
            },
            result => result,
        }
    }

    async fn request(&self, request: Request) -> Result<Answer, ApiError> {
        let out = || crash_point("request out");
        match request {
            Request::Text(text) => self.api.send_text(*text, out).await.map(|message| Answer::Said(vec![message])),
            Request::React { chat, message, emoji } => {
                self.api.react(chat, message, emoji.as_deref(), out).await.map(|()| Answer::Said(Vec::new()))
            }
            Request::Ask { method, body } => {
                let value = match self.api.ask_raw(&method, &body, out).await {
                    Err(error) if is_fine(&error) => return Ok(Answer::Said(Vec::new())),
                    result => result?,
                };
                Ok(match self.api.said(&value) {
                    messages if messages.is_empty() => Answer::Value(value),
                    messages => Answer::Said(messages),
                })
            }
        }
    }

    /// Refuses what would go to a room that rests: Telegram said there already that we may not write.
    async fn check_rest(&self, room: RoomId) -> Result<(), ActError> {
        match self.blocking(move |store| store.rests(room)).await {
            Ok(Some(why)) => Err(ActError::Refused(format!(
                "nothing was sent: {why}. This place rests until Telegram tells that you may write here again"
            ))),
            Ok(None) => Ok(()),
            Err(why) => Err(ActError::Refused(format!("nothing was sent, for the store cannot be read: {why}"))),
        }
    }

    /// Lets a room rest where trying again cannot help: we were blocked or thrown out, or the topic is closed.
    async fn rest_after(&self, room: RoomId, error: &ApiError) {
        let ApiError::CannotWrite(why) = error else { return };
        let lower = why.to_lowercase();
        let rests = if lower.contains("topic_closed") {
            room
        } else if lower.starts_with("forbidden") {
            RoomId::whole(room.chat)
        } else {
            return;
        };
        tracing::warn!(room = %rests.chat, why, "nothing is sent there until we may write again");
        let why = why.clone();
        if let Err(error) = self.blocking(move |store| store.rest(rests, &why)).await {
            tracing::error!(error, "that a room rests could not be written down");
        }
    }

    async fn begin(&self, act: &Act) -> Result<u64, ActError> {
        let row = ActRow { room: act.room, answers: act.answers.clone(), what: what(&act.kind), at: self.clock.now() };
        let written = self.blocking(move |store| store.begin_act(&row)).await;
        written
            .map_err(|why| ActError::Refused(format!("nothing was sent, for the act could not be written down: {why}")))
    }

    /// Writes an act's end. If that fails, the row stays open and is unknown after the next start: still never repeated.
    async fn end(&self, act: u64, end: ActEnd) {
        if let Err(why) = self.blocking(move |store| store.end_act(act, &end)).await {
            tracing::error!(act, why, "the end of an act could not be written down");
        }
    }

    /// The store waits for the disk, which must not stop other chats.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, String> {
        let store = self.store.clone();
        match tokio::task::spawn_blocking(move || work(&store)).await {
            Ok(result) => result.map_err(|e| e.to_string()),
            Err(e) => Err(e.to_string()),
        }
    }
}
