//! Recorded sessions once more, and the story that is told of one.
//!
//! Every folder of `tests/replays` holds a `journal.jsonl`. A prompt that was improved does not invalidate a recording:
//! `GROUPMATE_ACCEPT=1 cargo test replays` shows what differs and writes it into the recording.

use std::path::{Path, PathBuf};

use crate::support::{SKILL_SECRET, groupmate};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replays")
}

#[test]
fn recordings_replay_and_hold_no_secret() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let recorded = entry.unwrap().path().join("journal.jsonl");
        if !recorded.exists() {
            continue;
        }
        count += 1;
        let text = std::fs::read_to_string(&recorded).unwrap();
        for secret in [SKILL_SECRET, "tvly-demo", "playground-token"] {
            assert!(!text.contains(secret), "{} holds {secret}", recorded.display());
        }
        // The replay works beside its journal, and the repository stays as it is.
        let scratch = tempfile::tempdir().unwrap();
        let journal = scratch.path().join("journal.jsonl");
        std::fs::copy(&recorded, &journal).unwrap();
        let mut arguments = vec!["replay", journal.to_str().unwrap()];
        #[expect(clippy::disallowed_methods, reason = "the one variable that accepts changed prompts")]
        let is_accepting = std::env::var("GROUPMATE_ACCEPT").is_ok();
        if is_accepting {
            arguments.push("--accept-prompts");
        }
        let (code, out, errors) = groupmate(&arguments, scratch.path());
        if is_accepting {
            println!("{out}");
        }
        assert_eq!(code, 0, "{}: {out}\n{errors}", recorded.display());
        assert!(out.contains("replayed exactly"), "{out}");
        if is_accepting {
            std::fs::copy(&journal, &recorded).unwrap();
        }
    }
    assert!(count > 0, "no recording was found");
}

/// A recording as it would stand if a prompt had been worded otherwise then.
fn worded_otherwise(text: &str) -> String {
    let mut changed = false;
    let lines = text.split_inclusive('\n').map(|line| {
        let is_first = !changed && line.contains(r#""kind":"asking""#);
        changed |= is_first;
        if is_first { line.replacen("人", "ren", 1) } else { line.to_owned() }
    });
    lines.collect()
}

#[test]
fn accepted_prompts_are_written_and_nothing_else_changes() {
    let recorded = std::fs::read_to_string(folder().join("demo/journal.jsonl")).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let journal = scratch.path().join("journal.jsonl");
    let other = worded_otherwise(&recorded);
    assert_ne!(other, recorded);
    std::fs::write(&journal, &other).unwrap();
    let path = journal.to_str().unwrap();
    let (code, out, errors) = groupmate(&["replay", path], scratch.path());
    assert_eq!(code, 1, "{out}\n{errors}");
    assert!(std::fs::read_to_string(&journal).unwrap() == other, "nothing is written unless it is accepted");
    let (code, out, errors) = groupmate(&["replay", path, "--accept-prompts"], scratch.path());
    assert_eq!(code, 0, "{out}\n{errors}");
    assert!(out.contains("1 prompts accepted"), "{out}");
    assert!(std::fs::read_to_string(&journal).unwrap() == recorded, "only that prompt is replaced");
}

#[test]
fn the_demo_tells_its_story_offline() {
    let scratch = tempfile::tempdir().unwrap();
    let (code, out, errors) = groupmate(&["demo", "--fast"], scratch.path());
    assert_eq!(code, 0, "{out}\n{errors}");
    let mut rest = out.as_str();
    // In this order: the question, a wrong call, the docs with their types, the answer that quotes the question, what is
    // remembered, the person met again alone, the reminder that rings, and what it all cost.
    let story = [
        "《奥本海默》国内是哪天上映的来着",
        "第 1 次问模型",
        "tavily.search → TypeError",
        "### tavily.search",
        "interface SearchRequest",
        "第 2 次问模型",
        "小夏 ↩#4：",
        "🧠 记住了：",
        "与 一帆🌱 的私聊",
        "OM-1",
        "📌 定了提醒：",
        "⏰ 一条提醒到点了",
        "小夏：",
        "各轮的模型调用次数：",
    ];
    for part in story {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part:?} is missing or out of order in:\n{out}"));
        rest = &rest[at + part.len()..];
    }
    let counts = rest.split('。').next().unwrap_or_default();
    assert!(counts.split('、').filter(|count| *count == "1").count() >= 3, "plain replies cost one call: {counts}");
}
