use super::*;
use crate::skills::bundled::bundled;

fn files(name: &str, origin: &str, files: &[(&str, &str)]) -> SkillFiles {
    let files = files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
    SkillFiles { name: name.to_owned(), origin: origin.to_owned(), files }
}

fn built_in() -> Registry {
    let (registry, problems) = Registry::build(bundled());
    assert_eq!(problems, Vec::new());
    registry
}

#[test]
fn bundled_skills_have_methods_effects_and_code() {
    let registry = built_in();
    assert_eq!(registry.globals(), ["telegram", "memory", "turn", "agenda", "skills", "tavily", "calc", "dice"]);
    let paths: Vec<&str> = registry.skills().flat_map(|s| &s.declaration.methods).map(|m| m.path.as_str()).collect();
    let (telegram, others): (Vec<&str>, Vec<&str>) = paths.iter().partition(|path| path.starts_with("telegram."));
    assert_eq!(telegram.first(), Some(&"telegram.sendText"));
    assert!(telegram.contains(&"telegram.react"));
    assert_eq!(
        others,
        [
            "memory.remember",
            "memory.recall",
            "memory.person",
            "memory.history",
            "turn.pass",
            "agenda.remind",
            "agenda.list",
            "agenda.cancel",
            "skills.docs",
            "skills.load",
            "skills.read",
            "tavily.search",
            "tavily.extract",
            "calc.eval",
            "dice.roll",
            "dice.draw",
            "dice.shuffle"
        ]
    );
    for path in ["telegram.sendText", "telegram.react", "memory.remember", "agenda.remind", "agenda.cancel"] {
        assert_eq!(registry.effect(path), Effect::Write, "{path}");
    }
    for path in [
        "memory.recall",
        "memory.person",
        "memory.history",
        "turn.pass",
        "agenda.list",
        "skills.docs",
        "skills.load",
        "skills.read",
        "tavily.search",
    ] {
        assert_eq!(registry.effect(path), Effect::Read, "{path}");
    }
    assert_eq!(registry.effect("tavily.crawl"), Effect::Write);
    assert_eq!(registry.risk("tavily.search"), Risk::Safe);
    assert_eq!(registry.risk("tavily.crawl"), Risk::Ask);
    assert!(registry.skill("tavily").unwrap().code.is_some());
    assert!(registry.skills().all(|skill| !skill.summary.is_empty() && !skill.summary.contains(".d.ts")));
}

#[test]
fn the_brief_of_the_bundled_skills() {
    expect_test::expect![[r###"
        ## telegram
        the chat you are in. Send and react in this chat. People see only what you send here, never your thoughts or what you print.
        - sendText: Send a text message to this chat, or answer one of its messages.
        - edit: Change the text of a message of yours; buttons under it stay only if you give them again.
        - editButtons: Change only the buttons under a message of yours; `null` takes them away.
        - react: Put an emoji reaction on a message of this chat: often kinder than a whole sentence.
        - delete: Delete a message of yours.
        - sticker: Send a sticker that was seen in this chat, chosen by its emoji.
        - poll: Ask everybody in a poll.
        - forward: Forward a message of this chat, its author named.
        - copy: Send a message of this chat again as your own, its author not named.
        - pin: Pin a message of this chat.
        - unpin: Unpin a message of this chat.
        - chat: What this chat is: title, description, kind, what members may do.
        - administrators: Who administers this chat.
        - member: Whether a person is in this chat, and as what.
        - createTopic: Open a new topic in this forum.
        - closeTopic: Close a topic, so that nobody writes in it.
        - reopenTopic: Open a closed topic again.
        - admin.ban: Ban a person from this chat.
        - admin.unban: Let a banned person come back.
        - admin.mute: Forbid a person to write for some minutes.
        - admin.unmute: Let a muted person write again.
        - admin.inviteLink: Make an invite link to this chat.
        - admin.setTitle: Change this chat's title.

        ## memory
        what you know. Remember people and things beyond this conversation, and look up what was said before. What was told in private is never given out elsewhere.
        - remember: Keep one statement for later: who likes what, what was agreed, what will happen.
        - recall: Find what you remembered that fits a question, best first.
        - person: Look up a person by id or by name, former names too.
        - history: Read older messages: search them by words, or page back through this chat.

        ## turn
        this turn of yours. Say that you are done without a word.
        - pass: End this turn without saying anything, on purpose. People see nothing of it.

        ## agenda
        reminders of this chat. Be woken here at a time of your choice, to do what was promised.
        - remind: At a time, such as "in 20 minutes", be woken in this chat to do what was promised. It outlives restarts.
        - list: List the reminders that are set in this chat, soonest first.
        - cancel: Take a reminder of this chat back.

        ## skills
        how to use the others. Read a method's documentation before you call it, when a wrong guess would cost something, and load a guide before you do what it is about.
        - docs: Ask for the full documentation of a method or of a whole skill. It comes with the report on this script.
        - load: Load a guide: instructions for a kind of task, by the name in the list of guides. It comes with the report on this script.
        - read: Read a text file of a guide that you loaded. It comes with the report on this script too, so there is no need to print it.

        ## tavily
        web search. Look things up on the web: news, facts, prices, addresses, whatever may have changed since you learned it.
        - search: Search the web and get pages with their gist, and a short answer if one can be given.
        - extract: Fetch web pages as readable text.

        ## calc
        a calculator. Calculate exactly: sums, splits, percentages, powers, roots, logarithms, angles. Use it instead of reckoning in your head.
        - eval: Calculate one expression. Sums, products, quotients and whole powers are exact: `0.1 + 0.2` is `0.3`. Operators: `+ - * / % ^ !` and parentheses; `×`, `÷`, `−` and `**` are understood, so is `15%` of something: `15% * 80`. Functions: sqrt cbrt abs round floor ceil min max gcd lcm ln log log2 exp sin cos tan asin acos atan (radians), deg, rad. Constants: pi, e.

        ## dice
        fair chance. Throw dice, draw lots, shuffle. Use it whenever chance is to decide, so that nobody has to trust your choice.
        - roll: Throw dice written as people write them: `2d6`, `d20+3`, `4d6kh3` (keep the highest three), `d%`.
        - draw: Draw some of several things, each at most once.
        - shuffle: Put things into a random order.
    "###]].assert_eq(&built_in().briefs(usize::MAX));
}

#[test]
fn briefs_shrink_within_their_budget() {
    let registry = built_in();
    let full = registry.briefs(usize::MAX);
    for budget in [full.len(), full.len() - 1, 900, 500, 200, 50, 0] {
        let text = registry.briefs(budget);
        assert!(text.len() <= budget, "{budget}: {}", text.len());
        assert_eq!(text, registry.briefs(budget));
    }
    assert!(registry.briefs(full.len() - 1).contains("- sendText: "));
}

/// Fifty skills, of the sizes that skills have.
#[test]
fn fifty_skills_fit_and_each_is_named() {
    let mut all = bundled();
    let kinds: Vec<SkillFiles> =
        all.iter().filter(|s| ["tavily", "memory", "agenda"].contains(&s.name.as_str())).cloned().collect();
    for n in 0.. {
        if all.iter().filter(|files| has_skill(files)).count() == 50 {
            break;
        }
        let (kind, name) = (&kinds[n % kinds.len()], format!("skill{n}"));
        let text = kind.files[&format!("{}.d.ts", kind.name)]
            .replace(&format!("const {}:", kind.name), &format!("const {name}:"));
        all.push(files(&name, "mine", &[(&format!("{name}.d.ts"), &text), ("index.js", "export default {};")]));
    }
    let (registry, problems) = Registry::build(all.clone());
    assert_eq!((registry.skills().count(), problems), (50, Vec::new()));
    let briefs = registry.briefs(BRIEFS);
    assert!(briefs.len() <= BRIEFS, "{}", briefs.len());
    for skill in registry.skills() {
        assert!(briefs.contains(&format!("## {}", skill.name)), "{}", skill.name);
        for method in &skill.declaration.methods {
            let name = method.path.rsplit('.').next().unwrap_or_default();
            assert!(briefs.contains(name), "{}", method.path);
        }
    }
    // Byte-stable: whoever reads the same files again says the same.
    assert_eq!(Registry::build(all).0.briefs(BRIEFS), briefs);
}

#[test]
fn what_cannot_be_used_is_not_promised() {
    let registry = built_in().lacking(["tavily".to_owned()]);
    assert_eq!(registry.unavailable().collect::<Vec<_>>(), ["tavily"]);
    let briefs = registry.briefs(usize::MAX);
    assert!(briefs.contains("## agenda") && !briefs.contains("tavily"), "{briefs}");
    // Who calls it all the same is told what it is.
    assert!(registry.method("tavily.search").is_some() && registry.globals().contains(&"tavily".to_owned()));
}

#[test]
fn slips_of_the_pen_find_what_was_meant() {
    let registry = built_in();
    for (wrong, right) in [
        ("telegram.send", "telegram.sendText"),
        ("telegram.sendMessage", "telegram.sendText"),
        ("telegram.sendtext", "telegram.sendText"),
        ("telegram.send_text", "telegram.sendText"),
        ("telegram.raect", "telegram.react"),
        ("telgram.sendText", "telegram.sendText"),
        ("tg.sendText", "telegram.sendText"),
        ("memory.persons", "memory.person"),
        ("tavily.serach", "tavily.search"),
        ("tavily.searchWeb", "tavily.search"),
    ] {
        assert_eq!(registry.nearest(wrong).first().map(String::as_str), Some(right), "{wrong}");
    }
    for far in ["telegram.sendText", "tavily.crawl", "tavily.map", "nothing.atAll", "telegram", ""] {
        assert_eq!(registry.nearest(far), Vec::<String>::new(), "{far}");
    }
}

#[test]
fn a_broken_skill_is_told_and_the_others_load() {
    let declared = "/** Says it. */ declare const echo: { /** Says it. */ say(text: string): Promise<string>; };";
    let (registry, problems) = Registry::build(vec![
        files("echo", "a/echo", &[("echo.d.ts", declared), ("index.js", "export default { say: (t) => t };")]),
        files("broken", "a/broken", &[("broken.d.ts", declared), ("index.js", "export default {{")]),
        files("telegram", "a/telegram", &[("telegram.d.ts", declared), ("index.js", "export default {}")]),
        files("web-tools", "a/web-tools", &[("index.js", "export default {}")]),
        files("console", "a/console", &[("index.js", "export default {}")]),
        files("hollow", "a/hollow", &[("hollow.d.ts", "declare const hollow: { f(): void }")]),
        files("guide", "a/guide", &[("SKILL.md", "---\nname: guide\n---\n")]),
        files(
            "good",
            "a/good",
            &[("SKILL.md", "---\nname: good\ndescription: d\n---\n"), ("x.d.ts", "declare const x: {}")],
        ),
    ]);
    assert_eq!(registry.globals(), ["echo"]);
    let told: Vec<&str> = problems.iter().map(|p| p.skill.as_str()).collect();
    assert_eq!(told, ["guide", "broken", "broken", "telegram", "web-tools", "console", "hollow"], "{problems:#?}");
    assert!(problems.iter().any(|p| p.place.starts_with("index.js:1:")));
    assert_eq!(registry.guides().map(|guide| guide.name.as_str()).collect::<Vec<_>>(), ["good"]);
}

#[test]
fn configured_skills_replace_bundled_ones_and_the_digest_tells() {
    let mut all = bundled();
    all.push(files(
        "tavily",
        "my/tavily",
        &[("tavily.d.ts", "declare const tavily: { /** Mine. */ mine(): void };"), ("index.js", "export default {};")],
    ));
    let (registry, problems) = Registry::build(all.clone());
    assert_eq!(problems, Vec::new());
    assert_eq!(registry.skill("tavily").unwrap().origin, "my/tavily");
    assert!(registry.method("tavily.mine").is_some() && registry.method("tavily.search").is_none());
    assert_eq!(registry.digest().len(), 64);
    assert_ne!(registry.digest(), built_in().digest());
    assert_eq!(registry.digest(), Registry::build(all.clone()).0.digest());
    all.push(files("tavily", "my/tavily", &[("tavily.d.ts", "declare const tavily: {}")]));
    assert_eq!(Registry::build(all).1.len(), 1);
}

#[test]
fn one_root_holds_a_name_once_and_a_later_root_overrides() {
    let code = |name: &str, origin: &str, says: &str| {
        let declared = format!("declare const {name}: {{ /** {says} */ say(): void }};");
        files(name, origin, &[(&format!("{name}.d.ts"), &declared), ("index.js", "export default {};")])
    };
    let guide = |folder: &str, root: &str, says: &str| {
        let text = format!("---\nname: tea\ndescription: {says}\n---\n");
        files(folder, &format!("{root}/{folder}"), &[("SKILL.md", &text)])
    };
    let (registry, problems) = Registry::build(vec![
        code("echo", "one/echo", "First."),
        code("echo", "two/echo", "Second."),
        guide("tea", "one", "First."),
        guide("more-tea", "one", "Beside."),
        guide("tea", "two", "Second."),
    ]);
    assert_eq!(registry.method("echo.say").unwrap().doc.text, "Second.");
    assert_eq!(registry.guide("tea").unwrap().description, "Second.");
    let told: Vec<String> = problems.iter().map(|p| format!("{} {}: {}", p.skill, p.place, p.message)).collect();
    assert_eq!(told, ["tea one/more-tea: is there already, from one/tea; this one is left out"]);

    // A broken one overrides nothing.
    let mut broken = code("tavily", "my/tavily", "Mine.");
    broken.files.insert("index.js".to_owned(), "export default {{".to_owned());
    let mut all = bundled();
    all.push(broken);
    let (registry, problems) = Registry::build(all);
    assert_eq!((registry.skill("tavily").unwrap().origin.as_str(), problems.len()), ("bundled", 1));
}
