//! A message goes out once, however its script failed or was stopped: counted at the server, over real HTTP.

use std::time::Duration;

use groupmate::chat::ids::ChatId;
use groupmate::playground::{Failure, Server, Standing};

use crate::support::{ALICE, Home, Model, group_of_two, groupmate, js, telegram, until};

/// What the server saw of the methods that matter here, as `method text`.
fn seen(server: &Server) -> Vec<String> {
    let acts = server.acts().into_iter();
    acts.filter(|act| !["sendChatAction", "setMyCommands", "getMe"].contains(&act.method.as_str()))
        .map(|act| format!("{} {}", act.method, act.text).trim().to_owned())
        .collect()
}

/// A scripted session and what is looked at afterwards.
struct Told {
    server: Server,
    group: ChatId,
    model: Model,
    home: Home,
}

impl Told {
    /// The model answers with these scripts in turn, the last of which ends the turn, and the session is recorded.
    async fn new(deadline: &str, scripts: &'static [&'static str]) -> Self {
        let server = telegram().await;
        let group = group_of_two(&server, "g");
        let model = Model::start(|n, p| {
            let script = scripts.get(n as usize - 1).unwrap_or(&"turn.pass('no more')");
            js(&script.replace("$ASKED", &p.waiting().first().copied().unwrap_or_default().to_string()))
        })
        .await;
        let home = Home::new(&server, &model.url, &format!("[sandbox]\ndeadline = \"{deadline}\"\n"));
        Self { server, group, model, home }
    }

    /// One question, answered after `asks` requests; then a second one, so that it shows what the room heard.
    async fn run(&self, asks: usize) {
        let journal = self.home.folder.path().join("session.jsonl");
        let running = self.home.run(&["--record", journal.to_str().unwrap()]);
        self.server.say(self.group, ALICE, "@xiaxia_bot 查一下", None);
        until("the end of the turn", || self.home.log().contains("the turn ended")).await;
        assert_eq!(self.model.asked(), asks, "{}", self.home.log());
        self.server.say(self.group, ALICE, "@xiaxia_bot 谢谢", None);
        until("the second turn", || self.model.asked() == asks + 1).await;
        assert!(running.terminate().success(), "{}", self.home.log());
        self.model.assert_sound();
        let config = self.home.config.to_str().unwrap();
        let (code, out, errors) =
            groupmate(&["replay", journal.to_str().unwrap(), "--config", config], self.home.folder.path());
        assert!(code == 0 && out.contains("replayed exactly"), "{out}\n{errors}");
    }

    /// What the model was told after its script of that number.
    fn report(&self, script: usize) -> String {
        self.model.prompt(script).last().to_owned()
    }
}

#[tokio::test]
async fn a_correction_that_fails_too_does_not_give_its_sends_back() {
    let told = Told::new(
        "30s",
        &[
            "await telegram.sendText('一');\nawait telegram.sendText('一');\nnull.x;",
            // One of the two is met again, and one more text comes that was not sent before.
            "await telegram.sendText('一');\nawait telegram.sendText('二');\nnull.x;",
            "await telegram.sendText('二');\nawait telegram.sendText('一');\nawait telegram.sendText('一');\nnull.x;",
            "const { id } = await telegram.sendText('一');\nawait telegram.edit(id, '三');",
        ],
    )
    .await;
    told.run(4).await;
    let acts = seen(&told.server);
    assert_eq!(acts, ["sendMessage 一", "sendMessage 一", "sendMessage 二", "editMessageText 三"]);
    // However often it was met again, it is told in one breath.
    let last = told.report(3);
    assert_eq!(last.matches("to this chat (by the failed script; not repeated)\n").count(), 3, "{last}");
    assert!(!last.contains("repeated) (by"), "{last}");
    // The edit went to the message that the first script sent.
    let first = told.server.acts().into_iter().find(|act| act.text == "一").unwrap();
    let edited = told.server.acts().into_iter().find(|act| act.method == "editMessageText").unwrap();
    assert_eq!(edited.message, first.message);
}

#[tokio::test]
async fn a_script_that_ran_gives_its_sends_back() {
    let told = Told::new(
        "30s",
        &[
            "await telegram.sendText('一');\nnull.x;",
            "await telegram.sendText('一');\nconsole.log('seen');",
            "await telegram.sendText('一');",
        ],
    )
    .await;
    told.run(3).await;
    assert_eq!(seen(&told.server), ["sendMessage 一", "sendMessage 一"], "the third says it anew, as its author wants");
}

#[tokio::test]
async fn sends_of_every_kind_are_taken_over_and_other_acts_are_done_again() {
    let script = "const sent = await telegram.sendText('在');\n\
         await telegram.poll('几点？', ['七点', '八点']);\n\
         await telegram.forward($ASKED);\n\
         await telegram.copy($ASKED);\n\
         await telegram.edit(sent.id, '在的');\n\
         await telegram.react($ASKED, '👍');\n\
         await telegram.pin(sent.id);\n\
         await telegram.unpin(sent.id);\n";
    let failing: &str = Box::leak(format!("{script}null.x;").into_boxed_str());
    // An edit to the same text would not show.
    let again: &str = Box::leak(script.replace("在的", "在呢").into_boxed_str());
    let told = Told::new("30s", Box::leak(Box::new([failing, again]))).await;
    told.run(2).await;
    let methods: Vec<String> =
        seen(&told.server).iter().map(|act| act.split(' ').next().unwrap_or_default().to_owned()).collect();
    let again = ["editMessageText", "setMessageReaction", "pinChatMessage", "unpinChatMessage"];
    let first = ["sendMessage", "sendPoll", "forwardMessage", "copyMessage"];
    assert_eq!(methods, [first.as_slice(), &again, &again].concat());
}

#[tokio::test]
async fn a_send_under_way_when_its_script_is_stopped_is_waited_for_heard_and_not_repeated() {
    // Calls leave the child when its script first waits; so each waits, if only for a timer.
    // A deadline, after how many seconds the server answers, and scripts: the last two of each row are the correction, and
    // the answer to what is said afterwards.
    let rows: [(&str, u64, &'static [&'static str]); 4] = [
        // Its deadline.
        (
            "6s",
            8,
            &["telegram.sendText('在路上');\nawait new Promise(r => setTimeout(r, 50));\nwhile (true) {}", AGAIN, PASS],
        ),
        // It waits for what takes too long.
        ("6s", 8, &["await telegram.react($ASKED, '👀');\nawait telegram.sendText('在路上');", AGAIN, PASS]),
        // The child dies.
        (
            "30s",
            3,
            &[
                "telegram.sendText('在路上');\nawait new Promise(r => setTimeout(r, 1));\nlet s = 'x';\nwhile (true) s += s;",
                AGAIN,
                PASS,
            ],
        ),
        // Too many calls.
        (
            "30s",
            3,
            &[
                "telegram.sendText('在路上');\nawait new Promise(r => setTimeout(r, 1));\nfor (let i = 0; i < 2000; i++) memory.recall('x');",
                AGAIN,
                PASS,
            ],
        ),
    ];
    for (deadline, late, scripts) in rows {
        let told = Told::new(deadline, scripts).await;
        told.server.fail_next("sendMessage", 1, Failure::Late(Duration::from_secs(late)));
        told.run(2).await;
        let sends: Vec<String> = seen(&told.server).into_iter().filter(|act| act.starts_with("sendMessage")).collect();
        assert_eq!(sends, ["sendMessage 在路上"], "{scripts:?}");
        let act = told.server.acts().into_iter().find(|act| act.method == "sendMessage").unwrap();
        let id = act.message.unwrap();
        let report = told.report(1);
        assert!(report.contains(&format!("sent message {id} to this chat")), "{report}");
        // What the correction was given is the first result.
        let corrected = told.server.acts().into_iter().find(|act| act.method == "editMessageText").unwrap();
        assert_eq!(corrected.message, Some(id));
        // The next turn sees our words where they stand in the talk.
        let next = told.model.prompt(2).all();
        let line = next.lines().find(|line| line.starts_with(&format!("#{id} "))).unwrap_or_default();
        assert!(line.ends_with("you (小夏) (edited): 到了"), "{next}");
    }
}

const AGAIN: &str = "const { id } = await telegram.sendText('在路上');\nawait telegram.edit(id, '到了');";
const PASS: &str = "turn.pass('seen')";

#[tokio::test]
async fn a_send_that_takes_longer_may_have_been_sent_and_is_not_repeated() {
    // To this chat, and to a member of it alone, for which Telegram is asked who is in it.
    for place in ["", ", { chat: 1001 }"] {
        let stopped = format!(
            "telegram.sendText('在路上'{place});\nawait new Promise(r => setTimeout(r, 1));\nwhile (true) {{}}"
        );
        let again = format!(
            "try {{ await telegram.sendText('在路上'{place}) }} catch (error) {{ console.log(error.name, error.message) }}"
        );
        let scripts = [stopped, again, "turn.pass('seen')".to_owned()].map(|s| &*Box::leak(s.into_boxed_str()));
        let told = Told::new("6s", Box::leak(Box::new(scripts))).await;
        // She has let us write to her.
        told.server.set_standing(ALICE.dm(), Standing::Member, ALICE);
        told.server.fail_next("sendMessage", 1, Failure::Late(Duration::from_secs(20)));
        told.run(3).await;
        assert_eq!(seen(&told.server), ["sendMessage 在路上"], "{place}");
        let report = told.report(1);
        assert!(report.contains("- telegram.sendText: may have happened"), "{report}");
        let again = told.report(2);
        assert!(again.contains("TelegramError telegram.sendText: an equal send was under way"), "{again}");
    }
}
