//! Random operations against plain maps, restarts included; and no sequence of them shows private words to others.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::agenda::Reminder;
use crate::memory::fact::Fact;

const CHATS: [ChatId; 4] = [GROUP, OTHER, ANN.dm(), BOB.dm()];
const WORDS: [&str; 4] = ["奥本海默", "火锅 tonight", "cats", "去看火锅"];

#[derive(Clone, Debug)]
enum Op {
    /// A batch of (chat, message id, word, edit time or none), and the update number after it.
    Archive(Vec<(usize, i64, usize, Option<i64>)>, i64),
    Note(usize),
    Own {
        room: usize,
        message: i64,
        owed: bool,
    },
    Considered(usize, u64),
    Ctx(usize, u8),
    Tell {
        word: usize,
        from: usize,
        audience: usize,
        at: i64,
    },
    Supersede {
        old: u64,
        word: usize,
        from: usize,
        audience: usize,
        at: i64,
    },
    Remind(usize, i64),
    Cancel(usize, u64),
    Ring(u64),
    Act {
        room: usize,
        message: i64,
        end: Option<u8>,
    },
    Reopen,
}

fn op() -> impl Strategy<Value = Op> {
    let (chat, word, audience, id) = (0..CHATS.len(), 0..WORDS.len(), 0..5usize, 1i64..7);
    prop_oneof![
        4 => (prop::collection::vec((chat.clone(), id.clone(), word.clone(), prop::option::of(1i64..50)), 0..6), 1i64..1000)
            .prop_map(|(batch, update)| Op::Archive(batch, update)),
        1 => chat.clone().prop_map(Op::Note),
        2 => (chat.clone(), id.clone(), any::<bool>()).prop_map(|(room, message, owed)| Op::Own { room, message, owed }),
        1 => (chat.clone(), 0u64..30).prop_map(|(room, upto)| Op::Considered(room, upto)),
        1 => (chat.clone(), 0u8..3).prop_map(|(room, value)| Op::Ctx(room, value)),
        3 => (word.clone(), chat.clone(), audience.clone(), 1i64..60)
            .prop_map(|(word, from, audience, at)| Op::Tell { word, from, audience, at }),
        2 => (1u64..6, word, chat.clone(), audience, 1i64..60)
            .prop_map(|(old, word, from, audience, at)| Op::Supersede { old, word, from, audience, at }),
        1 => (chat.clone(), 1i64..90).prop_map(|(room, due)| Op::Remind(room, due)),
        1 => (chat.clone(), 1u64..4).prop_map(|(room, id)| Op::Cancel(room, id)),
        1 => (1u64..4).prop_map(Op::Ring),
        2 => (chat, id, prop::option::of(0u8..3)).prop_map(|(room, message, end)| Op::Act { room, message, end }),
        1 => Just(Op::Reopen),
    ]
}

/// A text that tells where it comes from.
fn words(chat: usize, word: usize) -> String {
    format!("{} §{}§", WORDS[word], CHATS[chat])
}

fn audience(n: usize) -> Audience {
    match n {
        0 => Audience::Everyone,
        1 => Audience::Chat(GROUP),
        2 => Audience::Dm(ANN),
        3 => Audience::Circle("work".into()),
        _ => Audience::Us,
    }
}

#[derive(Default)]
struct Model {
    seq: u64,
    events: BTreeMap<RoomId, BTreeMap<u64, Event>>,
    places: BTreeMap<(ChatId, MessageId), u64>,
    update: Option<i64>,
    marks: BTreeMap<(RoomId, MessageId), Mark>,
    records: BTreeMap<RoomId, (u64, Value)>,
    facts: BTreeMap<u64, Fact>,
    reminders: BTreeMap<u64, Reminder>,
    numbered: u64,
    acts: Vec<(ActRow, Option<ActEnd>)>,
}

impl Model {
    fn append(&mut self, event: &Event) -> Filed {
        self.seq += 1;
        self.events.entry(event.room()).or_default().insert(self.seq, event.clone());
        Filed::New { seq: self.seq }
    }

    fn file(&mut self, event: &Event) -> Filed {
        let Some(message) = event.message() else { return self.append(event) };
        let place = (event.chat.id, message.id);
        let edit = matches!(event.kind, EventKind::Edited(_));
        match self.places.get(&place) {
            None => {
                self.places.insert(place, self.seq + 1);
                self.append(event)
            }
            Some(_) if !edit => Filed::Duplicate,
            Some(seq) => {
                let archived = self.events.get_mut(&event.room()).and_then(|room| room.get_mut(seq)).unwrap();
                let (EventKind::Said(old) | EventKind::Edited(old)) = &mut archived.kind else { panic!("no message") };
                if old == message || old.edited > message.edited {
                    return Filed::Duplicate;
                }
                *old = message.clone();
                self.append(event)
            }
        }
    }

    fn mark(&mut self, room: RoomId, message: MessageId, mark: Mark) {
        let handled = self.marks.get(&(room, message)).is_some_and(Mark::is_handled);
        if mark.is_handled() || !handled {
            self.marks.insert((room, message), mark);
        }
    }

    fn tell(&mut self, told: &NewFact) -> (u64, bool) {
        let same = |fact: &&mut Fact| {
            let (a, b) = (&fact.told, told);
            fact.superseded_by.is_none() && (&a.text, &a.subject, &a.audience) == (&b.text, &b.subject, &b.audience)
        };
        if let Some(fact) = self.facts.values_mut().find(same) {
            fact.first_seen = fact.first_seen.min(told.seen);
            fact.told.seen = fact.told.seen.max(told.seen);
            return (fact.id.0, true);
        }
        let id = self.facts.len() as u64 + 1;
        let fact = Fact { id: FactId(id), told: told.clone(), first_seen: told.seen, superseded_by: None };
        self.facts.insert(id, fact);
        (id, false)
    }

    fn end(&mut self, act: usize, end: ActEnd) {
        let row = self.acts[act].0.clone();
        let number = act as u64 + 1;
        for message in &row.answers {
            match &end {
                ActEnd::Sent { .. } => self.mark(row.room, *message, Mark::Answered { act: number }),
                ActEnd::Unknown { .. } => self.mark(row.room, *message, Mark::Unknown { act: number }),
                ActEnd::Refused { .. } => {}
            }
        }
        self.acts[act].1 = Some(end);
    }

    fn reopened(&mut self) {
        for act in 0..self.acts.len() {
            if self.acts[act].1.is_none() {
                self.end(act, ActEnd::Unknown { why: "the program stopped before Telegram's answer was read".into() });
            }
        }
    }
}

fn commit(store: &Store, change: Change) -> Applied {
    store.commit(&[change]).unwrap().remove(0)
}

/// The audience that the store gives: words of a DM stay there.
fn narrowed(asked: Audience, from: ChatId) -> Audience {
    match (from.person(), asked) {
        (None, asked) => asked,
        (Some(_), Audience::Us) => Audience::Us,
        (Some(person), Audience::Dm(other)) if other != person => Audience::Us,
        (Some(person), _) => Audience::Dm(person),
    }
}

fn apply(op: &Op, store: &Store, model: &mut Model) {
    let room = |n: usize| RoomId::whole(CHATS[n]);
    match op {
        Op::Archive(batch, update) => {
            let made = batch.iter().map(|(chat, id, word, edit)| match edit {
                None => said(CHATS[*chat], *id, ANN, &words(*chat, *word)),
                Some(at) => edited(CHATS[*chat], *id, ANN, &words(*chat, *word), *at),
            });
            let events: Vec<Event> = made.collect();
            let filed = store.archive(&events, Some(*update)).unwrap();
            let expected: Vec<Filed> = events.iter().map(|event| model.file(event)).collect();
            assert_eq!(filed, expected);
            model.update = Some(*update);
        }
        Op::Note(chat) => {
            let noted = event(CHATS[*chat], 5, EventKind::noted("pin", "a pin"));
            assert_eq!(store.archive(std::slice::from_ref(&noted), None).unwrap(), [model.file(&noted)]);
        }
        Op::Own { room: n, message, owed } => {
            let mark = if *owed { Mark::Owed } else { Mark::LetGo { why: "busy".into() } };
            let message = MessageId(*message);
            commit(store, Change::Mark { room: room(*n), message, mark: mark.clone() });
            model.mark(room(*n), message, mark);
        }
        Op::Considered(n, upto) => {
            commit(store, Change::Considered { room: room(*n), upto: *upto });
            let record = model.records.entry(room(*n)).or_default();
            record.0 = record.0.max(*upto);
        }
        Op::Ctx(n, value) => {
            let value = if *value == 0 { Value::Null } else { serde_json::json!({"n": value}) };
            commit(store, Change::SetCtx { room: room(*n), value: value.clone() });
            model.records.entry(room(*n)).or_default().1 = value;
        }
        Op::Tell { word, from, audience: asked, at } => {
            let mut fact = told(Subject::Person(ANN), &words(*from, *word), audience(*asked), CHATS[*from], *at);
            let applied = commit(store, Change::AddFact(fact.clone()));
            fact.audience = narrowed(fact.audience, CHATS[*from]);
            let (id, refreshed) = model.tell(&fact);
            assert_eq!(applied, Applied::Fact { id: FactId(id), refreshed });
        }
        Op::Supersede { old, word, from, audience: asked, at } => {
            let mut new = told(Subject::Person(ANN), &words(*from, *word), audience(*asked), CHATS[*from], *at);
            let applied = commit(store, Change::Supersede { old: FactId(*old), new: new.clone() });
            new.audience = narrowed(new.audience, CHATS[*from]);
            let (id, refreshed) = model.tell(&new);
            assert_eq!(applied, Applied::Fact { id: FactId(id), refreshed });
            let mut at = *old;
            while let Some(fact) = model.facts.get_mut(&at).filter(|f| f.told.audience == new.audience && at != id) {
                match fact.superseded_by {
                    Some(next) => at = next.0,
                    None => {
                        fact.superseded_by = Some(FactId(id));
                        break;
                    }
                }
            }
        }
        Op::Remind(n, due) => {
            let set = NewReminder {
                room: room(*n),
                what: "x".into(),
                due: Timestamp::from_secs(*due),
                set: Timestamp(0),
                asked_by: None,
            };
            model.numbered += 1;
            let id = model.numbered;
            assert_eq!(commit(store, Change::AddReminder(set.clone())), Applied::Reminder { id });
            model.reminders.insert(id, Reminder { id, set });
        }
        Op::Cancel(n, id) => {
            let stands = model.reminders.get(id).is_some_and(|r| r.set.room == room(*n));
            assert_eq!(commit(store, Change::CancelReminder { room: room(*n), id: *id }), Applied::Cancelled(stands));
            if stands {
                model.reminders.remove(id);
            }
        }
        Op::Ring(id) => {
            let rang = event(GROUP, 9, EventKind::noted("rang", id.to_string()));
            let expected = model.reminders.remove(id).map(|_| model.file(&rang));
            assert_eq!(store.ring(*id, &rang).unwrap(), expected);
        }
        Op::Act { room: n, message, end } => {
            let answers = vec![MessageId(*message)];
            let row = ActRow { room: room(*n), answers, what: "text".into(), at: Timestamp(1) };
            let id = store.begin_act(&row).unwrap();
            model.acts.push((row, None));
            assert_eq!(id, model.acts.len() as u64);
            if let Some(end) = end {
                let end = match end {
                    0 => ActEnd::Sent { messages: vec![MessageId(99)] },
                    1 => ActEnd::Refused { why: "no".into() },
                    _ => ActEnd::Unknown { why: "no answer".into() },
                };
                store.end_act(id, &end).unwrap();
                model.end(model.acts.len() - 1, end);
            }
        }
        Op::Reopen => unreachable!("the driver reopens"),
    }
}

fn compare(store: &Store, model: &Model) {
    assert_eq!(store.last_update().unwrap(), model.update);
    assert_eq!(store.rooms().unwrap(), model.events.keys().copied().collect::<Vec<_>>());
    for (room, events) in &model.events {
        let all: Vec<(u64, Event)> = events.iter().map(|(seq, event)| (*seq, event.clone())).collect();
        assert_eq!(store.tail(*room, usize::MAX).unwrap(), all);
        assert_eq!(store.last_seq(*room).unwrap(), all.last().map(|(seq, _)| *seq));
        let middle = all[all.len() / 2].0;
        let later: Vec<_> = all.iter().filter(|(seq, _)| *seq > middle).cloned().collect();
        assert_eq!(store.since(*room, middle, usize::MAX).unwrap(), later);
    }
    for chat in CHATS {
        let room = RoomId::whole(chat);
        let of_room =
            |((r, message), mark): (&(RoomId, MessageId), &Mark)| (*r == room).then(|| (*message, mark.clone()));
        let marks: Vec<_> = model.marks.iter().filter_map(of_room).collect();
        let owed = marks.iter().filter(|(_, mark)| !mark.is_handled()).map(|(message, _)| *message).collect();
        assert_eq!(store.marks(room).unwrap(), marks);
        let (considered, ctx) = model.records.get(&room).cloned().unwrap_or_default();
        assert_eq!(store.room(room).unwrap(), RoomRecord { considered, owed, ctx });
    }
    let mut reminders: Vec<Reminder> = model.reminders.values().cloned().collect();
    reminders.sort_by_key(|r| (r.set.due, r.id));
    assert_eq!(store.reminders(None).unwrap(), reminders);
    let acts: Vec<_> = model.acts.iter().zip(1..).map(|((row, end), id)| (id, row.clone(), end.clone())).collect();
    assert_eq!(store.acts().unwrap(), acts);
    let counts = store.counts().unwrap();
    assert_eq!((counts.messages, counts.facts), (model.places.len() as u64, model.facts.len() as u64));
    for reader in readers() {
        let known: BTreeSet<FactId> = store.facts(&reader, None, NOW, 99).unwrap().iter().map(|f| f.id).collect();
        let stands = |f: &&Fact| f.superseded_by.is_none() && reader.may_read(&f.told.audience);
        assert_eq!(known, model.facts.values().filter(stands).map(|f| f.id).collect());
    }
}

fn circles() -> Circles {
    Circles { of: [(OTHER, "work".to_owned())].into(), ..Circles::default() }
}

fn readers() -> Vec<crate::chat::audience::Reader> {
    let mut readers: Vec<_> = CHATS.iter().map(|chat| circles().reader(*chat, BTreeSet::new())).collect();
    readers.push(circles().reader(BOB.dm(), [GROUP, OTHER].into()));
    readers
}

/// Whatever a reader is given, words of a DM are in their own DM only, and messages in chats that may be read.
fn nothing_private_crosses(store: &Store) {
    for reader in readers() {
        for query in WORDS {
            let facts = store.recall(&reader, query, None, NOW, 99).unwrap();
            let about = store.recall(&reader, query, Some(&Subject::Person(ANN)), NOW, 99).unwrap();
            let hits = store.search(&reader, &circles(), query, 99).unwrap();
            for text in facts.iter().chain(&about).map(|fact| &fact.told.text) {
                for chat in CHATS.iter().filter(|chat| chat.is_private() && **chat != reader.chat) {
                    assert!(!text.contains(&format!("§{chat}§")), "{reader:?} was told {text}");
                }
            }
            for hit in hits {
                assert!(reader.may_read(&circles().audience(hit.room.chat)), "{reader:?} found {hit:?}");
                assert!(hit.message.text.contains(&format!("§{}§", hit.room.chat)), "{hit:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_operations_leave_what_maps_would(ops in prop::collection::vec(op(), 1..40)) {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(dir.path(), CACHE).unwrap();
        let mut model = Model::default();
        for op in &ops {
            if let Op::Reopen = op {
                store.flush().unwrap();
                drop(store);
                store = Store::open(dir.path(), CACHE).unwrap();
                model.reopened();
                compare(&store, &model);
            } else {
                apply(op, &store, &mut model);
            }
        }
        compare(&store, &model);
        nothing_private_crosses(&store);
    }
}
