//! Figures that the README claims, measured: `cargo bench --bench figures`.
//!
//! Hearing is what intake does with a backlog: batches of 100 events (one `getUpdates`), archived and flushed together.
//! Compare ratios between machines, not times.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a bench prints, and may fail loudly")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use groupmate::chat::audience::{Audience, Circles};
use groupmate::chat::event::{Event, EventKind};
use groupmate::chat::ids::{ChatId, MessageId, PersonId, RoomId};
use groupmate::chat::message::{Message, Quote};
use groupmate::chat::person::{Chat, ChatKind, Profile, Sender};
use groupmate::memory::change::Change;
use groupmate::memory::fact::{FactKind, NewFact, Source, Subject};
use groupmate::store::{ActEnd, ActRow, Store};
use groupmate::time::Timestamp;

const CACHE: u64 = 32 << 20;
const BATCH: usize = 100;
const PEOPLE: i64 = 400;
const GROUPS: i64 = 5;

const TALK: [&str; 12] = [
    "今天晚上谁去看电影？",
    "我觉得《奥本海默》比《芭比》好看，虽然三个小时有点长",
    "哈哈哈哈",
    "does anyone know why apt-get says the package is held back?",
    "try dist-upgrade, it will pull the new dependencies in",
    "明天九点开会，别忘了带电脑",
    "ok",
    "那家火锅店周一不开门的，换一家吧",
    "I moved to Berlin last year and I still have not found a decent bakery",
    "收到",
    "有人会修打印机吗，它一直说缺纸但是里面明明有纸",
    "you can mount the partition read-only first and look at the journal before you run fsck on it",
];

fn event(n: i64) -> Event {
    // A small generator of its own: the same import every time.
    let dice = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407).unsigned_abs() >> 33;
    // As in real groups, a few people say most of it.
    let share = i64::try_from(dice % 1000).unwrap();
    let person = share * share * PEOPLE / 1_000_000 + 1;
    let group = ChatId(-1_001_000_000_000 - n % GROUPS);
    let id = n / GROUPS + 1;
    let time = Timestamp::from_secs(1_700_000_000 + n * 7);
    let profile = Profile {
        id: PersonId(person),
        name: format!("群友{person}"),
        username: (person % 3 == 0).then(|| format!("member{person}")),
        is_bot: false,
        language: Some("zh-hans".into()),
    };
    let line = TALK[usize::try_from(dice).unwrap() % TALK.len()];
    let message = Message {
        id: MessageId(id),
        from: Sender::Person(profile),
        time,
        text: format!("{line} {n}"),
        mentions: Vec::new(),
        command: None,
        reply_to: dice.is_multiple_of(6).then(|| Quote { id: MessageId(id - 1), from: None, text: String::new() }),
        media: Vec::new(),
        forwarded_from: None,
        edited: None,
        links: vec![],
        album: None,
        parts: vec![],
    };
    let chat = Chat { id: group, kind: ChatKind::Supergroup, title: "周末去哪儿".into() };
    Event { chat, topic: None, time, kind: EventKind::Said(message) }
}

/// Resident memory now and at its peak, in MB; zero where `/proc` does not tell.
fn resident() -> (u64, u64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    (field("VmRSS:").unwrap_or(0) / 1024, field("VmHWM:").unwrap_or(0) / 1024)
}

/// Processor time of all our threads so far; other work on the machine does not count, unlike with a wall clock.
fn processor() -> Duration {
    /// Ticks a second, as Linux shows them to programs.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |n: usize| fields.get(n).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    Duration::from_secs_f64((ticks(11) + ticks(12)) / TICKS)
}

/// The time that it took by the clock on the wall, without the making of the events.
fn hear(store: &Store, from: i64, to: i64) -> Duration {
    // Decoding is not hearing: the events of one batch are made outside the clock.
    let mut took = Duration::ZERO;
    let mut n = from;
    while n < to {
        let upto = (n + BATCH as i64).min(to);
        let events: Vec<Event> = (n..upto).map(event).collect();
        let start = Instant::now();
        store.archive(&events, Some(upto)).unwrap();
        store.flush().unwrap();
        took += start.elapsed();
        n = upto;
    }
    took
}

fn each(name: &str, times: u32, mut run: impl FnMut(u32) -> usize) {
    let start = Instant::now();
    let mut seen = 0;
    for n in 0..times {
        seen += run(n);
    }
    let one = start.elapsed() / times;
    println!("{name:<44} {:>10.1} µs   ({} rows each)", one.as_secs_f64() * 1e6, seen / times as usize);
}

/// What a process that only opens the store needs: its time and its memory.
fn reopened(dir: &Path) {
    let start = Instant::now();
    let store = Store::open(dir, CACHE).unwrap();
    println!("opened again in {:?}; resident {} MB; {:?}", start.elapsed(), resident().0, store.counts().unwrap());
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|arg| arg == "--reopen") {
        return reopened(Path::new(&args[at + 1]));
    }
    // `cargo bench` passes this flag, `cargo test --benches` does not: then a small run shows that it works.
    let small = !args.iter().any(|arg| arg == "--bench");
    let scale = if small { 60 } else { 1 };
    let dir = tempfile::tempdir().unwrap();
    let open = Instant::now();
    let store = Store::open(dir.path(), CACHE).unwrap();
    println!("open, empty: {:?}; resident {} MB", open.elapsed(), resident().0);

    let mut before = 0;
    for upto in [60_000 / scale, 120_000 / scale, 240_000 / scale] {
        let processor_before = processor();
        let took = hear(&store, before, upto);
        let rate = (upto - before) as f64 / took.as_secs_f64();
        let on_one_core = (upto - before) as f64 / (processor() - processor_before).as_secs_f64().max(0.001);
        let (now, peak) = resident();
        let disk = store.size_on_disk().unwrap() >> 20;
        println!(
            "heard to {upto:>7}: {rate:>7.0} messages/s, {on_one_core:.0} for each second of processor time (making them \
             included); resident {now} MB, peak {peak} MB; on disk {disk} MB"
        );
        before = upto;
    }
    let again = Instant::now();
    hear(&store, 0, 6_000 / scale);
    println!("heard again (duplicates): {:.0} messages/s", (6_000 / scale) as f64 / again.elapsed().as_secs_f64());

    let circles = Circles::default();
    let group = ChatId(-1_001_000_000_000);
    let room = RoomId::whole(group);
    let reader = circles.reader(group, BTreeSet::new());
    let now = Timestamp::from_secs(1_800_000_000);
    let fact = |n: i64| {
        Change::AddFact(NewFact {
            subject: Subject::Person(PersonId(n % PEOPLE + 1)),
            text: format!("{} ({n})", TALK[usize::try_from(n).unwrap() % TALK.len()]),
            kind: FactKind::Trait,
            confidence: 80,
            sources: vec![Source { chat: group, message: MessageId(n) }],
            audience: Audience::Chat(group),
            seen: Timestamp::from_secs(1_700_000_000 + n),
            expires: None,
        })
    };
    let facts: Vec<Change> = (0..2_000 / scale).map(fact).collect();
    store.commit(&facts).unwrap();
    let rounds = if small { 2 } else { 200 };
    each("last 200 events of a room", rounds, |_| store.tail(room, 200).unwrap().len());
    each("one person", rounds * 10, |n| usize::from(store.person(PersonId(i64::from(n % 400) + 1)).unwrap().is_some()));
    each("people by part of a name", rounds, |_| store.people_named("群友12", 5).unwrap().len());
    each("recall in 2,000 facts, Chinese", rounds / 2, |_| {
        store.recall(&reader, "谁会修打印机", None, now, 8).unwrap().len()
    });
    let about = Subject::Person(PersonId(7));
    each("facts about one person", rounds / 2, |_| store.facts(&reader, Some(&about), now, 8).unwrap().len());
    let search = rounds.div_ceil(20);
    each("search 48,000 messages, Chinese", search, |_| store.search(&reader, &circles, "奥本海默", 8).unwrap().len());
    each("search 48,000 messages, rare", search, |_| store.search(&reader, &circles, "火锅店 4805", 8).unwrap().len());
    let act = ActRow { room, answers: vec![MessageId(1)], what: "text".into(), at: now };
    each("an act: begun, ended, both flushed", rounds, |_| {
        let id = store.begin_act(&act).unwrap();
        store.end_act(id, &ActEnd::Sent { messages: vec![MessageId(2)] }).unwrap();
        1
    });
    each("one message heard and flushed", rounds, |n| {
        store.archive(&[event(1_000_000 + i64::from(n))], None).unwrap();
        store.flush().unwrap();
        1
    });
    for unit in ["*a ", "**a ", "`a``", "[a](", "_a ", "[", "<think", "`", "~~a*", "\u{301}", "```\n", "[a](b", "``a "]
    {
        let took = |characters: usize| {
            let began = processor();
            for _ in 0..3 {
                groupmate::telegram::format::lay_out(&unit.repeat(characters / unit.len()));
            }
            (processor() - began).as_secs_f64().max(0.01)
        };
        let size = 60_000 / usize::try_from(scale).unwrap();
        let (less, more) = (took(size), took(size * 4));
        println!("laying out {unit:?} over and over: four times the text takes {:.1} times as long", more / less);
    }
    let (now, peak) = resident();
    println!("at the end: resident {now} MB, peak {peak} MB");
    drop(store);
    // Twice: the first one also writes down where everything stands.
    for _ in 0..2 {
        let again = Command::new(std::env::current_exe().unwrap()).arg("--reopen").arg(dir.path()).status();
        assert!(again.unwrap().success());
    }
}
