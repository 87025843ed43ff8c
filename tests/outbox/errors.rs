//! Telegram's errors, one row each, over HTTP: what a script reads, and what the room does by itself.

use groupmate::attention::ledger::Mark;
use groupmate::chat::event::{Event, EventKind};
use groupmate::chat::ids::{MessageId, RoomId};
use groupmate::chat::person::{Chat, ChatKind};
use groupmate::playground::Failure;
use groupmate::telegram::outbox::{Act, ActError, ActKind};
use groupmate::time::Timestamp;
use serde_json::{Value, json};

use super::{ANN, START, Scene, say};

/// What becomes of an act after an error.
enum Then {
    /// Refused; the script reads words with this part.
    Read(&'static str),
    /// Nothing is wrong.
    Fine,
    /// Refused with words that have this part, and nothing more is tried in the chat.
    Rests(&'static str),
    /// Nobody knows; never repeated.
    Unknown(&'static str),
}
use Then::{Fine, Read, Rests, Unknown};

#[tokio::test]
async fn every_error_has_its_words_and_its_consequence() {
    let text = "sendMessage";
    let rows = [
        (text, 400, "Bad Request: chat not found", Read("no such chat, or you are not in it")),
        (text, 400, "Bad Request: not enough rights to send text messages to the chat", Read("administrator")),
        (text, 400, "Bad Request: message thread not found", Read("the topic is gone")),
        (text, 400, "Bad Request: TOPIC_CLOSED", Rests("the topic is closed")),
        (text, 403, "Forbidden: bot was blocked by the user", Rests("blocked by the user")),
        (text, 403, "Forbidden: bot was kicked from the supergroup chat", Rests("kicked")),
        (text, 403, "Forbidden: user is deactivated", Rests("deactivated")),
        (text, 400, "Bad Request: something that nobody has seen yet", Read("something that nobody has seen yet")),
        (text, 500, "Internal Server Error", Unknown("may have happened")),
        ("sendDocument", 413, "Request Entity Too Large", Read("the file is too big: at most 50 MB")),
        ("sendDocument", 400, "Bad Request: file is too big", Read("the file is too big: at most 50 MB")),
        ("sendVoice", 400, "Bad Request: VOICE_MESSAGES_FORBIDDEN", Read("takes no voice messages")),
        ("editMessageText", 400, "Bad Request: message is not modified: specified new content", Fine),
        ("editMessageText", 400, "Bad Request: message to edit not found", Read("no such message to edit")),
        ("editMessageText", 400, "Bad Request: message can't be edited", Read("only your own messages can be edited")),
        ("deleteMessage", 400, "Bad Request: message to delete not found", Fine),
        ("deleteMessage", 400, "Bad Request: message can't be deleted for everyone", Read("too old")),
        ("setMessageReaction", 400, "Bad Request: message to react not found", Read("no such message to react to")),
        ("setMessageReaction", 400, "Bad Request: REACTION_INVALID", Read("no reaction here")),
        ("forwardMessage", 400, "Bad Request: message to forward not found", Read("no such message to forward")),
        ("copyMessage", 400, "Bad Request: message to copy not found", Read("no such message to copy")),
        ("pinChatMessage", 400, "Bad Request: message to pin not found", Read("no such message to pin")),
        ("pinChatMessage", 400, "Bad Request: not enough rights to manage pinned messages", Read("lack the right")),
        ("closeForumTopic", 400, "Bad Request: TOPIC_NOT_MODIFIED", Fine),
        ("banChatMember", 400, "Bad Request: USER_NOT_PARTICIPANT", Read("not in this chat")),
        ("banChatMember", 400, "Bad Request: can't remove chat owner", Read("owns this chat")),
    ];
    for (method, code, description, then) in rows {
        let s = Scene::new().await;
        let asked = s.server.say(s.group, ANN, "在吗", None);
        let room = RoomId::whole(s.group);
        let act = Act { answers: vec![asked], ..request(&s, method, asked) };
        s.server.fail_next(method, 1, Failure::api(code, description));
        let result = s.outbox.act(act).await;
        let mark = s.store.mark(room, asked).unwrap();
        let again = s.say("再说一句", None).await;
        match (then, result) {
            (Read(part), Err(ActError::Refused(why))) => {
                assert!(why.contains(part), "{description}: {why}");
                assert_eq!(mark, None, "{description}: it is still owed");
                assert!(again.is_ok(), "{description}");
            }
            (Fine, Ok(_)) => assert!(again.is_ok(), "{description}"),
            (Rests(part), Err(ActError::Refused(why))) => {
                assert!(why.contains(part), "{description}: {why}");
                let Err(ActError::Refused(again)) = again else { panic!("{description}: {again:?}") };
                assert!(again.contains("rests"), "{description}: {again}");
                assert!(s.server.acts().is_empty(), "{description}: nothing more was tried");
            }
            (Unknown(part), Err(ActError::Unknown { act, why })) => {
                assert!(why.contains(part), "{description}: {why}");
                assert_eq!(mark, Some(Mark::Unknown { act }), "{description}");
            }
            (_, result) => panic!("{description}: {result:?}"),
        }
    }
}

/// A request of a method, as a script's call makes it.
fn request(s: &Scene, method: &str, message: MessageId) -> Act {
    let (id, chat) = (message.0, s.group.0);
    let body = match method {
        "sendMessage" => return say(s.group, "在", Some(message)),
        "setMessageReaction" => {
            let kind = ActKind::React { message, emoji: Some("👍".into()) };
            return Act { kind, ..say(s.group, "", None) };
        }
        "editMessageText" => {
            let kind = ActKind::Edit { message, text: Some("六点".into()), buttons: vec![] };
            return Act { kind, ..say(s.group, "", None) };
        }
        "sendDocument" => json!({ "chat_id": chat, "document": "file-id" }),
        "sendVoice" => json!({ "chat_id": chat, "voice": "file-id" }),
        "forwardMessage" | "copyMessage" => json!({ "chat_id": chat, "from_chat_id": chat, "message_id": id }),
        "closeForumTopic" => json!({ "chat_id": chat, "message_thread_id": 7 }),
        "banChatMember" => json!({ "chat_id": chat, "user_id": ANN.0 }),
        _ => json!({ "chat_id": chat, "message_id": id }),
    };
    Act { kind: ActKind::Ask { method: method.into(), body, says: "did it".into() }, ..say(s.group, "", None) }
}

#[tokio::test]
async fn a_wrong_quote_is_left_out_once_and_the_reply_stays() {
    let s = Scene::new().await;
    let asked = s.server.say(s.group, ANN, "明天五点在东门", None);
    let quoting = |part: &str| {
        let kind = ActKind::Text {
            text: "好".into(),
            reply_to: Some(asked),
            quote: Some(part.into()),
            quiet: false,
            buttons: vec![],
        };
        Act { kind, ..say(s.group, "", Some(asked)) }
    };
    s.outbox.act(quoting("五点")).await.unwrap();
    s.outbox.act(quoting("西门")).await.unwrap();
    let quotes: Vec<Value> = s.server.acts().iter().map(|act| act.body["reply_parameters"].clone()).collect();
    assert_eq!(quotes, [json!({ "message_id": asked.0, "quote": "五点" }), json!({ "message_id": asked.0 })]);

    // The message is gone as well: neither quote nor reply, and still once.
    s.server.fail_next("sendMessage", 1, Failure::api(400, "Bad Request: QUOTE_TEXT_INVALID"));
    s.server.delete(s.group, asked);
    let acted = s.outbox.act(quoting("五点")).await.unwrap();
    assert_eq!((acted.messages[0].reply_to.clone(), s.server.acts().len()), (None, 3));
}

#[tokio::test]
async fn whoever_blocked_us_hears_from_us_again_after_writing() {
    let s = Scene::new().await;
    let alone = ANN.dm();
    s.server.say(alone, ANN, "你好", None);
    s.server.fail_next("sendMessage", 1, Failure::api(403, "Forbidden: bot was blocked by the user"));
    for _ in 0..2 {
        assert!(matches!(s.outbox.act(say(alone, "在", None)).await, Err(ActError::Refused(_))));
    }
    assert!(s.server.acts().is_empty());
    let chat = Chat { id: alone, kind: ChatKind::Private, title: "Ann".into() };
    let back = EventKind::Standing { may_speak: true, by: None, now: String::new() };
    s.store.archive(&[Event { chat, topic: None, time: Timestamp(START.0 + 1), kind: back }], None).unwrap();
    s.outbox.act(say(alone, "欢迎回来", None)).await.unwrap();
}
