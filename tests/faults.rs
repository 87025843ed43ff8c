//! Faults at the HTTP boundary, many at once: nothing is lost, nothing is doubled, no chat is starved.
//!
//! `GROUPMATE_FAULTS=full cargo test --test it faults -- --nocapture` runs the full size and prints its figures.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use groupmate::chat::event::EventKind;
use groupmate::chat::ids::{ChatId, PersonId, RoomId};
use groupmate::clock::{Clock, Dice};
use groupmate::playground::Failure;
use groupmate::store::{ActEnd, Store};
use groupmate::telegram::api::Api;
use groupmate::telegram::outbox::{Act, ActError, ActKind, Outbox};
use serde_json::{Value, json};

use crate::support::{Home, Model, js, telegram, until};

#[expect(clippy::disallowed_methods, reason = "the size is chosen by whoever runs the tests")]
fn is_full() -> bool {
    std::env::var("GROUPMATE_FAULTS").is_ok_and(|size| size == "full")
}

fn below(dice: &mut Dice, n: usize) -> usize {
    ((dice.unit() * n as f32) as usize).min(n - 1)
}

/// Every way to fail that ends by itself.
fn fault(dice: &mut Dice) -> Failure {
    let status = |code, body: &str| Failure::Status { code, body: body.into() };
    match below(dice, 7) {
        0 => Failure::Retry(1),
        1 => Failure::api(500, "Internal Server Error"),
        2 => status(502, "<html><body>Bad Gateway</body></html>"),
        3 => status(200, "{\"ok\":true,\"resu"),
        4 => status(200, "no JSON at all \u{fffd}"),
        5 => status(200, "{\"ok\":true}"),
        _ => Failure::Drop,
    }
}

/// An update with a message that was never sent by the server: it holds what Telegram might.
fn update(chat: ChatId, message: i64, text: &str, at: i64) -> Value {
    let mut said = json!({ "message_id": message, "date": at, "text": text,
        "from": { "id": 1001, "is_bot": false, "first_name": "Alice" },
        "chat": { "id": chat.0, "type": "supergroup", "title": "g" } });
    if text.starts_with('@') {
        said["entities"] = json!([{ "type": "mention", "offset": 0, "length": 11 }]);
    }
    json!({ "message": said })
}

#[tokio::test]
async fn updates_through_every_fault_are_heard_once_each_and_every_chat_is_answered() {
    let total = if is_full() { 10_000 } else { 1_000 };
    let mut dice = Dice::seeded(14);
    let server = telegram().await;
    let chats: Vec<ChatId> = (0..10).map(|n| server.add_group(&format!("g{n}"))).collect();
    server.add_person(PersonId(1001), "Alice", None, None);
    let model =
        Model::start(|_, p| js(&format!("await telegram.sendText('答', {{ replyTo: {} }})", p.waiting()[0]))).await;
    let home = Home::new(&server, &model.url, "");

    // Each message has its own number in its chat. Some come twice, and neighbours may change places.
    let now = Clock::real().now().secs();
    let mut updates = Vec::new();
    for n in 0..total {
        let (chat, message) = (chats[n % chats.len()], 1_000 + (n / chats.len()) as i64);
        let is_asked = n / chats.len() == total / chats.len() / 2;
        let text = if is_asked { format!("@xiaxia_bot m{n}") } else { format!("m{n}") };
        updates.push(update(chat, message, &text, now));
        if dice.unit() < 0.05 {
            updates.push(update(chat, message, &text, now));
        }
    }
    for n in 0..updates.len() - 8 {
        let other = n + below(&mut dice, 8);
        updates.swap(n, other);
    }
    let sent = updates.len();
    for update in updates {
        server.push_update(update);
    }
    let mut faults = 0;
    for _ in 0..total / 100 {
        if dice.unit() < 0.5 {
            server.fail_next("getUpdates", 1, fault(&mut dice));
            faults += 1;
        }
        server.fail_next("getUpdates", 1, Failure::Pass);
    }
    let begun = Instant::now();
    let running = home.run(&[]);
    let answers = || server.acts().into_iter().filter(|act| act.method == "sendMessage").map(|act| act.chat);
    until("all is confirmed and every chat answered", || server.pending() == 0 && answers().count() >= chats.len())
        .await;
    let took = begun.elapsed();
    assert!(running.terminate().success(), "{}", home.log());
    let answered: BTreeSet<ChatId> = answers().collect();
    assert_eq!((answers().count(), answered.len()), (chats.len(), chats.len()), "each chat once: {}", home.log());

    let store = Store::open(&home.data(), 8 << 20).unwrap();
    let mut heard = BTreeMap::<String, usize>::new();
    for chat in &chats {
        for (_, event) in store.tail(RoomId::whole(*chat), usize::MAX).unwrap() {
            if let EventKind::Said(message) = event.kind
                && message.from.person().is_some()
            {
                *heard.entry(message.text).or_default() += 1;
            }
        }
    }
    assert_eq!(heard.len(), total, "nothing is lost");
    assert!(heard.values().all(|times| *times == 1), "nothing is doubled");
    println!("{sent} updates ({total} messages) in {} polls with {faults} faults: {took:.1?}", server.polls());
}

#[tokio::test]
async fn sends_through_every_fault_go_out_once_or_are_known_not_to() {
    let total = if is_full() { 2_000 } else { 300 };
    let mut dice = Dice::seeded(41);
    let server = telegram().await;
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(folder.path(), 8 << 20).unwrap());
    let outbox = Outbox::new(Api::new(&server.url(), server.token()), store.clone(), Clock::real());
    let chats: Vec<ChatId> = (0..20).map(|n| server.add_group(&format!("g{n}"))).collect();
    let mut faults = 0;
    // One that is never answered; its chat waits for it, and no other does.
    server.fail_next("sendMessage", 1, Failure::Hang);
    for _ in 0..total {
        let fails = dice.unit() < 0.3;
        faults += usize::from(fails);
        server.fail_next("sendMessage", 1, if fails { fault(&mut dice) } else { Failure::Pass });
    }
    let begun = Instant::now();
    let sends = (0..total).map(|n| {
        let (chat, text) = (chats[n % chats.len()], format!("s{n}"));
        let kind = ActKind::Text { text: text.clone(), reply_to: None, quote: None, quiet: false, buttons: vec![] };
        let act = Act { room: RoomId::whole(chat), answers: vec![], kind, typed: None };
        let outbox = outbox.clone();
        async move { (text, outbox.act(act).await, begun.elapsed()) }
    });
    let results = futures_util::future::join_all(sends).await;
    let took = begun.elapsed();

    let mut seen = BTreeMap::<String, usize>::new();
    let mut last = BTreeMap::<ChatId, usize>::new();
    for act in server.acts() {
        let n: usize = act.text[1..].parse().unwrap();
        assert!(last.insert(act.chat, n).is_none_or(|before| before < n), "in order within a chat");
        *seen.entry(act.text).or_default() += 1;
    }
    assert!(seen.values().all(|times| *times == 1), "nothing is doubled");
    let (mut sent, mut unknown) = (0, 0);
    for (text, result, _) in &results {
        match result {
            Ok(_) => {
                sent += 1;
                assert!(seen.contains_key(text), "{text} was said to be sent");
            }
            Err(ActError::Unknown { .. }) => unknown += 1,
            Err(ActError::Refused(why)) => panic!("{text}: {why}"),
        }
    }
    assert_eq!(sent + unknown, total, "nothing is lost: each is sent, or known to be uncertain");
    assert!(last.len() == chats.len(), "no chat is starved");
    // The hanging request held up its own chat only.
    let hung = results.iter().find_map(|(_, result, at)| match result {
        Err(ActError::Unknown { why, .. }) if why.contains("timed out") => Some(*at),
        _ => None,
    });
    let hung = hung.expect("the request that was never answered");
    let quick = results.iter().filter(|(_, _, at)| *at < hung).count();
    assert!(quick >= total / 2, "only {quick} of {total} did not wait for the one that hung");

    let ends = |end: &Option<ActEnd>| match end {
        Some(ActEnd::Sent { .. }) => "sent",
        Some(ActEnd::Refused { .. }) => "tried again",
        Some(ActEnd::Unknown { .. }) => "unknown",
        None => "open",
    };
    let mut rows = BTreeMap::<&str, usize>::new();
    for (_, _, end) in store.acts().unwrap() {
        *rows.entry(ends(&end)).or_default() += 1;
    }
    assert_eq!((rows.get("sent"), rows.get("unknown"), rows.get("open")), (Some(&sent), Some(&unknown), None));
    println!("{total} sends with {faults} faults: {sent} sent, {unknown} unknown, rows {rows:?}: {took:.1?}");
}
