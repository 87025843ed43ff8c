//! Outgoing Bot API requests, as teloxide types them.
//!
//! Each method is one request, never repeated: retries are the outbox's decision. What can go wrong is [`ApiError`].

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use teloxide::payloads::{
    AnswerCallbackQuery, AnswerCallbackQuerySetters, GetChatMember, GetMe, LeaveChat, SendChatAction,
    SendChatActionSetters, SendMessage, SendMessageSetters, SetMessageReaction, SetMessageReactionSetters,
};
use teloxide::requests::Payload;
use teloxide::types::{
    CallbackQueryId, ChatAction, ChatId as TgChat, CustomEmojiId, MessageEntity, MessageId as TgMessage, ReactionType,
    ReplyParameters, ThreadId, UserId,
};

use super::decode;
use super::format::{Entity, EntityKind};
use super::wire::Wire;
use crate::chat::ids::{ChatId, MessageId, PersonId, TopicId};
use crate::chat::message::Message;
use crate::chat::person::{Identity, Sender};

pub use super::wire::ApiError;

/// How long one request may take, answer included.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The largest file that is fetched, as large as Telegram gives out.
pub const LARGEST_FILE: usize = 20 << 20;
/// How long a download may take.
const DOWNLOAD: Duration = Duration::from_secs(60);

/// A Bot API client. Clones share its connections.
#[derive(Clone)]
pub struct Api {
    wire: Wire,
}

/// Who the token belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Me {
    /// Our id.
    pub id: PersonId,
    /// Our display name.
    pub name: String,
    /// Our username, without the `@`.
    pub username: String,
    /// Whether privacy mode is off: otherwise groups show us only commands, mentions and replies.
    pub can_read_all_group_messages: bool,
}

/// One text message to send; 1 to 4096 UTF-16 units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Where.
    pub chat: ChatId,
    /// In which topic; General has none.
    pub topic: Option<TopicId>,
    /// What it says.
    pub text: String,
    /// How parts of it are shown.
    pub entities: Vec<Entity>,
    /// The message that it replies to.
    pub reply_to: Option<MessageId>,
    /// The part of that message that is quoted.
    pub quote: Option<String>,
    /// Without notification.
    pub quiet: bool,
    /// `InlineKeyboardMarkup`, if buttons stand under it.
    pub keyboard: Option<Value>,
}

impl Api {
    /// A client of the server at `base` (such as `https://api.telegram.org`).
    pub fn new(base: &str, token: &str) -> Self {
        Self { wire: Wire::new(base, token) }
    }

    /// Who we are.
    pub async fn get_me(&self) -> Result<Me, ApiError> {
        let me = self.ask(&GetMe::new()).await?;
        let text = |key: &str| me.get(key).and_then(Value::as_str).unwrap_or_default();
        let id = me.get("id").and_then(Value::as_i64);
        Ok(Me {
            id: PersonId(id.ok_or_else(|| ApiError::Unclear("getMe told no id".to_owned()))?),
            name: format!("{} {}", text("first_name"), text("last_name")).trim().to_owned(),
            username: text("username").to_owned(),
            can_read_all_group_messages: me.get("can_read_all_group_messages") == Some(&Value::Bool(true)),
        })
    }

    /// The bytes of a file, at most [`LARGEST_FILE`].
    pub async fn file(&self, file_id: &str) -> Result<Vec<u8>, ApiError> {
        let told = self.ask_raw("getFile", &serde_json::json!({ "file_id": file_id }), || ()).await?;
        if told.get("file_size").and_then(Value::as_u64).is_some_and(|size| size > LARGEST_FILE as u64) {
            return Err(ApiError::Refused("the file is too big".to_owned()));
        }
        let path = told.get("file_path").and_then(Value::as_str).unwrap_or_default();
        // It becomes part of an address that holds the token: nothing in it may lead elsewhere.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '_' | '-' | '.');
        if path.is_empty() || path.starts_with('/') || path.contains("..") || !path.chars().all(is_plain) {
            return Err(ApiError::Refused("the file has no path by which it can be fetched".to_owned()));
        }
        self.wire.download(path, LARGEST_FILE, DOWNLOAD).await
    }

    /// Sends a text and returns it as Telegram numbered it. `sent` runs when the request is out and no answer read.
    pub async fn send_text(&self, text: Text, sent: impl FnOnce() + Send) -> Result<Message, ApiError> {
        let mut payload = SendMessage::new(TgChat(text.chat.0), text.text);
        if !text.entities.is_empty() {
            payload = payload.entities(text.entities.into_iter().map(entity));
        }
        if let Some(topic) = text.topic {
            payload = payload.message_thread_id(ThreadId(message_id(topic.0)?));
        }
        if let Some(id) = text.reply_to {
            payload = payload.reply_parameters(ReplyParameters::new(message_id(id.0)?));
        }
        if text.quiet {
            payload = payload.disable_notification(true);
        }
        let (method, mut body) = request_value(&payload)?;
        if let (Some(quote), Some(reply)) = (text.quote, body.get_mut("reply_parameters")) {
            reply["quote"] = Value::String(quote);
        }
        if let Some(keyboard) = text.keyboard {
            body["reply_markup"] = keyboard;
        }
        let answer = self.ask_raw(&method, &body, sent).await?;
        ours(&answer).ok_or_else(|| ApiError::Unclear("sendMessage answered without a message".to_owned()))
    }

    /// Sets our one reaction to a message, or takes it back. `custom:ID` is a custom emoji.
    pub async fn react(
        &self,
        chat: ChatId,
        message: MessageId,
        emoji: Option<&str>,
        sent: impl FnOnce() + Send,
    ) -> Result<(), ApiError> {
        let reaction = emoji.map(|emoji| match emoji.strip_prefix("custom:") {
            Some(id) => ReactionType::CustomEmoji { custom_emoji_id: CustomEmojiId(id.to_owned()) },
            // Telegram lists its reactions without the variant selector that keyboards write: ❤, not ❤️.
            None => ReactionType::Emoji { emoji: emoji.replace('\u{fe0f}', "") },
        });
        let payload = SetMessageReaction::new(TgChat(chat.0), message_id(message.0)?).reaction(reaction);
        self.post(&payload, sent).await.map(drop)
    }

    /// Shows "typing…" for a few seconds.
    pub async fn typing(&self, chat: ChatId, topic: Option<TopicId>) -> Result<(), ApiError> {
        let mut payload = SendChatAction::new(TgChat(chat.0), ChatAction::Typing);
        if let Some(topic) = topic {
            payload = payload.message_thread_id(ThreadId(message_id(topic.0)?));
        }
        self.ask(&payload).await.map(drop)
    }

    /// Whether a person is in a chat now. Somebody whom Telegram does not find there is not.
    pub async fn member(&self, chat: ChatId, person: PersonId) -> Result<bool, ApiError> {
        let Ok(user) = u64::try_from(person.0) else { return Ok(false) };
        match self.ask(&GetChatMember::new(TgChat(chat.0), UserId(user))).await {
            Ok(member) => Ok(decode::is_in(&member)),
            Err(ApiError::Refused(why)) if is_nobody(&why) => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// Stops a pressed button's spinner, with a short notice or without.
    pub async fn answer_press(&self, query: &str, notice: Option<&str>) -> Result<(), ApiError> {
        let mut payload = AnswerCallbackQuery::new(CallbackQueryId(query.to_owned()));
        if let Some(notice) = notice {
            payload = payload.text(notice);
        }
        self.ask(&payload).await.map(drop)
    }

    /// Leaves a chat.
    pub async fn leave(&self, chat: ChatId) -> Result<(), ApiError> {
        self.ask(&LeaveChat::new(TgChat(chat.0))).await.map(drop)
    }

    /// Asks a method by its documented name, with parameters as documented.
    pub async fn ask_raw(&self, method: &str, body: &Value, sent: impl FnOnce() + Send) -> Result<Value, ApiError> {
        self.wire.post(method, body.to_string().into_bytes(), TIMEOUT, sent).await
    }

    /// The messages of ours that an answer shows: one, or those of an album.
    pub fn said(&self, answer: &Value) -> Vec<Message> {
        match answer {
            Value::Array(several) => several.iter().filter_map(ours).collect(),
            one => ours(one).into_iter().collect(),
        }
    }

    async fn ask<P: Payload + Serialize + Sync>(&self, payload: &P) -> Result<Value, ApiError> {
        self.post(payload, || ()).await
    }

    async fn post<P: Payload + Serialize + Sync>(
        &self,
        payload: &P,
        sent: impl FnOnce() + Send,
    ) -> Result<Value, ApiError> {
        let (method, body) = request_value(payload)?;
        self.ask_raw(&method, &body, sent).await
    }
}

/// The method's name as documented, and the request's JSON.
fn request_value<P: Payload + Serialize>(payload: &P) -> Result<(String, Value), ApiError> {
    // The library capitalizes names; the server does not mind, but logs and tests read better as documented.
    let mut method = P::NAME.to_owned();
    if let Some(first) = method.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    let body = serde_json::to_value(payload).map_err(|e| ApiError::Refused(format!("the request is not JSON: {e}")))?;
    // `getMe` has no fields, and the library writes that as `null`.
    Ok((method, if body.is_null() { serde_json::json!({}) } else { body }))
}

/// A message of ours, from the answer to a send. Whatever it says about its sender, we sent it.
fn ours(answer: &Value) -> Option<Message> {
    let nobody = Identity { id: PersonId(0), name: String::new(), username: String::new(), aliases: Vec::new() };
    let (_, _, mut message) = decode::message(answer, &nobody)?;
    message.from = Sender::Us;
    Some(message)
}

fn is_nobody(why: &str) -> bool {
    let why = why.to_lowercase();
    ["member not found", "user not found", "participant_id_invalid", "user_id_invalid"].iter().any(|p| why.contains(p))
}

/// Telegram numbers messages and topics within 31 bits; anything else was made up by a script.
fn message_id(id: i64) -> Result<TgMessage, ApiError> {
    i32::try_from(id)
        .ok()
        .filter(|id| *id > 0)
        .map(TgMessage)
        .ok_or_else(|| ApiError::Refused(format!("{id} is not a message id; use the number shown with a message")))
}

/// Entities as the Bot API writes them.
pub fn entity_values(entities: &[Entity]) -> Value {
    let values = entities.iter().cloned().map(entity).filter_map(|entity| serde_json::to_value(entity).ok());
    Value::Array(values.collect())
}

fn entity(entity: Entity) -> MessageEntity {
    let Entity { kind, offset, length } = entity;
    match kind {
        EntityKind::Bold => MessageEntity::bold(offset, length),
        EntityKind::Italic => MessageEntity::italic(offset, length),
        EntityKind::Strike => MessageEntity::strikethrough(offset, length),
        EntityKind::Code => MessageEntity::code(offset, length),
        EntityKind::Pre(language) => MessageEntity::pre(language, offset, length),
        EntityKind::Link(url) => MessageEntity::text_link(url, offset, length),
    }
}
