//! Typing as people do: seen, bounded, in order, and overtaken by news.

use groupmate::chat::ids::{ChatId, PersonId, RoomId};
use groupmate::config::Typing;
use groupmate::playground::Server;
use groupmate::telegram::api::Api;
use groupmate::telegram::outbox::{Act, ActError, Outbox};
use groupmate::time::Span;

use super::{ANN, START, Scene, say, until};
use crate::support::{ALICE, BOB, Home, Model, group_of_two, groupmate, js, telegram, until as until_so};

const BEN: PersonId = PersonId(8);

fn slow(s: &Scene) -> Outbox {
    let typing = Typing { speed: 10, most: Span::secs(8) };
    Outbox::typed(Api::new(&s.server.url(), s.server.token()), s.store.clone(), s.clock.clone(), typing)
}

fn typed(chat: ChatId, text: &str, by: &[PersonId]) -> Act {
    Act { typed: Some(by.to_vec()), ..say(chat, text, None) }
}

fn said(server: &Server) -> Vec<String> {
    server.acts().into_iter().filter(|act| act.method == "sendMessage").map(|act| act.text).collect()
}

#[tokio::test]
async fn a_message_is_typed_for_as_long_as_its_words_take_and_no_longer() {
    let s = Scene::new().await;
    let outbox = slow(&s);
    let texts = ["一二三四五六七八九十".repeat(9), "hello there".to_owned()];
    let tasks: Vec<_> = texts
        .iter()
        .map(|text| {
            let (outbox, act) = (outbox.clone(), typed(s.group, text, &[]));
            tokio::spawn(async move { outbox.act(act).await })
        })
        .collect();
    // The long one would take 18 s; 8 are the most.
    for (n, seconds) in [(1, 4), (1, 5), (2, 7), (2, 8)] {
        until(|| s.server.typing_signs(s.group) == n).await;
        assert!(said(&s.server).is_empty(), "it is still typed");
        assert!(s.store.acts().unwrap().is_empty(), "a crash while it is typed leaves nothing that may have been sent");
        s.clock.advance_to(START + Span::secs(seconds));
    }
    until(|| said(&s.server).len() == 1).await;
    // The second is paced to a second later, and typed for 1.1.
    s.clock.advance_to(START + Span::secs(9));
    until(|| s.server.typing_signs(s.group) == 3).await;
    s.clock.advance_to(START + Span::millis(10_200));
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    assert_eq!(said(&s.server), texts, "in order, however long each takes");
    s.clock.advance_to(START + Span::secs(60));
    outbox.act(say(s.group, "a command's answer", None)).await.unwrap();
    assert_eq!(s.server.typing_signs(s.group), 3, "the sign ended with the messages; what is not typed shows none");
}

#[tokio::test]
async fn what_is_typed_is_dropped_when_whom_it_answers_says_more_and_by_nobody_else() {
    let s = Scene::new().await;
    let outbox = slow(&s);
    let room = RoomId::whole(s.group);
    let begin = |text: &str| {
        let (outbox, act) = (outbox.clone(), typed(s.group, text, &[ANN]));
        tokio::spawn(async move { outbox.act(act).await })
    };
    let task = begin("the first answer");
    until(|| s.server.typing_signs(s.group) == 1).await;
    outbox.heard(room, BEN);
    outbox.heard(RoomId::whole(ANN.dm()), ANN);
    s.clock.advance_to(START + Span::secs(2));
    task.await.unwrap().unwrap();

    let task = begin("the second answer");
    until(|| s.server.typing_signs(s.group) == 2).await;
    outbox.heard(room, ANN);
    let Err(ActError::Refused(why)) = task.await.unwrap() else { panic!("it was sent") };
    assert!(why.contains("nothing was sent") && why.contains("answer all of it"), "{why}");
    assert_eq!((said(&s.server).len(), s.store.acts().unwrap().len()), (1, 1));
}

#[tokio::test]
async fn an_answer_that_was_overtaken_is_thought_over_with_what_is_new() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|n, p| match n {
        1 => js(&format!("await telegram.sendText('{}')", "这是一个很长的回答。".repeat(40))),
        _ if p.last().contains("七点") => js("await telegram.sendText('好，七点')"),
        _ => js("await telegram.sendText('没看到新消息')"),
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let config = std::fs::read_to_string(&home.config).unwrap();
    let config = config.replace("typing_speed = 0", "typing_speed = 30\ntyping_most = \"60s\"");
    std::fs::write(&home.config, config).unwrap();
    let recording = home.folder.path().join("session.jsonl");
    let running = home.run(&["--record", recording.to_str().unwrap()]);
    server.say(group, ALICE, "@xiaxia_bot 明天六点见？", None);
    until_so("it types", || server.typing_signs(group) > 0).await;
    server.say(group, BOB, "我不去", None);
    server.say(group, ALICE, "说错了，七点", None);
    until_so("the answer", || !said(&server).is_empty()).await;
    assert!(running.terminate().success(), "{}", home.log());
    assert_eq!(said(&server), ["好，七点"]);
    let read = model.prompt(1).all();
    assert!(read.contains("nothing was sent: somebody whom it answers has just said more"), "{read}");
    let (code, out, errors) =
        groupmate(&["replay", recording.to_str().unwrap(), "-c", home.config.to_str().unwrap()], home.folder.path());
    assert_eq!(code, 0, "{out}\n{errors}");
}
