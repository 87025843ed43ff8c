//! What was said while we were away is heard with its own times and answered once for each chat.

use groupmate::chat::ids::{ChatId, MessageId, PersonId};
use groupmate::clock::Clock;
use groupmate::playground::{Failure, Server};
use serde_json::json;

use crate::support::{ALICE, BOB, Home, Model, group_of_two, js, numbers, telegram, until};

/// Somebody says something, that many minutes ago.
fn ago(server: &Server, chat: ChatId, from: PersonId, minutes: i64, text: &str) -> MessageId {
    let mut fields = json!({"text": text, "date": Clock::real().now().secs() - 60 * minutes});
    if text.starts_with("@xiaxia_bot") {
        fields["entities"] = json!([{"type": "mention", "offset": 0, "length": 11}]);
    }
    server.send(chat, from, &fields)
}

#[tokio::test]
async fn a_backlog_of_hours_over_many_polls_gives_each_chat_one_wake_with_true_times() {
    let server = telegram().await;
    let (asking, talking) = (group_of_two(&server, "asking"), group_of_two(&server, "talking"));
    let alone = ChatId(BOB.0);
    let model = Model::start(|_, p| {
        let waiting: Vec<String> = p.waiting().iter().map(|id| format!("#{id}")).collect();
        js(&format!("await telegram.sendText('刚看到 {}')", waiting.join(" ")))
    })
    .await;
    let home = Home::new(&server, &model.url, "zone = \"UTC\"");
    // 350 messages, four polls; three mentions, one in the first poll, one in the last.
    let mut mentions = Vec::new();
    for n in 0..170_i64 {
        let minutes = 400 - 2 * n;
        if [3, 90, 168].contains(&n) {
            mentions.push(ago(&server, asking, ALICE, minutes, &format!("@xiaxia_bot 问题 {n}")));
        } else {
            ago(&server, asking, BOB, minutes, &format!("闲聊 {n}"));
        }
        ago(&server, talking, BOB, minutes, &format!("别的 {n}"));
    }
    for n in 0..10 {
        ago(&server, alone, BOB, 300 - n, &format!("在吗 {n}"));
    }
    // Between two of the polls there is time enough to think, and to answer.
    server.fail_next("getUpdates", 2, Failure::Pass);
    server.fail_next("getUpdates", 2, Failure::api(500, "Internal Server Error"));
    let running = home.run(&[]);
    until("both answers", || server.acts().iter().filter(|act| act.text.starts_with("刚看到")).count() >= 2).await;
    until("everything is heard", || server.pending() == 0).await;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    assert!(running.terminate().success(), "{}", home.log());

    let acts = server.acts();
    let to = |chat| acts.iter().filter(|act| act.chat == chat && !act.text.is_empty()).collect::<Vec<_>>();
    assert_eq!(to(talking).len(), 0, "nobody asked there");
    assert_eq!((to(asking).len(), to(alone).len(), model.asked()), (1, 1, 2), "one wake a chat, one model call each");
    let ids: Vec<i64> = mentions.iter().map(|id| id.0).collect();
    assert_eq!(numbers(&to(asking)[0].text), ids, "all of them, together");
    let prompt = (0..2).map(|n| model.prompt(n)).find(|p| p.all().contains("asking")).unwrap();
    let line = prompt.last().lines().find(|line| line.contains("问题 168")).unwrap().to_owned();
    let told = groupmate::time::Zone::named("UTC").unwrap();
    let at = groupmate::time::Timestamp(Clock::real().now().0 - 60_000 * (400 - 2 * 168));
    let near = [0, 60_000].map(|ms| told.minute(groupmate::time::Timestamp(at.0 - ms))[11..].to_owned());
    assert!(near.iter().any(|time| line.contains(time.as_str())), "{line} should tell {near:?}");
    model.assert_sound();
}
