use std::fs;
use std::path::Path;

use super::*;

fn read(folder: &str, text: &str) -> Result<(Guide, String), Problem> {
    parse(folder, "somewhere", text)
}

/// What a file of the collection must give, in the words of its README.
enum Gives {
    /// Loaded, with these in the warnings.
    Loaded(&'static [&'static str]),
    Refused(&'static str),
}
use Gives::{Loaded, Refused};

const COLLECTION: [(&str, Gives, &str); 19] = [
    (
        "real/discord",
        Loaded(&["SKILL.md:3", "`description` holds \": \"", "in quotes"]),
        "discord tool: send messages,",
    ),
    ("real/food-order", Loaded(&["SKILL.md:3", "`description` holds \": \""]), "Triggers: order food,"),
    ("real/canvas", Refused("this one begins with `# Canvas Skill`"), ""),
    ("real/lobster", Refused("this one begins with `# Lobster`"), ""),
    ("real/summarize", Loaded(&[]), "(great fallback for “transcribe this YouTube/video”)"),
    ("real/prose", Loaded(&[]), "`prose` command"),
    ("real/dolphindb", Loaded(&["1731 characters, 1024 are allowed"]), "The ONE skill for anything DolphinDB — covers"),
    (
        "real/claude-api",
        Loaded(&["1068 characters, 1024 are allowed"]),
        "token counting, model migration. TRIGGER — read",
    ),
    ("real/hologres-slow-query-analysis", Loaded(&[]), "\"慢Query分析\", \"Hologres性能诊断\""),
    ("real/md-to-pdf", Loaded(&[]), "\"markdown 转 pdf\", \"md 转 pdf\""),
    ("real/hologres-ad-campaign", Loaded(&[]), "通过 Hologres AI Function 生成广告素材"),
    ("real/zoom-out", Loaded(&["SKILL.md:4", "not to be offered"]), "zoom out"),
    ("real/simplify", Loaded(&[]), "unnecessary complexity"),
    ("real/skill-creator", Loaded(&[]), "Create new skills"),
    ("made/bom", Loaded(&[]), "Tells the time in another city."),
    ("made/crlf", Loaded(&[]), "read or clear the list."),
    ("made/empty", Refused("SKILL.md is empty; it needs front matter with `name` and `description`"), ""),
    (
        "made/other-name",
        Loaded(&["the folder is `other-name`, the skill `tea-timer`: it loads under `tea-timer`"]),
        "tea",
    ),
    ("made/tools-string", Loaded(&[]), "who wrote a line of code"),
];

fn check(name: &str, text: &str, gives: &Gives, holds: &str) {
    let folder = name.rsplit('/').next().unwrap();
    match (read(folder, text), gives) {
        (Ok((guide, body)), Loaded(warnings)) => {
            let told: String = guide.warnings.iter().map(|p| format!("{} {}\n", p.place, p.message)).collect();
            assert_eq!(guide.warnings.len(), usize::from(!warnings.is_empty()), "{name}: {told}");
            for warning in *warnings {
                assert!(told.contains(warning), "{name}: {warning} in {told}");
            }
            assert!(guide.description.contains(holds), "{name}: {}", guide.description);
            assert!(guide.description.chars().count() <= 1024, "{name}");
            assert!(!guide.description.contains(['\n', '\r']) && !guide.name.contains('\r'), "{name}");
            assert_eq!(guide.is_offered, folder != "zoom-out", "{name}");
            assert_eq!(guide.name, if folder == "other-name" { "tea-timer" } else { folder });
            assert!(!body.starts_with("---") && body == body.trim() && !body.contains('\u{feff}'), "{name}");
        }
        (Err(problem), Refused(why)) => {
            assert!(problem.message.contains(why) && problem.place.starts_with("SKILL.md"), "{name}: {problem:?}");
        }
        (other, _) => panic!("{name}: {other:?}"),
    }
}

#[test]
fn every_odd_file_of_the_collection_gives_what_it_should() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/skill-md");
    if !folder.is_dir() {
        eprintln!("LEFT OUT: {} is not here; the made ones are tested from tests/data", folder.display());
        return;
    }
    for (name, gives, holds) in &COLLECTION {
        let text = fs::read_to_string(folder.join(name).join(MAIN)).unwrap();
        check(name, &text, gives, holds);
    }
    let found = ["real", "made"].iter().map(|part| fs::read_dir(folder.join(part)).unwrap().count()).sum::<usize>();
    assert_eq!(found, COLLECTION.len(), "every file of the collection is a row");
}

#[test]
fn the_made_ones_give_what_they_should() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/skill-md");
    for (name, gives, holds) in COLLECTION.iter().filter(|(name, ..)| name.starts_with("made/")) {
        let text = fs::read_to_string(folder.join(name).join(MAIN)).unwrap();
        check(name, &text, gives, holds);
    }
}

#[test]
fn what_is_loaded_is_the_body_and_what_is_refused_says_why() {
    let front = |front: &str| format!("---\n{front}\n---\nBody\n");
    type Row = (&'static str, String, Result<(&'static str, &'static str), &'static str>);
    let rows: Vec<Row> = vec![
        ("tea", front("name: tea\ndescription: d"), Ok(("tea", "d"))),
        ("tea", front("description: d"), Ok(("tea", "d"))),
        ("tea", front("name:\ndescription: d"), Ok(("tea", "d"))),
        ("tea", front("name: Tea Timer\ndescription: d"), Ok(("tea", "d"))),
        ("tea", front("name: -x\ndescription: d"), Ok(("tea", "d"))),
        ("tea", front("name: 42\ndescription: 7"), Ok(("42", "7"))),
        ("tea", front("name: \"tea\"\ndescription: 'it''s'"), Ok(("tea", "it's"))),
        ("tea", front("name: tea\ndescription: it's for: tea"), Ok(("tea", "it's for: tea"))),
        ("tea", front("name: tea\ndescription: &a d\nother: *a"), Ok(("tea", "d"))),
        ("tea", front("name: tea\ndescription: d # a remark"), Ok(("tea", "d"))),
        ("tea", front("? [a, b]\n: c\nname: tea\ndescription: d"), Ok(("tea", "d"))),
        ("Tea", front("description: d"), Err("no usable `name`")),
        ("Tea", front("name: A B\ndescription: d"), Err("no usable `name`")),
        ("tea", front("name: tea"), Err("no `description`")),
        ("tea", front("name: tea\ndescription: \"  \""), Err("no `description`")),
        ("tea", front("name: tea\ndescription: [a, b]"), Err("no `description`")),
        ("tea", front("name: tea\ndescription: ~"), Err("no `description`")),
        ("tea", front("- a\n- b"), Err("keys with values")),
        ("tea", front("just text"), Err("keys with values")),
        ("tea", front(""), Err("keys with values")),
        ("tea", front("name: [tea\ndescription: d"), Err("not YAML")),
        ("tea", "---\nname: tea\ndescription: d\n".to_owned(), Err("not closed")),
        ("tea", " ---\nname: tea\n---\n".to_owned(), Err("begins with `---`")),
        ("tea", "\u{feff}\r\n \n".to_owned(), Err("is empty")),
        ("tea", front(&format!("name: tea\ndescription: d\nx: {}", "y".repeat(FRONT))), Err("first 16384 bytes")),
        (
            "tea",
            format!("---\nname: tea\ndescription: d\n---\n{}", "x".repeat(BODY + 1)),
            Err("64001 bytes; at most 64000"),
        ),
        ("tea", format!("---\nname: tea\n{}", "a: b\n".repeat(600_000)), Err("3000014 bytes; at most 80384")),
    ];
    for (folder, text, expected) in rows {
        let short: String = text.chars().take(80).collect();
        match (read(folder, &text), expected) {
            (Ok((guide, body)), Ok((name, description))) => {
                assert_eq!((guide.name.as_str(), guide.description.as_str()), (name, description), "{short}");
                assert_eq!(body, "Body", "{short}");
            }
            (Err(problem), Err(why)) => assert!(problem.message.contains(why), "{short}: {problem:?}"),
            (other, _) => panic!("{short}: {other:?}"),
        }
    }
}

#[test]
fn front_matter_that_would_explode_is_read_in_a_moment() {
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for n in 1..60 {
        let before = format!("*a{}, ", n - 1).repeat(10);
        laughs.push_str(&format!("a{n}: &a{n} [{}]\n", before.trim_end_matches(", ")));
    }
    let text = format!("---\n{laughs}name: tea\ndescription: d\n---\nBody");
    assert!(text.len() < FRONT);
    assert_eq!(read("tea", &text).unwrap().0.description, "d");
    let deep = format!("---\nx: {}\nname: tea\ndescription: d\n---\n", "[".repeat(8000));
    assert!(read("tea", &deep).is_err());
    let closed = format!("---\nx: {}{}\nname: tea\ndescription: d\n---\n", "[".repeat(4000), "]".repeat(4000));
    let read = read("tea", &closed);
    assert!(read.as_ref().is_ok_and(|(guide, _)| guide.name == "tea") || read.is_err(), "and no stack is lost");
}

#[test]
fn only_texts_inside_the_folder_may_be_asked_for() {
    for path in ["references/style.md", "assets/week.csv", "notes.txt", "api.d.ts", "references/a/b.json", "x.yaml"] {
        assert_eq!(may_be_read(path), Ok(()), "{path}");
    }
    for path in [
        "../x.md",
        "references/../../x.md",
        "/etc/x.md",
        "references//x.md",
        "./x.md",
        "references\\x.md",
        "",
        "SKILL.md",
        "package.json",
        "scripts/run.md",
        "assets/logo.png",
        "run.sh",
        ".env.md",
        "references/.git/x.md",
        "index.ts",
    ] {
        assert!(may_be_read(path).is_err(), "{path}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_reading_panic(text in "(---\n)?[-a-z:'\"|>\\[\\]{}&*# \n\\u{feff}好]{0,200}(\n---\n)?.{0,20}") {
        let _ = read("tea", &text);
        let _ = may_be_read(&text);
    }
}
