//! What chat agents get wrong in the field, in a real process. Names carry the number of the behaviour; those that a
//! smaller test shows stand beside what they are about.

use std::collections::BTreeSet;

use groupmate::chat::audience::Circles;
use groupmate::chat::ids::{ChatId, MessageId};
use groupmate::clock::Clock;
use groupmate::playground::Server;
use groupmate::store::Store;
use serde_json::{Value, json};

use crate::support::{ALICE, BOB, Home, Model, group_of_two, js, telegram, until};

fn said(server: &Server) -> Vec<String> {
    server.acts().into_iter().filter(|act| act.method == "sendMessage").map(|act| act.text).collect()
}

async fn answered(server: &Server, times: usize) {
    until("the answers", || said(server).len() >= times).await;
}

/// A message of Alice's with its own fields, as Telegram would deliver it.
fn update(chat: ChatId, id: i64, fields: Value) -> Value {
    let mut message = json!({ "message_id": id, "date": Clock::real().now().secs(),
        "from": { "id": ALICE.0, "is_bot": false, "first_name": "Alice" },
        "chat": { "id": chat.0, "type": "supergroup", "title": "g" } });
    for (key, value) in fields.as_object().unwrap() {
        message[key] = value.clone();
    }
    json!({ "message": message })
}

#[tokio::test]
async fn a1_an_album_is_one_message_with_its_media_and_one_turn() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|_, _| js("await telegram.sendText('三张都好看')")).await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    for n in 0..3 {
        let photo =
            json!([{ "file_id": format!("f{n}"), "file_unique_id": format!("u{n}"), "width": 90, "height": 90 }]);
        let mut fields = json!({ "media_group_id": "album", "photo": photo });
        if n == 0 {
            fields["caption"] = json!("@xiaxia_bot 好看吗");
            fields["caption_entities"] = json!([{ "type": "mention", "offset": 0, "length": 11 }]);
        }
        server.push_update(update(group, 100 + n, fields));
    }
    answered(&server, 1).await;
    until("the end of the turn", || home.log().contains("the turn ended")).await;
    assert!(running.terminate().success(), "{}", home.log());
    assert_eq!((said(&server).len(), model.asked()), (1, 1), "{}", home.log());
    let store = Store::open(&home.data(), 8 << 20).unwrap();
    let circles = Circles::default();
    let reader = circles.reader(group, BTreeSet::new());
    for id in [100, 101, 102] {
        let whole = store.message(&reader, &circles, group, MessageId(id)).unwrap().unwrap();
        assert_eq!((whole.media.len(), whole.text.as_str()), (3, "@xiaxia_bot 好看吗"), "by number {id}");
    }
}

#[tokio::test]
async fn a2_an_edit_after_our_answer_corrects_what_is_known_and_is_not_answered_again() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|_, _| js("await telegram.sendText('好')")).await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    let asked = server.say(group, ALICE, "@xiaxia_bot 下午5pm见", None);
    answered(&server, 1).await;
    until("the end of the turn", || home.log().contains("the turn ended")).await;
    server.edit(group, asked, "@xiaxia_bot 下午6pm见");
    server.say(group, BOB, "@xiaxia_bot 几点见？", None);
    answered(&server, 2).await;
    assert!(running.terminate().success(), "{}", home.log());
    assert_eq!((said(&server).len(), model.asked()), (2, 2), "the edit itself made nobody think");
    let prompt = model.prompt(1).all();
    assert!(prompt.contains("6pm") && !prompt.contains("5pm"), "{prompt}");
}

#[tokio::test]
async fn a7_a9_what_comes_twice_is_heard_once_and_a_person_met_in_three_ways_is_one() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|_, _| js("await telegram.sendText('在')")).await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    let mention = json!({ "text": "@xiaxia_bot 在吗", "entities": [{ "type": "mention", "offset": 0, "length": 11 }] });
    let twice = update(group, 100, mention);
    server.push_update(twice.clone());
    server.push_update(twice.clone());
    answered(&server, 1).await;
    let quoting = json!({ "text": "她在问", "from": { "id": BOB.0, "is_bot": false, "first_name": "Bob" },
        "reply_to_message": twice["message"] });
    server.push_update(update(group, 101, quoting));
    let alice = json!({ "id": ALICE.0, "is_bot": false, "first_name": "Alice" });
    let member = |status: &str| json!({ "status": status, "user": alice });
    server.push_update(json!({ "chat_member": { "chat": twice["message"]["chat"], "from": alice, "date": 1,
        "old_chat_member": member("left"), "new_chat_member": member("member") } }));
    let last = server.push_update(twice);
    until("all is heard", || server.acknowledged() >= last).await;
    assert!(running.terminate().success(), "{}", home.log());
    assert_eq!((said(&server).len(), model.asked()), (1, 1), "{}", home.log());
    assert_eq!(model.prompt(0).all().matches("在吗").count(), 1, "one line: {}", model.prompt(0).all());
    let store = Store::open(&home.data(), 8 << 20).unwrap();
    let names: Vec<String> = store.people().unwrap().into_iter().map(|person| person.name).collect();
    assert_eq!(names, ["Alice", "Bob"]);
}

#[tokio::test]
async fn b9_sends_that_are_not_awaited_go_out_once_each_in_order() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model =
        Model::start(|_, _| js("telegram.sendText('一'); telegram.sendText('二'); telegram.sendText('三')")).await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.say(group, ALICE, "@xiaxia_bot 数到三", None);
    answered(&server, 3).await;
    until("the end of the turn", || home.log().contains("the turn ended")).await;
    assert!(running.terminate().success(), "{}", home.log());
    assert_eq!(said(&server), ["一", "二", "三"]);
}

#[tokio::test]
async fn b10_the_same_words_are_said_in_each_turn_and_once_by_a_script_and_its_correction() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|n, _| match n {
        2 => js("await telegram.sendText('早安'); telegram.noSuchMethod()"),
        _ => js("await telegram.sendText('早安')"),
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.say(group, ALICE, "@xiaxia_bot 早", None);
    until("the first turn", || home.log().matches("the turn ended").count() == 1).await;
    server.say(group, BOB, "@xiaxia_bot 早", None);
    until("the second turn", || home.log().matches("the turn ended").count() == 2).await;
    assert!(running.terminate().success(), "{}", home.log());
    assert_eq!(model.asked(), 3, "the second turn's script was corrected");
    assert_eq!(said(&server), ["早安", "早安"]);
}

#[tokio::test]
async fn e3_the_first_js_block_runs_and_neither_other_fences_nor_what_follows_it() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let reply = "An example first:\n```\nawait telegram.sendText('example')\n```\nNow for real.\n\
                 ```js\nawait telegram.sendText('first')\n```\nOutput: {\"id\": 5}\n\
                 ```js\nawait telegram.sendText('second')\n```\n";
    let model = Model::start(move |_, _| reply.to_owned()).await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.say(group, ALICE, "@xiaxia_bot 来", None);
    until("the end of the turn", || home.log().contains("the turn ended")).await;
    assert!(running.terminate().success(), "{}", home.log());
    assert_eq!((said(&server), model.asked()), (vec!["first".to_owned()], 1));
    let system = model.prompt(0).system;
    assert!(system.contains("```js"), "the prompt states the rule: {system}");
}
