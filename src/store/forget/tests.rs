//! Nothing of a forgotten person is left in any row.

use std::collections::BTreeSet;

use serde_json::json;

use crate::agenda::NewReminder;
use crate::attention::ledger::Mark;
use crate::chat::audience::{Audience, Circles};
use crate::chat::event::{Alarm, Event, EventKind};
use crate::chat::ids::{ChatId, MessageId, PersonId, RoomId, TopicId};
use crate::chat::message::{Mention, Quote};
use crate::chat::person::Sender;
use crate::memory::change::Change;
use crate::memory::fact::{NewFact, Source, Subject};
use crate::store::tests::{BOB, GROUP, OTHER, edited, event, fresh, message, profile, said, told};
use crate::store::{ActEnd, ActRow, Applied, Filed, Forgotten, Store};
use crate::time::Timestamp;

/// A number that stands in no row by chance.
const EVE: PersonId = PersonId(61_803_398);
/// A word of hers in everything that must go.
const WORD: &str = "quokka";

fn eve_said(chat: ChatId, id: i64, text: &str) -> Event {
    let mut said = message(id, EVE, text);
    said.from = Sender::Person(profile(EVE, "Eve Quokka"));
    event(chat, id, EventKind::Said(said))
}

fn by_bob(chat: ChatId, id: i64, text: &str, change: impl FnOnce(&mut crate::chat::message::Message)) -> Event {
    let mut said = message(id, BOB, text);
    change(&mut said);
    event(chat, id, EventKind::Said(said))
}

fn forget(store: &Store) -> Forgotten {
    let applied = store.commit(&[Change::Forget { person: EVE, at: Timestamp::from_secs(500) }]).unwrap();
    let [Applied::Forgotten(gone)] = applied.as_slice() else { panic!("{applied:?}") };
    gone.clone()
}

/// Every row, key and value, as text; what is no text byte by byte.
fn rows(store: &Store) -> Vec<(Vec<u8>, String)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_lowercase();
    store.tree.iter().map(|row| row.unwrap()).map(|(key, value)| (key.to_vec(), text(&value))).collect()
}

#[test]
fn no_row_of_the_store_holds_a_word_of_a_forgotten_person() {
    let (dir, store) = fresh();
    let eve = || profile(EVE, "Eve Quokka");
    let us = |id, text: &str, quote: Option<Quote>| {
        let mut said = message(id, BOB, text);
        (said.from, said.reply_to) = (Sender::Us, quote);
        EventKind::Said(said)
    };
    let quote = |id: i64, from| Quote { id: MessageId(id), from, text: "the quokka party".into() };
    let topic = |event: Event| Event { topic: Some(TopicId(77)), ..event };
    let raw = |id: i64| format!("{{\"from\":{{\"id\":{id}}},\"x\":\"quokka\"}}");
    let unsupported = |raw| EventKind::Noted { what: "unsupported".into(), text: String::new(), raw: Some(raw) };
    let alarm = Alarm { id: 1, what: "feed the quokka".into(), due: Timestamp(0), asked_by: Some(eve()) };
    let pressed = EventKind::Pressed {
        query: "q".into(),
        by: eve(),
        message: Some(MessageId(3)),
        data: "quokka".into(),
        label: String::new(),
    };
    let events = [
        eve_said(GROUP, 1, "my quokka is called Max"),
        edited(GROUP, 1, EVE, "my quokka is called Moritz", 9),
        said(GROUP, 2, BOB, "nice!"),
        by_bob(GROUP, 3, "which one?", |m| m.reply_to = Some(quote(1, Some(Sender::Person(eve()))))),
        by_bob(GROUP, 4, "that one?", |m| m.reply_to = Some(quote(1, None))),
        by_bob(GROUP, 5, "look here", |m| m.mentions = vec![Mention::Person(EVE)]),
        by_bob(GROUP, 6, "quokka quokka", |m| m.forwarded_from = Some("Eve Quokka".into())),
        event(GROUP, 7, us(7, "A fine animal.", Some(quote(1, Some(Sender::Person(eve())))))),
        event(GROUP, 8, EventKind::noted("pinned_message", "person 8 pinned message 1: my quokka is called Max")),
        event(GROUP, 8, EventKind::noted("new_chat_title", "Eve Quokka renamed the group to zoo")),
        event(GROUP, 8, unsupported(raw(EVE.0))),
        event(GROUP, 8, unsupported("{\"about\":\"somebody else\"}".into())),
        event(GROUP, 8, EventKind::Joined(eve())),
        event(GROUP, 8, EventKind::Rang(alarm)),
        event(GROUP, 8, pressed),
        event(GROUP, 8, EventKind::Standing { may_speak: true, by: Some(eve()), now: String::new() }),
        topic(eve_said(OTHER, 10, "quokka facts, please")),
        eve_said(EVE.dm(), 1, "a quokka secret"),
        event(EVE.dm(), 2, us(2, "Your quokka secret is safe.", None)),
    ];
    store.archive(&events, Some(1)).unwrap();
    let room = RoomId::whole(GROUP);
    let fact = |subject, text: &str, audience, chat, at| Change::AddFact(told(subject, text, audience, chat, at));
    let mixed = NewFact {
        sources: vec![Source { chat: GROUP, message: MessageId(1) }, Source { chat: GROUP, message: MessageId(2) }],
        ..told(Subject::World, "Max and Moritz is a book", Audience::Chat(GROUP), GROUP, 1)
    };
    let reminder = |room, asked_by| {
        let (what, due, set) = ("quokka".into(), Timestamp::from_secs(900), Timestamp(0));
        Change::AddReminder(NewReminder { room, what, due, set, asked_by })
    };
    let kept = json!({ "Eve Quokka": "quokka", "61803398": 3, "order": [EVE.0, 8], "score": { "eve": EVE.0 }, "n": 2 });
    store
        .commit(&[
            fact(Subject::Person(EVE), "keeps a quokka", Audience::Chat(GROUP), GROUP, 2),
            fact(Subject::World, "quokkas live on Rottnest", Audience::Chat(GROUP), GROUP, 1),
            fact(Subject::Us, "quokka club", Audience::Dm(EVE), EVE.dm(), 1),
            Change::Supersede {
                old: crate::memory::fact::FactId(1),
                new: told(Subject::Person(EVE), "kept a quokka", Audience::Chat(GROUP), GROUP, 2),
            },
            fact(Subject::Person(BOB), "says nice", Audience::Chat(GROUP), GROUP, 2),
            Change::AddFact(mixed),
            reminder(room, Some(eve())),
            reminder(RoomId::whole(EVE.dm()), None),
            Change::Mark { room, message: MessageId(1), mark: Mark::LetGo { why: "passed: not my quokka".into() } },
            Change::Mark { room: RoomId::whole(EVE.dm()), message: MessageId(1), mark: Mark::Owed },
            Change::SetCtx { room, value: kept },
            Change::SetCtx { room: RoomId::whole(EVE.dm()), value: json!({ "animal": "quokka" }) },
        ])
        .unwrap();
    for (room, answers) in [(room, vec![MessageId(1)]), (RoomId::whole(EVE.dm()), vec![]), (room, vec![MessageId(2)])] {
        let what = if answers == [MessageId(2)] { "said \"yes\"" } else { "said \"a quokka!\"" };
        let act = store.begin_act(&ActRow { room, answers, what: what.into(), at: Timestamp(0) }).unwrap();
        store.end_act(act, &ActEnd::Sent { messages: vec![] }).unwrap();
    }
    let speak = |store: &Store| rows(store).iter().filter(|(_, value)| value.contains(WORD)).count();
    assert!(speak(&store) > 20, "the scene is set");

    let gone = forget(&store);
    assert_eq!((gone.messages, gone.facts, gone.reminders), (4, 4, 2));
    let told: Vec<RoomId> = gone.told.iter().map(|(event, _)| event.room()).collect();
    assert_eq!(told, [RoomId { chat: OTHER, topic: Some(TopicId(77)) }, room, RoomId::whole(EVE.dm())]);
    drop(store);
    let store = Store::open(dir.path(), crate::store::tests::CACHE).unwrap();
    for (key, value) in rows(&store) {
        let is_about = [WORD, "eve", &EVE.to_string()].iter().any(|word| value.contains(word));
        // Their private chat's number is their own: that something stood there keeps it from being heard anew.
        let is_the_chat = value.contains("\"chat\":{\"id\":61803398,\"kind\":\"private\",\"title\":\"\"}")
            || value.contains("\"room\":{\"chat\":61803398}");
        assert!(!is_about || (is_the_chat && !value.contains(WORD)), "{:?} {value}", String::from_utf8_lossy(&key));
    }
    assert_eq!(store.person(EVE).unwrap(), None);
    assert_eq!(store.chats_of(EVE).unwrap(), []);
    assert_eq!(store.counts().unwrap().messages, 6);
    assert_eq!(store.room(RoomId::whole(EVE.dm())).unwrap().owed, []);

    // Bob's own words stand, and so does what was learnt from them.
    let circles = Circles::default();
    let reader = circles.reader(GROUP, BTreeSet::new());
    let now = Timestamp::from_secs(600);
    let facts: Vec<String> =
        store.facts(&reader, None, now, 9).unwrap().into_iter().map(|fact| fact.told.text).collect();
    assert_eq!(facts, ["says nice", "Max and Moritz is a book"]);
    let bobs = store.message(&reader, &circles, GROUP, MessageId(3)).unwrap().unwrap();
    assert_eq!((bobs.text.as_str(), bobs.reply_to.unwrap().text.as_str()), ("which one?", ""));
    assert_eq!(store.room(room).unwrap().ctx, json!({ "order": [8], "score": {}, "n": 2 }));
    assert_eq!(store.acts().unwrap()[2].1.what, "said \"yes\"");

    // What comes again was heard, and an edit brings nothing back.
    assert_eq!(store.archive(&[events[0].clone()], None).unwrap(), [Filed::Duplicate]);
    assert_eq!(store.archive(&[edited(GROUP, 1, EVE, "quokka!!", 99)], None).unwrap(), [Filed::Duplicate]);
    assert_eq!(store.message(&reader, &circles, GROUP, MessageId(1)).unwrap(), None);
    assert_eq!(speak(&store), 0);
    let again = forget(&store);
    assert_eq!(again, Forgotten::default(), "there is nothing left to forget");
    store.archive(&[eve_said(GROUP, 50, "hello")], None).unwrap();
    assert_eq!(store.person(EVE).unwrap().unwrap().first_seen, Timestamp::from_secs(50), "met for the first time");
}
