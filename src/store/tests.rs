//! The store against what it promises.

use std::collections::BTreeSet;

use super::*;
use crate::agenda::NewReminder;
use crate::attention::ledger::Mark;
use crate::chat::audience::{Audience, Circles};
use crate::chat::event::{Alarm, Event, EventKind};
use crate::chat::ids::{ChatId, TopicId};
use crate::chat::person::{Chat, ChatKind, Profile, Sender};
use crate::memory::change::Change;
use crate::memory::fact::{FactKind, NewFact, Source, Subject};

pub(super) const CACHE: u64 = 8 << 20;
pub(super) const GROUP: ChatId = ChatId(-100);
pub(super) const OTHER: ChatId = ChatId(-200);
pub(super) const ANN: PersonId = PersonId(7);
pub(super) const BOB: PersonId = PersonId(8);

pub(super) fn fresh() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), CACHE).unwrap();
    (dir, store)
}

pub(super) fn profile(id: PersonId, name: &str) -> Profile {
    Profile { id, name: name.into(), username: None, is_bot: false, language: None }
}

pub(super) fn message(id: i64, from: PersonId, text: &str) -> Message {
    Message {
        id: MessageId(id),
        from: Sender::Person(profile(from, &format!("person {from}"))),
        time: Timestamp::from_secs(id),
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

pub(super) fn event(chat: ChatId, time: i64, kind: EventKind) -> Event {
    let kind_of = if chat.is_private() { ChatKind::Private } else { ChatKind::Supergroup };
    let chat = Chat { id: chat, kind: kind_of, title: "talk".into() };
    Event { chat, topic: None, time: Timestamp::from_secs(time), kind }
}

pub(super) fn said(chat: ChatId, id: i64, from: PersonId, text: &str) -> Event {
    event(chat, id, EventKind::Said(message(id, from, text)))
}

pub(super) fn edited(chat: ChatId, id: i64, from: PersonId, text: &str, at: i64) -> Event {
    let mut m = message(id, from, text);
    m.edited = Some(Timestamp::from_secs(at));
    event(chat, at, EventKind::Edited(m))
}

pub(super) fn told(subject: Subject, text: &str, audience: Audience, source: ChatId, at: i64) -> NewFact {
    NewFact {
        subject,
        text: text.into(),
        kind: FactKind::Trait,
        confidence: 80,
        sources: vec![Source { chat: source, message: MessageId(at) }],
        audience,
        seen: Timestamp::from_secs(at),
        expires: None,
    }
}

fn act(answers: &[i64]) -> ActRow {
    ActRow {
        room: RoomId::whole(GROUP),
        answers: answers.iter().copied().map(MessageId).collect(),
        what: "text".into(),
        at: Timestamp(0),
    }
}

fn texts(facts: Vec<crate::memory::fact::Fact>) -> Vec<String> {
    facts.into_iter().map(|fact| fact.told.text).collect()
}

mod model;

const NOW: Timestamp = Timestamp::from_secs(1_000);

#[test]
fn a_message_is_filed_once_and_survives() {
    let (dir, store) = fresh();
    assert!(store.is_empty());
    let events = [said(GROUP, 1, ANN, "早"), said(GROUP, 2, BOB, "早啊"), said(OTHER, 1, ANN, "hi")];
    let filed = store.archive(&events, Some(41)).unwrap();
    assert_eq!(filed, [Filed::New { seq: 1 }, Filed::New { seq: 2 }, Filed::New { seq: 3 }]);
    assert_eq!(store.archive(&events[1..2], Some(42)).unwrap(), [Filed::Duplicate]);
    store.flush().unwrap();
    drop(store);
    let store = Store::open(dir.path(), CACHE).unwrap();
    assert!(!store.is_empty());
    assert_eq!(store.last_update().unwrap(), Some(42));
    assert_eq!(store.archive(&events[..1], None).unwrap(), [Filed::Duplicate]);
    assert_eq!(store.archive(&[said(GROUP, 3, ANN, "again")], None).unwrap(), [Filed::New { seq: 4 }]);
    let tail = store.tail(RoomId::whole(GROUP), 2).unwrap();
    assert_eq!(tail.iter().map(|(seq, _)| *seq).collect::<Vec<_>>(), [2, 4]);
    assert_eq!(tail[0].1, events[1]);
    assert_eq!(store.since(RoomId::whole(GROUP), 1, 10).unwrap(), tail);
    assert_eq!(store.since(RoomId::whole(GROUP), 4, 10).unwrap(), []);
    assert_eq!(store.rooms().unwrap(), [RoomId::whole(OTHER), RoomId::whole(GROUP)]);
    assert_eq!(store.last_seq(RoomId::whole(GROUP)).unwrap(), Some(4));
    assert_eq!(store.last_seq(RoomId::whole(ChatId(5))).unwrap(), None);
    assert_eq!(store.counts().unwrap(), Counts { messages: 4, people: 2, facts: 0, rooms: 2 });
    assert_eq!(store.chats_of(ANN).unwrap(), [OTHER, GROUP]);
}

#[test]
fn an_edit_renews_the_archived_copy_and_is_an_event_too() {
    let (_dir, store) = fresh();
    let room = RoomId::whole(GROUP);
    store.archive(&[said(GROUP, 1, ANN, "5pm")], None).unwrap();
    assert_eq!(store.archive(&[edited(GROUP, 1, ANN, "6pm", 20)], None).unwrap(), [Filed::New { seq: 2 }]);
    assert_eq!(store.archive(&[edited(GROUP, 1, ANN, "6pm", 20)], None).unwrap(), [Filed::Duplicate]);
    assert_eq!(store.archive(&[edited(GROUP, 1, ANN, "4pm", 10)], None).unwrap(), [Filed::Duplicate], "an older edit");
    assert_eq!(store.archive(&[said(GROUP, 1, ANN, "5pm")], None).unwrap(), [Filed::Duplicate]);
    let tail = store.tail(room, 9).unwrap();
    let texts: Vec<_> = tail.iter().filter_map(|(_, e)| e.message()).map(|m| m.text.as_str()).collect();
    assert_eq!(texts, ["6pm", "6pm"]);
    // One that we never heard said: the edit brings it.
    assert_eq!(store.archive(&[edited(GROUP, 9, BOB, "late", 30)], None).unwrap(), [Filed::New { seq: 3 }]);
    assert_eq!(store.archive(&[said(GROUP, 9, BOB, "old")], None).unwrap(), [Filed::Duplicate]);
    let reader = Circles::default().reader(GROUP, BTreeSet::new());
    let found = |query| store.search(&reader, &Circles::default(), query, 9).unwrap().len();
    assert_eq!((found("6pm"), found("5pm"), found("late")), (1, 0, 1));
}

#[test]
fn topics_are_rooms_of_their_own() {
    let (_dir, store) = fresh();
    let mut in_topic = said(GROUP, 2, ANN, "二");
    in_topic.topic = Some(TopicId(1));
    store.archive(&[said(GROUP, 1, ANN, "一"), in_topic.clone()], None).unwrap();
    assert_eq!(store.rooms().unwrap(), [RoomId::whole(GROUP), in_topic.room()]);
    assert_eq!(store.tail(in_topic.room(), 5).unwrap(), [(2, in_topic.clone())]);
    // Its edit came without the topic: the copy is renewed where it stands.
    store.archive(&[edited(GROUP, 2, ANN, "贰", 9)], None).unwrap();
    assert_eq!(store.tail(in_topic.room(), 5).unwrap()[0].1.message().unwrap().text, "贰");
}

#[test]
fn names_are_remembered_and_found() {
    let (_dir, store) = fresh();
    let saw = |id: i64, name: &str, username: Option<&str>, at| Change::SawPerson {
        profile: Profile { username: username.map(str::to_owned), ..profile(PersonId(id), name) },
        room: RoomId::whole(GROUP),
        at: Timestamp::from_secs(at),
    };
    let changes = [
        saw(1, "小林", None, 1),
        saw(1, "林老师", Some("LinLin"), 2),
        saw(2, "小林子", None, 3),
        saw(3, "Lin", None, 4),
        saw(4, "夏小林", None, 5),
    ];
    assert_eq!(store.commit(&changes).unwrap(), [const { Applied::Nothing }; 5]);
    let ids = |name| store.people_named(name, 9).unwrap().iter().map(|p| p.id.0).collect::<Vec<_>>();
    assert_eq!(ids("小林"), [1, 2, 4], "a former name, a beginning, a part");
    assert_eq!(ids("@linlin"), [1]);
    assert_eq!(ids("lin"), [3, 1]);
    assert_eq!(ids("老师"), [1]);
    assert_eq!(ids(" "), [0i64; 0]);
    let person = store.person(PersonId(1)).unwrap().unwrap();
    assert_eq!((person.name.as_str(), person.former_names), ("林老师", vec!["小林".to_owned()]));
    assert_eq!(store.counts().unwrap().people, 4);
}

#[test]
fn acts_end_once_and_mark_what_they_answer() {
    let (dir, store) = fresh();
    let room = RoomId::whole(GROUP);
    let owed = |m| Change::Mark { room, message: MessageId(m), mark: Mark::Owed };
    store.commit(&[owed(1), owed(2), owed(3)]).unwrap();
    let first = store.begin_act(&act(&[1])).unwrap();
    store.end_act(first, &ActEnd::Sent { messages: vec![MessageId(10)] }).unwrap();
    let second = store.begin_act(&act(&[2])).unwrap();
    store.end_act(second, &ActEnd::Refused { why: "no".into() }).unwrap();
    let left = store.begin_act(&act(&[3])).unwrap();
    assert_eq!(store.room(room).unwrap().owed, [MessageId(2), MessageId(3)]);
    assert!(matches!(store.end_act(99, &ActEnd::Sent { messages: vec![] }), Err(StoreError::Missing { id: 99, .. })));
    drop(store);
    let store = Store::open(dir.path(), CACHE).unwrap();
    let acts = store.acts().unwrap();
    assert_eq!(acts.len(), 3);
    assert!(matches!(acts[2], (id, _, Some(ActEnd::Unknown { .. })) if id == left));
    let marks = store.marks(room).unwrap();
    let expected = [
        (MessageId(1), Mark::Answered { act: first }),
        (MessageId(2), Mark::Owed),
        (MessageId(3), Mark::Unknown { act: left }),
    ];
    assert_eq!(marks, expected);
    // Handled stays handled.
    store.commit(&[owed(1), owed(3), owed(4)]).unwrap();
    assert_eq!(store.mark(room, MessageId(3)).unwrap(), Some(Mark::Unknown { act: left }));
    assert_eq!(store.room(room).unwrap().owed, [MessageId(2), MessageId(4)]);
    assert_eq!(store.mark(room, MessageId(77)).unwrap(), None);
}

#[test]
fn a_room_keeps_ctx_and_never_considers_backwards() {
    let (_dir, store) = fresh();
    let room = RoomId { chat: GROUP, topic: Some(TopicId(4)) };
    assert_eq!(store.room(room).unwrap(), RoomRecord::default());
    let ctx = serde_json::json!({"count": 2, "who": ["小林"]});
    let changes = [
        Change::Considered { room, upto: 9 },
        Change::SetCtx { room, value: ctx.clone() },
        Change::Considered { room, upto: 3 },
    ];
    store.commit(&changes).unwrap();
    assert_eq!(store.room(room).unwrap(), RoomRecord { considered: 9, owed: vec![], ctx });
    store.commit(&[Change::SetCtx { room, value: Value::Null }]).unwrap();
    assert_eq!(store.room(room).unwrap().ctx, Value::Null);
    assert_eq!(store.room(RoomId::whole(GROUP)).unwrap(), RoomRecord::default());
}

#[test]
fn a_fact_told_again_is_refreshed_and_a_newer_one_supersedes() {
    let (_dir, store) = fresh();
    let about = Subject::Person(ANN);
    let group = Audience::Chat(GROUP);
    let reader = Circles::default().reader(GROUP, BTreeSet::new());
    let add = |text, at| Change::AddFact(told(about.clone(), text, group.clone(), GROUP, at));
    let applied = store.commit(&[add("住在上海", 1), add("喜欢猫", 2), add("住在上海。", 3)]).unwrap();
    let Applied::Fact { id: home, refreshed: false } = applied[0] else { panic!("{applied:?}") };
    assert_eq!(applied[2], Applied::Fact { id: home, refreshed: true });
    let known = || store.facts(&reader, Some(&about), NOW, 9).unwrap();
    assert_eq!(known()[0].told.sources.len(), 2);
    assert_eq!(known()[0].first_seen, Timestamp::from_secs(1));
    let moved = Change::Supersede { old: home, new: told(about.clone(), "搬到了北京", group.clone(), GROUP, 5) };
    store.commit(&[moved]).unwrap();
    assert_eq!(texts(known()), ["搬到了北京", "喜欢猫"]);
    // Back again: a new statement, the history stays.
    store.commit(&[add("住在上海", 9)]).unwrap();
    assert_eq!(texts(known()), ["住在上海", "搬到了北京", "喜欢猫"]);
    // Contradicting the first one again reaches what took its place.
    let moved = Change::Supersede { old: home, new: told(about.clone(), "住在杭州", group.clone(), GROUP, 11) };
    store.commit(&[moved]).unwrap();
    assert_eq!(texts(known()), ["住在杭州", "住在上海", "喜欢猫"]);
    // Another audience is not superseded.
    let dm =
        Change::Supersede { old: home, new: told(about.clone(), "其实在苏州", Audience::Dm(ANN), ANN.dm(), 12) };
    store.commit(&[dm]).unwrap();
    assert_eq!(texts(known()), ["住在杭州", "住在上海", "喜欢猫"]);
}

#[test]
fn a_plan_past_its_day_is_left_out() {
    let (_dir, store) = fresh();
    let reader = Circles::default().reader(GROUP, BTreeSet::new());
    let mut plan = told(Subject::World, "周五看电影", Audience::Chat(GROUP), GROUP, 1);
    plan.expires = Some(Timestamp::from_secs(50));
    store.commit(&[Change::AddFact(plan)]).unwrap();
    let at = |secs| store.recall(&reader, "电影", None, Timestamp::from_secs(secs), 5).unwrap().len();
    assert_eq!((at(49), at(50)), (1, 0));
}

#[test]
fn facts_reach_their_audience_only() {
    let (_dir, store) = fresh();
    let circles =
        Circles { of: [(OTHER, "work".to_owned()), (ChatId(-201), "work".to_owned())].into(), ..Default::default() };
    let world = Subject::World;
    let rows = [
        told(world.clone(), "cake for everyone", Audience::Everyone, GROUP, 1),
        told(world.clone(), "cake in the group", Audience::Chat(GROUP), GROUP, 2),
        told(world.clone(), "cake at work", Audience::Circle("work".into()), OTHER, 3),
        told(world.clone(), "cake of ann", Audience::Dm(ANN), ANN.dm(), 4),
        told(world.clone(), "cake of ours", Audience::Us, GROUP, 5),
        // Whatever the caller claims, a DM's words stay there.
        told(world.clone(), "secret cake", Audience::Everyone, ANN.dm(), 6),
        told(world.clone(), "bob's cake by ann", Audience::Dm(BOB), ANN.dm(), 7),
    ];
    store.commit(&rows.map(Change::AddFact)).unwrap();
    let seen = |chat, member_of: &[ChatId]| {
        let reader = circles.reader(chat, member_of.iter().copied().collect());
        let recalled: BTreeSet<_> = texts(store.recall(&reader, "cake", None, NOW, 99).unwrap()).into_iter().collect();
        let listed: BTreeSet<_> = texts(store.facts(&reader, None, NOW, 99).unwrap()).into_iter().collect();
        assert_eq!(recalled, listed);
        recalled.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(seen(GROUP, &[]), ["cake for everyone", "cake in the group"]);
    assert_eq!(seen(ChatId(-201), &[]), ["cake at work", "cake for everyone"]);
    assert_eq!(seen(ANN.dm(), &[]), ["cake for everyone", "cake of ann", "secret cake"]);
    assert_eq!(seen(BOB.dm(), &[]), ["cake for everyone"]);
    assert_eq!(seen(BOB.dm(), &[GROUP]), ["cake for everyone", "cake in the group"]);
    assert_eq!(seen(BOB.dm(), &[OTHER]), ["cake at work", "cake for everyone"]);
}

#[test]
fn asked_about_a_person_the_rest_follows() {
    let (_dir, store) = fresh();
    let reader = Circles::default().reader(GROUP, BTreeSet::new());
    let add = |who, text, at| Change::AddFact(told(Subject::Person(who), text, Audience::Chat(GROUP), GROUP, at));
    store.commit(&[add(ANN, "对海鲜过敏", 1), add(ANN, "在学吉他", 2), add(BOB, "海鲜餐厅老板", 3)]).unwrap();
    let recall = |query, about: Option<PersonId>| {
        let about = about.map(Subject::Person);
        texts(store.recall(&reader, query, about.as_ref(), NOW, 5).unwrap())
    };
    assert_eq!(recall("海鲜", Some(ANN)), ["对海鲜过敏", "在学吉他"]);
    assert_eq!(recall("她喜欢吃什么", Some(ANN)), ["在学吉他", "对海鲜过敏"]);
    assert_eq!(recall("吉他", None), ["在学吉他"]);
}

#[test]
fn search_finds_parts_of_sentences_where_it_may() {
    let (_dir, store) = fresh();
    let circles = Circles::default();
    let events = [
        said(GROUP, 1, ANN, "你们知道《奥本海默》什么时候上映的吗"),
        said(GROUP, 2, BOB, "奥本海默是2023年8月30日在内地上映"),
        said(GROUP, 3, ANN, "海默这个词"),
        said(GROUP, 4, ANN, "The bakery closes on Mondays"),
        said(GROUP, 5, BOB, "Привет, друзья"),
        said(ANN.dm(), 1, ANN, "我偷偷买了奥本海默的票"),
        said(OTHER, 1, BOB, "奥本海默好看"),
    ];
    store.archive(&events, None).unwrap();
    let search = |chat, member_of: &[ChatId], query| {
        let reader = circles.reader(chat, member_of.iter().copied().collect());
        let hits = store.search(&reader, &circles, query, 9).unwrap();
        hits.iter().map(|hit| (hit.room.chat.0, hit.message.id.0)).collect::<Vec<_>>()
    };
    assert_eq!(search(GROUP, &[], "奥本海默"), [(-100, 2), (-100, 1)]);
    assert_eq!(search(GROUP, &[], "本海"), [(-100, 2), (-100, 1)]);
    assert_eq!(search(GROUP, &[], "票"), []);
    assert_eq!(search(GROUP, &[], "bakeries"), [(-100, 4)]);
    assert_eq!(search(GROUP, &[], "привет"), [(-100, 5)]);
    assert_eq!(search(GROUP, &[], "8月30日"), [(-100, 2)]);
    assert_eq!(search(GROUP, &[], "said"), [], "the names of fields are not text");
    assert_eq!(search(ANN.dm(), &[], "奥本海默"), [(7, 1)]);
    assert_eq!(search(ANN.dm(), &[OTHER], "奥本海默"), [(-200, 1), (7, 1)]);
    assert_eq!(search(BOB.dm(), &[], "奥本海默"), []);
}

#[test]
fn history_looks_back_where_it_may() {
    let (_dir, store) = fresh();
    let circles = Circles::default();
    let lines = [(1, ANN, "火锅去吗"), (2, BOB, "去"), (3, ANN, "周五的火锅"), (4, ANN, "好"), (5, BOB, "火锅！")];
    let events: Vec<_> = lines.iter().map(|(id, who, text)| said(GROUP, *id, *who, text)).collect();
    store.archive(&events, None).unwrap();
    store.archive(&[edited(GROUP, 2, BOB, "不去了", 9)], None).unwrap();
    let room = RoomId::whole(GROUP);
    let reader = circles.reader(GROUP, BTreeSet::new());
    let ids = |look: Look<'_>| {
        let found = store.history(&reader, &circles, room, &look).unwrap();
        found.iter().map(|m| m.id.0).collect::<Vec<_>>()
    };
    assert_eq!(ids(Look { limit: 9, ..Look::default() }), [1, 2, 3, 4, 5]);
    assert_eq!(ids(Look { limit: 2, ..Look::default() }), [4, 5]);
    assert_eq!(ids(Look { limit: 2, before: Some(MessageId(4)), ..Look::default() }), [2, 3]);
    assert_eq!(ids(Look { limit: 9, by: Some(BOB), ..Look::default() }), [2, 5]);
    assert_eq!(ids(Look { limit: 9, by: Some(ANN), query: Some("火锅"), ..Look::default() }), [1, 3]);
    let outsider = circles.reader(OTHER, BTreeSet::new());
    let look = Look { limit: 9, ..Look::default() };
    assert_eq!(store.history(&outsider, &circles, room, &look).unwrap(), []);
    let one = |reader| store.message(reader, &circles, GROUP, MessageId(2)).unwrap().map(|m| m.text);
    assert_eq!((one(&reader), one(&outsider)), (Some("不去了".into()), None));
    assert!(store.may_meet(&reader, &circles, ANN).unwrap());
    assert!(!store.may_meet(&outsider, &circles, ANN).unwrap());
    assert!(!store.may_meet(&reader, &circles, PersonId(99)).unwrap());
}

#[test]
fn a_group_that_moves_keeps_what_it_had() {
    let (dir, store) = fresh();
    let (circles, new) = (Circles::default(), ChatId(-1_009));
    let add = |text, at| Change::AddFact(told(Subject::Chat(GROUP), text, Audience::Chat(GROUP), GROUP, at));
    let reminder =
        NewReminder { room: RoomId::whole(GROUP), what: "浇花".into(), due: NOW, set: Timestamp(0), asked_by: None };
    let ctx = Change::SetCtx { room: RoomId::whole(GROUP), value: serde_json::json!([1]) };
    store.archive(&[said(GROUP, 1, ANN, "火锅"), said(new, 1, BOB, "到了")], None).unwrap();
    store.commit(&[add("每周五聚餐", 1), Change::AddReminder(reminder), ctx]).unwrap();
    let topic = RoomId { chat: GROUP, topic: Some(TopicId(7)) };
    let mark = |message, mark| Change::Mark { room: RoomId::whole(GROUP), message: MessageId(message), mark };
    let everyone = told(Subject::Chat(GROUP), "是读书会", Audience::Everyone, GROUP, 2);
    let more = [
        Change::SetCtx { room: topic, value: serde_json::json!([7]) },
        Change::Hush { chat: GROUP, until: Some(NOW) },
        Change::Mute { chat: GROUP, is_muted: true },
        mark(1, Mark::LetGo { why: "x".into() }),
        mark(2, Mark::Owed),
        Change::AddFact(everyone),
    ];
    store.commit(&more).unwrap();
    store.rest(topic, "closed").unwrap();
    assert!(store.moved(GROUP, new).unwrap());
    assert!(!store.moved(GROUP, new).unwrap(), "once");
    assert!(!store.moved(ANN.dm(), new).unwrap(), "a DM never becomes a group");
    drop(store);
    let store = Store::open(dir.path(), CACHE).unwrap();
    let reader = circles.reader(new, BTreeSet::new());
    let about = Subject::Chat(new);
    assert_eq!(texts(store.facts(&reader, Some(&about), NOW, 9).unwrap()), ["是读书会", "每周五聚餐"]);
    let again = told(about, "每周五聚餐", Audience::Chat(new), new, 3);
    assert!(matches!(store.commit(&[Change::AddFact(again)]).unwrap()[0], Applied::Fact { refreshed: true, .. }));
    assert_eq!(store.reminders(Some(RoomId::whole(new))).unwrap().len(), 1);
    assert_eq!(store.room(RoomId::whole(new)).unwrap().ctx, serde_json::json!([1]));
    assert_eq!(store.room(RoomId { chat: new, topic: Some(TopicId(7)) }).unwrap().ctx, serde_json::json!([7]));
    assert_eq!(store.rests(RoomId { chat: new, topic: Some(TopicId(7)) }).unwrap().as_deref(), Some("closed"));
    assert_eq!(store.chat(new).unwrap(), ChatRecord { quiet_until: Some(NOW), is_muted: true });
    // The new chat's message 1 is another one: the old one's mark does not settle it.
    assert_eq!(store.mark(RoomId::whole(new), MessageId(1)).unwrap(), None);
    assert_eq!(store.room(RoomId::whole(GROUP)).unwrap().owed, [MessageId(2)], "the old room still owes its answer");
    // A turn that settles after the move.
    let late =
        NewReminder {
            room: RoomId::whole(GROUP), what: "收衣服".into(), due: NOW, set: Timestamp(0), asked_by: None
        };
    let ctx = Change::SetCtx { room: RoomId::whole(GROUP), value: serde_json::json!([2]) };
    let unmute = Change::Mute { chat: GROUP, is_muted: false };
    store.commit(&[add("周六爬山", 4), Change::AddReminder(late), ctx, unmute]).unwrap();
    assert_eq!(texts(store.facts(&reader, Some(&Subject::Chat(new)), NOW, 9).unwrap()).len(), 3);
    assert_eq!(store.reminders(Some(RoomId::whole(new))).unwrap().len(), 2);
    assert_eq!(store.room(RoomId::whole(new)).unwrap().ctx, serde_json::json!([2]));
    assert!(!store.chat(new).unwrap().is_muted);
    let public = circles.reader(OTHER, BTreeSet::new());
    assert_eq!(texts(store.facts(&public, Some(&Subject::Chat(new)), NOW, 9).unwrap()), ["是读书会"]);
    assert_eq!(store.chats_of(ANN).unwrap(), [new, GROUP]);
    assert_eq!(store.successor(GROUP).unwrap(), new);
    assert_eq!(store.search(&reader, &circles, "火锅", 9).unwrap().len(), 1);
    assert_eq!(store.search(&circles.reader(OTHER, BTreeSet::new()), &circles, "火锅", 9).unwrap(), []);
}

#[test]
fn a_reminder_rings_once() {
    let (dir, store) = fresh();
    let room = RoomId::whole(GROUP);
    let remind = |due, room| {
        Change::AddReminder(NewReminder {
            room,
            what: "浇花".into(),
            due: Timestamp::from_secs(due),
            set: Timestamp(0),
            asked_by: None,
        })
    };
    let applied = store.commit(&[remind(90, room), remind(30, room), remind(60, RoomId::whole(OTHER))]).unwrap();
    assert_eq!(applied[1], Applied::Reminder { id: 2 });
    let ids = |room| store.reminders(room).unwrap().iter().map(|r| r.id).collect::<Vec<_>>();
    assert_eq!(ids(None), [2, 3, 1]);
    assert_eq!(ids(Some(room)), [2, 1]);
    let alarm = Alarm { id: 2, what: "浇花".into(), due: Timestamp::from_secs(30), asked_by: None };
    let rang = event(GROUP, 31, EventKind::Rang(alarm));
    assert_eq!(store.ring(2, &rang).unwrap(), Some(Filed::New { seq: 1 }));
    assert_eq!(store.ring(2, &rang).unwrap(), None);
    let cancel = |id, room| Change::CancelReminder { room, id };
    let cancelled = store.commit(&[cancel(3, room), cancel(1, room), cancel(1, room)]).unwrap();
    assert_eq!(cancelled, [Applied::Cancelled(false), Applied::Cancelled(true), Applied::Cancelled(false)]);
    drop(store);
    let store = Store::open(dir.path(), CACHE).unwrap();
    assert_eq!(store.ring(2, &rang).unwrap(), None);
    assert_eq!(store.reminders(None).unwrap().len(), 1);
    assert_eq!(store.tail(room, 9).unwrap(), [(1, rang)]);
}

#[test]
fn a_folder_in_use_and_one_of_another_version_are_refused() {
    let (dir, store) = fresh();
    let error = Store::open(dir.path(), CACHE).unwrap_err();
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");
    store.tree.insert(keys::schema(), b"99").unwrap();
    store.flush().unwrap();
    drop(store);
    let error = Store::open(dir.path(), CACHE).unwrap_err();
    assert!(error.to_string().contains("schema 99, this build knows 1"), "{error}");
    let file = dir.path().join("file");
    std::fs::write(&file, "x").unwrap();
    assert!(matches!(Store::open(&file.join("data"), CACHE), Err(StoreError::Io { .. })));
}

#[test]
fn a_damaged_row_is_named() {
    let (_dir, store) = fresh();
    store.tree.insert(keys::person(ANN), b"{").unwrap();
    let error = store.person(ANN).unwrap_err().to_string();
    assert!(error.contains("row 708000000000000007"), "{error}");
}
