//! What Telegram tells becomes events: every kind of update, whatever is in it.

mod albums;
mod backlog;
mod media;
mod moving;
mod outages;
mod topics;
pub mod schema;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use groupmate::chat::event::{Event, EventKind};
use groupmate::chat::ids::PersonId;
use groupmate::chat::media::Media;
use groupmate::chat::person::{Identity, Sender};
use groupmate::clock::Dice;
use groupmate::telegram::decode::{Decoded, decode, message};
use serde_json::{Value, json};

use schema::{Maker, schema};

pub fn me() -> Identity {
    Identity { id: PersonId(42), name: "小夏".into(), username: "xiaxia_bot".into(), aliases: vec![] }
}

fn updates() -> Vec<Value> {
    include_str!("data/bot-api/updates.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The recorded groups have positive ids, which Telegram never gives to a group.
pub fn negate_group_ids(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let is_group = fields.get("type").and_then(Value::as_str).is_some_and(|kind| kind != "private");
            if let Some(id) = fields.get("id").and_then(Value::as_i64).filter(|id| is_group && *id > 0) {
                fields.insert("id".into(), json!(-id));
            }
            fields.values_mut().for_each(negate_group_ids);
        }
        Value::Array(items) => items.iter_mut().for_each(negate_group_ids),
        _ => {}
    }
}

fn kind_of(update: &Value) -> &str {
    update.as_object().unwrap().keys().find(|key| *key != "update_id").unwrap()
}

/// One line of the table: what is new in the update, and what it became.
fn row(n: usize, update: &Value) -> String {
    let kind = kind_of(update);
    const PLAIN: [&str; 8] =
        ["message_id", "date", "chat", "from", "sender_chat", "text", "edit_date", "author_signature"];
    let content: Vec<&str> = match kind {
        "message" => {
            update[kind].as_object().unwrap().keys().map(String::as_str).filter(|key| !PLAIN.contains(key)).collect()
        }
        _ => Vec::new(),
    };
    let became = match decode(update, &me()) {
        Decoded::Ignored { what } => panic!("line {n} is lost: {what}"),
        Decoded::Event(event) => shown(&event),
    };
    format!("{n}\t{}\t{became}", [vec![kind], content].concat().join(" "))
}

fn shown(event: &Event) -> String {
    let is_ours = if event.chat.id.0 == 42 { "ours " } else { "" };
    let what = match &event.kind {
        EventKind::Said(m) | EventKind::Edited(m) => {
            let name = if matches!(event.kind, EventKind::Said(_)) { "said" } else { "edited" };
            let by = match &m.from {
                Sender::Person(_) => "by a person",
                Sender::Us => "by us",
                Sender::Chat { .. } => "by a chat",
            };
            let mut text = format!("{name} {by}");
            if m.reply_to.is_some() {
                text.push_str(" reply");
            }
            if let Some(from) = &m.forwarded_from {
                let _ = write!(text, " forwarded({from})");
            }
            for Media { kind, note, raw, .. } in &m.media {
                let kept = if raw.is_some() { " raw" } else { "" };
                let _ = write!(text, " [{}: {note}{kept}]", kind.word());
            }
            if m.album.is_some() {
                text.push_str(" album");
            }
            if !m.text.is_empty() {
                let _ = write!(text, ": {}", m.text);
            }
            text
        }
        EventKind::Reacted { emoji, .. } => format!("reacted {}", emoji.join(" ")),
        EventKind::Joined(p) => format!("joined {}", p.name),
        EventKind::Left(p) => format!("left {}", p.name),
        EventKind::Migrated { to } => format!("migrated to {to}"),
        EventKind::Pressed { data, .. } => format!("pressed {data}"),
        EventKind::Rang(_) | EventKind::Decided(_) => "ours".to_owned(),
        EventKind::Standing { may_speak, now, .. } => format!("standing {may_speak}: {now}"),
        EventKind::Forgot => "forgot".to_owned(),
        EventKind::Noted { what, text, raw } => {
            format!("noted {what}: {text}{}", if raw.is_some() { " [raw]" } else { "" })
        }
    };
    format!("{is_ours}{}", what.replace(['\n', '\t'], " "))
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test's own switch")]
fn all_recorded_updates_give_the_events_of_the_table() {
    let mut table = String::from("line\tupdate\tevent\n");
    for (n, mut update) in updates().into_iter().enumerate() {
        // As recorded, with ids that no group has, nothing is lost either.
        assert!(matches!(decode(&update, &me()), Decoded::Event(_)), "line {}", n + 1);
        negate_group_ids(&mut update);
        table.push_str(&row(n + 1, &update));
        table.push('\n');
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bot-api/events.tsv");
    if std::env::var_os("GROUPMATE_ACCEPT").is_some() {
        std::fs::write(&file, &table).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    for (got, expected) in table.lines().zip(expected.lines()) {
        assert_eq!(got, expected);
    }
    assert_eq!(table.lines().count(), expected.lines().count());
}

/// What is kept raw says all that Telegram sent.
#[test]
fn what_is_not_understood_keeps_its_raw_form() {
    let unknown = json!({"update_id": 9, "telepathy": {"thought": "嗯", "from": {"id": 7, "first_name": "A"}}});
    let Decoded::Event(event) = decode(&unknown, &me()) else { panic!() };
    let EventKind::Noted { what, raw: Some(raw), .. } = event.kind else { panic!("{:?}", event.kind) };
    assert_eq!((what.as_str(), event.chat.id.0), ("telepathy", 42), "no chat of anybody else");
    assert_eq!(serde_json::from_str::<Value>(&raw).unwrap(), unknown);

    let group = json!({"id": -100, "type": "supergroup", "title": "g"});
    let new = json!({"update_id": 9, "message": {"message_id": 5, "date": 9, "chat": group,
        "from": {"id": 7, "first_name": "A"}, "hologram": {"depth": 3}}});
    let Decoded::Event(event) = decode(&new, &me()) else { panic!() };
    let media = &event.message().unwrap().media[0];
    assert_eq!(media.note, "hologram");
    assert!(media.raw.as_ref().unwrap().contains("\"depth\":3"));

    // A business account's chat has the number of our own DM with that person: it must not end there.
    let business = json!({"update_id": 9, "business_message": {"message_id": 5, "date": 9,
        "chat": {"id": 7, "type": "private", "first_name": "A"}, "from": {"id": 7, "first_name": "A"}, "text": "geheim"}});
    let Decoded::Event(event) = decode(&business, &me()) else { panic!() };
    assert_eq!(event.chat.id.0, 42);
}

#[test]
fn values_made_from_the_schema_never_panic_and_never_get_lost() {
    let schema = schema();
    let mut seen = BTreeSet::new();
    let mut events = 0_u32;
    for (seed, (fullness, wrongness)) in
        [(0.1, 0.0), (0.4, 0.0), (0.9, 0.0), (0.5, 0.02), (0.9, 0.2)].into_iter().enumerate()
    {
        let mut maker = Maker { schema: &schema, dice: Dice::seeded(seed as u64 + 7), fullness, wrongness };
        for (kind, of) in &schema.types["Update"] {
            if kind == "update_id" {
                continue;
            }
            for _ in 0..15 {
                let update = json!({"update_id": 1, kind: maker.value(of.trim_end_matches('?'))});
                match decode(&update, &me()) {
                    Decoded::Event(event) => {
                        assert!(!event.profiles().any(|p| p.id.0 <= 0), "{update}");
                        seen.insert(format!("{kind}:{}", shown(&event).split(' ').next().unwrap()));
                        events += 1;
                    }
                    Decoded::Ignored { what } => assert!(what.contains("live location"), "{what}"),
                }
            }
        }
        // Every type, wherever a message could hold it and where an answer to a call could be it.
        let fields: Vec<(&String, &String)> = schema.types["Message"].iter().collect();
        for name in schema.types.keys().chain(schema.unions.keys()) {
            for n in 0..3 {
                let value = maker.value(name);
                message(&value, &me());
                decode(&json!({"update_id": 1, "message": value}), &me());
                let (field, _) = fields[(n * 7 + name.len()) % fields.len()];
                let mut holder = json!({"message_id": 5, "date": 9, "chat": {"id": -100, "type": "supergroup", "title": "g"},
                    "from": {"id": 7, "first_name": "A"}});
                holder[field] = value;
                let Decoded::Event(_) = decode(&json!({"update_id": 1, "message": holder}), &me()) else { panic!() };
            }
        }
    }
    assert!(events > 1_500, "{events}");
    assert!(seen.len() > 30, "hardly anything came about: {seen:?}");
}
