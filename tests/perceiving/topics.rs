//! A topic is a room of its own: what happens to its messages reaches it, although Telegram does not say where they stand.

use groupmate::chat::event::EventKind;
use groupmate::chat::ids::RoomId;
use groupmate::store::Store;
use serde_json::json;

use crate::support::{ALICE, BOB, Home, Model, group_of_two, js, telegram, until};

#[tokio::test]
async fn reactions_edits_and_presses_in_a_topic_are_heard_in_that_topic() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let topic = server.add_topic(group, "出行");
    let model = Model::start(|n, _| match n {
        1 => js("await telegram.sendText('去哪', { buttons: [[{ text: '海边', data: 'sea' }]] })"),
        2 => js("await telegram.sendText('那就海边')"),
        _ => js("await telegram.sendText('好')"),
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    let asked = server.say_in(group, Some(topic), ALICE, "@xiaxia_bot 周末", None);
    until("a question", || server.acts().iter().any(|act| act.text == "去哪")).await;
    let ours = server.acts().into_iter().find(|act| act.text == "去哪").unwrap().message.unwrap();
    until("the end of the turn", || home.log().contains("the turn ended")).await;
    // In one poll, in the order in which they happened: a message, and what happens to it and to an older one.
    let later = server.say_in(group, Some(topic), BOB, "我都行", None);
    server.react(group, later, ALICE, &["🎉"]);
    server.react(group, ours, BOB, &["🔥"]);
    server.push_update(json!({"edited_message": {"message_id": asked.0, "date": 1, "edit_date": 9_999_999_999_i64,
        "chat": {"id": group.0, "type": "supergroup", "title": "g"}, "from": {"id": ALICE.0, "first_name": "Alice"},
        "text": "@xiaxia_bot 下周末"}}));
    // As Telegram shows a carrier that it no longer holds: without its topic.
    server.push_update(json!({"callback_query": {"id": "q1", "from": {"id": ALICE.0, "first_name": "Alice"},
        "chat_instance": "1", "data": "sea", "message": {"message_id": ours.0, "date": 0,
        "chat": {"id": group.0, "type": "supergroup", "title": "g"}}}}));
    until("an answer to the press", || server.acts().iter().any(|act| act.text == "那就海边")).await;
    let act = server.acts().into_iter().find(|act| act.text == "那就海边").unwrap();
    assert_eq!(act.topic, Some(topic));
    assert!(running.terminate().success(), "{}", home.log());
    let prompt = model.prompt(1).last().to_owned();
    for part in ["🔥", "🎉", "下周末"] {
        assert!(prompt.contains(part), "{part} is missing in {prompt}");
    }
    let store = Store::open(&home.data(), 8 << 20).unwrap();
    let elsewhere = store.tail(RoomId::whole(group), 100).unwrap();
    let lost = elsewhere.iter().filter(|(_, event)| event.about().is_some()).count();
    assert_eq!(lost, 0, "the whole chat's room has nothing of it: {elsewhere:?}");
    let here = store.tail(RoomId { chat: group, topic: Some(topic) }, 100).unwrap();
    assert_eq!(here.iter().filter(|(_, event)| matches!(event.kind, EventKind::Reacted { .. })).count(), 2);
}

#[tokio::test]
async fn a_reply_to_us_counts_although_telegram_shows_us_as_the_group() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model =
        Model::start(|n, p| js(&format!("await telegram.sendText('答{n}', {{ replyTo: {} }})", p.waiting()[0]))).await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.say(group, ALICE, "@xiaxia_bot 在吗", None);
    until("an answer", || server.acts().iter().any(|act| act.text == "答1")).await;
    let ours = server.acts().into_iter().find(|act| act.text == "答1").unwrap().message.unwrap();
    until("the end of the turn", || home.log().contains("the turn ended")).await;
    let chat = json!({"id": group.0, "type": "supergroup", "title": "g"});
    // We are an anonymous administrator there.
    server.send(
        group,
        BOB,
        &json!({"text": "那明天呢", "reply_to_message": {"message_id": ours.0, "date": 1,
        "chat": chat, "sender_chat": chat, "from": {"id": 1_087_968_824, "is_bot": true, "first_name": "Group"},
        "text": "答1"}}),
    );
    until("a second answer", || server.acts().iter().any(|act| act.text == "答2")).await;
    assert!(running.terminate().success(), "{}", home.log());
}
