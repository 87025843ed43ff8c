//! The embedded server and our client, each against requests and replies that others wrote down for theirs.

use axum::Json;
use axum::extract::State;
use groupmate::chat::ids::{ChatId, MessageId, PersonId, TopicId};
use groupmate::chat::person::Profile;
use groupmate::clock::Clock;
use groupmate::playground::Server;
use groupmate::telegram::api::{Api, ApiError, Text};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::perceiving::negate_group_ids;
use crate::perceiving::schema::{objection, schema};

#[derive(Deserialize)]
struct Pair {
    name: String,
    url_path: String,
    #[serde(default)]
    req_body: Value,
    rep_body: Value,
}

impl Pair {
    /// The request's parameters. What is shown of a multipart request is what its parts hold.
    fn request(&self) -> Value {
        let mut body = match self.req_body.get("json").or_else(|| self.req_body.get("multipart")) {
            Some(body) => body.clone(),
            None => json!({}),
        };
        // The files themselves are parts of their own.
        if let Some(fields) = body.as_object_mut() {
            fields.retain(|name, _| !name.starts_with("tgbot_file_"));
        }
        body
    }
}

fn pairs() -> Vec<Pair> {
    let read = |line| {
        let mut pair: Pair = serde_json::from_str(line).unwrap();
        negate_group_ids(&mut pair.rep_body);
        pair
    };
    include_str!("data/bot-api/pairs.jsonl").lines().map(read).collect()
}

/// Where those others and the documentation differ: media of kinds that it does not list there, a right left out.
const UNDOCUMENTED: [&str; 6] = [
    "edit-message-media-location-all",
    "edit-message-media-sticker-all",
    "edit-message-media-venue-all",
    "edit-message-media-voice-note-all",
    "send-poll-media",
    "set-bot-default-administrator-rights-all",
];

/// What a method answers with, by the Bot API's own description.
fn returns(method: &str) -> &'static str {
    match method {
        "getMe" => "User",
        "getChat" => "ChatFullInfo",
        "getChatMember" => "ChatMember",
        "getChatAdministrators" => "Array of ChatMember",
        "copyMessage" => "MessageId",
        "createChatInviteLink" => "ChatInviteLink",
        "createForumTopic" => "ForumTopic",
        "getFile" => "File",
        "getStickerSet" => "StickerSet",
        "sendMediaGroup" => "Array of Message",
        "getUpdates" => "Array of Update",
        "sendChatAction" => "True",
        name if ["send", "edit", "forward"].iter().any(|verb| name.starts_with(verb)) => "Message",
        _ => "True",
    }
}

#[test]
fn our_reading_of_the_schema_accepts_what_others_send_and_refuses_what_nobody_documents() {
    let all = pairs();
    let objected: Vec<&str> = all
        .iter()
        .filter(|pair| objection(&pair.url_path, &pair.request()).is_some())
        .map(|pair| pair.name.as_str())
        .collect();
    assert_eq!(objected, UNDOCUMENTED);
    let rows = [
        ("sendMesage", json!({}), "there is no method sendMesage"),
        ("sendMessage", json!({ "chat_id": 1 }), "sendMessage.text: missing"),
        ("sendMessage", json!({ "chat_id": 1, "text": 5 }), "sendMessage.text: 5 is no String"),
        ("sendMessage", json!({ "chat_id": 1, "text": "x", "reply_to": 5 }), "sendMessage.reply_to: not documented"),
        (
            "sendMessage",
            json!({ "chat_id": 1, "text": "x", "reply_parameters": { "message": 5 } }),
            "sendMessage.reply_parameters.message: not documented",
        ),
        (
            "setMessageReaction",
            json!({ "chat_id": 1, "message_id": 2, "reaction": [{ "type": "emoji" }] }),
            "setMessageReaction.reaction[0]: no ReactionTypeEmoji.emoji: missing",
        ),
    ];
    for (method, body, expected) in rows {
        let objection = objection(method, &body).unwrap_or_default();
        assert!(objection.starts_with(expected), "{objection}");
    }
}

/// A server in which what a request names is there.
async fn world_for(request: &Value) -> Server {
    let bot = Profile { id: PersonId(42), name: "小夏".into(), username: None, is_bot: true, language: None };
    let server = Server::start(bot, Clock::real()).await.unwrap();
    server.check_requests(objection);
    if let Some(file) = request["file_id"].as_str() {
        server.add_file(file, "photos/1.jpg", vec![0; 8]);
    }
    let id = |key: &str| request[key].as_i64();
    let chat = ChatId(id("chat_id").unwrap_or(1));
    for person in [Some(chat.0), id("user_id"), id("from_chat_id")].into_iter().flatten() {
        server.add_person(PersonId(person), "Ann", None, None);
        server.join(chat, PersonId(person));
        server.join(ChatId(person), PersonId(person));
    }
    let api = Api::new(&server.url(), server.token());
    let text = |chat: ChatId| Text {
        chat,
        topic: None,
        text: "x".into(),
        entities: vec![],
        reply_to: None,
        quote: None,
        quiet: false,
        keyboard: None,
    };
    let message = id("message_id").or(request["reply_parameters"]["message_id"].as_i64()).unwrap_or(0);
    for _ in 0..message {
        api.send_text(text(chat), || ()).await.unwrap();
        if let Some(from) = id("from_chat_id") {
            api.send_text(text(ChatId(from)), || ()).await.unwrap();
        }
    }
    while id("message_thread_id").is_some_and(|topic| server.add_topic(chat, "t") < TopicId(topic)) {}
    server
}

/// What the server does not offer. It says so as Telegram does, at once.
const NOT_OFFERED: &str = "Not Found: method not found";

#[tokio::test]
async fn the_embedded_server_accepts_what_others_send_and_answers_as_documented() {
    let schema = schema();
    let (mut offered, mut not_offered, mut other) = (0, 0, Vec::new());
    for pair in pairs() {
        let request = pair.request();
        // Messages of inline queries belong to no chat: the server has none.
        if request.get("inline_message_id").is_some()
            || pair.url_path == "getUpdates"
            || UNDOCUMENTED.contains(&pair.name.as_str())
        {
            continue;
        }
        let server = world_for(&request).await;
        let api = Api::new(&server.url(), server.token());
        if pair.url_path == "reopenForumTopic" {
            api.ask_raw("closeForumTopic", &request, || ()).await.unwrap();
        }
        match api.ask_raw(&pair.url_path, &request, || ()).await {
            Ok(answer) => {
                offered += 1;
                if let Err(why) = schema.fits(returns(&pair.url_path), &answer) {
                    other.push(format!("{}: the answer{why}", pair.name));
                }
            }
            Err(ApiError::Refused(why)) if why == NOT_OFFERED => not_offered += 1,
            Err(error) => other.push(format!("{}: {error}", pair.name)),
        }
    }
    assert!(other.is_empty(), "{other:#?}");
    println!("the embedded server: {offered} pairs accepted, {not_offered} of methods that it does not offer");
    assert!(offered >= 38, "only {offered}");
}

/// Serves one answer to whatever is asked, and keeps what was asked.
async fn echo(answer: Value) -> (String, std::sync::Arc<std::sync::Mutex<Vec<Value>>>) {
    let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let handle = async |State((answer, asked)): State<(Value, std::sync::Arc<std::sync::Mutex<Vec<Value>>>)>,
                        body: String| {
        asked.lock().unwrap().push(serde_json::from_str(&body).unwrap());
        Json(answer)
    };
    let app = axum::Router::new().fallback(handle).with_state((answer, asked.clone()));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    (url, asked)
}

#[tokio::test]
async fn our_client_decodes_what_others_are_answered() {
    let (mut messages, mut others) = (0, Vec::new());
    for pair in pairs() {
        let (url, _) = echo(pair.rep_body.clone()).await;
        let api = Api::new(&url, "1:x");
        let result = &pair.rep_body["result"];
        let answer = api.ask_raw(&pair.url_path, &pair.request(), || ()).await.unwrap();
        assert_eq!(answer, *result, "{}", pair.name);
        let expected: Vec<i64> = match result {
            Value::Array(all) if all.iter().all(|one| one.get("chat").is_some()) => {
                all.iter().filter_map(|one| one["message_id"].as_i64()).collect()
            }
            one if one.get("message_id").is_some() && one.get("chat").is_some() => {
                one["message_id"].as_i64().into_iter().collect()
            }
            _ => Vec::new(),
        };
        let said: Vec<i64> = api.said(&answer).iter().map(|message| message.id.0).collect();
        if said != expected {
            others.push(pair.name.clone());
        }
        messages += said.len();
        match pair.url_path.as_str() {
            "getMe" => {
                let me = api.get_me().await.unwrap();
                assert_eq!(
                    (me.id.0, me.username.as_str()),
                    (result["id"].as_i64().unwrap(), result["username"].as_str().unwrap())
                );
            }
            "getChatMember" => {
                let is_in = api.member(ChatId(1), PersonId(1)).await.unwrap();
                assert_eq!(is_in, result["status"] != "left" && result["status"] != "kicked", "{}", pair.name);
            }
            _ => {}
        }
    }
    // What is heard of these is a notice, and we send neither.
    assert_eq!(others, ["send-invoice-full"]);
    assert!(messages > 40, "only {messages}");
}

#[tokio::test]
async fn our_client_asks_as_others_do_where_both_say_the_same() {
    let find = |name: &str| pairs().into_iter().find(|pair| pair.name == name).unwrap();
    let id = |pair: &Pair, key: &str| pair.request()[key].as_i64().unwrap();

    let pair = find("set-message-reaction-custom-emoji");
    let (url, asked) = echo(pair.rep_body.clone()).await;
    let emoji = format!("custom:{}", pair.request()["reaction"][0]["custom_emoji_id"].as_str().unwrap());
    let (chat, message) = (ChatId(id(&pair, "chat_id")), MessageId(id(&pair, "message_id")));
    Api::new(&url, "1:x").react(chat, message, Some(&emoji), || ()).await.unwrap();
    let mut expected = pair.request();
    expected.as_object_mut().unwrap().remove("is_big");
    assert_eq!(asked.lock().unwrap()[0], expected);

    let pair = find("get-chat-member-left");
    let (url, asked) = echo(pair.rep_body.clone()).await;
    Api::new(&url, "1:x").member(ChatId(id(&pair, "chat_id")), PersonId(id(&pair, "user_id"))).await.unwrap();
    assert_eq!(asked.lock().unwrap()[0], pair.request());

    let pair = find("answer-callback-query-full");
    let (url, asked) = echo(pair.rep_body.clone()).await;
    let request = pair.request();
    let text = |key: &str| request[key].as_str().unwrap();
    Api::new(&url, "1:x").answer_press(text("callback_query_id"), Some(text("text"))).await.unwrap();
    let mut expected = pair.request();
    expected.as_object_mut().unwrap().retain(|key, _| !["show_alert", "url", "cache_time"].contains(&key.as_str()));
    assert_eq!(asked.lock().unwrap()[0], expected);

    let pair = find("send-message-base");
    let (url, asked) = echo(pair.rep_body.clone()).await;
    let request = pair.request();
    let text = Text {
        chat: ChatId(id(&pair, "chat_id")),
        topic: None,
        text: request["text"].as_str().unwrap().into(),
        entities: vec![],
        reply_to: None,
        quote: None,
        quiet: false,
        keyboard: None,
    };
    Api::new(&url, "1:x").send_text(text, || ()).await.unwrap();
    assert_eq!(asked.lock().unwrap()[0], request);
}
