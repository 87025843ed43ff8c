//! Calls that need an operator's leave, in a real process, over real HTTP against the embedded server.

use groupmate::chat::ids::{ChatId, MessageId, PersonId};
use groupmate::playground::{Failure, SeenAct, Server};
use serde_json::Value;

use crate::support::{ALICE, BOB, Home, Model, group_of_two, groupmate, js, telegram, until};

/// The person whom the scripts here want banned.
const EVE: i64 = 1003;

fn of(server: &Server, method: &str) -> Vec<SeenAct> {
    server.acts().into_iter().filter(|act| act.method == method).collect()
}

/// What a prompt says where an operator's decision woke us.
const DECIDED: &str = "An operator decided";

/// What was sent to a chat, oldest first.
fn to(server: &Server, chat: ChatId) -> Vec<SeenAct> {
    of(server, "sendMessage").into_iter().filter(|act| act.chat == chat).collect()
}

/// What the operator was asked, oldest first.
fn asked_of_alice(server: &Server) -> Vec<SeenAct> {
    to(server, ALICE.dm()).into_iter().filter(|act| act.body.get("reply_markup").is_some()).collect()
}

/// Alice is known to us: a bot may not begin a conversation.
async fn alice_writes_to_us(server: &Server) {
    server.say(ALICE.dm(), ALICE, "/start", None);
    until("she is answered", || !to(server, ALICE.dm()).is_empty()).await;
}

/// What the buttons of a message carry.
fn buttons(act: &SeenAct) -> Vec<String> {
    let rows = act.body["reply_markup"]["inline_keyboard"].as_array().cloned().unwrap_or_default();
    rows.iter().map(|row| row[0]["callback_data"].as_str().unwrap_or_default().to_owned()).collect()
}

/// The notices that presses were answered with.
fn notices(server: &Server) -> Vec<String> {
    let told = |act: &SeenAct| act.body["text"].as_str().map(str::to_owned);
    of(server, "answerCallbackQuery").iter().filter_map(told).collect()
}

/// Presses, and waits until the press was answered.
async fn press(server: &Server, chat: ChatId, message: MessageId, by: PersonId, data: &str) -> String {
    let before = of(server, "answerCallbackQuery").len();
    server.press(chat, message, by, data).unwrap();
    until("the press is answered", || of(server, "answerCallbackQuery").len() > before).await;
    notices(server).pop().unwrap_or_default()
}

/// Alice is the operator, and has talked to us before.
fn operated_by_alice(more: &str) -> String {
    format!("[skills]\n{more}\n[privacy]\noperators = [{}]", ALICE.0)
}

#[tokio::test]
async fn an_operators_press_lets_the_call_happen_once_and_nobody_elses_does() {
    let server = telegram().await;
    let group = group_of_two(&server, "爬山");
    for (id, who) in [(EVE, "Eve"), (1004, "Dan"), (1005, "Fay")] {
        server.add_person(PersonId(id), who, None, None);
        server.join(group, PersonId(id));
    }
    let alone = ALICE.dm();
    let model = Model::start(|_, p| match p.last() {
        last if last.contains(DECIDED) => js("await telegram.sendText('踢掉了')"),
        last if last.contains("PendingApproval") => js("await telegram.sendText('问了管理员')"),
        last if last.contains("第三次") => js("await telegram.admin.ban(1005)"),
        last if last.contains("再来一次") => js("await telegram.admin.ban(1004)"),
        _ => js("await telegram.admin.ban(1003);\nawait telegram.sendText('不该发出');"),
    })
    .await;
    let home = Home::new(&server, &model.url, &operated_by_alice(""));
    let recording = home.folder.path().join("session.jsonl");
    let running = home.run(&["--record", recording.to_str().unwrap()]);
    alice_writes_to_us(&server).await;
    server.say(group, BOB, "@xiaxia_bot 把 1003 踢了", None);
    until("the operator is asked", || !asked_of_alice(&server).is_empty()).await;
    until("the room is told", || !to(&server, group).is_empty()).await;
    let asked = asked_of_alice(&server).remove(0);
    for part in ["telegram.admin.ban", "Bob (id 1002)", "爬山", "· person: 1003", "Ban a person"] {
        assert!(asked.text.contains(part), "{part} in {}", asked.text);
    }
    assert!(asked.body.get("entities").is_none() && asked.body.get("parse_mode").is_none(), "{}", asked.body);
    let report = model.prompt(1).last().to_owned();
    assert!(report.contains("PendingApproval: telegram.admin.ban needs an operator's leave"), "{report}");
    assert!(report.contains("Nothing was sent or changed") && !report.contains("documentation"), "{report}");

    let carried = buttons(&asked);
    let message = asked.message.unwrap();
    let said = to(&server, group)[0].message.unwrap();
    // Somebody else, in her chat or in the group; the operator, but in front of others; what no button of ours carries.
    for (chat, at, by, data) in [
        (alone, message, BOB, carried[0].as_str()),
        (group, said, BOB, carried[0].as_str()),
        (group, said, ALICE, carried[0].as_str()),
        (alone, message, ALICE, "leave:999:once"),
        (alone, message, ALICE, "leave:1:sudo"),
        (alone, message, ALICE, "leave:"),
    ] {
        let notice = press(&server, chat, at, by, data).await;
        assert!(notice.contains("decided already") || notice.contains("已经有结果"), "{by} {data}: {notice}");
    }
    assert!(of(&server, "banChatMember").is_empty());

    let notice = press(&server, alone, message, ALICE, &carried[0]).await;
    assert!(notice.contains('✅'), "{notice}");
    until("the room is told what came of it", || to(&server, group).len() == 2).await;
    let banned = of(&server, "banChatMember");
    assert_eq!((banned.len(), &banned[0].body["user_id"]), (1, &Value::from(EVE)));
    let notice = press(&server, alone, message, ALICE, &carried[0]).await;
    assert!(!notice.contains('✅'), "a second press decides nothing: {notice}");
    until("the answer stands under the question", || !of(&server, "editMessageText").is_empty()).await;
    let edit = of(&server, "editMessageText").remove(0);
    assert!(edit.text.contains('✅') && edit.text.contains("· person: 1003"), "{}", edit.text);
    assert!(edit.body.get("reply_markup").is_none(), "the buttons are gone");

    // Once is once: the next one is asked about again, and may be allowed for good.
    server.say(group, BOB, "@xiaxia_bot 再来一次", None);
    until("the operator is asked again", || asked_of_alice(&server).len() == 2).await;
    let asked = asked_of_alice(&server).remove(1);
    until("the room is told so", || to(&server, group).len() == 3).await;
    press(&server, alone, asked.message.unwrap(), ALICE, &buttons(&asked)[1]).await;
    until("the second ban", || of(&server, "banChatMember").len() == 2).await;
    until("the room is told of it", || to(&server, group).len() == 4).await;
    until("the end of the turn", || home.log().matches("the turn ended").count() == 4).await;
    server.say(group, BOB, "@xiaxia_bot 第三次", None);
    until("the third ban, at once", || of(&server, "banChatMember").len() == 3).await;
    assert!(running.terminate().success(), "{}", home.log());
    assert_eq!(asked_of_alice(&server).len(), 2, "what is allowed for good is not asked about");
    let told = model.prompt(2).all();
    assert!(told.contains("Alice (id 1001), an operator, allowed telegram.admin.ban(1003)"), "{told}");
    assert!(told.contains("telegram.admin.ban(1003), which an operator had allowed: done: banned 1003"), "{told}");
    assert!(!told.contains("不该发出"));
    model.assert_sound();

    let (code, out, errors) =
        groupmate(&["replay", recording.to_str().unwrap(), "-c", home.config.to_str().unwrap()], home.folder.path());
    assert_eq!(code, 0, "{out}\n{errors}");
}

#[tokio::test]
async fn no_is_no_and_so_is_silence_and_a_press_after_it() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let alone = ALICE.dm();
    let model = Model::start(|_, p| match p.last() {
        last if last.contains(DECIDED) => js("await telegram.sendText('没同意')"),
        last if last.contains("PendingApproval") => js("turn.pass('asked')"),
        _ => js("await telegram.admin.ban(1003)"),
    })
    .await;
    let home = Home::new(&server, &model.url, &operated_by_alice("answer_within = \"3s\""));
    let recording = home.folder.path().join("session.jsonl");
    let running = home.run(&["--record", recording.to_str().unwrap()]);
    alice_writes_to_us(&server).await;
    server.say(group, BOB, "@xiaxia_bot 踢 1003", None);
    until("the room is told of the silence", || to(&server, group).len() == 1).await;
    let asked = asked_of_alice(&server).remove(0);
    until("the operator sees that it is over", || of(&server, "editMessageText").len() == 1).await;
    assert!(of(&server, "editMessageText")[0].text.contains('⌛'));
    let notice = press(&server, alone, asked.message.unwrap(), ALICE, &buttons(&asked)[0]).await;
    assert!(!notice.contains('✅'), "{notice}");

    until("the end of the turn", || home.log().matches("the turn ended").count() == 2).await;
    server.say(group, BOB, "@xiaxia_bot 踢 1003", None);
    until("asked again", || asked_of_alice(&server).len() == 2).await;
    let asked = asked_of_alice(&server).remove(1);
    press(&server, alone, asked.message.unwrap(), ALICE, &buttons(&asked)[2]).await;
    until("the room is told of the no", || to(&server, group).len() == 2).await;
    assert!(running.terminate().success(), "{}", home.log());
    assert!(of(&server, "banChatMember").is_empty());
    model.assert_sound();
    let (code, out, errors) =
        groupmate(&["replay", recording.to_str().unwrap(), "-c", home.config.to_str().unwrap()], home.folder.path());
    assert_eq!(code, 0, "{out}\n{errors}");
}

#[tokio::test]
async fn a_restart_is_a_no_and_the_message_says_so() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let alone = ALICE.dm();
    let model = Model::start(|_, p| match p.last() {
        last if last.contains(DECIDED) => js("await telegram.sendText('没来得及')"),
        last if last.contains("PendingApproval") => js("turn.pass('asked')"),
        _ => js("await telegram.admin.ban(1003)"),
    })
    .await;
    let home = Home::new(&server, &model.url, &operated_by_alice(""));
    let running = home.run(&[]);
    alice_writes_to_us(&server).await;
    server.say(group, BOB, "@xiaxia_bot 踢 1003", None);
    until("the operator is asked", || asked_of_alice(&server).len() == 1).await;
    until("the end of the turn", || home.log().contains("the turn ended")).await;
    assert!(running.terminate().success(), "{}", home.log());
    let asked = asked_of_alice(&server).remove(0);
    // Pressed while nobody listened.
    server.press(alone, asked.message.unwrap(), ALICE, &buttons(&asked)[0]).unwrap();
    let running = home.run(&[]);
    until("the room is told", || to(&server, group).len() == 1).await;
    until("the operator is told", || !of(&server, "editMessageText").is_empty()).await;
    assert!(of(&server, "editMessageText")[0].text.contains("🔄"));
    until("the press is answered", || !notices(&server).is_empty()).await;
    assert!(!notices(&server)[0].contains('✅'));
    assert!(running.terminate().success(), "{}", home.log());
    assert!(of(&server, "banChatMember").is_empty());
}

#[tokio::test]
async fn an_operator_reads_no_more_than_they_may_and_a_script_cannot_press() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(move |n, p| match n {
        1 => js(&format!(
            "for (const act of [() => telegram.admin.setTitle('只有 Bob 知道的名字'),\n\
               () => telegram.admin.setTitle('只有 Bob 知道的名字'),\n\
               () => telegram.sendText('按我', {{ buttons: [[{{ text: 'ok', data: 'leave:1:once' }}]] }}),\n\
               () => telegram.sendText('按我', {{ buttons: [[{{ text: 'leave:1:once' }}]] }}),\n\
               () => telegram.editButtons({}, [[{{ text: 'x', data: 'leave:1:chat' }}]])]) {{\n\
               try {{ await act(); console.log('DONE'); }} catch (e) {{ console.log(e.name, e.message); }}\n\
             }}",
            p.waiting()[0]
        )),
        _ => js("turn.pass('seen')"),
    })
    .await;
    let home = Home::new(&server, &model.url, &operated_by_alice(""));
    let running = home.run(&[]);
    alice_writes_to_us(&server).await;
    // In private with Bob, whom the operator is not; and then in a group that the operator is not in.
    server.say(BOB.dm(), BOB, "改个名字", None);
    until("the report", || model.asked() == 2).await;
    let asked = asked_of_alice(&server);
    assert_eq!(asked.len(), 1, "an equal call is not asked about twice: {} {}", model.prompt(1).last(), home.log());
    assert!(asked[0].text.contains("telegram.admin.setTitle") && asked[0].text.contains("Bob"), "{}", asked[0].text);
    assert!(!asked[0].text.contains("知道的名字"), "{}", asked[0].text);
    let report = model.prompt(1).last().to_owned();
    assert_eq!(report.matches("PendingApproval telegram").count(), 2, "{report}");
    assert_eq!(report.matches("PermissionError the data of the button").count(), 3, "{report}");
    assert!(!report.contains("DONE"), "{report}");
    assert!(running.terminate().success(), "{}", home.log());
    assert!(to(&server, group).is_empty());
    let data = groupmate::store::Store::open(&home.data(), 1 << 20).unwrap();
    let room = groupmate::chat::ids::RoomId::whole(ALICE.dm());
    let kept = format!("{:?}", data.tail(room, 10).unwrap());
    assert!(
        kept.contains("/start") && !kept.contains("setTitle"),
        "what an operator is asked is no conversation: {kept}"
    );
}

#[tokio::test]
async fn without_an_operator_who_can_be_reached_the_answer_is_no_at_once() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    // An operator who blocked us, and none at all.
    for (operators, why) in [("[4040]", "none could be reached in private"), ("[]", "there is no operator to ask")] {
        let model =
            Model::start(|n, _| if n == 1 { js("await telegram.admin.ban(1003)") } else { js("turn.pass('seen')") })
                .await;
        let home = Home::new(&server, &model.url, &format!("[privacy]\noperators = {operators}"));
        if operators != "[]" {
            server.fail_next("sendMessage", 1, Failure::api(403, "Forbidden: bot was blocked by the user"));
        }
        let running = home.run(&[]);
        server.say(group, BOB, "@xiaxia_bot 踢 1003", None);
        until("the report", || model.asked() == 2).await;
        let report = model.prompt(1).last().to_owned();
        assert!(report.contains("PermissionError") && report.contains(why), "{report}");
        assert!(running.terminate().success(), "{}", home.log());
    }
    assert!(of(&server, "banChatMember").is_empty());
}
