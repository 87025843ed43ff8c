//! An album comes as several messages and is one: in one poll or several, in any order, across a kill, among others.

use std::collections::BTreeMap;

use groupmate::attention::ledger::Mark;
use groupmate::chat::ids::{ChatId, MessageId, PersonId, RoomId};
use groupmate::chat::message::Message;
use groupmate::playground::{SeenAct, Server};
use groupmate::store::{Look, Store};
use serde_json::json;

use crate::support::{ALICE, BOB, Home, Model, Running, group_of_two, js, telegram, until};

/// Sends one picture of an album; the caption `@xiaxia_bot …` names us.
fn picture(server: &Server, chat: ChatId, from: PersonId, album: &str, n: u32, caption: &str) -> MessageId {
    let mut fields = json!({"media_group_id": album, "photo": [
        {"file_id": format!("{album}-{n}"), "file_unique_id": format!("u{album}-{n}"), "width": 90, "height": 90}]});
    if !caption.is_empty() {
        fields["caption"] = json!(caption);
        if caption.starts_with("@xiaxia_bot") {
            fields["caption_entities"] = json!([{"type": "mention", "offset": 0, "length": 11}]);
        }
    }
    server.send(chat, from, &fields)
}

/// Answers whatever waits, naming it.
async fn model() -> Model {
    Model::start(|_, p| {
        let waiting: Vec<String> = p.waiting().iter().map(|id| format!("#{id}")).collect();
        js(&format!("await telegram.sendText('to {}', {{ replyTo: {} }})", waiting.join(" "), p.waiting()[0]))
    })
    .await
}

fn answers(server: &Server) -> Vec<SeenAct> {
    server.acts().into_iter().filter(|act| act.method == "sendMessage").collect()
}

async fn heard(server: &Server) {
    until("everything is heard", || server.pending() == 0).await;
}

fn end(running: Running, home: &Home) {
    assert!(running.terminate().success(), "{}", home.log());
}

/// What the archive shows to a turn in the chat, ours left out.
fn archived(home: &Home, chat: ChatId) -> (Store, Vec<Message>) {
    let store = Store::open(&home.data(), 8 << 20).unwrap();
    let circles = groupmate::chat::audience::Circles::default();
    let reader = circles.reader(chat, [].into());
    let look = Look { limit: 100, ..Look::default() };
    let mut messages = store.history(&reader, &circles, RoomId::whole(chat), &look).unwrap();
    messages.retain(|message| message.from.person().is_some());
    (store, messages)
}

#[tokio::test]
async fn parts_of_one_poll_are_one_message_and_one_wake() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = model().await;
    let home = Home::new(&server, &model.url, "");
    let first = picture(&server, group, ALICE, "a", 1, "");
    let second = picture(&server, group, ALICE, "a", 2, "@xiaxia_bot 看看");
    picture(&server, group, ALICE, "a", 3, "");
    let running = home.run(&[]);
    until("an answer", || !answers(&server).is_empty()).await;
    // A reply to any of them is a reply to the album.
    server.say(group, BOB, "@xiaxia_bot 这张呢", Some(second));
    until("another answer", || answers(&server).len() == 2).await;
    end(running, &home);
    assert_eq!(answers(&server)[0].text, format!("to #{first}"));
    let prompt = model.prompt(0);
    assert!(
        prompt.last().contains("[album of 3] [photo, unseen] [photo, unseen] [photo, unseen]: @xiaxia_bot 看看"),
        "{}",
        prompt.last()
    );
    let (store, messages) = archived(&home, group);
    assert_eq!(messages.len(), 2, "the album, and the reply to it");
    assert_eq!((messages[0].id, messages[0].media.len()), (first, 3));
    assert_eq!(store.counts().unwrap().messages, 4, "two of them ours");
    assert!(matches!(store.mark(RoomId::whole(group), first).unwrap(), Some(Mark::Answered { .. })));
    assert!(store.room(RoomId::whole(group)).unwrap().owed.is_empty());
}

#[tokio::test]
async fn parts_of_several_polls_are_answered_once_even_across_a_restart() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = model().await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    let first = picture(&server, group, ALICE, "a", 1, "");
    heard(&server).await;
    picture(&server, group, ALICE, "a", 2, "@xiaxia_bot 看看");
    until("an answer", || !answers(&server).is_empty()).await;
    until("the end of the turn", || home.log().contains("the turn ended")).await;
    picture(&server, group, ALICE, "a", 3, "");
    heard(&server).await;
    end(running, &home);
    let running = home.run(&[]);
    // What would be owed from before is answered before anything new.
    server.say(group, BOB, "@xiaxia_bot 在吗", None);
    until("an answer to Bob", || answers(&server).len() >= 2).await;
    end(running, &home);
    let texts: Vec<String> = answers(&server).into_iter().map(|act| act.text).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert_eq!(texts[0], format!("to #{first}"), "the album goes by its first number");
    assert!(!texts[1].contains(&format!("#{first}")), "{texts:?}");
}

#[tokio::test]
async fn a_kill_between_filing_and_hearing_a_part_loses_neither_its_words_nor_doubles_the_answer() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = model().await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    let first = picture(&server, group, ALICE, "a", 1, "");
    heard(&server).await;
    // Its end writes down that the beginning was heard.
    end(running, &home);
    picture(&server, group, ALICE, "a", 2, "@xiaxia_bot 看看");
    let mut killed = home.run_with(&[], &BTreeMap::from([("GROUPMATE_CRASH_AT", "archive:1".to_owned())]));
    until("the kill", || killed.child.try_wait().unwrap().is_some()).await;
    assert!(answers(&server).is_empty());
    let running = home.run(&[]);
    until("an answer", || !answers(&server).is_empty()).await;
    until("the end of the turn", || home.log().contains("the turn ended")).await;
    running.kill();
    let running = home.run(&[]);
    server.say(group, BOB, "@xiaxia_bot 在吗", None);
    until("an answer to Bob", || answers(&server).len() >= 2).await;
    end(running, &home);
    let texts: Vec<String> = answers(&server).into_iter().map(|act| act.text).collect();
    assert_eq!(texts[0], format!("to #{first}"));
    assert!(texts.len() == 2 && !texts[1].contains(&format!("#{first}")), "{texts:?}");
    let (_, messages) = archived(&home, group);
    assert_eq!(messages[0].media.len(), 2, "both pictures");
}

#[tokio::test]
async fn albums_may_be_interleaved_far_apart_and_out_of_order_and_an_edit_changes_its_own_caption() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = model().await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    let a1 = picture(&server, group, ALICE, "a", 1, "猫一");
    let b1 = picture(&server, group, BOB, "b", 1, "");
    heard(&server).await;
    let a2 = picture(&server, group, ALICE, "a", 2, "猫二");
    for n in 0..20 {
        server.say(group, BOB, &format!("talk {n}"), None);
    }
    picture(&server, group, BOB, "b", 2, "狗");
    picture(&server, group, ALICE, "a", 3, "");
    heard(&server).await;
    server.edit(group, a2, "改了");
    heard(&server).await;
    server.edit(group, a1, "@xiaxia_bot 改了第一张");
    server.say(group, BOB, "@xiaxia_bot 在吗", None);
    until("an answer", || !answers(&server).is_empty()).await;
    // The higher number first, as a proxy that reorders would have it.
    let base = json!({"date": 1, "chat": {"id": group.0, "type": "supergroup", "title": "g"}, "media_group_id": "c",
        "from": {"id": ALICE.0, "is_bot": false, "first_name": "Alice"}});
    for (id, caption) in [(901, "后"), (900, "先")] {
        let mut message = base.clone();
        message["message_id"] = json!(id);
        message["caption"] = json!(caption);
        message["photo"] = json!([{"file_id": caption, "file_unique_id": caption, "width": 9, "height": 9}]);
        server.push_update(json!({"message": message}));
    }
    heard(&server).await;
    end(running, &home);
    let prompt = model.prompt(0).last().to_owned();
    assert!(prompt.contains("[album of 3]") && prompt.contains("@xiaxia_bot 改了第一张"), "{prompt}");
    let (store, messages) = archived(&home, group);
    let of = |id: MessageId| messages.iter().find(|message| message.id == id).unwrap();
    assert_eq!((of(a1).text.as_str(), of(a1).media.len()), ("@xiaxia_bot 改了第一张\n改了", 3));
    assert_eq!((of(b1).text.as_str(), of(b1).media.len()), ("狗", 2));
    assert_eq!(of(MessageId(901)).text, "先\n后", "in the order of sending");
    assert_eq!(messages.len(), 2 + 20 + 1 + 1);
    let circles = groupmate::chat::audience::Circles::default();
    let hits = store.search(&circles.reader(group, [].into()), &circles, "改了", 10).unwrap();
    assert_eq!(hits.len(), 1, "found once: {hits:?}");
    assert_eq!(answers(&server).len(), 1, "an edit is no question");
}
