//! Commands, in a real process, over real HTTP against the embedded server.

use groupmate::chat::ids::ChatId;
use groupmate::playground::{SeenAct, Server, Standing};

use crate::support::{ALICE, BOB, Home, Model, group_of_two, groupmate, js, telegram, until};

/// What we said, oldest first.
fn said(server: &Server, chat: ChatId) -> Vec<SeenAct> {
    server.acts().into_iter().filter(|act| act.method == "sendMessage" && act.chat == chat).collect()
}

/// Says something and waits for the answer to it.
async fn ask(server: &Server, chat: ChatId, who: groupmate::chat::ids::PersonId, text: &str) -> String {
    let before = said(server, chat).len();
    server.say(chat, who, text, None);
    until(text, || said(server, chat).len() > before).await;
    said(server, chat)[before].text.clone()
}

#[tokio::test]
async fn everybody_is_answered_in_their_language_and_operators_alone_may_mute() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let alone = ChatId(ALICE.0);
    let model =
        Model::start(|_, p| js(&format!("await telegram.sendText('在', {{ replyTo: {} }})", p.waiting()[0]))).await;
    let more = format!("zone = \"Asia/Shanghai\"\n[privacy]\noperators = [{}]", ALICE.0);
    let home = Home::new(&server, &model.url, &more);
    let recording = home.folder.path().join("session.jsonl");
    let running = home.run(&["--record", recording.to_str().unwrap()]);

    let help = ask(&server, group, BOB, "/help@xiaxia_bot").await;
    assert!(help.contains("/quiet — ") && !help.contains("/mute"), "{help}");
    let help = ask(&server, group, ALICE, "/help").await;
    assert!(help.contains("/mute — "), "an operator sees all: {help}");
    let start = ask(&server, group, BOB, "/start").await;
    assert!(start.contains("@xiaxia_bot") && start.contains("小夏"), "{start}");
    let whoami = ask(&server, group, BOB, "/whoami").await;
    assert!(whoami.contains("Bob") && whoami.contains(&BOB.0.to_string()), "{whoami}");
    let whoami = ask(&server, alone, ALICE, "/whoami").await;
    assert!(whoami.contains("Alice") && !whoami.contains("群"), "{whoami}");

    let refused = ask(&server, group, BOB, "/mute").await;
    assert!(refused.contains(&BOB.0.to_string()), "{refused}");
    assert!(ask(&server, group, ALICE, "/mute").await.contains("/unmute"));
    server.say(group, BOB, "@xiaxia_bot 在吗", None);
    let status = ask(&server, group, ALICE, "/status").await;
    assert!(status.contains("静音") && !status.contains("groupmate"), "others read along: {status}");
    let status = ask(&server, alone, ALICE, "/status").await;
    assert!(status.contains(concat!("groupmate ", env!("CARGO_PKG_VERSION"))), "{status}");
    let why = ask(&server, group, BOB, "/why").await;
    assert!(why.contains("Bob") && why.contains("我在这里被静音了"), "{why}");
    ask(&server, group, ALICE, "/unmute").await;
    assert_eq!(model.asked(), 0, "no command and nothing muted costs a model call");
    assert_eq!(ask(&server, group, BOB, "@xiaxia_bot 在吗").await, "在");
    until("the end of the turn", || home.log().contains("the turn ended")).await;
    let why = ask(&server, group, BOB, "/why").await;
    assert!(why.contains("提到了我") && why.contains("回答了"), "{why}");

    server.say(group, BOB, "/help@other_bot", None);
    assert!(running.terminate().success(), "{}", home.log());
    assert_eq!(model.asked(), 1);
    let menus: Vec<SeenAct> = server.acts().into_iter().filter(|act| act.method == "setMyCommands").collect();
    assert_eq!(menus.len(), 6, "two scopes, each in its own, in Chinese and in English");
    let menu = |n: usize| menus[n].body["commands"].as_array().unwrap().len();
    assert!(menu(0) < menu(3), "operators see more");
    assert_eq!(menus[4].body["language_code"], "zh");
    assert_eq!(menus[3].body["scope"]["chat_id"], ALICE.0);

    let (code, out, errors) =
        groupmate(&["replay", recording.to_str().unwrap(), "-c", home.config.to_str().unwrap()], home.folder.path());
    assert_eq!(code, 0, "{out}\n{errors}");
}

#[tokio::test]
async fn quiet_is_kept_over_a_restart_and_answers_nobody_twice() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|_, _| js("turn.pass('x')")).await;
    let home = Home::new(&server, &model.url, &format!("[privacy]\noperators = [{}]", BOB.0));
    let running = home.run(&[]);
    assert!(ask(&server, group, ALICE, "/quiet soon").await.contains("soon"));
    let until_then = ask(&server, group, ALICE, "/quiet 2h").await;
    assert!(until_then.contains("/quiet off"), "{until_then}");
    running.kill();
    let running = home.run(&[]);
    let status = ask(&server, group, BOB, "/status").await;
    assert!(status.contains("不主动开口"), "{status}");
    assert_eq!(said(&server, group).len(), 3, "no command was obeyed twice: {:?}", said(&server, group));
    ask(&server, group, ALICE, "/quiet off").await;
    let status = ask(&server, group, BOB, "/status").await;
    assert!(status.contains("照常"), "{status}");
    assert!(running.terminate().success(), "{}", home.log());
    assert_eq!(model.asked(), 0);
}

#[tokio::test]
async fn forget_asks_first_and_then_nothing_of_a_person_is_left_in_any_room_or_row() {
    let server = telegram().await;
    let (here, there, alone) = (group_of_two(&server, "g"), group_of_two(&server, "h"), ChatId(ALICE.0));
    let model = Model::start(|_, _| js("await telegram.sendText('知道了')")).await;
    let home = Home::new(&server, &model.url, "");
    let recording = home.folder.path().join("session.jsonl");
    let running = home.run(&["--record", recording.to_str().unwrap()]);
    let secret = "紫色大象";
    server.say(alone, ALICE, &format!("我的暗号是{secret}"), None);
    let first = server.say(there, ALICE, &format!("@xiaxia_bot {secret}真好看"), None);
    server.say(there, BOB, "我也觉得", Some(first));
    until("both were answered", || said(&server, alone).len() + said(&server, there).len() == 2).await;
    until("the ends of the turns", || home.log().matches("the turn ended").count() == 2).await;

    let asked = ask(&server, here, ALICE, "/forget").await;
    assert!(asked.contains("/forget 确认"), "{asked}");
    let done = ask(&server, here, ALICE, "/forget 确认").await;
    assert!(done.contains("忘了"), "{done}");
    assert_eq!(said(&server, here)[1].reply_to, None, "a quote would make them known again");
    server.say(there, BOB, "@xiaxia_bot 刚才说到什么了？", None);
    until("Bob is answered", || said(&server, there).len() == 2).await;
    let prompt = model.prompt(model.asked() - 1).all();
    assert!(prompt.contains("我也觉得") && !prompt.contains(secret), "{prompt}");
    assert!(!prompt.contains("Alice"), "{prompt}");
    assert!(running.terminate().success(), "{}", home.log());

    let tree = sled::open(home.data()).unwrap();
    for row in tree.iter() {
        let (_, value) = row.unwrap();
        let value = String::from_utf8_lossy(&value);
        assert!(!value.contains(secret) && !value.contains("Alice"), "{value}");
    }
    drop(tree);
    let (code, out, errors) =
        groupmate(&["replay", recording.to_str().unwrap(), "-c", home.config.to_str().unwrap()], home.folder.path());
    assert_eq!(code, 0, "{out}\n{errors}");
}

#[tokio::test]
async fn a_group_that_is_not_allowed_is_read_in_silence_or_left() {
    let server = telegram().await;
    server.set_privacy_mode(true);
    let (ours, theirs) = (group_of_two(&server, "ours"), group_of_two(&server, "theirs"));
    let model = Model::start(|_, _| js("await telegram.sendText('在')")).await;
    let more = |others: &str| {
        let operators = format!("[privacy]\noperators = [{}]", ALICE.0);
        format!("{operators}\n[groups]\nallow = [{}]\nothers = \"{others}\"", ours.0)
    };
    let home = Home::new(&server, &model.url, &more("mute"));
    let running = home.run(&[]);
    server.say(theirs, BOB, "@xiaxia_bot 在吗", None);
    server.say(theirs, BOB, "/help", None);
    server.say(ours, BOB, "@xiaxia_bot 在吗", None);
    until("the answer where it belongs", || said(&server, ours).len() == 1).await;
    let status = ask(&server, theirs, ALICE, "/status").await;
    assert!(status.contains("静音"), "{status}");
    assert_eq!((said(&server, theirs).len(), model.asked()), (1, 1), "nobody but the operator was answered there");
    assert!(running.terminate().success(), "{}", home.log());
    let log = home.log();
    assert!(log.contains("not in [groups] allow") && log.contains(&theirs.0.to_string()), "{log}");
    assert!(log.contains("/setprivacy"), "privacy mode is explained at the start: {log}");

    let home = Home::new(&server, &model.url, &more("leave"));
    let recording = home.folder.path().join("session.jsonl");
    let running = home.run(&["--record", recording.to_str().unwrap()]);
    let left = || server.acts().into_iter().filter(|act| act.method == "leaveChat").map(|act| act.chat);
    server.say(theirs, BOB, "@xiaxia_bot 还在吗", None);
    server.say(theirs, BOB, "人呢", None);
    until("it left", || left().count() > 0).await;
    server.set_standing(theirs, Standing::Member, BOB);
    until("it left again", || left().count() > 1).await;
    server.say(ours, BOB, "@xiaxia_bot 在吗", None);
    until("the answer where it belongs", || said(&server, ours).len() == 2).await;
    assert!(running.terminate().success(), "{}", home.log());
    assert_eq!(left().collect::<Vec<_>>(), [theirs, theirs]);
    assert_eq!(said(&server, theirs).len(), 1);
    let (code, out, errors) =
        groupmate(&["replay", recording.to_str().unwrap(), "-c", home.config.to_str().unwrap()], home.folder.path());
    assert_eq!(code, 0, "{out}\n{errors}");
}
