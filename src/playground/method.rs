//! The Bot API methods that the server offers.

use serde_json::{Value, json};

use super::http::{Answer, Refusal, Request, refuse};
use super::more;
use super::updates::get_updates;
use super::world::{World, rewrite, user};
use super::{SeenAct, Shared, Standing};
use crate::chat::ids::{ChatId, MessageId, PersonId, TopicId};
use crate::time::Timestamp;

/// Telegram's limit of one text, in UTF-16 units.
const MAX_TEXT: usize = 4096;

pub(super) async fn answer(shared: &Shared, method: &str, request: Request) -> Answer {
    let lower = method.to_lowercase();
    if lower == "getupdates" {
        return get_updates(shared, &request).await;
    }
    let now = shared.clock.now();
    let mut world = shared.world();
    let acts_before = world.acts.len();
    let result = match lower.as_str() {
        "getme" => Ok(me(&world)),
        "sendmessage" => send_message(&mut world, request, now),
        "editmessagetext" => edit_message(&mut world, request, now),
        "editmessagereplymarkup" => edit_keyboard(&mut world, request, now),
        "deletemessage" => delete_message(&mut world, request, now),
        "setmessagereaction" => set_reaction(&mut world, request, now),
        "pinchatmessage" => pin_message(&mut world, request, now),
        "sendchataction" => open_chat(&world, &request).map(|chat| {
            world.signs.push(chat);
            json!(true)
        }),
        "getchat" => open_chat(&world, &request).map(|chat| full_chat(&world, chat)),
        "getchatmember" => chat_member(&world, &request),
        "leavechat" => leave_chat(&mut world, request, now),
        "answercallbackquery" => {
            note(&mut world, "answerCallbackQuery", ChatId(0), None, now, request);
            Ok(json!(true))
        }
        "setmycommands" => {
            note(&mut world, "setMyCommands", ChatId(0), None, now, request);
            Ok(json!(true))
        }
        "deletemycommands" | "deletewebhook" => Ok(json!(true)),
        other => {
            let more = more::answer(&mut world, other, request, now);
            more.unwrap_or_else(|| Err(refuse(404, "Not Found: method not found")))
        }
    };
    let new: Vec<SeenAct> = world.acts.get(acts_before..).unwrap_or_default().to_vec();
    drop(world);
    for act in new {
        // Nobody watching is fine.
        let _ = shared.watchers.send(act);
    }
    result
}

fn me(world: &World) -> Value {
    let mut me = user(&world.bot);
    let flags = [
        ("can_join_groups", true),
        ("can_read_all_group_messages", !world.is_private),
        ("supports_inline_queries", false),
        ("can_connect_to_business", false),
        ("has_main_web_app", false),
    ];
    for (flag, value) in flags {
        me[flag] = json!(value);
    }
    me
}

/// A chat with what `getChat` tells beside.
fn full_chat(world: &World, chat: ChatId) -> Value {
    let mut full = world.chat(chat);
    full["accent_color_id"] = json!(0);
    full["max_reaction_count"] = json!(11);
    full["accepted_gift_types"] = json!({"unlimited_gifts": false, "limited_gifts": false, "unique_gifts": false,
        "premium_subscription": false, "gifts_from_channels": false});
    full
}

/// The chat of a request, if the bot may act there.
pub(super) fn open_chat(world: &World, request: &Request) -> Result<ChatId, Refusal> {
    let id = ChatId(request.int("chat_id").ok_or_else(|| refuse(400, "Bad Request: chat_id is empty"))?);
    match world.rooms.get(&id) {
        Some(room) if room.standing == Standing::Out && id.is_private() => {
            Err(refuse(403, "Forbidden: bot was blocked by the user"))
        }
        Some(room) if room.standing == Standing::Out => {
            Err(refuse(403, "Forbidden: bot is not a member of the supergroup chat"))
        }
        Some(room) => match room.moved_to {
            Some(to) => Err(Refusal {
                parameters: Some(json!({"migrate_to_chat_id": to.0})),
                ..refuse(400, "Bad Request: group chat was upgraded to a supergroup chat")
            }),
            None => Ok(id),
        },
        None if id.person().is_some_and(|person| world.people.contains_key(&person)) => {
            Err(refuse(403, "Forbidden: bot can't initiate conversation with a user"))
        }
        None => Err(refuse(400, "Bad Request: chat not found")),
    }
}

fn send_message(world: &mut World, request: Request, now: Timestamp) -> Answer {
    let chat = open_chat(world, &request)?;
    let text = checked_text(&request)?;
    let topic = request.int("message_thread_id").map(TopicId);
    let Some(room) = world.rooms.get(&chat) else { return Err(refuse(400, "Bad Request: chat not found")) };
    if room.standing == Standing::Muted {
        return Err(refuse(400, "Bad Request: not enough rights to send text messages to the chat"));
    }
    if topic.is_some_and(|topic| !room.topics.contains_key(&topic)) {
        return Err(refuse(400, "Bad Request: message thread not found"));
    }
    if topic.is_some_and(|topic| room.closed.contains(&topic)) {
        return Err(refuse(400, "Bad Request: TOPIC_CLOSED"));
    }
    let wanted = request.0.get("reply_parameters");
    let reply_to = wanted.and_then(|p| p.get("message_id")).and_then(Value::as_i64).map(MessageId);
    let reply_to = match reply_to {
        Some(id) if room.messages.contains_key(&id) => Some(id),
        Some(_) if wanted.and_then(|p| p.get("allow_sending_without_reply")) == Some(&json!(true)) => None,
        Some(_) => return Err(refuse(400, "Bad Request: message to be replied not found")),
        None => None,
    };
    if let (Some(id), Some(quote)) = (reply_to, wanted.and_then(|p| p.get("quote")).and_then(Value::as_str)) {
        let quoted = room.messages.get(&id).and_then(|message| message["text"].as_str()).unwrap_or_default();
        if !quoted.contains(quote) {
            return Err(refuse(400, "Bad Request: QUOTE_TEXT_INVALID"));
        }
    }
    let entities = request.0.get("entities").and_then(Value::as_array).cloned().unwrap_or_default();
    let bot = user(&world.bot);
    let keyboard = checked_keyboard(&request)?;
    let mut message = world.message(chat, topic, bot, &text, entities, reply_to, now);
    if let Some(keyboard) = keyboard {
        message["reply_markup"] = keyboard;
        world.keep(chat, &message);
    }
    world.acts.push(SeenAct {
        method: "sendMessage".to_owned(),
        chat,
        topic,
        text,
        reply_to,
        message: message["message_id"].as_i64().map(MessageId),
        at: now,
        body: request.0,
    });
    Ok(message)
}

fn checked_text(request: &Request) -> Result<String, Refusal> {
    let text = request.text("text");
    if text.trim().is_empty() {
        return Err(refuse(400, "Bad Request: message text is empty"));
    }
    let units: Vec<u16> = text.encode_utf16().collect();
    if units.len() > MAX_TEXT {
        return Err(refuse(400, "Bad Request: message is too long"));
    }
    let is_low = |at: usize| units.get(at).is_some_and(|unit| (0xDC00..0xE000).contains(unit));
    for entity in request.0.get("entities").and_then(Value::as_array).into_iter().flatten() {
        let number = |key: &str| entity.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        let fits = match (number("offset"), number("length")) {
            (Some(start), Some(length)) => {
                let end = start.saturating_add(length);
                length > 0 && end <= units.len() && !is_low(start) && !is_low(end)
            }
            (None, _) | (_, None) => false,
        };
        if !fits {
            return Err(refuse(400, "Bad Request: ENTITY_BOUNDS_INVALID"));
        }
    }
    Ok(text)
}

fn edit_message(world: &mut World, request: Request, now: Timestamp) -> Answer {
    let (chat, id) = (open_chat(world, &request)?, request.message()?);
    let text = checked_text(&request)?;
    let keyboard = checked_keyboard(&request)?;
    let bot = world.bot.id.0;
    let stored = world.rooms.get_mut(&chat).and_then(|room| room.messages.get_mut(&id));
    let Some(stored) = stored else { return Err(refuse(400, "Bad Request: message to edit not found")) };
    if stored["from"]["id"] != json!(bot) {
        return Err(refuse(400, "Bad Request: message can't be edited"));
    }
    if stored["text"] == json!(text) && stored.get("reply_markup") == keyboard.as_ref() {
        return Err(not_modified());
    }
    let entities = request.0.get("entities").and_then(Value::as_array).cloned().unwrap_or_default();
    rewrite(stored, &text, entities, now);
    set_keyboard(stored, keyboard);
    let edited = stored.clone();
    note(world, "editMessageText", chat, Some(id), now, request);
    Ok(edited)
}

fn edit_keyboard(world: &mut World, request: Request, now: Timestamp) -> Answer {
    let (chat, id) = (open_chat(world, &request)?, request.message()?);
    let keyboard = checked_keyboard(&request)?;
    let bot = world.bot.id.0;
    let stored = world.rooms.get_mut(&chat).and_then(|room| room.messages.get_mut(&id));
    let Some(stored) = stored else { return Err(refuse(400, "Bad Request: message to edit not found")) };
    if stored["from"]["id"] != json!(bot) {
        return Err(refuse(400, "Bad Request: message can't be edited"));
    }
    if stored.get("reply_markup") == keyboard.as_ref() {
        return Err(not_modified());
    }
    set_keyboard(stored, keyboard);
    let edited = stored.clone();
    note(world, "editMessageReplyMarkup", chat, Some(id), now, request);
    Ok(edited)
}

fn set_keyboard(message: &mut Value, keyboard: Option<Value>) {
    let Some(fields) = message.as_object_mut() else { return };
    match keyboard {
        Some(keyboard) => drop(fields.insert("reply_markup".to_owned(), keyboard)),
        None => drop(fields.remove("reply_markup")),
    }
}

fn not_modified() -> Refusal {
    let text = "Bad Request: message is not modified: specified new message content and reply markup are exactly the \
                same as a current content and reply markup of the message";
    refuse(400, text)
}

/// The inline keyboard of a request, if it has buttons at all.
fn checked_keyboard(request: &Request) -> Result<Option<Value>, Refusal> {
    let Some(keyboard) = request.0.get("reply_markup") else { return Ok(None) };
    let rows = keyboard.get("inline_keyboard").and_then(Value::as_array);
    let rows = rows.ok_or_else(|| refuse(400, "Bad Request: object expected as reply markup"))?;
    for button in rows.iter().flat_map(|row| row.as_array().into_iter().flatten()) {
        if button["text"].as_str().is_none_or(|text| text.trim().is_empty()) {
            return Err(refuse(400, "Bad Request: inline keyboard button text is empty"));
        }
        match (button["callback_data"].as_str(), button["url"].as_str()) {
            (Some(data), None) if (1..=64).contains(&data.len()) => {}
            (Some(_), None) => return Err(refuse(400, "Bad Request: BUTTON_DATA_INVALID")),
            (None, Some(url)) if !url.is_empty() && !url.contains(char::is_whitespace) => {}
            (None, Some(_)) => return Err(refuse(400, "Bad Request: BUTTON_URL_INVALID")),
            (None, None) | (Some(_), Some(_)) => {
                return Err(refuse(400, "Bad Request: text buttons are unallowed in the inline keyboard"));
            }
        }
    }
    Ok((!rows.is_empty()).then(|| keyboard.clone()))
}

fn delete_message(world: &mut World, request: Request, now: Timestamp) -> Answer {
    let (chat, id) = (open_chat(world, &request)?, request.message()?);
    if !world.delete(chat, id) {
        return Err(refuse(400, "Bad Request: message to delete not found"));
    }
    note(world, "deleteMessage", chat, Some(id), now, request);
    Ok(json!(true))
}

fn set_reaction(world: &mut World, request: Request, now: Timestamp) -> Answer {
    let (chat, id) = (open_chat(world, &request)?, request.message()?);
    existing(world, chat, id, "Bad Request: message to react not found")?;
    let reactions = request.0.get("reaction").and_then(Value::as_array).cloned().unwrap_or_default();
    let shown = reactions.iter().filter_map(|r| r.get("emoji").or_else(|| r.get("custom_emoji_id"))?.as_str());
    let text = shown.collect::<Vec<_>>().join(" ");
    // A bot may set one reaction only.
    if reactions.len() > 1 {
        return Err(refuse(400, "Bad Request: REACTIONS_TOO_MANY"));
    }
    if reactions.iter().any(|r| r["type"] == "emoji" && r["emoji"].as_str().is_none_or(|e| !e.chars().any(is_picture)))
    {
        return Err(refuse(400, "Bad Request: REACTION_INVALID"));
    }
    note(world, "setMessageReaction", chat, Some(id), now, request);
    if let Some(act) = world.acts.last_mut() {
        act.text = text;
    }
    Ok(json!(true))
}

/// Enough to tell an emoji from a word; the real server has a list.
fn is_picture(c: char) -> bool {
    u32::from(c) >= 0x2600 || c == '\u{203c}' || c == '\u{2049}'
}

fn pin_message(world: &mut World, request: Request, now: Timestamp) -> Answer {
    let (chat, id) = (open_chat(world, &request)?, request.message()?);
    existing(world, chat, id, "Bad Request: message to pin not found")?;
    note(world, "pinChatMessage", chat, Some(id), now, request);
    Ok(json!(true))
}

fn leave_chat(world: &mut World, request: Request, now: Timestamp) -> Answer {
    let chat = open_chat(world, &request)?;
    if let Some(room) = world.rooms.get_mut(&chat) {
        room.standing = Standing::Out;
    }
    note(world, "leaveChat", chat, None, now, request);
    Ok(json!(true))
}

fn chat_member(world: &World, request: &Request) -> Answer {
    let chat = open_chat(world, request)?;
    let person = PersonId(request.int("user_id").ok_or_else(|| refuse(400, "Bad Request: user not found"))?);
    let is_in = world.rooms.get(&chat).is_some_and(|room| room.members.contains(&person));
    let status = match is_in || person == world.bot.id {
        true => "member",
        false if world.people.contains_key(&person) => "left",
        false => return Err(refuse(400, "Bad Request: member not found")),
    };
    Ok(json!({"status": status, "user": world.user(person)}))
}

pub(super) fn existing(world: &World, chat: ChatId, id: MessageId, otherwise: &str) -> Result<(), Refusal> {
    let is_there = world.rooms.get(&chat).is_some_and(|room| room.messages.contains_key(&id));
    if is_there { Ok(()) } else { Err(refuse(400, otherwise)) }
}

pub(super) fn note(
    world: &mut World,
    method: &str,
    chat: ChatId,
    message: Option<MessageId>,
    at: Timestamp,
    request: Request,
) {
    world.acts.push(SeenAct {
        method: method.to_owned(),
        chat,
        topic: None,
        text: request.text("text"),
        reply_to: None,
        message,
        at,
        body: request.0,
    });
}
