//! What a call to `telegram` asks for: its arguments, read into an act.

use serde_json::Value;

use super::methods::method;
use crate::call::{Call, CallError};
use crate::calls::args::{Args, Options, as_id};
use crate::calls::leave::PREFIX;
use crate::chat::ids::{ChatId, MessageId, RoomId, TopicId};
use crate::telegram::outbox::{ActKind, Button, ButtonDoes, Buttons};

/// The most buttons under one message: more is a menu that nobody reads.
const MOST_BUTTONS: usize = 24;
/// Telegram's limit of what a button carries, in bytes.
const MOST_DATA: usize = 64;

/// Where to, and what.
pub(super) fn wanted(call: &Call, room: RoomId, now: i64) -> Result<(RoomId, ActKind), CallError> {
    let args = Args::of(call);
    match call.path.as_str() {
        "telegram.react" => Ok((room, react(&args)?)),
        "telegram.edit" => {
            let message = MessageId(args.id(0, "message")?);
            let text = Some(args.text(1, "text")?);
            let options = args.options(2, &["buttons"])?;
            Ok((room, ActKind::Edit { message, text, buttons: buttons(&options)? }))
        }
        "telegram.editButtons" => {
            let message = MessageId(args.id(0, "message")?);
            let rows = args.value(1).filter(|rows| !matches!(rows, Value::Array(rows) if rows.is_empty()));
            let buttons = match rows {
                None => Vec::new(),
                Some(rows) => read_buttons(rows, |got| args.wrong("buttons", BUTTONS, got))?,
            };
            Ok((room, ActKind::Edit { message, text: None, buttons }))
        }
        "telegram.sendText" => {
            let text = args.text(0, "text")?;
            let options = args.options(1, &["replyTo", "quote", "quiet", "chat", "topic", "buttons"])?;
            let quote = options.text("quote")?.map(str::to_owned);
            let reply_to = options.id("replyTo")?.map(MessageId);
            let kind =
                ActKind::Text { text, reply_to, quote, quiet: options.flag("quiet")?, buttons: buttons(&options)? };
            Ok((destination(&options, room)?, kind))
        }
        _ => {
            let unknown = || CallError::new("TypeError", format!("{} is not a function", call.path));
            method(call, room, now)?.ok_or_else(unknown)
        }
    }
}

fn react(args: &Args<'_>) -> Result<ActKind, CallError> {
    let message = MessageId(args.id(0, "message")?);
    let emoji = match args.value(1) {
        None => None,
        Some(Value::String(emoji)) if emoji.trim().is_empty() => None,
        Some(Value::String(emoji)) => Some(emoji.trim().to_owned()),
        other => return Err(args.wrong("emoji", "an emoji such as \"👍\", or null to take it back", other)),
    };
    Ok(ActKind::React { message, emoji })
}

/// The chat that the options name, or this room.
pub(super) fn destination(options: &Options<'_>, room: RoomId) -> Result<RoomId, CallError> {
    let topic = options.id("topic")?.map(TopicId);
    let Some(value) = options.get("chat") else { return Ok(RoomId { topic: topic.or(room.topic), ..room }) };
    let number = match value {
        Value::String(text) => text.strip_prefix("dm:").map_or_else(|| as_id(value), |id| id.trim().parse().ok()),
        other => as_id(other),
    };
    let chat = number
        .map(ChatId)
        .ok_or_else(|| options.wrong("chat", "a chat's number, or \"dm:\" and a person's id", Some(value)))?;
    let to = if chat == room.chat { room } else { RoomId::whole(chat) };
    Ok(RoomId { topic: topic.or(to.topic), ..to })
}

const BUTTONS: &str =
    "rows of buttons, such as [[{ text: \"Yes\", data: \"yes\" }, { text: \"Site\", url: \"https://…\" }]]";

fn buttons(options: &Options<'_>) -> Result<Buttons, CallError> {
    match options.get("buttons") {
        None => Ok(Vec::new()),
        Some(rows) => read_buttons(rows, |got| options.wrong("buttons", BUTTONS, got)),
    }
}

fn read_buttons(rows: &Value, wrong: impl Fn(Option<&Value>) -> CallError) -> Result<Buttons, CallError> {
    let Value::Array(rows) = rows else { return Err(wrong(Some(rows))) };
    let mut read = Buttons::new();
    for row in rows {
        let Value::Array(row) = row else { return Err(wrong(Some(row))) };
        let row = row.iter().map(|button| read_button(button, &wrong)).collect::<Result<Vec<_>, _>>()?;
        if !row.is_empty() {
            read.push(row);
        }
    }
    match read.iter().map(Vec::len).sum::<usize>() {
        count if count > MOST_BUTTONS => {
            let message = format!("a message may carry {MOST_BUTTONS} buttons, and these are {count}");
            Err(CallError::new("RangeError", message))
        }
        _ => Ok(read),
    }
}

fn read_button(button: &Value, wrong: impl Fn(Option<&Value>) -> CallError) -> Result<Button, CallError> {
    let Value::Object(fields) = button else { return Err(wrong(Some(button))) };
    let field = |name: &str| fields.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let text = field("text").ok_or_else(|| wrong(Some(button)))?.to_owned();
    let does = match (field("data"), field("url")) {
        (Some(_), Some(_)) => {
            let message = format!("the button {text:?} has both data and url; it can do one of them");
            return Err(CallError::new("TypeError", message));
        }
        (Some(data), None) if data.len() > MOST_DATA => {
            let message = format!("the data of the button {text:?} has {} bytes; at most {MOST_DATA} fit", data.len());
            return Err(CallError::new("RangeError", message));
        }
        (Some(data), None) => ButtonDoes::Tell(data.to_owned()),
        (None, Some(url)) => match url::Url::parse(url) {
            Ok(address) if matches!(address.scheme(), "https" | "http" | "tg") => ButtonDoes::Open(url.to_owned()),
            Ok(_) | Err(_) => {
                let message = format!("the button {text:?} must open an https:// address, and {url:?} is none");
                return Err(CallError::new("TypeError", message));
            }
        },
        // What it says is what it tells, if that fits.
        (None, None) if text.len() <= MOST_DATA => ButtonDoes::Tell(text.clone()),
        (None, None) => return Err(wrong(Some(button))),
    };
    match &does {
        // With such a one a script could have somebody answer in an operator's place.
        ButtonDoes::Tell(data) if data.starts_with(PREFIX) => {
            let message = format!("the data of the button {text:?} may not begin with {PREFIX:?}; take another word");
            Err(CallError::new("PermissionError", message))
        }
        ButtonDoes::Tell(_) | ButtonDoes::Open(_) => Ok(Button { text, does }),
    }
}
