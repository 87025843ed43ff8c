//! The gate on labelled days of two groups: what should wake it does, what should not does not.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use groupmate::attention::gate::{Gate, Reason};
use groupmate::attention::settings::Settings;
use groupmate::chat::event::EventKind;
use groupmate::chat::ids::{ChatId, MessageId, PersonId, RoomId};
use groupmate::chat::person::Sender;
use groupmate::replay::import;
use groupmate::time::{Span, Timestamp};

#[derive(Default, Debug)]
struct Score {
    musts: [usize; 2],
    hit: [usize; 2],
    early: usize,
    must_nots: usize,
    false_wakes: Vec<(i64, i64)>,
    missed: Vec<(i64, i64)>,
    by_bots: usize,
}

fn play(file: &str) -> Score {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/zh-groups").join(file);
    let day = import::read(&path, None).unwrap();
    assert!(day.skipped.is_empty(), "{:?}", day.skipped);
    let settings = Settings { zone: day.zone.clone(), ..Settings::default() };
    let mut gates: BTreeMap<RoomId, Gate> = BTreeMap::new();
    let mut woken: BTreeSet<(ChatId, MessageId)> = BTreeSet::new();
    let mut said_by_bots: BTreeSet<(ChatId, MessageId)> = BTreeSet::new();
    let last_asked: RefCell<BTreeMap<RoomId, Vec<PersonId>>> = RefCell::default();
    let authors: BTreeMap<(ChatId, MessageId), PersonId> =
        day.events.iter().filter_map(|e| Some(((e.chat.id, e.message()?.id), e.message()?.from.person()?))).collect();
    // The day's own answers are in it, so a wake counts as answered when the bot's line follows; here at once.
    let mut take = |gates: &mut BTreeMap<RoomId, Gate>, now: Timestamp| {
        for (room, gate) in gates.iter_mut() {
            while let Some(due) = gate.due().filter(|due| *due <= now) {
                let Some(wake) = gate.wake(due) else { break };
                if matches!(wake.reason, Reason::Direct | Reason::FollowUp) {
                    woken.extend(wake.messages.iter().map(|m| (room.chat, *m)));
                }
                gate.ended(false, &[], due);
                let people = wake.messages.iter().filter_map(|m| authors.get(&(room.chat, *m)).copied());
                last_asked.borrow_mut().insert(*room, people.collect());
            }
        }
    };
    for (n, event) in day.events.iter().enumerate() {
        take(&mut gates, event.time);
        let room = event.room();
        let gate = gates.entry(room).or_insert_with(|| Gate::new(settings.clone(), &day.me));
        let roll = (n % 97) as f32 / 97.0;
        gate.hear(event, event.time, roll);
        if let EventKind::Said(message) = &event.kind {
            if message.from == Sender::Us {
                // The bot's own line of the day is what a turn would have said: whom it answers, it follows.
                let to = message.reply_to.as_ref().and_then(|q| q.from.as_ref()).and_then(Sender::person);
                let asked = last_asked.borrow_mut().remove(&room).unwrap_or_default();
                let to: Vec<_> = to.into_iter().chain(asked).collect();
                gate.ended(true, &to, event.time);
            }
            if message.from.is_other_bot() {
                said_by_bots.insert((event.chat.id, message.id));
            }
        }
    }
    let end = day.events.last().unwrap().time + Span::hours(1);
    take(&mut gates, end);
    let mut score = Score::default();
    for label in &day.labels {
        let key = (label.chat, label.message);
        let is_woken = woken.contains(&key);
        let place = usize::from(label.chat.is_private());
        match label.wake.as_str() {
            "must" => {
                score.musts[place] += 1;
                score.hit[place] += usize::from(is_woken);
                if !is_woken {
                    score.missed.push((label.chat.0, label.message.0));
                }
            }
            "must-not" => {
                score.must_nots += 1;
                if is_woken {
                    score.false_wakes.push((label.chat.0, label.message.0));
                }
            }
            _ => score.early += usize::from(is_woken),
        }
    }
    score.by_bots = woken.intersection(&said_by_bots).count();
    score
}

#[test]
fn labelled_days_wake_what_must_and_nothing_else() {
    let days: Vec<Score> = ["dorm.json", "startup.json"].map(play).into();
    let sum = |f: fn(&Score) -> usize| days.iter().map(f).sum::<usize>();
    let (musts, hit) = (sum(|s| s.musts[0]), sum(|s| s.hit[0]));
    let (dm_musts, dm_hit) = (sum(|s| s.musts[1]), sum(|s| s.hit[1]));
    let (must_nots, wrong) = (sum(|s| s.must_nots), sum(|s| s.false_wakes.len()));
    println!(
        "groups: {hit} of {musts} musts woke; DMs: {dm_hit} of {dm_musts}; false wakes: {wrong} of {must_nots}; \
         may: {}",
        sum(|s| s.early)
    );
    for day in &days {
        println!("missed {:?}\nfalse {:?}", day.missed, day.false_wakes);
        assert_eq!(day.by_bots, 0, "another bot woke us");
    }
    assert!(hit * 100 >= musts * 86, "must recall in groups: {hit} of {musts}");
    assert_eq!(dm_hit, dm_musts, "in a DM everything is meant for us");
    assert!(wrong * 1000 <= must_nots * 15, "false wakes: {wrong} of {must_nots}");
}

#[test]
fn sixty_thousand_real_messages_import_in_order() {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/irc/ubuntu-60k.json.gz");
    if !packed.exists() {
        eprintln!("LEFT OUT: {} is not here", packed.display());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.json");
    let unpacked = std::process::Command::new("gzip").arg("-dc").arg(&packed).output().unwrap();
    std::fs::write(&path, unpacked.stdout).unwrap();
    let imported = import::read(&path, None).unwrap();
    println!("{}: {} events", imported.source, imported.events.len());
    assert!(imported.events.len() > 60_000);
    assert!(imported.skipped.is_empty(), "{:?}", &imported.skipped[..imported.skipped.len().min(5)]);
    assert!(imported.events.windows(2).all(|pair| pair[0].time <= pair[1].time), "by time");
}
