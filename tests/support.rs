//! What several subjects need: a real model server that tests script, and `groupmate` as a real process.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};

use groupmate::chat::ids::PersonId;
use groupmate::chat::person::Profile;
use groupmate::clock::Clock;
use groupmate::playground::Server;

pub const EXE: &str = env!("CARGO_BIN_EXE_groupmate");
/// Long enough for a busy machine; a test that waits this long has failed.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// What a scripted model answers to the n-th request (from 1), seeing only the prompt.
pub type Script = Box<dyn Fn(u32, &Prompt) -> String + Send + Sync>;

/// A request as a scripted model sees it.
#[derive(Clone, Debug)]
pub struct Prompt {
    pub system: String,
    pub messages: Vec<String>,
    pub body: Value,
}

impl Prompt {
    pub fn last(&self) -> &str {
        self.messages.last().map_or("", String::as_str)
    }

    pub fn all(&self) -> String {
        format!("{}\n{}", self.system, self.messages.join("\n"))
    }

    /// The numbers of the messages that wait for an answer.
    pub fn waiting(&self) -> Vec<i64> {
        let opening = self.messages.first().map_or("", String::as_str);
        let line = opening.lines().rev().find(|line| line.starts_with("It is ")).unwrap_or_default();
        numbers(line)
    }
}

/// Every `#number` in a text.
pub fn numbers(text: &str) -> Vec<i64> {
    text.split('#')
        .skip(1)
        .filter_map(|rest| {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        })
        .collect()
}

/// A chat-completions server whose replies a test scripts. It checks what every request must hold.
pub struct Model {
    pub url: String,
    pub prompts: Arc<Mutex<Vec<Prompt>>>,
    faults: Arc<Mutex<Vec<String>>>,
}

struct Shared {
    script: Script,
    prompts: Arc<Mutex<Vec<Prompt>>>,
    faults: Arc<Mutex<Vec<String>>>,
}

impl Model {
    pub async fn start(script: impl Fn(u32, &Prompt) -> String + Send + Sync + 'static) -> Self {
        let (prompts, faults) = (Arc::default(), Arc::default());
        let shared =
            Arc::new(Shared { script: Box::new(script), prompts: Arc::clone(&prompts), faults: Arc::clone(&faults) });
        let app = Router::new().route("/chat/completions", post(answer)).with_state(shared);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { url, prompts, faults }
    }

    pub fn asked(&self) -> usize {
        self.prompts.lock().unwrap().len()
    }

    pub fn prompt(&self, index: usize) -> Prompt {
        self.prompts.lock().unwrap()[index].clone()
    }

    /// Fails if any request broke a rule that holds for all of them.
    pub fn assert_sound(&self) {
        let faults = self.faults.lock().unwrap();
        assert!(faults.is_empty(), "requests broke rules: {faults:#?}");
    }
}

async fn answer(State(shared): State<Arc<Shared>>, body: String) -> Response {
    let body: Value = serde_json::from_str(&body).unwrap();
    let messages: Vec<(String, String)> = body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| {
            (m["role"].as_str().unwrap_or_default().to_owned(), m["content"].as_str().unwrap_or_default().to_owned())
        })
        .collect();
    let mut faults = shared.faults.lock().unwrap();
    if messages.first().is_none_or(|(role, _)| role != "system") {
        faults.push("the first message is not the system's".to_owned());
    }
    for pair in messages.windows(2) {
        if pair[0].0 == pair[1].0 {
            faults.push(format!("two {} messages in a row", pair[0].0));
        }
    }
    if messages.last().is_none_or(|(role, _)| role != "user") {
        faults.push("the last message is not ours".to_owned());
    }
    if messages.iter().any(|(_, text)| text.trim().is_empty()) {
        faults.push("an empty message".to_owned());
    }
    let all: String = messages.iter().map(|(_, text)| text.as_str()).collect();
    for secret in [BOT_TOKEN_MARK, SKILL_SECRET] {
        if all.contains(secret) {
            faults.push(format!("a secret in a prompt: {secret}"));
        }
    }
    drop(faults);
    let system = messages.first().map(|(_, text)| text.clone()).unwrap_or_default();
    let messages = messages.into_iter().skip(1).map(|(_, text)| text).collect();
    let prompt = Prompt { system, messages, body };
    let n = {
        let mut prompts = shared.prompts.lock().unwrap();
        prompts.push(prompt.clone());
        u32::try_from(prompts.len()).unwrap()
    };
    let text = (shared.script)(n, &prompt);
    if let Some(status) = text.strip_prefix('!') {
        let status: u16 = status.trim().parse().unwrap();
        return (axum::http::StatusCode::from_u16(status).unwrap(), "{\"error\":{\"message\":\"scripted\"}}")
            .into_response();
    }
    let reply = json!({
        "model": "scripted",
        "choices": [{ "index": 0, "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 10 },
    });
    axum::Json(reply).into_response()
}

/// Stands in every playground token, so that a prompt that held the token would show.
const BOT_TOKEN_MARK: &str = "playground-token";
/// The secret that configurations here give to a skill.
pub const SKILL_SECRET: &str = "tvly-never-shown-4711";

/// A script block as a model writes it.
pub fn js(code: &str) -> String {
    format!("I act.\n```js\n{code}\n```")
}

/// A Bot API server with a group of two people.
pub async fn telegram() -> Server {
    let bot = Profile {
        id: PersonId(7_000_000_001),
        name: "小夏".into(),
        username: Some("xiaxia_bot".into()),
        is_bot: true,
        language: None,
    };
    let server = Server::start(bot, Clock::real()).await.unwrap();
    server.check_requests(crate::perceiving::schema::objection);
    server
}

pub const ALICE: PersonId = PersonId(1001);
pub const BOB: PersonId = PersonId(1002);

pub fn group_of_two(server: &Server, title: &str) -> groupmate::chat::ids::ChatId {
    let group = server.add_group(title);
    server.add_person(ALICE, "Alice", Some("alice"), None);
    server.add_person(BOB, "Bob", None, None);
    server.join(group, ALICE);
    server.join(group, BOB);
    group
}

/// A folder with a configuration for a playground and a scripted model.
pub struct Home {
    pub folder: tempfile::TempDir,
    pub config: PathBuf,
}

impl Home {
    pub fn new(server: &Server, model: &str, more: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("config.toml");
        let text = format!(
            "data = \"data\"\n{}\n[telegram]\ntoken = \"{}\"\napi = \"{}\"\ntyping_speed = 0\n[model]\nbase_url = \"{model}\"\nname = \"scripted\"\n\
             [attention]\nfinish_group = \"100ms\"\nfinish_dm = \"100ms\"\nambient = false\n[skills.tavily]\nTAVILY_API_KEY = \"{SKILL_SECRET}\"\n",
            more,
            server.token(),
            server.url(),
        );
        std::fs::write(&config, text).unwrap();
        Self { folder, config }
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub fn run(&self, more: &[&str]) -> Running {
        self.run_with(more, &BTreeMap::new())
    }

    pub fn run_with(&self, more: &[&str], env: &BTreeMap<&str, String>) -> Running {
        let log = self.folder.path().join("log");
        let log = std::fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
        let child = Command::new(EXE)
            .arg("run")
            .arg("--config")
            .arg(&self.config)
            .args(more)
            .envs(env)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        Running { child }
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

/// A `groupmate run` that is killed when the test is over.
pub struct Running {
    pub child: Child,
}

impl Running {
    /// Ends it as an operator would.
    pub fn terminate(mut self) -> ExitStatus {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        wait(&mut self.child)
    }

    /// As `kill -9`.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Already gone is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn wait(child: &mut Child) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(begun.elapsed() < PATIENCE, "the process does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until something is so.
pub async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Runs a command to its end.
pub fn groupmate(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let output = Command::new(EXE).args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}
