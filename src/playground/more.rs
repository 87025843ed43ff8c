//! Methods beside plain messages: polls, stickers, forwarding, pins, topics, administration.

use serde_json::{Value, json};

use super::SeenAct;
use super::http::{Answer, Refusal, Request, refuse};
use super::method::{existing, note, open_chat};
use super::world::{World, user};
use crate::chat::ids::{ChatId, MessageId, PersonId, TopicId};
use crate::chat::person::Profile;
use crate::time::Timestamp;

/// Answers a method; `None` if it is none of these.
pub(super) fn answer(world: &mut World, method: &str, request: Request, now: Timestamp) -> Option<Answer> {
    Some(match method {
        "sendpoll" => send(world, request, now, "sendPoll", poll),
        "sendsticker" => send(world, request, now, "sendSticker", sticker),
        "forwardmessage" => carry(world, request, now, "forwardMessage"),
        "copymessage" => carry(world, request, now, "copyMessage"),
        "unpinchatmessage" => on_message(world, request, now, "unpinChatMessage"),
        "createforumtopic" => create_topic(world, request, now),
        "closeforumtopic" => set_open(world, request, now, "closeForumTopic", false),
        "reopenforumtopic" => set_open(world, request, now, "reopenForumTopic", true),
        "banchatmember" => on_member(world, request, now, "banChatMember"),
        "unbanchatmember" => on_member(world, request, now, "unbanChatMember"),
        "restrictchatmember" => on_member(world, request, now, "restrictChatMember"),
        "createchatinvitelink" => invite_link(world, request, now),
        "getfile" => file(world, &request),
        "setchattitle" => set_title(world, request, now),
        "getchatadministrators" => open_chat(world, &request).map(|_| json!([administrator(&world.bot)])),
        _ => return None,
    })
}

fn file(world: &World, request: &Request) -> Answer {
    let id = request.text("file_id");
    match world.files.get(&id) {
        Some((_, bytes)) if bytes.len() > 20 << 20 => Err(refuse(400, "Bad Request: file is too big")),
        Some((path, bytes)) => Ok(json!({"file_id": id, "file_unique_id": format!("u{id}"), "file_size": bytes.len(),
            "file_path": path})),
        None => Err(refuse(400, "Bad Request: wrong file_id or the file is temporarily unavailable")),
    }
}

/// The bot as an administrator who may do what bots do here.
fn administrator(bot: &Profile) -> Value {
    let mut member =
        json!({ "status": "administrator", "user": user(bot), "can_be_edited": false, "is_anonymous": false });
    let rights = ["manage_chat", "delete_messages", "restrict_members", "change_info", "invite_users", "pin_messages"];
    let lacks = [
        "manage_video_chats",
        "promote_members",
        "post_stories",
        "edit_stories",
        "delete_stories",
        "send_welcome_messages",
    ];
    for (right, has) in rights.into_iter().map(|r| (r, true)).chain(lacks.into_iter().map(|r| (r, false))) {
        member[format!("can_{right}")] = json!(has);
    }
    member
}

type Content = fn(&Request) -> Result<(String, Value), Refusal>;

fn poll(request: &Request) -> Result<(String, Value), Refusal> {
    let question = request.text("question");
    if question.trim().is_empty() {
        return Err(refuse(400, "Bad Request: poll question must be non-empty"));
    }
    let options = request.0.get("options").and_then(Value::as_array).cloned().unwrap_or_default();
    if options.is_empty() {
        return Err(refuse(400, "Bad Request: poll must have at least 1 option"));
    }
    let shown: Vec<Value> = options
        .iter()
        .enumerate()
        .map(|(n, o)| json!({ "persistent_id": n.to_string(), "text": o["text"], "voter_count": 0 }))
        .collect();
    let poll = json!({ "id": "1", "question": question, "options": shown, "total_voter_count": 0, "is_closed": false,
        "is_anonymous": request.0.get("is_anonymous") != Some(&json!(false)), "type": "regular",
        "allows_revoting": true, "members_only": false,
        "allows_multiple_answers": request.0.get("allows_multiple_answers") == Some(&json!(true)) });
    Ok((question, json!({ "poll": poll })))
}

fn sticker(request: &Request) -> Result<(String, Value), Refusal> {
    let file = request.text("sticker");
    if file.is_empty() {
        return Err(refuse(400, "Bad Request: there is no sticker in the request"));
    }
    let sticker = json!({ "file_id": file, "file_unique_id": file, "type": "regular", "width": 512, "height": 512,
        "is_animated": false, "is_video": false });
    Ok((file, json!({ "sticker": sticker })))
}

fn send(world: &mut World, request: Request, at: Timestamp, method: &str, content: Content) -> Answer {
    let chat = open_chat(world, &request)?;
    let (text, fields) = content(&request)?;
    let topic = request.int("message_thread_id").map(TopicId);
    let reply_to = request.0.get("reply_parameters").and_then(|p| p.get("message_id")).and_then(Value::as_i64);
    if let Some(id) = reply_to {
        existing(world, chat, MessageId(id), "Bad Request: message to be replied not found")?;
    }
    let bot = user(&world.bot);
    let mut message = world.message(chat, topic, bot, "", Vec::new(), reply_to.map(MessageId), at);
    for (key, value) in fields.as_object().into_iter().flatten() {
        message[key] = value.clone();
    }
    world.keep(chat, &message);
    let id = message["message_id"].as_i64().map(MessageId);
    let reply_to = reply_to.map(MessageId);
    let method = method.to_owned();
    world.acts.push(SeenAct { method, chat, topic, text, reply_to, message: id, at, body: request.0 });
    Ok(message)
}

fn carry(world: &mut World, request: Request, at: Timestamp, method: &str) -> Answer {
    let (chat, id) = (open_chat(world, &request)?, request.message()?);
    let from = ChatId(request.int("from_chat_id").unwrap_or_default());
    let is_copy = method == "copyMessage";
    let missing =
        || refuse(400, &format!("Bad Request: message to {} not found", if is_copy { "copy" } else { "forward" }));
    let original = world.rooms.get(&from).and_then(|room| room.messages.get(&id)).cloned().ok_or_else(missing)?;
    let text = original["text"].as_str().unwrap_or_default().to_owned();
    let bot = user(&world.bot);
    let topic = request.int("message_thread_id").map(TopicId);
    let mut message = world.message(chat, topic, bot, &text, Vec::new(), None, at);
    if !is_copy {
        message["forward_origin"] =
            json!({ "type": "user", "sender_user": original["from"], "date": original["date"] });
        world.keep(chat, &message);
    }
    let sent = message["message_id"].as_i64().map(MessageId);
    let method = method.to_owned();
    world.acts.push(SeenAct { method, chat, topic, text, reply_to: None, message: sent, at, body: request.0 });
    Ok(if is_copy { json!({ "message_id": message["message_id"] }) } else { message })
}

fn on_message(world: &mut World, request: Request, now: Timestamp, method: &str) -> Answer {
    let (chat, id) = (open_chat(world, &request)?, request.message()?);
    existing(world, chat, id, "Bad Request: message to unpin not found")?;
    note(world, method, chat, Some(id), now, request);
    Ok(json!(true))
}

fn on_member(world: &mut World, request: Request, now: Timestamp, method: &str) -> Answer {
    let chat = open_chat(world, &request)?;
    let id = PersonId(request.int("user_id").ok_or_else(|| refuse(400, "Bad Request: invalid user_id specified"))?);
    let is_known = world.rooms.get(&chat).is_some_and(|room| room.members.contains(&id));
    match method {
        "unbanChatMember" => {}
        _ if !is_known => return Err(refuse(400, "Bad Request: USER_NOT_PARTICIPANT")),
        "banChatMember" => world.leave(chat, id),
        _ => {}
    }
    note(world, method, chat, None, now, request);
    Ok(json!(true))
}

fn create_topic(world: &mut World, request: Request, now: Timestamp) -> Answer {
    let chat = open_chat(world, &request)?;
    let name = request.text("name");
    let topic = world.add_topic(chat, &name);
    note(world, "createForumTopic", chat, None, now, request);
    Ok(json!({ "message_thread_id": topic.0, "name": name, "icon_color": 7_322_096 }))
}

fn set_open(world: &mut World, request: Request, now: Timestamp, method: &str, is_open: bool) -> Answer {
    let chat = open_chat(world, &request)?;
    let topic = TopicId(request.int("message_thread_id").unwrap_or_default());
    let room = world.rooms.get_mut(&chat).filter(|room| room.topics.contains_key(&topic));
    let Some(room) = room else { return Err(refuse(400, "Bad Request: TOPIC_ID_INVALID")) };
    let was_changed = if is_open { room.closed.remove(&topic) } else { room.closed.insert(topic) };
    if !was_changed {
        return Err(refuse(400, "Bad Request: TOPIC_NOT_MODIFIED"));
    }
    note(world, method, chat, None, now, request);
    Ok(json!(true))
}

fn invite_link(world: &mut World, request: Request, now: Timestamp) -> Answer {
    let chat = open_chat(world, &request)?;
    let link = json!({ "invite_link": "https://t.me/+playground", "creator": user(&world.bot), "is_primary": false,
        "creates_join_request": false, "is_revoked": false });
    note(world, "createChatInviteLink", chat, None, now, request);
    Ok(link)
}

fn set_title(world: &mut World, request: Request, now: Timestamp) -> Answer {
    let chat = open_chat(world, &request)?;
    let title = request.text("title");
    if title.trim().is_empty() {
        return Err(refuse(400, "Bad Request: chat title is empty"));
    }
    if let Some(room) = world.rooms.get_mut(&chat) {
        room.title = title;
    }
    note(world, "setChatTitle", chat, None, now, request);
    Ok(json!(true))
}
