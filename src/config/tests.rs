use serde_json::Value;

use super::*;
use crate::chat::audience::Audience;
use crate::time::Span;

fn read(text: &str) -> Result<Config, ConfigError> {
    let env: BTreeMap<String, String> = [("TOKEN".to_owned(), "12:ab".to_owned())].into();
    Config::from_text("c.toml", text, Path::new("/etc/bot"), &env)
}

fn refusal(text: &str) -> String {
    let message = read(text).unwrap_err().to_string();
    assert!(!message.contains('\n'), "one line: {message}");
    message
}

#[test]
fn an_empty_file_is_all_defaults() {
    let config = read("").unwrap();
    assert_eq!(config.data, Path::new("/etc/bot/data"));
    assert_eq!((config.zone.name(), config.language), ("Asia/Shanghai", Language::Zh));
    assert_eq!(config.persona.name, "小夏");
    assert_eq!(config.telegram.api, "https://api.telegram.org");
    assert_eq!(config.sandbox.memory, 128 << 20);
    assert_eq!(config.attention, crate::attention::settings::Settings::default());
    let missing = config.token().unwrap_err().to_string();
    assert!(missing.starts_with("c.toml: `telegram.token` is missing") && missing.contains("BotFather"), "{missing}");
    let missing = config.model("turn").unwrap_err().to_string();
    assert!(missing.starts_with("c.toml: `model` is missing"), "{missing}");
}

#[test]
fn a_full_file_is_resolved() {
    let config = read(
        r#"
        data = "/var/bot"
        language = "en"
        rules = " Be kind. "
        persona = "robin"
        [telegram]
        token_env = "TOKEN"
        api = "http://127.0.0.1:8081/"
        [model]
        base_url = "https://api.deepseek.com/"
        name = "deepseek-chat"
        key = "sk-1"
        timeout = "2m"
        [models.reflect]
        name = "small"
        temperature = 0.2
        [attention]
        quiet = "23:00-08:00"
        finish_group = "500ms"
        [store]
        cache = "64MB"
        [privacy]
        operators = [7]
        public = [-300]
        [circles]
        work = [-100, -101]
        [chats."-100"]
        rules = "English only."
        language = "zh"
        [skills]
        folders = ["skills", "/opt/skills"]
        [skills.tavily]
        depth = "basic"
        TAVILY_API_KEY_env = "TOKEN"
        OTHER_env = "ABSENT"
        [skills.tavily.methods]
        "*" = "ask"
        extract = "deny"
        [network]
        allow = ["127.0.0.1:9000"]
        "#,
    )
    .unwrap();
    assert_eq!(config.data, Path::new("/var/bot"));
    assert_eq!(config.token().unwrap().expose(), "12:ab");
    assert_eq!(config.telegram.api, "http://127.0.0.1:8081");
    let turn = config.model("turn").unwrap();
    assert_eq!((turn.base_url.as_str(), turn.name.as_str()), ("https://api.deepseek.com", "deepseek-chat"));
    let reflect = config.model("reflect").unwrap();
    assert_eq!((reflect.name.as_str(), reflect.timeout, reflect.temperature), ("small", Span::minutes(2), Some(0.2)));
    assert_eq!(reflect.key, turn.key);
    assert_eq!(config.attention.quiet, Some((23, 8)));
    assert_eq!(config.cache, 64 << 20);
    assert_eq!(config.circles.audience(ChatId(-101)), Audience::Circle("work".into()));
    assert_eq!(config.circles.audience(ChatId(-300)), Audience::Everyone);
    assert_eq!(config.rules_of(ChatId(-100)), "Be kind.\nEnglish only.");
    assert_eq!(config.rules_of(ChatId(-101)), "Be kind.");
    assert_eq!(config.language_of(ChatId(-100)), Language::Zh);
    assert_eq!(config.skill_folders, [Path::new("/etc/bot/skills"), Path::new("/opt/skills")]);
    let tavily = &config.skills["tavily"];
    assert_eq!(tavily.value("depth").unwrap(), Some(&Value::from("basic")));
    assert_eq!(tavily.value("TAVILY_API_KEY").unwrap(), Some(&Value::from("12:ab")));
    assert_eq!(tavily.value("unheard").unwrap(), None);
    assert_eq!(tavily.value("methods").unwrap(), None);
    let permission = |path: &str| config.permissions.of(path);
    assert_eq!(permission("tavily.search"), Some(crate::skills::registry::Risk::Ask));
    assert_eq!(permission("tavily.extract"), Some(crate::skills::registry::Risk::Deny));
    assert!(tavily.value("OTHER").unwrap_err().to_string().contains("ABSENT, which is not set"));
}

#[test]
fn nothing_printed_holds_a_secret() {
    let text = "[telegram]\ntoken = \"sesame-1\"\n[model]\nbase_url = \"http://h\"\nname = \"m\"\nkey = \"sesame-2\"\n\
                [skills.tavily]\nKEY = \"sesame-3\"\n";
    let config = read(text).unwrap();
    let shown = format!("{config:?} {} {}", config.canonical(), Secret::new("sesame"));
    assert!(!shown.contains("sesame"), "{shown}");
    for text in
        ["[telegram]\ntoken = [\"sesame\"]", "[telegram]\ntoken = \"sesame\"\ntoken_env = \"X\"", "[model]\nkey = 5"]
    {
        let message = refusal(text);
        assert!(!message.contains("sesame"), "{message}");
    }
}

#[test]
fn a_key_is_not_sent_to_another_server() {
    let config = read(
        "[model]\nbase_url = \"http://a\"\nname = \"m\"\nkey = \"k\"\n[models.reflect]\nbase_url = \"http://b\"\n",
    )
    .unwrap();
    assert_eq!(config.model("reflect").unwrap().key, None);
    assert_eq!(config.model("turn").unwrap().key, Some(Secret::new("k")));
}

#[test]
fn refusals_name_place_key_expectation_and_example() {
    let rows = [
        ("dta = \"x\"", "c.toml:1: unknown key `dta`; did you mean `data`?"),
        ("\n[turn]\nstepz = 3", "c.toml:3: unknown key `turn.stepz`; did you mean `turn.steps`?"),
        ("[turn]\nelephants = 3", "c.toml:2: unknown key `turn.elephants`; known here: guides, output, steps, wall"),
        ("[turm]\nsteps = 3", "c.toml:1: unknown key `turm`; did you mean `turn`?"),
        ("[models.trun]\nname = \"x\"", "c.toml:1: unknown key `models.trun`; did you mean `models.turn`?"),
        (
            "[turn]\nsteps = \"eight\"",
            "c.toml:2: `turn.steps` is \"eight\"; expected a whole number from 1 to 64, for example `steps = 8`",
        ),
        (
            "[turn]\nwall = \"1 year\"",
            "c.toml:2: `turn.wall` is \"1 year\"; expected a time from 10s to 1h, for example `wall = \"3m\"`",
        ),
        (
            "[store]\ncache = 5",
            "c.toml:2: `store.cache` is 5; expected a size from 1MB to 4GB, for example `cache = \"32MB\"`",
        ),
        (
            "zone = \"Mars\"",
            "c.toml:1: `zone` is \"Mars\"; expected the name of a time zone, for example `zone = \"Asia/Shanghai\"`",
        ),
        (
            "language = \"fr\"",
            "c.toml:1: `language` is \"fr\"; expected \"zh\" or \"en\", for example `language = \"zh\"`",
        ),
        ("attention = true", "c.toml:1: `attention` is true or false; expected a table, for example `[attention]`"),
        (
            "[attention]\nambient_threshold = 3",
            "c.toml:2: `attention.ambient_threshold` is 3; expected a number from 0 to 1, for example",
        ),
        ("[attention]\nquiet = \"night\"", "c.toml:2: `attention.quiet` is \"night\"; expected from which whole hour"),
        (
            "[model]\nbase_url = \"api.x.com\"",
            "c.toml:2: `model.base_url` is \"api.x.com\"; expected the address before",
        ),
        (
            "[model]\nbase_url = \"https://x/v1/chat/completions\"",
            "c.toml:2: `model.base_url` is \"https://x/v1/chat/completions\"; expected the address before /chat/completions",
        ),
        (
            "[privacy]\noperators = [-5]",
            "c.toml:2: `privacy.operators` is -5; expected ids of people, which are positive",
        ),
        ("[circles]\nwork = [5]", "c.toml:2: `circles.work` is 5; expected ids of groups, which are negative"),
        ("[circles]\na = [-1]\nb = [-1]", "c.toml:3: `circles.b` is naming -1, which is in circle \"a\" too"),
        ("[chats.main]\nrules = \"x\"", "c.toml:1: `chats.main` is not a chat's id"),
        ("[chats.\"-1\"]\nrulez = \"x\"", "c.toml:2: unknown key `chats.-1.rulez`; did you mean `chats.-1.rules`?"),
        (
            "[network]\nallow = [\"localhost\"]",
            "c.toml:2: `network.allow` is \"localhost\"; expected addresses with a port",
        ),
        ("[skills]\nfolders = \"x\"", "c.toml:2: `skills.folders` is \"x\"; expected paths of folders"),
        ("skills = [\"x\"]", "c.toml:1: `skills` is a list; expected a table"),
        (
            "[skills.x.methods]\n\"a.b\" = \"no\"",
            "c.toml:2: `skills.x.methods.a.b` is \"no\"; expected \"allow\", \"ask\" or \"deny\"",
        ),
        ("data = \"x", "c.toml:1: this is not TOML: "),
        ("a = 1\na = 2", "c.toml:2: this is not TOML: duplicate key"),
        ("persona = \"nobody\"", "c.toml:1: no persona is called \"nobody\""),
    ];
    for (text, expected) in rows {
        let message = refusal(text);
        assert!(message.starts_with(expected), "{text}\n got {message}\nwant {expected}");
    }
}

#[test]
fn the_first_problem_of_the_file_is_reported() {
    assert!(refusal("nonsense = 1\n[turn]\nsteps = 0").starts_with("c.toml:1: unknown key `nonsense`"));
    assert!(refusal("[turn]\nsteps = 0\n[turm]").starts_with("c.toml:2: `turn.steps`"));
}

#[test]
fn a_missing_variable_matters_only_to_who_needs_it() {
    let config = read(
        "[telegram]\ntoken_env = \"ABSENT\"\n[model]\nbase_url = \"http://h\"\nname = \"m\"\nkey_env = \"GONE\"\n",
    );
    let config = config.unwrap();
    let message = config.token().unwrap_err().to_string();
    assert_eq!(
        message,
        "c.toml:2: `telegram.token_env` names the environment variable ABSENT, which is not set; set it before starting"
    );
    assert!(config.model("turn").unwrap_err().to_string().contains("GONE"));
}

#[test]
fn the_digest_follows_behaviour_and_no_secret_or_place() {
    let digest = |text: &str| read(text).unwrap().digest();
    let plain = digest("");
    assert_eq!(plain.len(), 64);
    assert_eq!(plain, digest("data = \"/elsewhere\"\n[telegram]\ntoken = \"1:a\"\n"));
    assert_ne!(plain, digest("rules = \"No spam.\"\n"));
    assert_ne!(plain, digest("persona = \"robin\"\n"));
    assert_eq!(read("persona = \"robin\"\n").unwrap().language, Language::En);
    assert_ne!(plain, digest("[attention]\nstale = \"20m\"\n"));
}

#[test]
fn an_unreadable_file_says_so() {
    let message = Config::load(Path::new("/nowhere/c.toml"), &BTreeMap::new()).unwrap_err().to_string();
    assert!(message.starts_with("/nowhere/c.toml: cannot be read") && message.contains("--config"), "{message}");
}

#[test]
fn the_crash_point_is_read_or_refused() {
    let env = |value: &str| BTreeMap::from([(CRASH_VARIABLE.to_owned(), value.to_owned())]);
    assert_eq!(crash_from(&BTreeMap::new()), Ok(None));
    assert_eq!(crash_from(&env("act row:3")), Ok(Some(("act row".to_owned(), 3))));
    for bad in ["act row", "x:0", ":1", "x:y"] {
        assert!(crash_from(&env(bad)).unwrap_err().to_string().contains(CRASH_VARIABLE), "{bad}");
    }
}

#[test]
fn offline_needs_nothing() {
    let mut config = Config::offline(Path::new("/tmp/x"), "http://127.0.0.1:1/").unwrap();
    assert_eq!((config.data.as_path(), config.telegram.api.as_str()), (Path::new("/tmp/x"), "http://127.0.0.1:1"));
    assert!(config.model("turn").is_err());
    config.set_token(Secret::new("1:x"));
    assert_eq!(config.token().unwrap().expose(), "1:x");
}

/// `config.example.toml` with its keys uncommented.
fn example() -> String {
    let text = include_str!("../../config.example.toml");
    let uncomment = |line: &str| match line.strip_prefix('#') {
        Some(key) if !key.starts_with([' ', '#']) => key.to_owned(),
        Some(_) | None => line.to_owned(),
    };
    text.lines().map(|line| uncomment(line) + "\n").collect()
}

/// One of two keys that exclude each other is left out, the other one kept.
fn without(text: &str, keys: &[&str]) -> String {
    let is_kept = |line: &&str| !keys.iter().any(|key| line.starts_with(&format!("{key} = ")));
    text.lines().filter(is_kept).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_example_holds_exactly_the_known_keys() {
    let text = without(&example(), &["token", "key"]);
    let env = BTreeMap::new();
    let document = written::Document::new("config.example.toml", &text, Path::new(""), &env);
    resolve::config(&document).unwrap();
    // A hook's name is the operator's, and each `do` has keys of its own.
    let nameless = |keys: BTreeSet<String>| -> BTreeSet<String> {
        let nameless = |key: String| match key.strip_prefix("hooks.").and_then(|rest| rest.split_once('.')) {
            Some((_, key)) => format!("hooks.{key}"),
            None => key,
        };
        keys.into_iter()
            .filter(|key| !key.starts_with("hooks.") || key.matches('.').count() > 1)
            .map(nameless)
            .collect()
    };
    let mut written = BTreeSet::new();
    keys(&example().parse::<toml::Table>().unwrap(), "", &mut written);
    let (known, written) = (nameless(document.known()), nameless(written));
    // Names that the operator chooses are no keys of ours.
    let chosen =
        |key: &String| ["circles.", "skills.tavily", "skills.telegram"].iter().any(|prefix| key.starts_with(prefix));
    let unknown: Vec<_> = written.difference(&known).filter(|key| !chosen(key)).collect();
    let unmentioned: Vec<_> = known.difference(&written).filter(|key| !chosen(key)).collect();
    assert!(unknown.is_empty() && unmentioned.is_empty(), "unknown {unknown:?}, not in the example {unmentioned:?}");
}

fn keys(table: &toml::Table, path: &str, out: &mut BTreeSet<String>) {
    for (key, value) in table {
        let key = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        if let Some(table) = value.as_table() {
            keys(table, &key, out);
        }
        out.insert(key);
    }
}

#[test]
fn the_example_shows_the_defaults() {
    // These have no default; the example shows what they could be.
    let shown = without(
        &example(),
        &["token", "token_env", "key", "key_env", "base_url", "name", "temperature", "quiet", "record", "family"],
    );
    let shown = shown.replace("TAVILY_API_KEY_env = \"TAVILY_API_KEY\"\n", "");
    let (mut shown, plain) = (read(&shown).unwrap(), read("").unwrap());
    assert_eq!(
        shown.chats.remove(&ChatId(-1001234567890)),
        Some(ChatSettings { language: Some(Language::Zh), ..ChatSettings::default() })
    );
    for skill in ["tavily", "telegram"] {
        assert_eq!(shown.skills.remove(skill), Some(SkillSettings::default()));
    }
    assert_eq!(shown.groups.allow.take().map(|allow| allow.len()), Some(1));
    assert_eq!(std::mem::take(&mut shown.permissions).iter().count(), 1);
    assert_eq!(std::mem::take(&mut shown.hooks).iter().count(), 3);
    for sense in SENSES {
        assert!(shown.models.remove(sense).is_some() && !plain.has_model(sense), "nobody has {sense} by default");
    }
    assert_eq!(format!("{shown:?}"), format!("{plain:?}"));
}

#[test]
fn the_example_as_it_stands_is_all_defaults() {
    let mut config = read(include_str!("../../config.example.toml")).unwrap();
    config.chats.clear();
    config.skills.clear();
    assert_eq!(format!("{config:?}"), format!("{:?}", read("").unwrap()));
}

proptest::proptest! {
    #[test]
    fn no_text_panics_and_every_refusal_is_one_line(text in "(\\[[a-z.\"-]{0,12}\\]\n|[a-z_]{1,10} = [a-z0-9\"'\\[\\]{}:. ,-]{0,20}\n|\\PC{0,20}\n){0,8}") {
        if let Err(error) = read(&text) {
            proptest::prop_assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
}

#[test]
fn a_hook_says_what_it_does_and_nothing_else() {
    let rows = [
        ("methods = [\"*\"]", "no `do` beside it"),
        ("do = \"redact\"\npatterns = [\"x\"]", "no `methods` beside it"),
        ("do = \"redact\"\nmethods = [\"*\"]", "no `patterns` beside it"),
        ("do = \"redact\"\nmethods = [\"*\"]\npatterns = [\"(\"]", "regular expressions"),
        ("do = \"redact\"\nmethods = [\"*\"]\npatterns = [\"x*\"]", "regular expressions"),
        ("do = \"redact\"\nmethods = [\"sendText\"]\npatterns = [\"x\"]", "paths such as"),
        ("do = \"redact\"\nmethods = [\"tele*\"]\npatterns = [\"x\"]", "paths such as"),
        ("do = \"redact\"\nmethods = [\"*\"]\npatterns = [\"x\"]\nwhy = \"y\"", "why"),
        ("do = \"forbid\"\nmethods = [\"*\"]", "\"deny\", \"ask\""),
        ("do = \"truncate\"\nmethods = [\"*\"]\nkeep = \"middle\"", "\"head\""),
        ("do = \"ask\"\nmethods = [\"*\"]\nwakes = [\"always\"]", "\"ambient\""),
        ("do = \"ask\"\nmethods = [\"*\"]\nmatching = \"[\"", "a regular expression"),
    ];
    for (text, expected) in rows {
        let message = refusal(&format!("[hooks.h]\n{text}\n"));
        assert!(message.contains(expected), "{text}: {message}");
    }
}
