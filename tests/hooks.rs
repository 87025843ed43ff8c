//! The operator's hooks, in a real process: what they keep from scripts, from the journal and from Telegram.

use serde_json::Value;

use crate::support::{ALICE, BOB, Home, Model, group_of_two, groupmate, js, telegram, until};

const VAULT: &str = "export default {\n\
    open: () => ({ note: 'the key is sk-abc123, keep it', 'sk-abc124': [{ deep: 'sk-abc125' }], card: 41112222 }),\n\
    fail: () => { throw new Error('no such key: sk-abc126'); },\n\
    nest: () => { let v = 'sk-abc127'; for (let i = 0; i < 70; i++) v = [v]; return v; },\n\
    book: () => 'HEAD' + 'x'.repeat(5000) + 'TAIL',\n\
};\n";

const VAULT_DECLARED: &str = "/** Keeps things. */\ndeclare const vault: {\n\
    /** Open it.\n@effect read */ open(): Promise<object>;\n\
    /** Fail.\n@effect read */ fail(): Promise<void>;\n\
    /** Nest.\n@effect read */ nest(): Promise<unknown>;\n\
    /** A long one.\n@effect read */ book(): Promise<string>;\n};\n";

const HOOKS: &str = "[hooks.keys]\ndo = \"redact\"\nmethods = [\"*\"]\npatterns = [\"sk-[a-z0-9]+\", \"^4111[0-9]+$\"]\n\
    [hooks.long]\ndo = \"truncate\"\nmethods = [\"vault.*\"]\nmost = \"100B\"\nkeep = \"both\"\n\
    [hooks.phones]\ndo = \"deny\"\nmethods = [\"telegram.*\"]\nmatching = \"1[3-9][0-9]{9}\"\nwhy = \"phone numbers are not passed on\"\n\
    [hooks.titles]\ndo = \"ask\"\nmethods = [\"telegram.react\"]\n";

#[tokio::test]
async fn hooks_stand_around_every_call_and_the_journal_says_who_asked() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|n, p| match n {
        1 => js(&format!(
            "for (const call of [() => vault.open(), () => vault.fail(), () => vault.nest(), () => vault.book(),\n\
               () => telegram.sendText('打 13812345678'), () => telegram.react({}, '👍')]) {{\n\
               try {{ console.log(JSON.stringify(await call())); }} catch (e) {{ console.log(e.name + ': ' + e.message); }}\n\
             }}\n\
             await telegram.sendText('好');",
            p.waiting()[0]
        )),
        _ => js("turn.pass('seen')"),
    })
    .await;
    let home = Home::new(&server, &model.url, &format!("{HOOKS}[skills]\nfolders = [\"skills\"]\n"));
    let folder = home.folder.path().join("skills/vault");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("index.js"), VAULT).unwrap();
    std::fs::write(folder.join("vault.d.ts"), VAULT_DECLARED).unwrap();
    let recording = home.folder.path().join("session.jsonl");
    let running = home.run(&["--record", recording.to_str().unwrap()]);
    server.say(group, BOB, "@xiaxia_bot 打开看看", None);
    until("the report", || model.asked() == 2).await;
    assert!(running.terminate().success(), "{}", home.log());
    let report = model.prompt(1).last().to_owned();
    for line in [
        "{\"[REDACTED]\":[{\"deep\":\"[REDACTED]\"}],\"card\":\"[REDACTED]\",\"note\":\"the key is [REDACTED], keep it\"}",
        "Error: no such key: [REDACTED]",
        "WithheldError: vault.nest: the result is withheld: the hook keys could not look through it",
        "PermissionError: telegram.sendText: phone numbers are not passed on",
        "PermissionError: telegram.react needs an operator's leave, and there is no operator to ask",
        "TAIL",
    ] {
        assert!(report.contains(line), "{line}\nin {report}");
    }
    assert!(!report.contains("sk-abc") && !report.contains(&"x".repeat(200)), "{report}");
    let acts = server.acts();
    let sent: Vec<&str> = acts.iter().filter(|act| act.method == "sendMessage").map(|act| act.text.as_str()).collect();
    assert_eq!(sent, ["好"]);
    assert!(acts.iter().all(|act| act.method != "setMessageReaction"));

    let journal = std::fs::read_to_string(&recording).unwrap();
    assert!(!journal.contains("sk-abc12"), "the journal holds nothing that was redacted");
    let called: Vec<Value> = journal
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|line| line["kind"] == "called")
        .collect();
    let paths: Vec<&str> = called.iter().filter_map(|line| line["question"]["path"].as_str()).collect();
    let expected = ["vault.open", "vault.fail", "vault.nest", "vault.book", "telegram.sendText", "telegram.react"];
    assert_eq!(paths[..6], expected);
    for line in &called[..7] {
        assert_eq!(line["question"]["by"], serde_json::json!([BOB.0]), "{line}");
        assert_eq!(line["room"]["chat"], group.0);
    }
    assert!(called.iter().all(|line| line["question"]["by"] != serde_json::json!([ALICE.0])));

    let (code, out, errors) =
        groupmate(&["replay", recording.to_str().unwrap(), "-c", home.config.to_str().unwrap()], home.folder.path());
    assert_eq!(code, 0, "{out}\n{errors}");
}
