//! The Bot API client against the embedded server, over real HTTP, with the failures that happen in the field.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Json;
use axum::extract::Path;
use groupmate::chat::event::{Event, EventKind};
use groupmate::chat::ids::{ChatId, MessageId, PersonId, TopicId};
use groupmate::chat::message::Message;
use groupmate::chat::person::{ChatKind, Identity, Profile, Sender};
use groupmate::clock::Clock;
use groupmate::playground::{Failure, Server, Standing};
use groupmate::telegram::api::{Api, ApiError, Text};
use groupmate::telegram::decode::{Decoded, decode};
use groupmate::telegram::format::lay_out;
use groupmate::telegram::poll::Poller;
use groupmate::time::{Span, Timestamp};
use serde_json::{Value, json};

const ANN: PersonId = PersonId(7);
const BOB: PersonId = PersonId(8);
const START: Timestamp = Timestamp(1_700_000_000_000);

fn me() -> Identity {
    Identity { id: PersonId(42), name: "小夏".into(), username: "xiaxia_bot".into(), aliases: vec![] }
}

async fn server() -> Server {
    let bot = Profile {
        id: PersonId(42),
        name: "小夏".into(),
        username: Some("xiaxia_bot".into()),
        is_bot: true,
        language: None,
    };
    let server = Server::start(bot, Clock::manual(START)).await.unwrap();
    server.add_person(ANN, "Ann", Some("annlee"), Some("en"));
    server.add_person(BOB, "Bob", None, None);
    server
}

fn api(server: &Server) -> Api {
    Api::new(&server.url(), server.token())
}

fn poller(server: &Server, after: Option<i64>) -> Poller {
    Poller::new(&server.url(), server.token(), after)
}

fn text(chat: ChatId, text: &str) -> Text {
    Text {
        chat,
        topic: None,
        text: text.into(),
        entities: vec![],
        reply_to: None,
        quote: None,
        quiet: false,
        keyboard: None,
    }
}

async fn send(api: &Api, what: Text) -> Result<Message, ApiError> {
    api.send_text(what, || ()).await
}

fn event(update: &Value) -> Event {
    match decode(update, &me()) {
        Decoded::Event(event) => event,
        Decoded::Ignored { what } => panic!("ignored: {what}"),
    }
}

#[tokio::test]
async fn updates_come_again_until_they_are_acknowledged() {
    let server = server().await;
    let group = server.add_group("寝室");
    let said = server.say(group, ANN, "@xiaxia_bot 在吗", None);
    let mut first = poller(&server, None);
    let got = first.next().await.unwrap();
    assert_eq!(first.next().await.unwrap(), got, "not acknowledged, so told again");
    let (id, update) = &got[0];
    let event = event(update);
    assert_eq!(event.time, START);
    assert!(matches!(&event.kind, EventKind::Said(m) if m.id == said && m.mentions.len() == 1));

    first.acknowledge(*id);
    let second_text = server.say(group, BOB, "hi", Some(said));
    let got = first.next().await.unwrap();
    assert_eq!(got.len(), 1);
    assert_eq!(server.acknowledged(), *id);
    assert!(matches!(&self::event(&got[0].1).kind, EventKind::Said(m)
        if m.id == second_text && m.reply_to.as_ref().is_some_and(|q| q.id == said)));

    // A restart goes on where the store says, not where the connection was.
    let again = poller(&server, Some(*id)).next().await.unwrap();
    assert_eq!(again, got);
}

#[tokio::test]
async fn a_held_poll_is_answered_by_news_and_ended_by_a_second_poller() {
    let server = server().await;
    let group = server.add_group("g");
    let held = tokio::spawn({
        let mut poller = poller(&server, None);
        async move { poller.next().await }
    });
    while server.polls() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    server.say(group, ANN, "news", None);
    let got = held.await.unwrap().unwrap();
    assert_eq!(got.len(), 1);

    let held = tokio::spawn({
        let mut poller = poller(&server, Some(got[0].0));
        async move { poller.next().await }
    });
    while server.polls() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let usurper = tokio::spawn({
        let mut poller = poller(&server, Some(got[0].0));
        async move { poller.next().await }
    });
    let error = held.await.unwrap().unwrap_err();
    assert!(matches!(&error, ApiError::Conflict(_)), "{error:?}");
    assert!(error.to_string().contains("other instance"), "{error}");
    usurper.abort();
}

#[tokio::test]
async fn what_is_sent_arrives_and_comes_back_numbered() {
    let server = server().await;
    let api = api(&server);
    let identity = api.get_me().await.unwrap();
    assert_eq!((identity.id, identity.username.as_str()), (PersonId(42), "xiaxia_bot"));
    assert!(identity.can_read_all_group_messages);

    let group = server.add_group("g");
    let asked = server.say(group, ANN, "在吗", None);
    let mut seen = server.watch();
    let reply = Text { reply_to: Some(asked), quiet: true, ..text(group, "在") };
    let sent = send(&api, reply).await.unwrap();
    assert_eq!((sent.id, &sent.from, sent.text.as_str()), (MessageId(asked.0 + 1), &Sender::Us, "在"));
    assert_eq!(sent.time, START);
    assert_eq!(sent.reply_to.map(|quote| quote.id), Some(asked));
    let act = seen.recv().await.unwrap();
    assert_eq!(
        (act.method.as_str(), act.chat, act.reply_to, act.message),
        ("sendMessage", group, Some(asked), Some(sent.id))
    );
    assert_eq!(act.body["disable_notification"], json!(true));
    assert_eq!(server.acts(), [act]);

    api.react(group, asked, Some("👍"), || ()).await.unwrap();
    api.react(group, asked, None, || ()).await.unwrap();
    api.typing(group, None).await.unwrap();
    let shown: Vec<String> = server.acts().into_iter().skip(1).map(|act| act.text).collect();
    assert_eq!(shown, ["👍", ""], "typing is no act");
}

#[tokio::test]
async fn b7_topics_keep_their_thread_and_general_has_none() {
    let server = server().await;
    let api = api(&server);
    let group = server.add_group("forum");
    let topic = server.add_topic(group, "旅行");
    server.say_in(group, Some(topic), ANN, "去哪", None);
    let got = poller(&server, None).next().await.unwrap();
    assert_eq!(event(&got[0].1).topic, Some(topic));

    send(&api, Text { topic: Some(topic), ..text(group, "千岛湖") }).await.unwrap();
    send(&api, text(group, "general")).await.unwrap();
    let bodies: Vec<Value> = server.acts().into_iter().map(|act| act.body).collect();
    assert_eq!(bodies[0]["message_thread_id"], json!(topic.0));
    assert_eq!(bodies[1].get("message_thread_id"), None);
    let nowhere = send(&api, Text { topic: Some(TopicId(99)), ..text(group, "x") }).await.unwrap_err();
    assert!(matches!(nowhere, ApiError::Refused(_)), "{nowhere:?}");
}

#[tokio::test]
async fn membership_is_asked_and_unknown_is_no() {
    let server = server().await;
    let api = api(&server);
    let group = server.add_group("g");
    server.join(group, ANN);
    assert_eq!(api.member(group, ANN).await, Ok(true));
    assert_eq!(api.member(group, BOB).await, Ok(false));
    assert_eq!(api.member(group, PersonId(999)).await, Ok(false), "nobody knows them");
    server.leave(group, ANN);
    assert_eq!(api.member(group, ANN).await, Ok(false));
    assert!(matches!(api.member(ChatId(-5), ANN).await, Err(ApiError::CannotWrite(_))));
}

#[tokio::test]
async fn every_failure_has_its_own_name() {
    let server = server().await;
    let api = api(&server);
    let group = server.add_group("g");

    server.fail_next("sendMessage", 1, Failure::Retry(37));
    assert_eq!(send(&api, text(group, "x")).await, Err(ApiError::RetryAfter(Span::secs(37))));

    let gone = server.say(group, ANN, "soon gone", None);
    server.delete(group, gone);
    let reply = Text { reply_to: Some(gone), ..text(group, "x") };
    assert_eq!(send(&api, reply).await, Err(ApiError::ReplyGone));

    server.fail_next("sendMessage", 1, Failure::Status { code: 502, body: "<html>Bad Gateway</html>".into() });
    let started = std::time::Instant::now();
    let error = send(&api, text(group, "x")).await.unwrap_err();
    assert!(matches!(&error, ApiError::Unclear(why) if why.contains("502") && why.contains("Bad Gateway")), "{error}");
    assert!(started.elapsed() < Duration::from_secs(2), "no ten seconds of waiting");

    assert_eq!(server.acts(), [], "none of these happened");
    server.fail_next("sendMessage", 1, Failure::Drop);
    let error = send(&api, text(group, "perhaps")).await.unwrap_err();
    assert!(matches!(error, ApiError::Unclear(_)), "{error:?}");
    assert_eq!(server.acts().len(), 1, "it did happen, once");

    server.fail_next("sendMessage", 1, Failure::api(403, "Forbidden: bot was kicked from the supergroup chat"));
    assert!(matches!(send(&api, text(group, "x")).await, Err(ApiError::CannotWrite(_))));
    assert!(matches!(send(&api, text(BOB.dm(), "x")).await, Err(ApiError::CannotWrite(_))), "Bob never wrote to us");
    assert!(matches!(send(&api, text(group, "")).await, Err(ApiError::Refused(_))));
    assert!(matches!(send(&api, text(group, &"😀".repeat(2049))).await, Err(ApiError::Refused(_))));
    let stranger = Api::new(&server.url(), "1:nobody");
    assert_eq!(stranger.get_me().await, Err(ApiError::Unauthorized));

    let url = server.url();
    drop(server);
    let closed = Api::new(&url, "1:x").get_me().await.unwrap_err();
    assert!(matches!(closed, ApiError::Unreachable { .. }), "{closed:?}");
}

#[tokio::test]
async fn a4_a_migrated_group_tells_its_new_id_on_both_ways() {
    let server = server().await;
    let api = api(&server);
    let old = server.add_group("g");
    let new = server.migrate(old);
    let got = poller(&server, None).next().await.unwrap();
    assert_eq!(event(&got[0].1).kind, EventKind::Migrated { to: new });
    assert_eq!(send(&api, text(old, "x")).await, Err(ApiError::Migrated(new)));
    assert!(send(&api, text(new, "x")).await.is_ok());
}

#[tokio::test]
async fn edits_and_reactions_of_people_are_heard() {
    let server = server().await;
    let group = server.add_group("g");
    let id = server.say(group, ANN, "5pm", None);
    server.edit(group, id, "6pm");
    server.react(group, id, BOB, &["👍", "🎉"]);
    let got = poller(&server, None).next().await.unwrap();
    let kinds: Vec<EventKind> = got.iter().map(|(_, update)| event(update).kind).collect();
    assert!(matches!(&kinds[1], EventKind::Edited(m) if m.text == "6pm" && m.edited == Some(START)));
    assert!(matches!(&kinds[2], EventKind::Reacted { message, emoji, .. } if *message == id && emoji.len() == 2));
}

#[tokio::test]
async fn standing_is_told_and_enforced() {
    let server = server().await;
    let api = api(&server);
    let group = server.add_group("g");
    server.say(ANN.dm(), ANN, "/start", None);
    server.set_standing(group, Standing::Muted, ANN);
    server.set_standing(group, Standing::Out, ANN);
    server.set_standing(ANN.dm(), Standing::Out, ANN);
    server.set_standing(group, Standing::Member, ANN);
    let got = poller(&server, None).next().await.unwrap();
    let standing = |kind: EventKind| match kind {
        EventKind::Standing { may_speak, by, .. } => Some((may_speak, by.map(|by| by.id))),
        _ => None,
    };
    let told: Vec<_> = got.iter().filter_map(|(_, update)| standing(event(update).kind)).collect();
    assert_eq!(told, [false, false, false, true].map(|may| (may, Some(ANN))));
    assert!(send(&api, text(group, "x")).await.is_ok());
    assert!(
        matches!(send(&api, text(ANN.dm(), "x")).await, Err(ApiError::CannotWrite(why)) if why.contains("blocked"))
    );
    server.set_standing(group, Standing::Muted, ANN);
    assert!(matches!(send(&api, text(group, "x")).await, Err(ApiError::CannotWrite(_))));
}

#[tokio::test]
async fn a_pressed_button_is_heard_and_answered() {
    let server = server().await;
    let api = api(&server);
    let group = server.add_group("g");
    let carrier = send(&api, text(group, "go?")).await.unwrap();
    let query = server.press(group, carrier.id, ANN, "yes").unwrap();
    let got = poller(&server, None).next().await.unwrap();
    assert!(matches!(event(&got[0].1).kind, EventKind::Pressed { query: told, by, message, data, .. }
        if told == query && by.id == ANN && message == Some(carrier.id) && data == "yes"));
    api.answer_press(&query, Some("好")).await.unwrap();
    let last = server.acts().pop().unwrap();
    assert_eq!((last.method.as_str(), last.text.as_str()), ("answerCallbackQuery", "好"));
}

#[tokio::test]
async fn an_outage_ends_when_it_is_told_to() {
    let server = server().await;
    server.fail_next("getUpdates", u32::MAX, Failure::Status { code: 502, body: "<html>".into() });
    server.say(server.add_group("g"), ANN, "hi", None);
    let mut poller = poller(&server, None);
    for _ in 0..3 {
        assert!(matches!(poller.next().await, Err(ApiError::Unclear(_))));
    }
    server.recover("getUpdates");
    assert_eq!(poller.next().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_hanging_server_is_left_when_the_caller_stops_waiting() {
    let server = server().await;
    server.fail_next("getUpdates", 1, Failure::Hang);
    let mut poller = poller(&server, None);
    let waited = tokio::time::timeout(Duration::from_millis(100), poller.next()).await;
    assert!(waited.is_err());
    server.push_update(json!({"key": "value"}));
    assert_eq!(poller.next().await.unwrap().len(), 1, "the next poll works");
}

/// The recorded updates of another client, served over HTTP: the offset moves past every one, known or not.
#[tokio::test]
async fn foreign_updates_never_stop_the_loop() {
    let Some(lines) = shared("updates.jsonl") else { return };
    let server = server().await;
    let mut total = 0;
    for line in lines.lines() {
        total = server.push_update(serde_json::from_str(line).unwrap());
    }
    let mut poller = poller(&server, None);
    let mut seen = 0;
    while seen < total {
        for (id, update) in poller.next().await.unwrap() {
            let _ = decode(&update, &me());
            poller.acknowledge(id);
            seen = id;
        }
    }
    assert_eq!(total, 100);
    server.push_update(json!({"last": 1}));
    poller.next().await.unwrap();
    assert_eq!(server.acknowledged(), 100);
}

/// Recorded requests of another client: those of methods that the server offers are accepted, with an answer of the same
/// shape; all others get a 404.
#[tokio::test]
async fn foreign_requests_are_answered_in_the_same_shape() {
    let Some(folder) = shared_folder() else { return };
    let server = server().await;
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    // The recorded chat is a group with the id 1, which is a DM's number for us: its person has written before.
    server.add_person(PersonId(1), "John", None, None);
    server.add_person(PersonId(2), "Joan", None, None);
    server.say(ChatId(1), PersonId(1), "first", None);
    let bot_says = send(&api(&server), text(ChatId(1), "mine")).await.unwrap();
    assert_eq!(bot_says.id, MessageId(2));
    let offered = [
        "getMe",
        "sendMessage",
        "setMessageReaction",
        "sendChatAction",
        "getChatMember",
        "answerCallbackQuery",
        "editMessageText",
        "pinChatMessage",
        "setMyCommands",
        "deleteWebhook",
        "getChat",
    ];
    let (mut accepted, mut unknown) = (0, 0);
    for entry in std::fs::read_dir(folder.join("pairs")).unwrap() {
        let path = entry.unwrap().path();
        let pair: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let method = pair["url_path"].as_str().unwrap();
        let body = &pair["req_body"]["json"];
        let inline = body.get("inline_message_id").is_some() || body.get("chat_id").is_some_and(Value::is_string);
        if body.is_null() && pair.get("req_body").is_some() || inline || method == "getUpdates" {
            continue;
        }
        let url = format!("{}/bot{}/{method}", server.url(), server.token());
        let answer: Value = client.post(url).json(body).send().await.unwrap().json().await.unwrap();
        if offered.contains(&method) {
            // One recorded text is rich, which is newer than what the server knows.
            if answer["ok"] != json!(true) && body.get("rich_message").is_some() {
                continue;
            }
            // The recorded custom emoji and texts are kept as they are; only shape counts.
            assert_eq!(answer["ok"], json!(true), "{}: {answer}", path.display());
            let shape = |value: &Value| match value {
                Value::Object(fields) if fields.contains_key("message_id") => "message",
                Value::Object(_) => "object",
                Value::Bool(_) => "bool",
                _ => "other",
            };
            assert_eq!(shape(&answer["result"]), shape(&pair["rep_body"]["result"]), "{}", path.display());
            accepted += 1;
        } else if answer["error_code"] == json!(404) {
            unknown += 1;
        }
    }
    assert!(accepted >= 15, "{accepted}");
    assert!(unknown >= 80, "{unknown}");
}

/// Every request that we make: its method and parameters exist in the documented API, required ones are there, and the
/// client reads another client's recorded answer to it.
#[tokio::test]
async fn our_requests_are_documented_and_recorded_answers_are_read() {
    let Some(folder) = shared_folder() else { return };
    let seen: Arc<Mutex<Vec<(String, Value)>>> = Arc::default();
    let answers: BTreeMap<String, Value> = std::fs::read_dir(folder.join("pairs"))
        .unwrap()
        .map(|entry| serde_json::from_str(&std::fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap())
        .map(|pair: Value| (pair["url_path"].as_str().unwrap().to_owned(), pair["rep_body"].clone()))
        .collect();
    let url = {
        let seen = seen.clone();
        let handler = move |Path((_, method)): Path<(String, String)>, Json(body): Json<Value>| async move {
            let otherwise = json!({"ok": true, "result": true});
            let answer = answers.get(&method).cloned().unwrap_or(otherwise);
            seen.lock().unwrap().push((method, body));
            Json(answer)
        };
        let app = axum::Router::new().route("/{bot}/{method}", axum::routing::post(handler));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        url
    };
    let api = Api::new(&url, "1:x");
    let chat = ChatId(-1001);
    assert_eq!(api.get_me().await.unwrap().username, "test");
    let everything = Text {
        topic: Some(TopicId(5)),
        reply_to: Some(MessageId(4)),
        quote: None,
        quiet: true,
        keyboard: None,
        entities: lay_out("**b** *i* ~~s~~ `c` [l](https://example.com)\n```rust\nx\n```").remove(0).entities,
        ..text(chat, "b i s c l\nx")
    };
    // The recorded answers name a group with a positive id, which no group has.
    assert!(matches!(send(&api, everything).await, Err(ApiError::Unclear(_))));
    api.react(chat, MessageId(4), Some("👍"), || ()).await.unwrap();
    api.react(chat, MessageId(4), Some("custom:77"), || ()).await.unwrap();
    api.typing(chat, Some(TopicId(5))).await.unwrap();
    api.member(chat, ANN).await.unwrap();
    api.answer_press("q", Some("好")).await.unwrap();
    api.leave(chat).await.unwrap();
    Poller::new(&url, "1:x", Some(6)).next().await.unwrap();

    let schema = Schema::read(&folder);
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 9);
    for (method, body) in seen.iter() {
        schema.check(method, body);
    }
    let (_, sent) = seen.iter().find(|(method, _)| method == "sendMessage").unwrap();
    let kinds: Vec<&str> = sent["entities"].as_array().unwrap().iter().map(|e| e["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["bold", "italic", "strikethrough", "code", "text_link", "pre"]);
}

/// Random updates of every documented kind, all fields drawn from the schema: none panics, and what people say in real
/// chats is always heard.
#[test]
fn random_documented_updates_are_decoded() {
    let Some(folder) = shared_folder() else { return };
    let schema = Schema::read(&folder);
    let kinds: Vec<String> = schema.fields("Update").iter().map(|field| field.name.clone()).collect();
    let mut heard = 0;
    for seed in 0..40 {
        let mut dice = fastrand::Rng::with_seed(seed);
        for kind in kinds.iter().filter(|kind| *kind != "update_id") {
            let field = schema.fields("Update").iter().find(|field| field.name == *kind).unwrap();
            let body = schema.draw(&field.kind, 4, &mut dice);
            match decode(&json!({"update_id": 1, kind: body}), &me()) {
                Decoded::Event(event) => {
                    assert_eq!(event.chat.id.is_private(), event.chat.kind == ChatKind::Private);
                    heard += 1;
                }
                Decoded::Ignored { what } => assert!(what.starts_with(kind.as_str()), "{what}"),
            }
        }
    }
    assert!(heard > 200, "{heard}");
}

/// The documented API: methods and types with their fields.
struct Schema(BTreeMap<String, Vec<Field>>, BTreeMap<String, Vec<String>>);

struct Field {
    name: String,
    kind: String,
    required: bool,
}

impl Schema {
    fn read(folder: &std::path::Path) -> Self {
        let text = std::fs::read_to_string(folder.join("schema-10.3.json")).unwrap();
        let schema: Value = serde_json::from_str(&text).unwrap();
        let (mut fields, mut unions) = (BTreeMap::new(), BTreeMap::new());
        for child in schema["items"].as_array().unwrap().iter().flat_map(|item| item["children"].as_array().unwrap()) {
            let name = child["name"].as_str().unwrap().to_owned();
            let of = |a: &Value| Field {
                name: a["name"].as_str().unwrap().to_owned(),
                kind: a["type"].as_str().unwrap().to_owned(),
                required: a["required"] == json!(true),
            };
            let list: Vec<Field> = child["annotations"].as_array().into_iter().flatten().map(of).collect();
            let members = child["description"]
                .as_str()
                .unwrap_or_default()
                .split("\n")
                .filter_map(|line| line.trim().strip_prefix("- ").map(|member| member.trim().to_owned()));
            unions.insert(name.clone(), members.collect());
            fields.insert(name, list);
        }
        Self(fields, unions)
    }

    fn fields(&self, name: &str) -> &[Field] {
        let found = self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, fields)| fields.as_slice()).unwrap_or_default()
    }

    fn check(&self, method: &str, body: &Value) {
        assert!(self.0.contains_key(method), "{method} is no method");
        let fields = self.fields(method);
        for key in body.as_object().unwrap().keys() {
            assert!(fields.iter().any(|field| field.name == *key), "{method} has no parameter {key}");
        }
        for field in fields.iter().filter(|field| field.required) {
            assert!(body.get(&field.name).is_some(), "{method} needs {}", field.name);
        }
    }

    /// A random value of a type; optional fields thin out with depth.
    fn draw(&self, kind: &str, depth: u32, dice: &mut fastrand::Rng) -> Value {
        if let Some(inner) = kind.strip_prefix("Array of ") {
            let count = dice.usize(..3);
            return (0..count).map(|_| self.draw(inner, depth.saturating_sub(1), dice)).collect();
        }
        if let Some((first, _)) = kind.split_once(" or ") {
            return self.draw(first, depth, dice);
        }
        match kind {
            "Integer" | "Float" => json!(dice.i64(-5..2_000_000_000)),
            "String" => json!(["", "a\nb", "小夏 😀", "/x@y z", "]<\u{202e}"][dice.usize(..5)]),
            "True" | "Boolean" => json!(true),
            _ => self.draw_object(kind, depth, dice),
        }
    }

    fn draw_object(&self, kind: &str, depth: u32, dice: &mut fastrand::Rng) -> Value {
        let members = self.1.get(kind).filter(|members| self.fields(kind).is_empty() && !members.is_empty());
        if let Some(members) = members {
            let member = members[dice.usize(..members.len())].clone();
            return self.draw(&member, depth, dice);
        }
        let mut object = serde_json::Map::new();
        for field in self.fields(kind) {
            if field.required || (depth > 0 && dice.u32(..4) == 0) {
                // A type that needs itself ends somewhere.
                let value = if depth == 0 { json!({}) } else { self.draw(&field.kind, depth - 1, dice) };
                object.insert(field.name.clone(), value);
            }
        }
        if kind == "Chat" {
            let (kind, id) =
                [("private", 7), ("group", -7), ("supergroup", -1007), ("channel", -1009)][dice.usize(..4)];
            object.insert("type".into(), json!(kind));
            object.insert("id".into(), json!(id));
        }
        if kind.starts_with("ChatMember") && object.contains_key("status") {
            let status = ["creator", "administrator", "member", "restricted", "left", "kicked"][dice.usize(..6)];
            object.insert("status".into(), json!(status));
        }
        Value::Object(object)
    }
}

fn shared_folder() -> Option<std::path::PathBuf> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/bot-api");
    if !folder.exists() {
        eprintln!("SKIPPED: {} is not here", folder.display());
        return None;
    }
    Some(folder)
}

fn shared(name: &str) -> Option<String> {
    Some(std::fs::read_to_string(shared_folder()?.join(name)).unwrap())
}
