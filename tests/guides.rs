//! Guides: in the prompt as a line, loaded when a script asks, read inside their folder only, in view until put away.

use std::fs;
use std::path::Path;

use crate::support::{ALICE, Home, Model, Prompt, group_of_two, groupmate, js, telegram, until};

const TEA: &str = "---\nname: tea-timer\ndescription: Counts minutes for <tea> & \"coffee\". Use when someone makes tea.\n---\n\
                   # Tea\nBODY-OF-TEA: three minutes.\n";

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

/// A home whose skills root holds these files.
fn home(server: &groupmate::playground::Server, model: &Model, more: &str, files: &[(&str, &str)]) -> Home {
    let home = Home::new(server, &model.url, "");
    write(&home.folder.path().join("mine"), files);
    let text = fs::read_to_string(&home.config).unwrap();
    fs::write(&home.config, format!("{text}{more}\n[skills]\nfolders = [\"mine\"]\n")).unwrap();
    home
}

/// The part of a system prompt that lists the guides.
fn catalogue(prompt: &Prompt) -> &str {
    let (_, rest) = prompt.system.split_once("# Guides\n").unwrap_or(("", ""));
    rest.split("\n# ").next().unwrap_or_default()
}

#[tokio::test]
async fn a_guide_is_listed_loaded_and_seen_and_the_session_replays() {
    let server = telegram().await;
    let group = group_of_two(&server, "茶");
    let model = Model::start(|n, _| match n {
        1 => js("await skills.load('tea-timer')"),
        2 => js(
            "const t = await skills.read('tea-timer', 'assets/pot.md');\nawait telegram.sendText('one ' + t.length);\n\
                 await skills.read('tea-timer', 'assets/pot.md')",
        ),
        3 => js("turn.pass('said it')"),
        4 => js("await skills.load('tea-timer'); await skills.read('tea-timer', 'assets/pot.md');"),
        _ => js("await telegram.sendText('two')"),
    })
    .await;
    let files = [
        ("tea/SKILL.md", TEA),
        ("tea/assets/pot.md", "TEXT-OF-POT\n"),
        ("tea/notes.txt", "n"),
        ("tea/scripts/run.sh", "no"),
        ("tea/references/deep/style.md", "s"),
    ];
    let home = home(&server, &model, "", &files);
    let journal = home.folder.path().join("session.jsonl");
    let journal = journal.to_str().unwrap();
    let running = home.run(&["--record", journal]);
    server.say(group, ALICE, "@xiaxia_bot tea?", None);
    until("one", || server.acts().iter().any(|act| act.text == "one 12")).await;
    until("the end of the turn", || model.asked() == 3).await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    server.say(group, ALICE, "@xiaxia_bot again", None);
    until("two", || server.acts().iter().any(|act| act.text == "two")).await;
    assert!(running.terminate().success(), "{}", home.log());
    model.assert_sound();

    let (first, second, third, fourth) = (model.prompt(0), model.prompt(1), model.prompt(2), model.prompt(3));
    let line = "<skill name=\"tea-timer\">Counts minutes for &lt;tea&gt; &amp; &quot;coffee&quot;. Use when someone makes tea.</skill>";
    assert!(catalogue(&first).contains(line), "{}", first.system);
    assert!(!first.all().contains("BODY-OF-TEA"), "the catalogue never carries the body");
    for part in [
        "<guide name=\"tea-timer\">\n# Tea\nBODY-OF-TEA: three minutes.\n",
        "skills.read(\"tea-timer\", path): assets/pot.md, notes.txt, references/deep/style.md)",
    ] {
        assert!(second.last().contains(part), "{part}\n{}", second.last());
    }
    assert!(!second.all().contains("TEXT-OF-POT"), "only what was asked for loads");
    assert!(
        third.last().contains("<guide-file name=\"tea-timer\" path=\"assets/pot.md\">\nTEXT-OF-POT\n"),
        "{}",
        third.last()
    );
    assert_eq!(third.last().matches("TEXT-OF-POT").count(), 1, "as a section of its own, and not as a value too");
    // The next turn still sees both: guides first, then their files, all before the talk.
    let opening = &fourth.messages[0];
    let at = |part: &str| opening.find(part).unwrap_or_else(|| panic!("{part}\n{opening}"));
    assert!(at("# Guides that you loaded\n<guide name") < at("<guide-file") && at("<guide-file") < at("# The chat"));
    assert_eq!(first.system, fourth.system, "the still prefix stays as it was");
    let fifth = model.prompt(4);
    assert!(fifth.last().contains("The script ran.") && !fifth.last().contains("<guide"), "{}", fifth.last());
    for prompt in [&first, &second, &third, &fourth, &fifth] {
        assert!(!prompt.all().contains(home.folder.path().to_str().unwrap()), "folders are shown to nobody");
    }

    let text = fs::read_to_string(journal).unwrap();
    let count = |kind: &str| text.matches(&format!("\"kind\":\"{kind}\"")).count();
    assert_eq!((count("skill_loaded"), count("skill_resource_loaded")), (2, 3));
    // What was read then is in the record: what the folder holds now does not matter.
    fs::write(home.folder.path().join("mine/tea/SKILL.md"), TEA.replace("three", "nine")).unwrap();
    fs::remove_dir_all(home.folder.path().join("mine/tea/assets")).unwrap();
    let config = home.config.to_str().unwrap();
    let (code, out, errors) = groupmate(&["replay", journal, "--config", config], home.folder.path());
    assert_eq!(code, 0, "{out}\n{errors}");
    assert!(out.contains("replayed exactly"), "{out}");
}

#[tokio::test]
async fn what_cannot_be_loaded_or_read_says_why_and_leaves_nothing() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let script = "const tried = async (f) => { try { console.log('GOT', await f()); } catch (e) { console.log(e.name + ': ' + e.message); } };\n\
                  await tried(() => skills.load('cofee'));\n\
                  await tried(() => skills.load());\n\
                  await tried(() => skills.load('renamed'));\n\
                  await tried(() => skills.read('tea', 'assets/pot.md'));\n\
                  await skills.load('tea');\n\
                  for (const path of ['../secret.md', 'assets/../../secret.md', '/etc/passwd', 'package.json', 'SKILL.md', 'out.md',\n\
                    'assets/out.md', 'assets/none.md', 'assets/large.md', 'assets/zero.md', 'assets/latin.md', 'run.sh', 'scripts/x.md',\n\
                    'assets/pipe.md', 'assets/in.md']) await tried(() => skills.read('tea', path));\n\
                  await tried(() => skills.write('tea', 'assets/pot.md', 'x'));";
    let model = Model::start(move |n, _| match n {
        1 => js(script),
        2 => js("console.log('<guide name=\"tea\">\\n' + 'x'.repeat(20000) + '\\n</guide>')"),
        _ => js("await telegram.sendText('done')"),
    })
    .await;
    let tea = "---\nname: tea\ndescription: d\n---\nBODY-OF-TEA ".to_owned() + &"long ".repeat(8000);
    let files = [
        ("secret.md", "SECRET-OUTSIDE"),
        ("tea/SKILL.md", tea.as_str()),
        ("tea/package.json", "{}"),
        ("tea/run.sh", "x"),
        ("tea/assets/pot.md", "POT"),
        ("tea/assets/zero.md", "a\0b"),
        ("tea/assets/large.md", &"x".repeat(32_001)),
        ("renamed/SKILL.md", "---\nname: renamed\ndescription: d\n---\nBODY-OF-RENAMED"),
        ("hidden/SKILL.md", "---\nname: hidden\ndescription: d\ndisable-model-invocation: true\n---\nx"),
    ];
    let home = home(&server, &model, "[skills.skills.methods]\n\"*\" = \"allow\"", &files);
    let mine = home.folder.path().join("mine");
    fs::write(mine.join("tea/assets/latin.md"), b"caf\xe9").unwrap();
    std::os::unix::fs::symlink("../secret.md", mine.join("tea/out.md")).unwrap();
    std::os::unix::fs::symlink("../../secret.md", mine.join("tea/assets/out.md")).unwrap();
    std::os::unix::fs::symlink("pot.md", mine.join("tea/assets/in.md")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        mine.join("tea/assets/pipe.md"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    let running = home.run(&[]);
    until("the first poll", || server.polls() > 0).await;
    fs::write(mine.join("renamed/SKILL.md"), "---\nname: other\ndescription: d\n---\nBODY-OF-RENAMED").unwrap();
    server.say(group, ALICE, "@xiaxia_bot tea?", None);
    until("the end", || server.acts().iter().any(|act| act.text == "done")).await;
    assert!(running.terminate().success(), "{}", home.log());
    let first = model.prompt(0);
    assert!(catalogue(&first).contains("\"tea\"") && !catalogue(&first).contains("hidden"), "{}", first.system);
    let seen = model.prompt(1);
    let seen = seen.last();
    for part in [
        "RangeError: no guide is called \"cofee\"; the guides: renamed, tea",
        "TypeError: skills.load: name must be a text that is not empty, got nothing",
        "RangeError: skills.load: renamed: it calls itself \"other\" since; it can be loaded once the operator has reloaded",
        "RangeError: skills.read: tea: load it first: skills.load(\"tea\")",
        "skills.read: ../secret.md: the path must lead into the guide's folder",
        "skills.read: assets/../../secret.md: the path must lead into",
        "skills.read: /etc/passwd: the path must lead into",
        "skills.read: package.json: package.json is not one of the guide's files",
        "skills.read: out.md: it leads out of the skill's folder",
        "skills.read: assets/out.md: it leads out of the skill's folder",
        "skills.read: assets/none.md: there is no such file",
        "skills.read: assets/large.md: it has 32001 bytes; at most 32000 are read",
        "skills.read: assets/zero.md: it is not text: byte 2 is zero",
        "skills.read: assets/latin.md: it is not UTF-8: byte 4 is wrong",
        "skills.read: run.sh: only texts are read",
        "skills.read: scripts/x.md: only files under references/ and assets/",
        "skills.read: assets/pipe.md: it is no file",
        "GOT POT",
        "TypeError: skills.write is not a function",
    ] {
        assert!(seen.contains(part), "{part}\n{seen}");
    }
    // The guide itself is not cut, though it is five times as long as the output may be; what only looks like one is.
    assert!(seen.len() > 40_000 && seen.contains("long long\n"), "{}", seen.len());
    assert!(!seen.contains("SECRET-OUTSIDE") && !seen.contains("BODY-OF-RENAMED"));
    let forged = model.prompt(2);
    assert!(forged.last().contains("left out") && forged.last().len() < 10_000, "{}", forged.last().len());
    assert_eq!(fs::read_to_string(mine.join("tea/assets/pot.md")).unwrap(), "POT", "no script writes");
    model.assert_sound();
}

#[tokio::test]
async fn over_the_budget_of_a_prompt_a_line_remains_and_after_the_idle_time_nothing() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|n, _| match n {
        1 => js("await skills.load('large'); await skills.load('small');"),
        _ => js("await telegram.sendText('ok')"),
    })
    .await;
    let large = format!("---\nname: large\ndescription: d\n---\nLARGE-BODY {}", "x".repeat(20_000));
    let files =
        [("large/SKILL.md", large.as_str()), ("small/SKILL.md", "---\nname: small\ndescription: d\n---\nSMALL-BODY")];
    let home = home(&server, &model, "[turn]\nguides = \"4s\"", &files);
    let running = home.run(&[]);
    let answers = || server.acts().iter().filter(|act| act.text == "ok").count();
    server.say(group, ALICE, "@xiaxia_bot one", None);
    until("the first answer", || answers() == 1).await;
    server.say(group, ALICE, "@xiaxia_bot two", None);
    until("the second answer", || answers() == 2).await;
    tokio::time::sleep(std::time::Duration::from_millis(4500)).await;
    server.say(group, ALICE, "@xiaxia_bot three", None);
    until("the third answer", || answers() == 3).await;
    assert!(running.terminate().success(), "{}", home.log());
    let both = model.prompt(1);
    assert!(
        both.last().contains("LARGE-BODY") && both.last().contains("SMALL-BODY"),
        "whole in the turn that loaded them"
    );
    let next = model.prompt(2).all();
    assert!(!next.contains("LARGE-BODY") && next.contains("SMALL-BODY"), "{next}");
    assert!(next.contains("(Loaded earlier and put away since; skills.load brings one back: large.)"), "{next}");
    let later = model.prompt(3).all();
    assert!(!later.contains("SMALL-BODY") && !later.contains("brings one back"), "{later}");
}

#[test]
fn odd_guides_are_named_and_the_others_load() {
    let home = tempfile::tempdir().unwrap();
    let mine = home.path().join("mine");
    write(
        &mine,
        &[
            ("tea/SKILL.md", TEA),
            ("tea/api.d.ts", "declare const x: {}"),
            ("empty/SKILL.md", ""),
            ("bare/SKILL.md", "# Bare\n"),
            ("linked/text.md", "---\nname: linked\ndescription: d\n---\n"),
            ("outside.md", "---\nname: out\ndescription: d\n---\n"),
        ],
    );
    std::os::unix::fs::symlink("text.md", mine.join("linked/SKILL.md")).unwrap();
    fs::create_dir_all(mine.join("out")).unwrap();
    std::os::unix::fs::symlink("../outside.md", mine.join("out/SKILL.md")).unwrap();
    write(&mine, &[("huge/SKILL.md", &format!("---\nname: huge\ndescription: d\n---\n{}", "x".repeat(3_000_000)))]);
    fs::create_dir_all(mine.join("latin")).unwrap();
    fs::write(mine.join("latin/SKILL.md"), b"---\nname: latin\ndescription: caf\xe9\n---\n").unwrap();
    let (code, out, errors) = groupmate(&["skills", "--dir", "mine"], home.path());
    assert_eq!(code, 1);
    for part in ["\ntea-timer ", "\nlinked ", "note: the folder is `tea`, the skill `tea-timer`"] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    for part in [
        "empty (mine/empty/SKILL.md:1): is refused: SKILL.md is empty",
        "bare (mine/bare/SKILL.md:1): is refused: SKILL.md must begin with front matter",
        "out (mine/out/SKILL.md): it leads out of the skill's folder",
        "huge (mine/huge/SKILL.md): it has 3000034 bytes; at most 80384 are read",
        "latin (mine/latin/SKILL.md): it is not UTF-8: byte 33 is wrong",
    ] {
        assert!(errors.contains(part), "{part}\n{errors}");
    }
    let (_, out, _) = groupmate(&["skills", "--dir", "mine", "--json"], home.path());
    let all: serde_json::Value = serde_json::from_str(&out).unwrap();
    let tea = all["guides"].as_array().unwrap().iter().find(|g| g["name"] == "tea-timer").unwrap().clone();
    assert_eq!((&tea["offered"], tea["tokens"].as_u64().is_some_and(|n| n > 10)), (&true.into(), true), "{tea}");
    let (_, brief, _) = groupmate(&["skills", "--dir", "mine", "brief"], home.path());
    assert!(brief.contains("<skill name=\"linked\">d</skill>"), "{brief}");
}

#[tokio::test]
async fn reload_takes_up_changes_for_the_next_turn_names_what_is_broken_and_replays() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let alone = groupmate::chat::ids::ChatId(ALICE.0);
    let model = Model::start(|n, _| match n {
        1 => js("await telegram.sendText('one ' + (await echo.say()))"),
        2 => js("await skills.load('coffee')"),
        _ => js("await telegram.sendText('two ' + (await echo.say()))"),
    })
    .await;
    let echo = |says: &str| format!("export default {{ say: () => '{says}' }};");
    let (first, declared) =
        (echo("first"), "declare const echo: { /** Says it. @effect read */ say(): Promise<string> };");
    let files = [
        ("tea/SKILL.md", TEA),
        ("echo/index.js", first.as_str()),
        ("echo/echo.d.ts", declared),
        // In the same child as `echo`, which must not suffer from it.
        ("throws/index.js", "throw new Error('not today');"),
        ("throws/throws.d.ts", "declare const throws: { f(): void };"),
    ];
    let home = home(&server, &model, &format!("[privacy]\noperators = [{}]", ALICE.0), &files);
    let journal = home.folder.path().join("session.jsonl");
    let journal = journal.to_str().unwrap();
    let running = home.run(&["--record", journal]);
    let said = |text: &str| server.acts().into_iter().find(|act| act.text.contains(text));
    server.say(group, ALICE, "@xiaxia_bot one", None);
    until("one", || said("one first").is_some()).await;

    let mine = home.folder.path().join("mine");
    let saved: Vec<_> =
        ["tea/SKILL.md", "echo/index.js"].map(|file| fs::read_to_string(mine.join(file)).unwrap()).into();
    fs::remove_dir_all(mine.join("tea")).unwrap();
    write(
        &mine,
        &[
            ("coffee/SKILL.md", "---\nname: coffee\ndescription: Brews coffee.\n---\nBODY-OF-COFFEE"),
            ("bare/SKILL.md", "# Bare"),
            ("echo/index.js", &echo("second")),
        ],
    );
    server.say(group, ALICE, "/reload", None);
    until("the answer in the group", || said("有问题的：bare, throws。").is_some()).await;
    assert!(!said("有问题的").unwrap().text.contains("mine"), "where skills lie is not told to a group");
    server.say(alone, ALICE, "/reload", None);
    until("the answer in private", || said("- bare (").is_some()).await;
    let told = said("- bare (").unwrap().text;
    for part in
        ["10 个技能，2 份指南", "mine/bare/SKILL.md:1): is refused: SKILL.md must begin", "- throws (", "not today"]
    {
        assert!(told.contains(part), "{part}\n{told}");
    }
    server.say(group, crate::support::BOB, "/reload", None);
    until("a refusal", || said(&crate::support::BOB.0.to_string()).is_some()).await;
    server.say(group, ALICE, "@xiaxia_bot two", None);
    until("two", || said("two second").is_some()).await;
    assert!(running.terminate().success(), "{}", home.log());
    model.assert_sound();
    let (before, after) = (model.prompt(0), model.prompt(model.asked() - 2));
    assert!(catalogue(&before).contains("tea-timer") && !catalogue(&before).contains("Brews"), "{}", before.system);
    assert!(catalogue(&after).contains("Brews") && !catalogue(&after).contains("tea-timer"), "{}", after.system);
    assert!(model.prompt(model.asked() - 1).last().contains("BODY-OF-COFFEE"));

    // A restart has them too; and a replay of the session goes through the reload as it was.
    let (_, out, _) = groupmate(&["skills", "--dir", "mine"], home.folder.path());
    assert!(out.contains("\ncoffee ") && !out.contains("tea-timer"), "{out}");
    fs::remove_dir_all(mine.join("coffee")).unwrap();
    fs::remove_dir_all(mine.join("bare")).unwrap();
    write(&mine, &[("tea/SKILL.md", &saved[0]), ("echo/index.js", &saved[1])]);
    let config = home.config.to_str().unwrap();
    let (code, out, errors) = groupmate(&["replay", journal, "--config", config], home.folder.path());
    assert_eq!(code, 0, "{out}\n{errors}");
    assert!(out.contains("replayed exactly"), "{out}");
}

#[test]
fn a_skill_takes_no_name_that_scripts_have_already() {
    let home = tempfile::tempdir().unwrap();
    let script = "Object.getOwnPropertyNames(globalThis).filter((name) => /^[a-z_$]/.test(name)).join(' ')";
    let (code, out, errors) = groupmate(&["skills", "try", script], home.path());
    assert_eq!(code, 0, "{out}\n{errors}");
    let names: Vec<&str> = out.split("```").nth(1).unwrap().split_whitespace().collect();
    assert!(names.len() > 25 && names.contains(&"atob") && names.contains(&"telegram"), "{out}");
    let bundled = ["tavily", "calc", "dice"];
    for name in names.iter().filter(|name| !bundled.contains(name)) {
        write(&home.path().join("mine"), &[(&format!("{name}/index.js"), "export default {};")]);
    }
    for name in ["Upper", "with space", "1st", "a-b", "class"] {
        write(&home.path().join("mine"), &[(&format!("{name}/index.js"), "export default {};")]);
    }
    let (_, out, errors) = groupmate(&["skills", "--dir", "mine", "--json"], home.path());
    let all: serde_json::Value = serde_json::from_str(&out).unwrap();
    let mine = |skill: &&serde_json::Value| skill["origin"] != "bundled";
    assert_eq!(all["skills"].as_array().unwrap().iter().filter(mine).count(), 0, "{out}\n{errors}");
    let refused = all["problems"].as_array().unwrap().iter().filter(|problem| {
        let text = problem["message"].as_str().unwrap();
        text.contains("cannot be what scripts call it") || text.contains("belongs to the host")
    });
    assert_eq!(refused.count(), names.len() - bundled.len() + 5, "{out}");
}
