//! SIGKILL at every named step and at random: nothing is heard twice, nothing answered twice, nothing forgotten.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use groupmate::attention::ledger::Mark;
use groupmate::chat::event::EventKind;
use groupmate::chat::ids::{MessageId, RoomId};
use groupmate::chat::person::Sender;
use groupmate::clock::Dice;
use groupmate::store::Store;

use crate::support::{ALICE, BOB, Home, Model, group_of_two, js, numbers, telegram, until};

/// The named steps, in the order in which a message passes them.
const STEPS: [&str; 6] = ["journal", "archive", "act row", "request out", "reply read", "settle"];
const EACH: u64 = 5;
const AT_RANDOM: u32 = 30;
const MESSAGES: u32 = 2000;
/// Every so many messages one names us.
const MENTION_EVERY: u32 = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_every_step_nothing_is_said_twice_and_nothing_forgotten() {
    let server = telegram().await;
    let group = group_of_two(&server, "crash");
    let asked = AtomicU32::new(0);
    // Other words each time it is asked, and in them the messages that it answers.
    let model = Model::start(move |_, p| {
        let n = asked.fetch_add(1, Ordering::SeqCst);
        let ids: Vec<String> = p.waiting().iter().map(|id| format!("#{id}")).collect();
        js(&format!("await telegram.sendText('answer {n} to {}')", ids.join(" ")))
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let mut said = 0;
    let mut mentions = BTreeSet::new();
    let mut say = |count: u32| {
        for _ in 0..count.min(MESSAGES - said) {
            said += 1;
            if said % MENTION_EVERY == 0 {
                mentions.insert(server.say(group, ALICE, &format!("@xiaxia_bot question {said}"), None));
            } else {
                server.say(group, BOB, &format!("talk {said}"), None);
            }
        }
    };
    let lives = STEPS.len() as u32 * u32::try_from(EACH).unwrap() + AT_RANDOM;
    let per_life = MESSAGES / lives;
    let mut killed_at: BTreeMap<&str, u32> = BTreeMap::new();
    let mut life = 0;
    for step in STEPS {
        for pass in 1..=EACH {
            life += 1;
            say(per_life);
            let journal = format!("life-{life}.jsonl");
            let journal = home.folder.path().join(journal);
            // A step that comes often is let pass a few times, so that the kill falls on different messages.
            let env = BTreeMap::from([("GROUPMATE_CRASH_AT", format!("{step}:{}", 1 + pass % 3))]);
            let mut running = home.run_with(&["--record", journal.to_str().unwrap()], &env);
            let mut waited = 0;
            while running.child.try_wait().unwrap().is_none() && waited < 400 {
                waited += 1;
                if waited % 40 == 0 {
                    say(5);
                }
                tokio::time::sleep(Duration::from_millis(25)).await;
            }
            match running.child.try_wait().unwrap() {
                Some(status) => {
                    assert!(!status.success(), "{step}: it ended by itself: {}", home.log());
                    *killed_at.entry(step).or_default() += 1;
                }
                None => running.kill(),
            }
        }
    }
    let mut dice = Dice::seeded(7);
    for _ in 0..AT_RANDOM {
        say(per_life);
        let running = home.run(&[]);
        tokio::time::sleep(Duration::from_millis(dice.between(20, 900))).await;
        running.kill();
    }
    say(MESSAGES);
    let running = home.run(&[]);
    let last = *mentions.last().unwrap();
    let room = RoomId::whole(group);
    // The last mention is answered when all before it are handled.
    until("the last answer", || server.acts().iter().any(|act| numbers(&act.text).contains(&last.0))).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(running.terminate().success(), "{}", home.log());
    println!("killed at: {killed_at:?}; {} model calls for {} mentions", model.asked(), mentions.len());
    for step in STEPS {
        assert_eq!(killed_at.get(step), Some(&u32::try_from(EACH).unwrap()), "kills at {step}");
    }

    let store = Store::open(&home.data(), 8 << 20).unwrap();
    let mut archived: BTreeMap<MessageId, u32> = BTreeMap::new();
    for (_, event) in store.since(room, 0, 100_000).unwrap() {
        if let EventKind::Said(message) = &event.kind
            && message.from != Sender::Us
        {
            *archived.entry(message.id).or_default() += 1;
        }
    }
    assert_eq!(archived.len(), MESSAGES as usize, "every message is archived");
    assert!(archived.values().all(|count| *count == 1), "once");
    let mut answers: BTreeMap<i64, u32> = BTreeMap::new();
    for act in server.acts() {
        for id in numbers(&act.text) {
            *answers.entry(id).or_default() += 1;
        }
    }
    let (mut unknown, mut let_go) = (0, 0);
    for mention in &mentions {
        let count = answers.get(&mention.0).copied().unwrap_or(0);
        assert!(count <= 1, "mention {mention} was answered {count} times");
        let mark = store.mark(room, *mention).unwrap();
        match mark {
            Some(Mark::Answered { .. }) => assert_eq!(count, 1, "mention {mention} is marked answered"),
            Some(Mark::Unknown { .. }) => unknown += 1,
            Some(Mark::LetGo { .. }) => let_go += 1,
            Some(Mark::Owed) | None => panic!("mention {mention} has the mark {mark:?} and {count} answers"),
        }
    }
    println!("{} mentions: {unknown} unknown, {let_go} let go, the rest answered once", mentions.len());
}
