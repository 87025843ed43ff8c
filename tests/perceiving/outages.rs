//! What may go wrong with polling, in a real process against the real server: nothing is lost or heard twice, and it says
//! how it goes.

use std::collections::BTreeMap;

use groupmate::chat::event::EventKind;
use groupmate::chat::ids::{ChatId, MessageId, RoomId};
use groupmate::chat::person::Sender;
use groupmate::playground::{Failure, Server};
use groupmate::store::Store;

use crate::support::{ALICE, BOB, Home, Model, group_of_two, groupmate, js, telegram, until};

/// A configuration whose polls are short.
fn home(server: &Server, model: &Model) -> Home {
    let home = Home::new(server, &model.url, &format!("zone = \"UTC\"\n[privacy]\noperators = [{}]", ALICE.0));
    let text = std::fs::read_to_string(&home.config).unwrap();
    std::fs::write(&home.config, text.replace("[telegram]\n", "[telegram]\npoll = \"1s\"\n")).unwrap();
    home
}

/// Every message of others in the archive, with how often it stands there.
fn archived(home: &Home, group: ChatId) -> BTreeMap<MessageId, u32> {
    let store = Store::open(&home.data(), 8 << 20).unwrap();
    let mut found = BTreeMap::new();
    for (_, event) in store.since(RoomId::whole(group), 0, 10_000).unwrap() {
        if let EventKind::Said(message) = event.kind
            && message.from != Sender::Us
        {
            *found.entry(message.id).or_default() += 1;
        }
    }
    found
}

#[tokio::test]
async fn polls_that_fail_in_every_way_lose_nothing_and_are_told_in_the_log_and_in_status() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let alone = ChatId(ALICE.0);
    let model =
        Model::start(|_, p| js(&format!("await telegram.sendText('到', {{ replyTo: {} }})", p.waiting()[0]))).await;
    let home = home(&server, &model);
    let journal = home.folder.path().join("session.jsonl");
    let running = home.run(&["--record", journal.to_str().unwrap()]);
    until("the first poll", || server.polls() > 0).await;
    let failures: [(&str, Failure); 9] = [
        ("somebody else", Failure::api(409, "Conflict: terminated by other getUpdates request")),
        ("no answer was read", Failure::api(500, "Internal Server Error")),
        ("HTTP 502", Failure::Status { code: 502, body: "<html>Bad Gateway".into() }),
        ("HTTP 200", Failure::Status { code: 200, body: "{\"ok\": tru".into() }),
        ("without a list", Failure::Status { code: 200, body: "{\"ok\":true,\"result\":{\"a\":1}}".into() }),
        ("no number", Failure::Status { code: 200, body: "{\"ok\":true,\"result\":[{\"a\":1}]}".into() }),
        ("asks to wait 1 s", Failure::Retry(1)),
        ("no clear answer", Failure::Drop),
        ("stalled", Failure::Hang),
    ];
    let mut said = Vec::new();
    for (words, how) in failures {
        let before = home.log().matches("no updates").count();
        server.fail_next("getUpdates", 1, how);
        said.push(server.say(group, BOB, words, None));
        until(words, || home.log().matches("no updates").count() > before).await;
        until("it is heard all the same", || server.pending() == 0).await;
        let log = home.log();
        let line = log.lines().rev().find(|line| line.contains("no updates")).unwrap();
        assert!(words == "no answer was read" || line.contains(words), "{words}: {line}");
        assert!(line.contains("last_poll=20") && line.contains("wait_ms="), "{line}");
    }
    server.cut();
    said.push(server.say(group, BOB, "after a cut", None));
    until("a cut is got over", || server.pending() == 0).await;
    server.unplug();
    said.push(server.say(group, BOB, "unheard", None));
    until("it is missed", || home.log().contains("cannot reach")).await;
    server.plug().await.unwrap();
    until("it comes back", || server.pending() == 0).await;
    let asked = server.say(group, ALICE, "@xiaxia_bot 在吗", None);
    until("an answer", || server.acts().iter().any(|act| act.reply_to == Some(asked))).await;
    server.say(alone, ALICE, "/status", None);
    until("the status", || server.acts().iter().any(|act| act.chat == alone)).await;
    let status = server.acts().into_iter().find(|act| act.chat == alone).unwrap().text;
    assert!(status.contains("Telegram 上次应答：20") && status.contains("轮询失败 1"), "{status}");
    assert!(status.contains("cannot reach"), "why the last one did: {status}");
    assert!(running.terminate().success(), "{}", home.log());
    assert!(home.log().contains("listening last_poll="), "that it goes well again: {}", home.log());
    assert!(!home.log().contains(server.token()));

    said.push(asked);
    let archived = archived(&home, group);
    assert_eq!(archived.len(), said.len());
    assert!(said.iter().all(|id| archived.get(id) == Some(&1)), "each once: {archived:?}");
    let config = home.config.to_str().unwrap();
    let (code, out, errors) = groupmate(&["replay", journal.to_str().unwrap(), "--config", config], home.folder.path());
    assert_eq!(code, 0, "how polls went is in the record: {out}\n{errors}");
}
