use super::Command;
use super::words::{REASONS, Words};
use crate::chat::ids::{MessageId, PersonId};
use crate::chat::language::Language;
use crate::chat::message::{self, Message};
use crate::chat::person::{Profile, Sender};
use crate::time::Timestamp;

fn command(name: &str, to: Option<&str>) -> Message {
    let profile = Profile { id: PersonId(1), name: "A".into(), username: None, is_bot: false, language: None };
    Message {
        id: MessageId(1),
        from: Sender::Person(profile),
        time: Timestamp(0),
        text: format!("/{name}"),
        mentions: Vec::new(),
        command: Some(message::Command { name: name.into(), to: to.map(str::to_owned), args: String::new() }),
        reply_to: None,
        media: Vec::new(),
        forwarded_from: None,
        edited: None,
        album: None,
        links: Vec::new(),
        parts: Vec::new(),
    }
}

#[test]
fn a_command_is_ours_by_its_name_and_its_target() {
    for known in Command::ALL {
        assert_eq!(Command::of(&command(known.name(), None), "bot"), Some(known));
        assert_eq!(Command::of(&command(known.name(), Some("BOT")), "bot"), Some(known));
        assert_eq!(Command::of(&command(known.name(), Some("other_bot")), "bot"), None);
    }
    assert_eq!(Command::of(&command("weather", None), "bot"), None);
    let forwarded = Message { forwarded_from: Some("B".into()), ..command("mute", None) };
    assert_eq!(Command::of(&forwarded, "bot"), None);
    let ours = Message { from: Sender::Us, ..command("help", None) };
    assert_eq!(Command::of(&ours, "bot"), None);
}

/// Every placeholder of one language stands in the other one too, and no text is left untranslated.
#[test]
fn both_languages_say_the_same() {
    let (zh, en) = (format!("{:?}", Words::of(Language::Zh)), format!("{:?}", Words::of(Language::En)));
    let holes = |text: &str| {
        let mut holes: Vec<String> =
            text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name.to_owned()).collect();
        holes.sort();
        holes
    };
    assert_eq!(holes(&zh[5..]), holes(&en[5..]));
    for reason in REASONS {
        assert_eq!(Words::of(Language::En).reason(reason), reason);
        assert_ne!(Words::of(Language::Zh).reason(reason), reason, "not translated");
    }
    for command in Command::ALL {
        for language in Language::ALL {
            let says = Words::of(language).command(command).chars().count();
            assert!((3..=256).contains(&says), "{command:?}");
        }
    }
}

/// What the gate says of an event, wherever it says it, can be told in every language.
#[test]
fn every_reason_of_the_gate_is_in_the_table() {
    let gate = include_str!("../attention/gate.rs");
    let mut found = 0;
    for (at, _) in gate.match_indices("Verdict::read(\"").chain(gate.match_indices("Verdict::wake(")) {
        let call = &gate[at..gate[at..].find(')').map_or(gate.len(), |end| at + end)];
        if let Some(reason) = call.split('"').nth(1) {
            found += 1;
            assert!(REASONS.contains(&reason), "{reason:?} is missing from the table");
        }
    }
    assert!(found > 12, "only {found} reasons were found in the gate's source");
}

/// Whoever reads how to use it finds every command there, `/start` aside, which Telegram gives by itself.
#[test]
fn both_readmes_name_every_command() {
    let texts = [include_str!("../../README.md"), include_str!("../../README.zh-CN.md")];
    for command in Command::ALL.into_iter().filter(|command| *command != Command::Start) {
        for text in texts {
            let is_named = ["`", " "].iter().any(|end| text.contains(&format!("`/{}{end}", command.name())));
            assert!(is_named, "/{} is in one README alone, or in none", command.name());
        }
    }
}
