use serde_json::json;

use super::*;
use crate::call::Call;

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

fn hook(name: &str, methods: &[&str], does: Does) -> Hook {
    let methods = methods.iter().map(|&m| m.to_owned()).collect();
    Hook { name: name.into(), methods, chats: BTreeSet::new(), wakes: BTreeSet::new(), does }
}

fn redact(patterns: &[&str]) -> Does {
    Does::Redact { patterns: patterns.iter().map(|&pattern| regex(pattern)).collect() }
}

const SCENE: Scene<'static> = Scene { path: "a.b", args: &[], chat: ChatId(-1), wake: Reason::Direct };

fn settled(outcome: Outcome, is_effect: bool, did: &str) -> Settled {
    Settled { call: Call { id: 1, path: "a.b".into(), args: vec![] }, outcome, is_effect, did: did.into() }
}

fn after(hooks: &[Hook], value: Value) -> Outcome {
    let hooks = Hooks::new(hooks.to_vec());
    hooks.after(&SCENE, settled(Outcome::Done(value), false, "")).outcome
}

fn deep(levels: usize, inner: Value) -> Value {
    (0..levels).fold(inner, |value, _| json!([value]))
}

#[test]
fn redact_reaches_every_text_key_and_number() {
    let secret = || hook("r", &["a.*"], redact(&["sk-[a-z0-9]+", "^4111[0-9]*$"]));
    let rows = [
        (json!("the key is sk-abc1, really"), json!("the key is [REDACTED], really")),
        (json!("sk-a sk-b"), json!("[REDACTED] [REDACTED]")),
        (json!({ "deep": [{ "er": ["x", "sk-abc1"] }] }), json!({ "deep": [{ "er": ["x", "[REDACTED]"] }] })),
        (json!({ "sk-abc1": 1, "sk-abc2": 2 }), json!({ "[REDACTED]": 1, "[REDACTED] 2": 2 })),
        (json!([4111222233334444_u64, 5]), json!(["[REDACTED]", 5])),
        (json!(null), json!(null)),
        (json!(true), json!(true)),
        (json!("密码 sk-9。"), json!("密码 [REDACTED]。")),
    ];
    for (value, expected) in rows {
        assert_eq!(after(&[secret()], value.clone()), Outcome::Done(expected), "{value}");
    }
    let hooks = Hooks::new(vec![secret()]);
    let failed = Outcome::Failed(CallError::new("Error", "bad key sk-abc1"));
    let told = hooks.after(&SCENE, settled(failed, false, "asked with sk-abc1"));
    assert_eq!(told.outcome, Outcome::Failed(CallError::new("Error", "bad key [REDACTED]")));
    assert_eq!(told.did, "asked with [REDACTED]");
    let args = [json!({ "key": "sk-abc1" }), json!(7)];
    assert_eq!(hooks.audited(&Scene { args: &args, ..SCENE }), [json!({ "key": "[REDACTED]" }), json!(7)]);
}

#[test]
fn truncate_keeps_head_tail_or_both_and_says_how_much_is_gone() {
    let long = format!("HEAD{}TAIL", "小".repeat(400));
    let cut = |keep| {
        let does = Does::Truncate { most: 41, keep };
        match after(&[hook("t", &["*"], does)], json!({ "body": [long.clone()], "n": 5 })) {
            Outcome::Done(value) => value["body"][0].as_str().unwrap().to_owned(),
            other => panic!("{other:?}"),
        }
    };
    let (head, tail, both) = (cut(Keep::Head), cut(Keep::Tail), cut(Keep::Both));
    assert!(head.starts_with("HEAD小") && head.ends_with("(1167 bytes left out)"), "{head}");
    assert!(tail.starts_with("(1167 bytes left out)") && tail.ends_with("小TAIL"), "{tail}");
    assert!(both.starts_with("HEAD小") && both.ends_with("小TAIL"), "{both}");
    let short = json!("short enough");
    let does = Does::Truncate { most: 41, keep: Keep::Head };
    assert_eq!(after(&[hook("t", &["*"], does)], short.clone()), Outcome::Done(short));
}

#[test]
fn hooks_run_in_the_order_of_their_names_each_fed_the_one_before() {
    let (first, second) = (redact(&["b+"]), Does::Redact { patterns: vec![regex("xx")] });
    let value = json!("xbx xx");
    let orders = [
        (vec![hook("1", &["*"], first.clone()), hook("2", &["*"], second.clone())], "x[REDACTED]x [REDACTED]"),
        (vec![hook("2", &["*"], second), hook("1", &["*"], first)], "x[REDACTED]x [REDACTED]"),
    ];
    for (hooks, expected) in orders {
        assert_eq!(after(&hooks, value.clone()), Outcome::Done(json!(expected)));
    }
    // What the first cut off is not there for the second to find, and the other way round it was found before.
    let cut = Does::Truncate { most: 4, keep: Keep::Head };
    let long = json!(format!("aaaa{}sk-1", "b".repeat(200)));
    let early = after(&[hook("1", &["*"], cut.clone()), hook("2", &["*"], redact(&["sk-1"]))], long.clone());
    assert_eq!(early, Outcome::Done(json!("aaaa… (204 bytes left out)")));
    let late = after(&[hook("2", &["*"], cut), hook("1", &["*"], redact(&["^a+"]))], long);
    assert_eq!(late, Outcome::Done(json!("[RED… (210 bytes left out)")));
}

#[test]
fn a_redact_that_cannot_see_all_withholds_and_any_other_is_skipped() {
    let too_deep = || deep(DEEPEST + 1, json!("sk-abc1"));
    let hooks = Hooks::new(vec![hook("keys", &["*"], redact(&["sk-"]))]);
    let read = hooks.after(&SCENE, settled(Outcome::Done(too_deep()), false, ""));
    let Outcome::Failed(error) = &read.outcome else { panic!("{read:?}") };
    assert_eq!(error.message, "a.b: the result is withheld: the hook keys could not look through it");
    let wrote = hooks.after(&SCENE, settled(Outcome::Done(too_deep()), true, "sent"));
    let told = json!("[the result is withheld: the hook keys could not look through it]");
    assert_eq!((wrote.outcome, wrote.did.as_str()), (Outcome::Done(told), "sent"), "what was done stays done");
    assert_eq!(hooks.audited(&Scene { args: &[too_deep()], ..SCENE }), [json!(REDACTED)]);
    let cut = hook("t", &["*"], Does::Truncate { most: 4, keep: Keep::Both });
    assert_eq!(after(&[cut], too_deep()), Outcome::Done(too_deep()));
    assert_eq!(
        after(&[hook("keys", &["*"], redact(&["sk-[a-z0-9]+"]))], deep(DEEPEST, json!("sk-abc1"))),
        Outcome::Done(deep(DEEPEST, json!(REDACTED)))
    );
}

#[test]
fn before_hooks_deny_and_ask_by_method_argument_chat_and_wake() {
    let deny = |matching: Option<&str>| Does::Deny { why: "no".into(), matching: matching.map(regex) };
    let ask = |matching: Option<&str>| Does::Ask { matching: matching.map(regex) };
    let in_chat = |chat: i64, hook: Hook| Hook { chats: [ChatId(chat)].into(), ..hook };
    let in_wake = |wake, hook: Hook| Hook { wakes: [wake].into(), ..hook };
    let no = || Verdict::Deny("no".into());
    let rows = [
        (hook("h", &["a.b"], deny(None)), vec![no()]),
        (hook("h", &["a.*"], ask(None)), vec![Verdict::Ask]),
        (hook("h", &["a.c", "b.*"], deny(None)), vec![]),
        (hook("h", &["*"], deny(Some("1[35]\\d{9}"))), vec![no()]),
        (hook("h", &["*"], deny(Some("^key$"))), vec![no()]),
        (hook("h", &["*"], deny(Some("^42$"))), vec![no()]),
        (hook("h", &["*"], ask(Some("nothing like it"))), vec![Verdict::Allow]),
        (in_chat(-1, hook("h", &["*"], ask(None))), vec![Verdict::Ask]),
        (in_chat(-2, hook("h", &["*"], ask(None))), vec![]),
        (in_wake(Reason::Direct, hook("h", &["*"], deny(None))), vec![no()]),
        (in_wake(Reason::Ambient, hook("h", &["*"], deny(None))), vec![]),
        (hook("h", &["*"], redact(&["x"])), vec![Verdict::Allow]),
    ];
    let args = [json!({ "key": ["打 13812345678", 42] })];
    for (hook, expected) in rows {
        let shown = format!("{hook:?}");
        assert_eq!(Hooks::new(vec![hook]).before(&Scene { args: &args, ..SCENE }), expected, "{shown}");
    }
    let buried = [deep(DEEPEST + 1, json!("x"))];
    let hooks = Hooks::new(vec![hook("h", &["*"], deny(Some("y")))]);
    assert_eq!(hooks.before(&Scene { args: &buried, ..SCENE }), [no()], "what is too deep to look at is refused");
}
