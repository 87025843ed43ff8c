//! Calls that need an operator's leave: asked for in a message with buttons, decided by a press, made by the host.
//!
//! Invariants:
//! - The script does not wait: its call is parked and it is told so. Waiting would hold its room, its child and its
//!   deadline for as long as an operator likes.
//! - Only a press counts that an operator of the configuration made in their own private chat with us. Who pressed is
//!   Telegram's word; what the button carries only says which call, and no script can make a button that says so.
//! - An operator reads the arguments where they may read that chat; else only where it is and which method.

use serde::Serialize;
use serde_json::{Value, json};

use super::house::House;
use super::{Desk, settled, store_error};
use crate::call::{Asked, Call, CallError, Outcome, Parked, Settled, Stage};
use crate::chat::audience::Destination;
use crate::chat::event::{Decision, Event, EventKind, Leave};
use crate::chat::ids::{ChatId, PersonId, RoomId};
use crate::chat::language::Language;
use crate::chat::person::Chat;
use crate::commands::words::{Words, filled};
use crate::journal::{Key, Kind};
use crate::prompt::line::{name, one_line};
use crate::skills::permission::Verdict;
use crate::telegram::outbox::{Act, ActKind};
use crate::time::Timestamp;

/// With this begins what our own buttons carry; scripts may not make such ones.
pub(super) const PREFIX: &str = "leave:";
/// How many calls of one room may wait at once: more is pestering.
const MOST_WAITING: usize = 5;
/// How many arguments an operator is shown, and how many characters of each.
const SHOWN: (usize, usize) = (8, 300);
/// How many characters of a call its room is shown.
const CALL_CHARS: usize = 200;
/// How many events are looked through for the chat's title.
const TITLE_WITHIN: usize = 50;

/// Whether and whom to ask.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Judged {
    /// It was allowed here for good.
    Remembered,
    /// Refused without asking.
    No(String),
    /// An equal call waits already, with this number.
    Waits(u64),
    /// It is parked with this number, and one of these is to be asked.
    Ask { id: u64, until: Timestamp, place: String, operators: Vec<(PersonId, Language)> },
}

/// A press of a button of ours that decides about a parked call.
#[derive(Debug)]
pub struct Press {
    /// What must be answered to stop the spinner.
    pub query: String,
    /// The presser's language.
    pub language: Language,
    /// What it decides; none if it decides nothing.
    pub decision: Option<(Event, Leave, Asked)>,
}

impl Desk {
    /// Parks a call and asks an operator. `None` if it was allowed here for good.
    pub(super) async fn ask_leave(&self, n: u64, call: &Call) -> Option<Settled> {
        let key = Key::of(self.room, Kind::Judged).number(n);
        let path = &call.path;
        let denied = |why: &str| {
            let message = format!("{path} needs an operator's leave, {why}; do without it or say so");
            settled(call, Outcome::Denied(CallError::new("PermissionError", message)), true, String::new())
        };
        let (id, until, place, operators) = match self.house.tape.inside(key, call, |now| self.look_up(call, now)).await
        {
            Judged::Remembered => return None,
            Judged::No(why) => {
                let refused = denied(&why);
                return Some(self.inside(n, call, |_| refused).await);
            }
            Judged::Waits(_) => {
                let parked = parked(call, "an operator was asked already and has not answered yet");
                return Some(self.inside(n, call, |_| parked).await);
            }
            Judged::Ask { id, until, place, operators } => (id, until, place, operators),
        };
        let mut asked = None;
        for (operator, language) in operators {
            let may_read = self.may_read(n, operator).await;
            let text = self.question(call, Words::of(language), &place, until, may_read);
            let act = request(id, operator, Words::of(language), &text);
            match self.house.act(self.room, n, &act).await.answer {
                Ok(acted) => {
                    let message = acted.messages.first().map(|message| message.id);
                    asked = message.map(|message| Asked { operator, message, text });
                    break;
                }
                Err(error) => tracing::warn!(%error, %operator, "an operator could not be asked"),
            }
        }
        let noted = |_| {
            if let Err(error) = self.house.store.asked(id, asked.as_ref()) {
                tracing::error!(%error, "who was asked could not be kept");
            }
            match &asked {
                None => denied("and none could be reached in private"),
                Some(asked) => {
                    let until = self.house.config.zone.minute(until);
                    parked(call, &format!("operator {} was asked just now and has until {until}", asked.operator))
                }
            }
        };
        let settled = self.inside(n, call, noted).await;
        self.house.parked_changed.notify_one();
        Some(settled)
    }

    /// Makes a call that an operator allowed. What forbids it for good forbids it still.
    pub async fn allowed(&self, call: &Call, now: Timestamp) -> Settled {
        self.begin(0, now, &std::collections::BTreeSet::new());
        let n = u64::from(call.id);
        let settled = match self.denied(call) {
            Some(denied) => self.inside(n, call, |_| denied).await,
            None => self.perform(n, call).await,
        };
        self.ended(false);
        settled
    }

    fn look_up(&self, call: &Call, now: Timestamp) -> Judged {
        let looked = || {
            let (house, room) = (&self.house, self.room);
            let is_remembered = house.store.is_allowed(room.chat, &call.path)?;
            if self.verdict(call, is_remembered) == Verdict::Allow {
                return Ok(Judged::Remembered);
            }
            let waiting: Vec<Parked> = house.store.all_parked()?.into_iter().filter(|row| row.room == room).collect();
            if let Some(same) = waiting.iter().find(|row| row.call.path == call.path && row.call.args == call.args) {
                return Ok(Judged::Waits(same.id));
            }
            if waiting.len() >= MOST_WAITING {
                return Ok(Judged::No(format!("and {MOST_WAITING} calls of this chat wait for one already")));
            }
            if house.config.operators.is_empty() {
                return Ok(Judged::No("and there is no operator to ask".to_owned()));
            }
            // Whoever asks for it is asked first, if they may decide: they are here.
            let askers = self.waiting.iter().rev().filter_map(|message| message.from.person());
            let mut operators: Vec<(PersonId, Language)> = Vec::new();
            for operator in askers.chain(house.config.operators.iter().copied()) {
                let is_new = operators.iter().all(|(known, _)| *known != operator);
                if is_new && house.config.operators.contains(&operator) {
                    operators.push((operator, language_of(house, operator)));
                }
            }
            let place = self.place()?;
            let until = now + house.config.answer_within;
            Ok(Judged::Ask { id: house.store.park(room, call, until)?, until, place, operators })
        };
        looked().unwrap_or_else(|error| Judged::No(format!("and {}", store_error(&error).message)))
    }

    /// What this chat is called, or who is on the other side.
    fn place(&self) -> Result<String, crate::store::StoreError> {
        let chat = self.room.chat;
        if let Some(person) = chat.person() {
            return Ok(self.house.store.person(person)?.map_or_else(|| person.to_string(), |known| known.name));
        }
        let events = self.house.store.tail(self.room, TITLE_WITHIN)?;
        let title = events.into_iter().rev().map(|(_, event)| event.chat.title).find(|title| !title.is_empty());
        Ok(title.unwrap_or_else(|| chat.to_string()))
    }

    /// Whether what is said here may go to that person's private chat.
    async fn may_read(&self, n: u64, operator: PersonId) -> bool {
        let (from, to) = (self.room.chat, operator.dm());
        let is_member = !from.is_private() && self.house.is_member(self.room, n, from, operator).await;
        self.house.config.circles.may_tell(from, Destination { chat: to, is_member })
    }

    fn question(&self, call: &Call, words: &Words, place: &str, until: Timestamp, may_read: bool) -> String {
        let method = self.skills.registry.method(&call.path);
        let does = method.map_or("", |method| method.doc.text.as_str());
        let params: Vec<&str> =
            method.into_iter().flat_map(|method| &method.doc.params).map(|(param, _)| param.as_str()).collect();
        let args = match (may_read, call.args.is_empty()) {
            (false, _) => words.args_hidden.to_owned(),
            (true, true) => words.args_none.to_owned(),
            (true, false) => {
                let (most, chars) = SHOWN;
                let left = call.args.len().saturating_sub(most);
                let shown = call.args.iter().take(most).enumerate().map(|(index, value)| {
                    let param = params.get(index).map_or_else(|| (index + 1).to_string(), |param| (*param).to_owned());
                    format!("· {param}: {}", one_line(&value.to_string(), chars))
                });
                shown.chain((left > 0).then(|| format!("· … +{left}"))).collect::<Vec<_>>().join("\n")
            }
        };
        let asker = self.waiting.last().and_then(|message| message.from.profile());
        let asker =
            asker.map_or_else(|| words.asker_nobody.to_owned(), |who| format!("{} (id {})", name(&who.name), who.id));
        let place = name(place);
        let place = if self.room.chat.is_private() { filled(words.in_private, &[("name", &place)]) } else { place };
        let until = self.house.config.zone.minute(until);
        let with = [
            ("method", call.path.as_str()),
            ("does", &one_line(does, SHOWN.1)),
            ("place", &place),
            ("asker", &asker),
            ("args", &args),
            ("until", &until),
        ];
        filled(words.ask_leave, &with)
    }
}

/// What a press comes to, if it is one of a button of ours; such a press is nobody's conversation. For use inside the
/// step of the tape that takes it in.
pub fn press(house: &House, event: &Event, now: Timestamp) -> Option<Press> {
    let EventKind::Pressed { query, by, message, data, .. } = &event.kind else { return None };
    let carried = data.strip_prefix(PREFIX)?;
    let language = language_of(house, by.id);
    let decided = || {
        let is_theirs = event.chat.id == by.id.dm() && house.config.operators.contains(&by.id);
        let (id, answer) = carried.split_once(':').filter(|_| is_theirs)?;
        let leave = match answer {
            "once" => Leave::Once,
            "chat" => Leave::Chat,
            "no" => Leave::Denied,
            _ => return None,
        };
        let row = house.store.parked(id.parse().ok()?).ok()??;
        if row.stage != Stage::Waiting || now >= row.until {
            return None;
        }
        let asked =
            row.asked.clone().or(message.map(|message| Asked { operator: by.id, message, text: String::new() }));
        Some((decision(&row, leave, Some(by.clone()), now), leave, asked?))
    };
    Some(Press { query: query.clone(), language, decision: decided() })
}

/// The event that tells a parked call's room of a decision.
pub fn decision(row: &Parked, leave: Leave, by: Option<crate::chat::person::Profile>, now: Timestamp) -> Event {
    told(row, Decision { id: row.id, call: in_words(&row.call), by, leave, came_of: None }, now)
}

/// The event that tells a parked call's room what came of it.
pub fn came_of(row: &Parked, decision: &Decision, came_of: String, now: Timestamp) -> Event {
    told(row, Decision { came_of: Some(came_of), ..decision.clone() }, now)
}

fn told(row: &Parked, decision: Decision, now: Timestamp) -> Event {
    let RoomId { chat, topic } = row.room;
    let chat = Chat { id: chat, kind: super::house::kind_of(chat), title: String::new() };
    Event { chat, topic, time: now, kind: EventKind::Decided(decision) }
}

/// The language in which a person is addressed in private.
pub fn language_of(house: &House, person: PersonId) -> Language {
    let known = house.store.person(person).ok().flatten().and_then(|known| known.language);
    known.map_or(house.config.language, |tag| Language::for_tag(&tag))
}

/// A call on one line, as its author wrote it.
fn in_words(call: &Call) -> String {
    let args: Vec<String> = call.args.iter().map(Value::to_string).collect();
    one_line(&format!("{}({})", call.path, args.join(", ")), CALL_CHARS)
}

fn parked(call: &Call, how: &str) -> Settled {
    let message = format!(
        "{} needs an operator's leave: {how}. It is made by itself once they allow it, and you will be told what came of \
         it; do not call it again, and tell whoever waits",
        call.path
    );
    settled(call, Outcome::Parked(CallError::new("PendingApproval", message)), true, String::new())
}

/// The message to an operator. It is plain text: what a script wrote cannot dress it up.
fn request(id: u64, operator: PersonId, words: &Words, text: &str) -> Act {
    let [once, chat, no] = words.leave_buttons;
    let button =
        |says: &str, answer: &str| json!([{ "text": says, "callback_data": format!("{PREFIX}{id}:{answer}") }]);
    let keyboard = json!({ "inline_keyboard": [button(once, "once"), button(chat, "chat"), button(no, "no")] });
    let ChatId(to) = operator.dm();
    let body = json!({ "chat_id": to, "text": text, "reply_markup": keyboard,
        "link_preview_options": { "is_disabled": true } });
    let kind = ActKind::Ask { method: "sendMessage".to_owned(), body, says: "asked an operator for leave".to_owned() };
    Act { room: RoomId::whole(operator.dm()), answers: Vec::new(), kind, typed: None }
}
