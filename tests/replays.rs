//! Recorded sessions once more, and the story that is told of one.
//!
//! Every folder of `tests/replays` holds a `journal.jsonl`. A prompt that was improved does not invalidate a recording:
//! `GROUPMATE_ACCEPT=1 cargo test replays` shows what differs and lets it pass.

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
    }
    assert!(count > 0, "no recording was found");
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
