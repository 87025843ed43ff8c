//! What an act is made of: its Bot API requests, and its words for rows and scripts.

use serde_json::{Value, json};

use super::kind::is_send;
use super::{Act, ActError, ActKind, Button, ButtonDoes, Buttons};
use crate::chat::ids::{ChatId, MessageId, RoomId};
use crate::telegram::api::{ApiError, Text, entity_values};
use crate::telegram::format::{Piece, admit, lay_out};

/// The most messages that one text may become: more is a flood, whoever asked for it.
const MAX_PIECES: usize = 8;
/// How much of a text an act's row repeats, in characters.
const WHAT_CHARS: usize = 60;

/// One Bot API request.
#[derive(Clone)]
pub(super) enum Request {
    // Boxed, for the others are small.
    Text(Box<Text>),
    React {
        chat: ChatId,
        message: MessageId,
        emoji: Option<String>,
    },
    /// A method by its documented name, with its parameters.
    Ask {
        method: String,
        body: Value,
    },
}

impl Request {
    /// The chat in which a new message will stand, if one will.
    pub(super) fn speaks_in(&self) -> Option<ChatId> {
        match self {
            Request::Text(text) => Some(text.chat),
            Request::Ask { method, body } => {
                body.get("chat_id").and_then(Value::as_i64).filter(|_| is_send(method)).map(ChatId)
            }
            Request::React { .. } => None,
        }
    }

    /// Aims at the group's new id; `false` if that makes no sense. Message numbers do not move along, so a reply is
    /// dropped, and a reaction would hit a message of somebody else.
    pub(super) fn move_to(&mut self, to: ChatId) -> bool {
        match self {
            Request::Text(text) => {
                text.chat = to;
                text.reply_to = None;
                true
            }
            Request::Ask { body, .. } if body.get("message_id").is_none() => {
                body["chat_id"] = json!(to.0);
                self.drop_reply();
                true
            }
            Request::React { .. } | Request::Ask { .. } => false,
        }
    }

    /// Whether there was a reply to drop.
    pub(super) fn drop_reply(&mut self) -> bool {
        match self {
            Request::Text(text) => text.reply_to.take().is_some(),
            Request::Ask { body, .. } => {
                body.as_object_mut().is_some_and(|fields| fields.remove("reply_parameters").is_some())
            }
            Request::React { .. } => false,
        }
    }

    /// Whether there was a quote to drop; the reply itself stays.
    pub(super) fn drop_quote(&mut self) -> bool {
        match self {
            Request::Text(text) => text.quote.take().is_some(),
            Request::Ask { body, .. } => body
                .get_mut("reply_parameters")
                .and_then(Value::as_object_mut)
                .is_some_and(|reply| reply.remove("quote").is_some()),
            Request::React { .. } => false,
        }
    }

    /// Leaves out what an error objected to, where the rest is worth sending without it.
    pub(super) fn amend(&mut self, error: &ApiError) -> bool {
        match error {
            ApiError::ReplyGone => self.drop_reply(),
            ApiError::Refused(why) if why.to_lowercase().contains("quote_text_invalid") => self.drop_quote(),
            ApiError::Refused(_)
            | ApiError::Unreachable { .. }
            | ApiError::Unauthorized
            | ApiError::Conflict(_)
            | ApiError::RetryAfter(_)
            | ApiError::Migrated(_)
            | ApiError::CannotWrite(_)
            | ApiError::Unclear(_) => false,
        }
    }
}

/// The requests of an act, in order.
pub(super) fn requests(act: &Act) -> Result<Vec<Request>, ActError> {
    let RoomId { chat, topic } = act.room;
    match &act.kind {
        ActKind::Ask { method, body, .. } => Ok(vec![Request::Ask { method: method.clone(), body: body.clone() }]),
        ActKind::React { message, emoji } => Ok(vec![Request::React { chat, message: *message, emoji: emoji.clone() }]),
        ActKind::Edit { message, text, buttons } => {
            let mut body = json!({ "chat_id": chat.0, "message_id": message.0, "reply_markup": keyboard(buttons) });
            let Some(text) = text else {
                return Ok(vec![Request::Ask { method: "editMessageReplyMarkup".to_owned(), body }]);
            };
            let pieces = lay_out(&admit(text).map_err(ActError::Refused)?);
            let [Piece { text, entities }] = pieces.as_slice() else {
                return Err(ActError::Refused(match pieces.len() {
                    0 => "there is no visible text; delete the message instead".to_owned(),
                    count => format!("the text would fill {count} messages, and an edit fills one; shorten it"),
                }));
            };
            body["text"] = json!(text);
            body["entities"] = entity_values(entities);
            Ok(vec![Request::Ask { method: "editMessageText".to_owned(), body }])
        }
        ActKind::Text { text, reply_to, quote, quiet, buttons } => {
            let pieces = lay_out(&admit(text).map_err(ActError::Refused)?);
            if pieces.is_empty() {
                return Err(ActError::Refused("there is no visible text to send".to_owned()));
            }
            if pieces.len() > MAX_PIECES {
                let (count, at_most) = (pieces.len(), MAX_PIECES);
                return Err(ActError::Refused(format!(
                    "the text fills {count} messages, at most {at_most} may be sent at once; shorten it"
                )));
            }
            let last = pieces.len() - 1;
            let part = |(index, Piece { text, entities }): (usize, Piece)| {
                let reply_to = reply_to.filter(|_| index == 0);
                let quote = quote.clone().filter(|_| reply_to.is_some());
                let keyboard = (index == last && !buttons.is_empty()).then(|| keyboard(buttons));
                Request::Text(Box::new(Text { chat, topic, text, entities, reply_to, quote, quiet: *quiet, keyboard }))
            };
            Ok(pieces.into_iter().enumerate().map(part).collect())
        }
    }
}

/// Rows of buttons as `InlineKeyboardMarkup`; no rows take the buttons away.
fn keyboard(rows: &Buttons) -> Value {
    let button = |Button { text, does }: &Button| match does {
        ButtonDoes::Tell(data) => json!({ "text": text, "callback_data": data }),
        ButtonDoes::Open(url) => json!({ "text": text, "url": url }),
    };
    json!({ "inline_keyboard": rows.iter().map(|row| row.iter().map(button).collect::<Vec<_>>()).collect::<Vec<_>>() })
}

/// What an act does, in a few words.
pub(super) fn what(kind: &ActKind) -> String {
    match kind {
        ActKind::Text { text, .. } => {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let cut: String = words.chars().take(WHAT_CHARS).collect();
            let more = if cut.len() < words.len() { "…" } else { "" };
            format!("said {cut:?}{more}")
        }
        ActKind::Ask { says, .. } => says.clone(),
        ActKind::Edit { message, .. } => format!("edited message {message}"),
        ActKind::React { message, emoji: Some(emoji) } => format!("reacted {emoji} to message {message}"),
        ActKind::React { message, emoji: None } => format!("took back the reaction to message {message}"),
    }
}
