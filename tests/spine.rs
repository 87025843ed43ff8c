//! A group gains a member, over real HTTP, in a real process.

use crate::support::{ALICE, Home, Model, group_of_two, groupmate, js, telegram, until};

#[tokio::test]
async fn a_plain_reply_costs_one_model_call_and_quotes_the_question() {
    let server = telegram().await;
    let group = group_of_two(&server, "茶水间");
    let model =
        Model::start(|_, p| js(&format!("await telegram.sendText('周五', {{ replyTo: {} }})", p.waiting()[0]))).await;
    let home = Home::new(&server, &model.url, "rules = \"Be brief: RULE-OF-THE-HOUSE\"");
    let running = home.run(&[]);
    server.say(group, ALICE, "今天天气不错", None);
    let asked = server.say(group, ALICE, "@xiaxia_bot 电影哪天?", None);
    until("an answer", || server.acts().iter().any(|act| act.text == "周五")).await;
    let act = server.acts().into_iter().find(|act| act.text == "周五").unwrap();
    assert_eq!(act.reply_to, Some(asked));
    assert!(running.terminate().success(), "{}", home.log());
    assert_eq!(model.asked(), 1, "{}", home.log());
    model.assert_sound();
    let prompt = model.prompt(0);
    assert!(prompt.system.contains("RULE-OF-THE-HOUSE"));
    assert!(prompt.all().contains("今天天气不错"));
}

#[tokio::test]
async fn a_result_nobody_read_is_told_once_and_a_pass_is_silence() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|n, _| match n {
        1 => js("const found = await memory.recall('电影');"),
        _ => js("turn.pass('they were only thinking aloud')"),
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.say(group, ALICE, "小夏 你怎么看", None);
    until("two requests", || model.asked() == 2).await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    assert!(running.terminate().success());
    assert_eq!(model.asked(), 2);
    assert!(model.prompt(1).last().contains("turn.pass"), "{}", model.prompt(1).last());
    assert!(server.acts().iter().all(|act| act.text.is_empty()), "silence");
    model.assert_sound();
}

#[tokio::test]
async fn an_error_brings_the_docs_once_and_sends_are_not_repeated() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|n, _| match n {
        1 => js("await telegram.sendText('等等，我查一下');\nawait tavily.search('奥本海默', 5, true);"),
        2 => js("await telegram.sendText('等等，我查一下');\nawait memory.recal('x');"),
        _ => js("await telegram.sendText('好了')"),
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.say(group, ALICE, "@xiaxia_bot 查一下", None);
    until("the end", || server.acts().iter().any(|act| act.text == "好了")).await;
    assert!(running.terminate().success());
    let texts: Vec<_> = server.acts().into_iter().map(|act| act.text).filter(|text| !text.is_empty()).collect();
    assert_eq!(texts, ["等等，我查一下", "好了"], "a corrected script does not repeat what was sent");
    let second = model.prompt(1);
    assert!(second.last().contains("### tavily.search"), "{}", second.last());
    let third = model.prompt(2);
    assert!(!third.last().contains("### tavily.search"), "still visible, so not repeated: {}", third.last());
    assert!(third.last().contains("memory.recall"), "the nearest name: {}", third.last());
    model.assert_sound();
}

#[tokio::test]
async fn d8_a_mention_during_an_outage_is_answered_once_afterwards() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    // The client itself tries a request several times before it gives up.
    let model =
        Model::start(|n, _| if n <= 6 { "!503".into() } else { js("await telegram.sendText('我回来了')") }).await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.say(group, ALICE, "@xiaxia_bot 在吗", None);
    until("an answer", || server.acts().iter().any(|act| !act.text.is_empty())).await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    assert!(running.terminate().success());
    assert_eq!(server.acts().iter().filter(|act| !act.text.is_empty()).count(), 1);
}

#[tokio::test]
async fn a_second_instance_is_refused() {
    let server = telegram().await;
    let model = Model::start(|_, _| js("turn.pass('x')")).await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    until("the first poll", || server.polls() > 0).await;
    let config = home.config.to_str().unwrap();
    let (code, _, errors) = groupmate(&["run", "--config", config], home.folder.path());
    assert_eq!(code, 1, "{errors}");
    assert!(errors.contains("data") && errors.contains("another"), "{errors}");
    assert!(running.terminate().success());
}

#[tokio::test]
async fn a_reminder_rings_in_its_room_once_across_a_restart() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|_, p| {
        if p.last().contains("reminder 1") && p.last().contains("is due") {
            js("await telegram.sendText('⏰ 装胶卷')")
        } else {
            js("await agenda.remind('in 2 seconds', '装胶卷');\nawait telegram.sendText('记下了')")
        }
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.say(group, ALICE, "@xiaxia_bot 两秒后提醒我装胶卷", None);
    until("the promise", || server.acts().iter().any(|act| act.text == "记下了")).await;
    // The send may be seen before the turn is settled; a normal end settles it.
    assert!(running.terminate().success());
    tokio::time::sleep(std::time::Duration::from_millis(2500)).await;
    let running = home.run(&[]);
    until("the reminder", || server.acts().iter().any(|act| act.text == "⏰ 装胶卷")).await;
    assert!(running.terminate().success());
    let running = home.run(&[]);
    until("a poll", || server.polls() > 2).await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    assert!(running.terminate().success());
    let rung = server.acts().iter().filter(|act| act.text == "⏰ 装胶卷").count();
    assert_eq!(rung, 1, "{}", home.log());
}

#[tokio::test]
async fn a_recorded_session_replays_exactly_and_a_changed_one_shows_both_sides() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|n, p| match n {
        1 => js("const p = await memory.person('Alice'); console.log(p.name, Date.now(), Math.random()); await new Promise(r => setTimeout(r, 20));"),
        2 => js(&format!("await memory.remember('likes tea'); await telegram.sendText('hi', {{ replyTo: {} }})", p.waiting()[0])),
        _ => js("await telegram.react(3, '👍')"),
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let journal = home.folder.path().join("session.jsonl");
    let journal = journal.to_str().unwrap();
    let running = home.run(&["--record", journal]);
    server.say(group, ALICE, "@xiaxia_bot hello", None);
    until("an answer", || server.acts().iter().any(|act| act.text == "hi")).await;
    server.say(group, ALICE, "thanks @xiaxia_bot", None);
    until("a reaction", || server.acts().len() >= 2).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert!(running.terminate().success(), "{}", home.log());
    let config = home.config.to_str().unwrap();
    let (code, out, errors) = groupmate(&["replay", journal, "--config", config], home.folder.path());
    assert_eq!(code, 0, "{out}\n{errors}\n{}", std::fs::read_to_string(journal).unwrap());
    assert!(out.contains("replayed exactly"), "{out}");
    let text = std::fs::read_to_string(journal).unwrap();
    assert!(text.contains("likes tea"));
    let tampered = home.folder.path().join("tampered.jsonl");
    std::fs::write(&tampered, text.replace("likes tea", "likes milk").replacen("likes milk", "likes tea", 1)).unwrap();
    let (code, _, errors) = groupmate(&["replay", tampered.to_str().unwrap(), "--config", config], home.folder.path());
    assert_eq!(code, 1, "{errors}");
    assert!(errors.contains("--- recorded") && errors.contains("--- now"), "{errors}");
    assert!(errors.contains("likes tea") && errors.contains("likes milk"), "{errors}");
}
