//! The gate against the faults that chat agents show in the field (numbers of the behaviour list), and its invariants.

use proptest::prelude::*;

use super::*;
use crate::chat::event::Alarm;
use crate::chat::ids::ChatId;
use crate::chat::media::{Media, MediaKind};
use crate::chat::message::{Command, Quote};
use crate::chat::person::{Chat, Profile};

const GROUP: i64 = -1007;

fn me() -> Identity {
    Identity { id: PersonId(1), name: "小夏".into(), username: "xiaxia_bot".into(), aliases: vec!["夏夏".into()] }
}

fn gate(settings: Settings) -> Gate {
    Gate::new(settings, &me())
}

fn shy() -> Settings {
    Settings { ambient: false, ..Settings::default() }
}

fn at(secs: i64) -> Timestamp {
    Timestamp::from_secs(1_000_000 + secs)
}

fn person(id: i64, is_bot: bool) -> Sender {
    Sender::Person(Profile { id: PersonId(id), name: format!("P{id}"), username: None, is_bot, language: None })
}

fn message(id: i64, from: Sender, secs: i64, text: &str) -> Message {
    Message {
        id: MessageId(id),
        from,
        time: at(secs),
        text: text.into(),
        mentions: Vec::new(),
        command: None,
        reply_to: None,
        media: Vec::new(),
        forwarded_from: None,
        edited: None,
        links: vec![],
        album: None,
        parts: vec![],
    }
}

fn happened(kind: EventKind, secs: i64) -> Event {
    let chat = Chat { id: ChatId(GROUP), kind: ChatKind::Supergroup, title: "g".into() };
    Event { chat, topic: None, time: at(secs), kind }
}

fn said(id: i64, from: Sender, secs: i64, text: &str) -> Event {
    happened(EventKind::Said(message(id, from, secs, text)), secs)
}

fn answer(id: i64, from: Sender, secs: i64, text: &str) -> Event {
    let quote = Quote { id: MessageId(1), from: Some(Sender::Us), text: String::new() };
    happened(EventKind::Said(Message { reply_to: Some(quote), ..message(id, from, secs, text) }), secs)
}

fn rang(secs: i64) -> Event {
    happened(EventKind::Rang(Alarm { id: 1, what: "go".into(), due: at(secs), asked_by: None }), secs)
}

fn ids(wake: &Wake) -> Vec<i64> {
    wake.messages.iter().map(|m| m.0).collect()
}

#[test]
fn d1_one_mention_wakes_once() {
    let mut gate = gate(shy());
    gate.hear(&said(1, person(2, false), 0, "@xiaxia_bot hi"), at(0), 0.0);
    let due = gate.due().unwrap();
    assert_eq!(ids(&gate.wake(due).unwrap()), [1]);
    assert_eq!(gate.wake(due), None, "while it thinks");
    gate.ended(true, &[PersonId(2)], at(9));
    assert_eq!(gate.wake(at(900)), None, "and afterwards");
}

#[test]
fn d2_mentions_during_a_turn_join_it() {
    let mut gate = gate(shy());
    gate.hear(&said(1, person(2, false), 0, "@xiaxia_bot hi"), at(0), 0.0);
    gate.wake(at(30)).unwrap();
    for n in 2..7 {
        gate.hear(&said(n, person(n, false), 30 + n, "@xiaxia_bot me too"), at(30 + n), 0.0);
    }
    assert_eq!(gate.absorb().len(), 5);
    gate.ended(true, &[], at(50));
    assert_eq!(gate.due(), None);
}

#[test]
fn d2_what_no_turn_took_in_is_one_wake() {
    let mut gate = gate(shy());
    for n in 1..6 {
        gate.hear(&said(n, person(n + 10, false), n, "@xiaxia_bot?"), at(n), 0.0);
    }
    assert_eq!(ids(&gate.wake(at(100)).unwrap()), [1, 2, 3, 4, 5]);
    assert_eq!(gate.due(), None);
}

#[test]
fn d3_a_burst_is_answered_after_its_last_piece() {
    let mut gate = gate(shy());
    gate.hear(&said(1, person(2, false), 0, "夏夏"), at(0), 0.0);
    gate.hear(&said(2, person(2, false), 1, "can you"), at(1), 0.0);
    assert_eq!(gate.wake(at(2)), None);
    gate.hear(&said(3, person(2, false), 3, "check X?"), at(3), 0.0);
    let due = gate.due().unwrap();
    assert!(due > at(3));
    assert_eq!(ids(&gate.wake(due).unwrap()), [1, 2, 3]);
}

#[test]
fn d4_a_bot_that_always_answers_is_soon_left_alone() {
    let mut gate = gate(shy());
    let mut wakes = 0;
    for n in 0..132 {
        let secs = n * 10;
        gate.hear(&answer(n, person(9, true), secs, "I agree!"), at(secs), 0.0);
        // People who talk among themselves do not start the count anew.
        gate.hear(&said(1000 + n, person(2, false), secs + 1, "吃饭"), at(secs + 1), 0.0);
        if gate.wake(at(secs + 8)).is_some() {
            wakes += 1;
            gate.ended(true, &[PersonId(9)], at(secs + 8));
        }
    }
    assert_eq!(wakes, 2);
}

#[test]
fn d5_the_wake_names_who_speaks_now() {
    let mut gate = gate(shy());
    gate.hear(&said(1, person(2, false), 0, "夏夏 hi"), at(0), 0.0);
    gate.wake(at(10)).unwrap();
    gate.ended(true, &[PersonId(2)], at(11));
    gate.hear(&said(2, person(3, false), 3700, "夏夏 hi"), at(3700), 0.0);
    assert_eq!(ids(&gate.wake(at(3710)).unwrap()), [2]);
}

#[test]
fn d7_our_own_words_wake_nobody_and_end_what_was_unasked() {
    let mut gate = gate(Settings::default());
    for n in 0..40 {
        gate.hear(&said(n, person(2 + n % 3, false), n, "有人吗"), at(n), 0.0);
        if gate.due().is_some() {
            break;
        }
    }
    assert!(gate.due().is_some(), "lively talk brings us near to speaking");
    gate.hear(&said(99, Sender::Us, 50, "哈哈"), at(50), 0.0);
    assert_eq!(gate.due(), None);
    gate.hear(&said(100, Sender::Us, 51, "@xiaxia_bot 夏夏"), at(51), 0.0);
    assert_eq!(gate.due(), None);
}

#[test]
fn d11_lively_talk_for_hours_stays_within_the_budget() {
    let settings = Settings { ambient_per_hour: 3, share_of_talk: 1.0, ..Settings::default() };
    let mut gate = gate(settings);
    let mut wakes = Vec::new();
    for n in 0..5_000 {
        let now = at(n * 3);
        if gate.wake(now).is_some() {
            wakes.push(now);
            gate.ended(true, &[], now);
        }
        gate.hear(&said(n, person(2 + n % 5, false), n * 3, "你们觉得呢？"), now, 0.0);
    }
    assert!(wakes.len() >= 3, "on, but shy");
    assert!(wakes.windows(4).all(|w| w[3].since(w[0]) >= Span::hours(1)), "{wakes:?}");
}

#[test]
fn a5_a_backlog_is_one_wake_and_old_commands_are_not_run() {
    let mut gate = gate(shy());
    let now = at(0);
    for n in 0..300 {
        let secs = -90_000 + n * 60;
        let event = match n % 50 {
            0 => said(n, person(2, false), secs, "@xiaxia_bot 在吗"),
            1 => {
                let command = Command { name: "mute".into(), to: Some("xiaxia_bot".into()), args: String::new() };
                let from = person(3, false);
                let old = Message { command: Some(command), ..message(n, from, secs, "/mute@xiaxia_bot") };
                happened(EventKind::Said(old), secs)
            }
            _ => said(n, person(2, false), secs, "吃饭"),
        };
        let verdict = gate.hear(&event, now, 0.0);
        if n % 50 == 1 {
            assert_eq!((verdict.action, verdict.why.as_str()), (Action::Read, "an old command"));
        }
    }
    assert_eq!(ids(&gate.wake(at(60)).unwrap()), [0, 50, 100, 150, 200, 250]);
    gate.ended(true, &[], at(61));
    assert_eq!(gate.due(), None);
}

#[test]
fn a6_a_photo_without_words_is_only_read() {
    let mut gate = gate(shy());
    let photo = Media::new(MediaKind::Photo, String::new());
    let shown = Message { media: vec![photo], ..message(1, person(2, false), 0, "") };
    assert_eq!(gate.hear(&happened(EventKind::Said(shown), 0), at(0), 0.0).action, Action::Read);
    assert_eq!(gate.due(), None);
}

#[test]
fn a_reminder_that_rings_during_a_turn_keeps_its_wake() {
    let mut gate = gate(shy());
    gate.hear(&said(1, person(2, false), 0, "夏夏 hi"), at(0), 0.0);
    gate.wake(at(10)).unwrap();
    gate.hear(&rang(11), at(11), 0.0);
    gate.hear(&said(2, person(2, false), 12, "夏夏 还有"), at(12), 0.0);
    assert_eq!(gate.absorb(), [MessageId(2)]);
    gate.ended(true, &[], at(20));
    assert_eq!(gate.wake(at(30)).unwrap().reason, Reason::Agenda);
}

#[test]
fn quiet_that_begins_while_we_wait_holds() {
    let mut gate = gate(Settings::default());
    for n in 0..40 {
        gate.hear(&said(n, person(2 + n % 3, false), n, "有人吗"), at(n), 0.0);
    }
    assert!(gate.due().is_some());
    gate.quiet_until(Some(at(10_000)));
    assert_eq!(gate.wake(at(500)), None);
}

proptest! {
    /// Any talk at any pace: the invariants in the module's head hold.
    #[test]
    fn budgets_and_cooldowns_hold_in_any_talk(
        steps in prop::collection::vec((0_u8..9, 0_i64..400, 0_u8..100, any::<bool>()), 1..400),
        cap in 0_u32..4,
        per_hour in 0_u32..4,
    ) {
        let settings = Settings {
            bot_cap: cap,
            ambient_per_hour: per_hour,
            share_of_talk: 1.0,
            ambient_threshold: 0.1,
            quiet: Some((23, 8)),
            ..Settings::default()
        };
        let mut gate = gate(settings.clone());
        let (mut secs, mut thinking, mut unasked) = (0_i64, false, Vec::<Timestamp>::new());
        // Bot messages that counted since a person last spoke to us or an hour passed.
        let (mut bots, mut last_bot) = (0_u32, None::<i64>);
        for (n, (what, gap, roll, ends)) in (1_i64..).zip(steps) {
            secs += gap;
            let now = at(secs);
            let due = gate.due();
            if let Some(wake) = gate.wake(now) {
                prop_assert!(!thinking, "two turns at once");
                prop_assert!(due.is_some_and(|due| due <= now), "before it is due");
                thinking = true;
                if wake.reason == Reason::Ambient {
                    prop_assert!((8..23).contains(&settings.zone.civil(now).hour), "in quiet hours");
                    unasked.push(now);
                    let recent = unasked.iter().filter(|at| now.since(**at) < Span::hours(1)).count();
                    prop_assert!(recent <= usize::try_from(per_hour).unwrap(), "over the hourly budget");
                }
            }
            if thinking && ends {
                gate.ended(roll % 2 == 0, &[PersonId(2)], now);
                thinking = false;
            }
            let event = match what {
                0 => said(n, Sender::Us, secs, "嗯"),
                1 => said(n, person(2, false), secs, "夏夏 在吗"),
                2 => answer(n, person(9, true), secs, "beep"),
                3 => said(n, person(9, true), secs, "@xiaxia_bot beep"),
                4 => rang(secs),
                _ => said(n, person(i64::from(what), false), secs, "有人吗？"),
            };
            let verdict = gate.hear(&event, now, f32::from(roll) / 100.0);
            match what {
                1 => bots = 0,
                2 | 3 if verdict.action == Action::Wake => {
                    if last_bot.is_some_and(|last| secs - last >= 3600) {
                        bots = 0;
                    }
                    bots += 1;
                    last_bot = Some(secs);
                    prop_assert!(bots <= cap, "another bot beyond its cap");
                }
                0 => prop_assert_eq!(verdict.action, Action::Read),
                _ => {}
            }
        }
    }
}

#[test]
fn what_an_earlier_life_heard_holds() {
    let command = |secs: i64| {
        let command = Command { name: "quiet".into(), to: None, args: "off".into() };
        happened(
            EventKind::Said(Message { command: Some(command), ..message(3, person(2, false), secs, "/quiet off") }),
            secs,
        )
    };
    let eager = Settings { ambient_threshold: 0.0, share_of_talk: 1.0, ..Settings::default() };
    let speaks = |gate: &mut Gate| {
        (10..90).any(|n| gate.hear(&said(n, person(3, false), n, "哈哈"), at(n), 0.0).action == Action::Wake)
    };
    // Quiet that was asked for in words, and then, with a command, no longer.
    let mut hushed = gate(eager.clone());
    hushed.recollect(&said(1, person(2, false), 0, "夏夏 闭嘴"), None);
    assert!(!speaks(&mut hushed));
    let mut freed = gate(eager.clone());
    freed.recollect(&said(1, person(2, false), 0, "夏夏 闭嘴"), None);
    freed.recollect(&command(1), None);
    assert!(speaks(&mut freed));
    // Somebody who took our name has it still.
    let mut named = gate(shy());
    named.recollect(&said(1, person(2, false), 0, "大家好，叫我夏夏就行"), None);
    assert_eq!(named.hear(&said(2, person(3, false), 1, "夏夏 晚上吃什么"), at(1), 0.0).action, Action::Read);
    // What we said counts towards our share of the talk.
    let mut talkative = gate(Settings { share_of_talk: 0.15, ..eager });
    for n in 0..9 {
        talkative.recollect(&said(n, Sender::Us, n, "嗯"), None);
    }
    assert_eq!(talkative.hear(&said(20, person(3, false), 20, "哈哈"), at(20), 0.0).action, Action::Read);
}
