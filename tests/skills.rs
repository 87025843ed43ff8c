//! `groupmate skills`, as whoever writes a skill uses it: the binary, its output, its exit codes.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::groupmate;

fn json(arguments: &[&str], folder: &Path, code: i32) -> Value {
    let (exit, out, err) = groupmate(arguments, folder);
    assert_eq!(exit, code, "{out}\n{err}");
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}\n{out}\n{err}"))
}

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

/// A skill of one's own, one that is broken, and one that replaces a bundled one.
const MINE: &[(&str, &str)] = &[
    (
        "mine/dice/dice.d.ts",
        "/** Throws dice. */\ndeclare const dice: {\n  /**\n   * Throws some dice.\n   * @param n how many\n   * @example\n   * await dice.roll(2)\n   * @effect read\n   */\n  roll(n: number): Roll;\n  /** Loads them. @risk ask\n   * @risk ask\n   */\n  load(): void;\n};\n/** What came up. */\ninterface Roll { sum: number }\n",
    ),
    (
        "mine/dice/index.js",
        "export default { roll(n) { if (typeof n !== 'number') throw new TypeError('n must be a number'); return { sum: 3 * n }; }, load() {} };",
    ),
    (
        "mine/dice/package.json",
        "{\"groupmate\":{\"hosts\":[\"dice.example\"],\"secrets\":{\"KEY\":{\"slot\":\"bearer\"}}}}",
    ),
    ("mine/broken/broken.d.ts", "declare const broken: { f(): void };"),
    ("mine/broken/index.js", "export default {{;"),
];

/// A configuration in which no skill lacks anything.
const KEYS: &str = "[telegram]\ntoken = \"1:a\"\n[model]\nbase_url = \"http://127.0.0.1:9\"\nname = \"m\"\n[skills.tavily]\nTAVILY_API_KEY = \"k\"\n";

#[test]
fn skills_are_listed_with_state_risk_hosts_secrets_and_cost() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), MINE);
    let all = json(&["skills", "--json"], home.path(), 0);
    let named = |all: &Value, name: &str| all["skills"].as_array().unwrap().iter().find(|s| s["name"] == name).cloned();
    let tavily = named(&all, "tavily").unwrap();
    assert_eq!((&tavily["state"], &tavily["origin"]), (&"unavailable".into(), &"bundled".into()));
    assert!(tavily["reason"].as_str().unwrap().contains("TAVILY_API_KEY"), "{tavily}");
    assert_eq!(tavily["hosts"], serde_json::json!(["api.tavily.com"]));
    assert_eq!(tavily["secrets"][0]["given"], false);
    assert!(tavily["tokens"].as_u64().unwrap() > 20);
    assert_eq!(named(&all, "dice").unwrap()["origin"], "bundled");

    let all = json(&["skills", "--dir", "mine", "--json"], home.path(), 1);
    let dice = named(&all, "dice").unwrap();
    assert_eq!(dice["risk"], serde_json::json!({ "safe": ["roll"], "ask": ["load"], "deny": [] }));
    assert_eq!(all["problems"][0]["skill"], "broken");
    assert!(all["problems"][0]["place"].as_str().unwrap().starts_with("index.js:1:"), "{all}");

    let (exit, out, err) = groupmate(&["skills", "--dir", "mine"], home.path());
    assert_eq!(exit, 1);
    assert!(
        out.contains("unavailable: no KEY given; set it under [skills.dice]; asks load; hosts dice.example"),
        "{out}"
    );
    assert!(err.contains("broken (index.js:1:17)"), "{err}");
    let (exit, _, err) = groupmate(&["skills", "--dir", "nowhere"], home.path());
    assert_eq!((exit, err.contains("nowhere is no folder")), (1, true), "{err}");
    let (_, brief, err) = groupmate(&["skills", "brief"], home.path());
    assert!(brief.starts_with("## telegram\n") && brief.contains("\n- recall: "), "{brief}");
    assert!(!brief.contains("## tavily") && err.contains("tavily is left out: it lacks a key"), "{brief}\n{err}");
    write(home.path(), &[("keys.toml", KEYS)]);
    let (_, brief, err) = groupmate(&["skills", "brief", "--config", "keys.toml"], home.path());
    assert!(brief.contains("## tavily\n") && brief.contains("\n- search: "), "{brief}\n{err}");
}

#[test]
fn a_declaration_is_printed_as_its_index() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), MINE);
    let index = json(&["skills", "parse", "mine/dice/dice.d.ts", "--json"], home.path(), 0);
    assert_eq!((&index["name"], &index["summary"]), (&"dice".into(), &"Throws dice.".into()));
    assert_eq!(
        index["methods"][0],
        serde_json::json!({
            "path": "dice.roll", "place": "mine/dice/dice.d.ts:10:3", "callable": true,
            "signatures": ["roll(n: number): Roll"], "text": "Throws some dice.",
            "params": [{ "name": "n", "text": "how many" }], "returns": null, "throws": [],
            "examples": [{ "title": "", "code": "await dice.roll(2)" }],
            "effect": "read", "risk": null, "deprecated": null, "default": null, "types": ["Roll"],
        })
    );
    assert_eq!(index["types"]["Roll"]["text"], "/** What came up. */\ninterface Roll { sum: number }");
    assert_eq!(index["problems"], serde_json::json!([]));
}

#[test]
fn a_broken_declaration_tells_where_and_prints_what_can_be_read() {
    let home = tempfile::tempdir().unwrap();
    write(
        home.path(),
        &[(
            "x.d.ts",
            "declare const x: {\n  /** One. */\n  f(): void;\n  g(a: : string): void;\n  /** Two. */\n  h(): void;\n};",
        )],
    );
    let index = json(&["skills", "parse", "x.d.ts", "--json"], home.path(), 1);
    let paths: Vec<_> = index["methods"].as_array().unwrap().iter().map(|m| m["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["x.f", "x.h"]);
    assert!(index["problems"][0]["place"].as_str().unwrap().starts_with("x.d.ts:4:"), "{index}");
    let (exit, out, err) = groupmate(&["skills", "parse", "x.d.ts"], home.path());
    assert_eq!((exit, out.contains("- x.h: Two.")), (1, true), "{out}");
    assert!(err.starts_with("x.d.ts:4:"), "{err}");
    let (exit, _, err) = groupmate(&["skills", "parse", "none.d.ts"], home.path());
    assert_eq!((exit, err.contains("none.d.ts cannot be read")), (1, true), "{err}");
    fs::write(home.path().join("bytes.d.ts"), b"\xff\xfedeclare const bytes: { f(): void };").unwrap();
    let (_, out, _) = groupmate(&["skills", "parse", "bytes.d.ts"], home.path());
    assert!(out.starts_with("## bytes\n"), "{out}");
}

#[test]
fn the_intents_of_a_script_are_printed() {
    let home = tempfile::tempdir().unwrap();
    write(
        home.path(),
        &[
            ("one.js", "const { search: find } = tavily;"),
            ("two.js", "await find('x'); telegram.sendMesage('tavily.extract')"),
            ("three.js", "await memory?.recall({ query: 'x' "),
        ],
    );
    let both = json(&["skills", "intents", "one.js", "two.js", "--json"], home.path(), 0);
    assert_eq!(both["paths"], serde_json::json!(["tavily.search", "telegram.sendMesage"]));
    assert_eq!(both["parsed"], true);
    assert_eq!(both["documents"][0], "tavily.search");
    assert!(both["documents"].as_array().unwrap().contains(&"telegram.sendText".into()), "{both}");
    assert!(both["unknown"]["telegram.sendMesage"].as_array().is_some_and(|near| !near.is_empty()), "{both}");
    let broken = json(&["skills", "intents", "three.js", "--json"], home.path(), 0);
    assert_eq!((&broken["parsed"], &broken["paths"]), (&false.into(), &serde_json::json!(["memory.recall"])));
    let (_, out, _) = groupmate(&["skills", "intents", "three.js"], home.path());
    assert_eq!(out, "memory.recall\n");
}

#[test]
fn docs_are_what_the_model_would_get() {
    let home = tempfile::tempdir().unwrap();
    let (exit, out, _) = groupmate(&["skills", "docs", "tavily.search"], home.path());
    assert_eq!(exit, 0);
    assert!(out.starts_with("\n### tavily.search\n```ts\nsearch(") || out.starts_with("### tavily.search\n"), "{out}");
    assert!(out.contains("interface SearchRequest") && out.len() <= 6 * 1024 + 1);
    let (exit, _, err) = groupmate(&["skills", "docs", "tavily.serch"], home.path());
    assert_eq!((exit, err.contains("did you mean tavily.search?")), (1, true), "{err}");
    let (exit, _, err) = groupmate(&["skills", "docs", "zzz"], home.path());
    assert_eq!((exit, err.contains("there are the skills telegram, memory")), (1, true), "{err}");
}

#[test]
fn a_script_is_tried_as_a_turn_would_run_it() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), MINE);
    fs::remove_dir_all(home.path().join("mine/broken")).unwrap();
    let tried = |code: &str| groupmate(&["skills", "--dir", "mine", "try", code], home.path());
    let (exit, out, err) = tried("(await dice.roll(2)).sum");
    assert_eq!((exit, out.contains("The script ran.") && out.contains("Value:\n```\n6\n```")), (0, true), "{out}{err}");
    let (exit, out, err) = tried("await dice.roll('two')");
    assert_eq!(exit, 1, "{out}{err}");
    for part in ["The script failed: TypeError: n must be a number", "### dice.roll", "interface Roll"] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let (_, out, err) = tried("await telegram.sendText('hello')");
    assert!(out.contains("Already done:\n- telegram.sendText: sent"), "{out}{err}");
    let (_, out, _) = tried("await dice.load()");
    assert!(out.contains("leave, and there is no operator to ask"), "{out}");
    let report = json(&["skills", "--dir", "mine", "try", "console.log(1)", "--json"], home.path(), 0);
    assert_eq!(report["report"]["output"].as_str().unwrap().trim(), "1");
    assert!(report["observation"].as_str().unwrap().starts_with("The script ran."), "{report}");
    assert!(!home.path().join("data").exists(), "a trial leaves nothing behind");
}
