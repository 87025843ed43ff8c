//! The Bot API client against the embedded server, over real HTTP, with the failures that happen in the field.

use std::time::Duration;

use groupmate::chat::event::{Event, EventKind};
use groupmate::chat::ids::{ChatId, MessageId, PersonId, TopicId};
use groupmate::chat::message::Message;
use groupmate::chat::person::{Identity, Profile, Sender};
use groupmate::clock::Clock;
use groupmate::playground::{Failure, Server, Standing};
use groupmate::telegram::api::{Api, ApiError, Text};
use groupmate::telegram::decode::{Decoded, decode};
use groupmate::telegram::poll::{PollError, Poller};
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
    server.check_requests(crate::perceiving::schema::objection);
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
    assert!(matches!(&error, PollError::Api(ApiError::Conflict(_))), "{error:?}");
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
        assert!(matches!(poller.next().await, Err(PollError::Api(ApiError::Unclear(_)))));
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
    let lines = include_str!("data/bot-api/updates.jsonl");
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
