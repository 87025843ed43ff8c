//! A group that becomes a supergroup: what was kept follows, a send in flight lands there, what was owed is answered there.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use groupmate::attention::ledger::Mark;
use groupmate::chat::ids::{ChatId, RoomId};
use groupmate::store::Store;

use crate::support::{ALICE, BOB, Home, Model, group_of_two, groupmate, js, telegram, until};

#[tokio::test]
async fn a4_a_group_that_moves_during_a_turn_keeps_everything_and_the_answer_lands_in_the_new_one() {
    let server = Arc::new(telegram().await);
    let group = group_of_two(&server, "寝室");
    let new = Arc::new(AtomicI64::new(0));
    let (moving, became) = (server.clone(), new.clone());
    let model = Model::start(move |n, _| match n {
        1 => {
            // Telegram moves the group while the model thinks.
            became.store(moving.migrate(group).0, Ordering::SeqCst);
            js("await memory.remember('Alice 爱喝茶'); ctx.round = 3; await agenda.remind('in 3 hours', '浇花');\n\
                await telegram.sendText('记下了')")
        }
        _ => js("await telegram.sendText('茶')"),
    })
    .await;
    let more = format!("[chats.{}]\nrules = \"RULE-OF-THE-DORM\"", group.0);
    let home = Home::new(&server, &model.url, &more);
    let recording = home.folder.path().join("session.jsonl");
    let running = home.run(&["--record", recording.to_str().unwrap()]);
    let asked = server.say(group, ALICE, "@xiaxia_bot 记住我爱喝茶", None);
    until("the answer", || server.acts().iter().any(|act| act.text == "记下了")).await;
    until("the end of the turn", || home.log().contains("the turn ended")).await;
    let new = ChatId(new.load(Ordering::SeqCst));
    let act = server.acts().into_iter().find(|act| act.text == "记下了").unwrap();
    assert_eq!(act.chat, new);
    server.say(new, ALICE, "@xiaxia_bot 我爱喝什么", None);
    until("the second answer", || server.acts().iter().any(|act| act.text == "茶" && act.chat == new)).await;
    assert!(running.terminate().success(), "{}", home.log());
    let prompt = model.prompt(1).all();
    for kept in ["记下了", "爱喝茶", "\"round\":3", "浇花"] {
        assert!(prompt.contains(kept), "{kept} is missing in {prompt}");
    }
    model.assert_sound();
    assert!(home.log().contains("write that instead"), "the operator is told");
    {
        let store = Store::open(&home.data(), 8 << 20).unwrap();
        assert!(matches!(store.mark(RoomId::whole(group), asked).unwrap(), Some(Mark::Answered { .. })));
        // Our own words stand where they were said: no message of the old chat has their number.
        let circles = groupmate::chat::audience::Circles::default();
        let message = store.message(&circles.reader(new, [].into()), &circles, new, act.message.unwrap()).unwrap();
        assert_eq!(message.unwrap().text, "记下了");
    }
    let config = home.config.to_str().unwrap();
    let (code, out, errors) =
        groupmate(&["replay", recording.to_str().unwrap(), "--config", config], home.folder.path());
    assert_eq!(code, 0, "{out}\n{errors}");
    // From the next start on, what the operator said about the group holds for what it became.
    let running = home.run(&[]);
    server.say(new, BOB, "@xiaxia_bot 在吗", None);
    until("a third answer", || server.acts().iter().filter(|act| act.text == "茶").count() == 2).await;
    assert!(running.terminate().success());
    assert!(model.prompt(2).system.contains("RULE-OF-THE-DORM"));
}

#[tokio::test]
async fn what_was_owed_when_we_went_down_is_answered_once_in_the_chat_that_the_group_became() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model =
        Model::start(|n, _| if n <= 3 { "!503".into() } else { js("await telegram.sendText('我回来了')") }).await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    let asked = server.say(group, ALICE, "@xiaxia_bot 在吗", None);
    until("the model is asked", || model.asked() >= 1).await;
    running.kill();
    let new = server.migrate(group);
    let running = home.run(&[]);
    until("an answer", || server.acts().iter().any(|act| act.text == "我回来了")).await;
    until("the end of the turn", || home.log().contains("the turn ended")).await;
    assert!(running.terminate().success());
    let running = home.run(&[]);
    let polls = server.polls();
    until("a poll", || server.polls() > polls).await;
    assert!(running.terminate().success());
    let answers: Vec<ChatId> =
        server.acts().into_iter().filter(|act| act.text == "我回来了").map(|act| act.chat).collect();
    assert_eq!(answers, [new], "{}", home.log());
    let store = Store::open(&home.data(), 8 << 20).unwrap();
    assert!(matches!(store.mark(RoomId::whole(group), asked).unwrap(), Some(Mark::Answered { .. })));
}
