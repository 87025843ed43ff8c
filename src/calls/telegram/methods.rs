//! Calls to `telegram` that are one Bot API method each: deleting, polls, forwarding, pins, topics, administration.

use serde_json::{Value, json};

use super::wanted::destination;
use crate::call::{Call, CallError};
use crate::calls::args::{Args, as_id};
use crate::chat::ids::RoomId;
use crate::telegram::outbox::ActKind;

/// Telegram's bounds of a poll: answers, and the characters of the question and of an answer.
const POLL: (usize, usize, usize, usize) = (2, 12, 300, 100);
/// The longest mute in minutes: Telegram takes more than 366 days as for ever.
const LONGEST_MUTE: i64 = 366 * 24 * 60;

/// Where to, and what; `None` if the path is none of these. `now` is in seconds.
pub(super) fn method(call: &Call, room: RoomId, now: i64) -> Result<Option<(RoomId, ActKind)>, CallError> {
    let args = Args::of(call);
    let message = || args.id(0, "message");
    let person = || args.id(0, "person");
    let (to, method, mut body, says) = match call.path.as_str() {
        "telegram.delete" => {
            let id = message()?;
            (room, "deleteMessage", json!({ "message_id": id }), format!("deleted message {id}"))
        }
        "telegram.poll" => {
            let (body, says) = poll(&args, room)?;
            (room, "sendPoll", body, says)
        }
        "telegram.forward" | "telegram.copy" => {
            let id = message()?;
            let to = destination(&args.options(1, &["chat", "topic"])?, room)?;
            let mut body = json!({ "from_chat_id": room.chat.0, "message_id": id });
            if let Some(topic) = to.topic {
                body["message_thread_id"] = json!(topic.0);
            }
            let is_copy = call.path.ends_with("copy");
            let (method, did) = if is_copy { ("copyMessage", "copied") } else { ("forwardMessage", "forwarded") };
            (to, method, body, format!("{did} message {id}"))
        }
        "telegram.pin" => {
            let id = message()?;
            let loud = args.options(1, &["notify"])?.flag("notify")?;
            let body = json!({ "message_id": id, "disable_notification": !loud });
            (room, "pinChatMessage", body, format!("pinned message {id}"))
        }
        "telegram.unpin" => {
            let id = message()?;
            (room, "unpinChatMessage", json!({ "message_id": id }), format!("unpinned message {id}"))
        }
        "telegram.createTopic" => {
            let name = short(&args, 0, "name", 128)?;
            let says = format!("created the topic {name:?}");
            (room, "createForumTopic", json!({ "name": name }), says)
        }
        "telegram.closeTopic" | "telegram.reopenTopic" => {
            let topic = match args.value(0) {
                Some(_) => args.id(0, "topic")?,
                None => room.topic.map(|topic| topic.0).ok_or_else(|| args.wrong("topic", "a topic's number", None))?,
            };
            let is_close = call.path.ends_with("closeTopic");
            let (method, did) = if is_close { ("closeForumTopic", "closed") } else { ("reopenForumTopic", "reopened") };
            (room, method, json!({ "message_thread_id": topic }), format!("{did} topic {topic}"))
        }
        "telegram.admin.ban" => {
            let id = person()?;
            (room, "banChatMember", json!({ "user_id": id }), format!("banned {id}"))
        }
        "telegram.admin.unban" => {
            let id = person()?;
            let body = json!({ "user_id": id, "only_if_banned": true });
            (room, "unbanChatMember", body, format!("lifted the ban of {id}"))
        }
        "telegram.admin.mute" => {
            let (id, minutes) = (person()?, args.id(1, "minutes")?);
            if !(1..=LONGEST_MUTE).contains(&minutes) {
                let message = format!("{}: minutes must be 1 to {LONGEST_MUTE}, got {minutes}", call.path);
                return Err(CallError::new("RangeError", message));
            }
            let body = json!({ "user_id": id, "permissions": { "can_send_messages": false }, "until_date": now + minutes * 60 });
            (room, "restrictChatMember", body, format!("muted {id} for {minutes} min"))
        }
        "telegram.admin.unmute" => {
            let id = person()?;
            let rights = [
                "messages",
                "audios",
                "documents",
                "photos",
                "videos",
                "video_notes",
                "voice_notes",
                "polls",
                "other_messages",
            ];
            let rights: serde_json::Map<String, Value> =
                rights.iter().map(|r| (format!("can_send_{r}"), json!(true))).collect();
            (room, "restrictChatMember", json!({ "user_id": id, "permissions": rights }), format!("unmuted {id}"))
        }
        "telegram.admin.inviteLink" => {
            let options = args.options(0, &["uses", "minutes"])?;
            let mut body = json!({});
            if let Some(uses) = options.id("uses")? {
                body["member_limit"] = json!(uses.clamp(1, 99_999));
            }
            if let Some(minutes) = options.id("minutes")? {
                body["expire_date"] = json!(now + minutes.clamp(1, LONGEST_MUTE) * 60);
            }
            (room, "createChatInviteLink", body, "made an invite link".to_owned())
        }
        "telegram.admin.setTitle" => {
            let title = short(&args, 0, "title", 128)?;
            let says = format!("named the chat {title:?}");
            (room, "setChatTitle", json!({ "title": title }), says)
        }
        _ => return Ok(None),
    };
    body["chat_id"] = json!(to.chat.0);
    Ok(Some((to, ActKind::Ask { method: method.to_owned(), body, says })))
}

fn short(args: &Args<'_>, index: usize, name: &str, most: usize) -> Result<String, CallError> {
    let text = args.text(index, name)?.trim().to_owned();
    match text.chars().count() {
        count if count > most => {
            Err(CallError::new("RangeError", format!("{name} has {count} characters; at most {most}")))
        }
        _ => Ok(text),
    }
}

fn poll(args: &Args<'_>, room: RoomId) -> Result<(Value, String), CallError> {
    let (fewest, most, longest_question, longest_answer) = POLL;
    let question = short(args, 0, "question", longest_question)?;
    let wrong = |got| args.wrong("answers", "an array of 2 to 12 texts", got);
    let Some(Value::Array(answers)) = args.value(1) else { return Err(wrong(args.value(1))) };
    if !(fewest..=most).contains(&answers.len()) {
        let message = format!("a poll has {fewest} to {most} answers, and these are {}", answers.len());
        return Err(CallError::new("RangeError", message));
    }
    let mut options = Vec::new();
    for answer in answers {
        let text = answer.as_str().map(str::trim).filter(|text| !text.is_empty()).ok_or_else(|| wrong(Some(answer)))?;
        if text.chars().count() > longest_answer {
            let message = format!("an answer has more than {longest_answer} characters: {text}");
            return Err(CallError::new("RangeError", message));
        }
        options.push(json!({ "text": text }));
    }
    let extra = args.options(2, &["multiple", "named", "replyTo", "quiet"])?;
    let mut body = json!({ "question": question, "options": options, "is_anonymous": !extra.flag("named")?,
        "allows_multiple_answers": extra.flag("multiple")?, "disable_notification": extra.flag("quiet")? });
    if let Some(topic) = room.topic {
        body["message_thread_id"] = json!(topic.0);
    }
    if let Some(message) = extra.get("replyTo").and_then(as_id) {
        body["reply_parameters"] = json!({ "message_id": message });
    }
    Ok((body, format!("asked {question:?} in a poll")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::ids::ChatId;

    #[test]
    fn administration_is_asked_as_the_bot_api_documents_it() {
        let rows = [
            ("ban", json!([7]), "banChatMember", json!({ "user_id": 7 })),
            ("unban", json!([7]), "unbanChatMember", json!({ "user_id": 7, "only_if_banned": true })),
            (
                "mute",
                json!([7, 30]),
                "restrictChatMember",
                json!({ "user_id": 7, "permissions": { "can_send_messages": false }, "until_date": 1900 }),
            ),
            (
                "inviteLink",
                json!([{ "uses": 1, "minutes": 1 }]),
                "createChatInviteLink",
                json!({ "member_limit": 1, "expire_date": 160 }),
            ),
            ("setTitle", json!([" 周末 "]), "setChatTitle", json!({ "title": "周末" })),
        ];
        for (name, args, expected, mut fields) in rows {
            let Value::Array(args) = args else { panic!("{name}") };
            let call = Call { id: 1, path: format!("telegram.admin.{name}"), args };
            let (to, kind) = method(&call, RoomId::whole(ChatId(-9)), 100).unwrap().unwrap();
            fields["chat_id"] = json!(-9);
            let ActKind::Ask { method, body, .. } = kind else { panic!("{name}") };
            assert_eq!((to.chat, method.as_str(), body), (ChatId(-9), expected, fields));
        }
        let call = Call { id: 1, path: "telegram.admin.mute".to_owned(), args: vec![json!(7), json!(0)] };
        assert!(method(&call, RoomId::whole(ChatId(-9)), 100).is_err());
    }
}
