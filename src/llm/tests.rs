//! Against a real HTTP server on this machine.

use std::convert::Infallible;
use std::sync::Mutex;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::Request as HttpRequest;
use axum::response::Response;
use futures_util::stream;
use serde_json::{Value, json};

use super::*;
use crate::config::Secret;
use crate::prompt::request::{Part, Role, Turned, Usage};

/// What the server does with the next request.
#[derive(Clone)]
enum Act {
    Answer {
        status: u16,
        headers: Vec<(&'static str, &'static str)>,
        body: String,
    },
    /// Chunks with a pause before each, in milliseconds; then the end.
    Drip(Vec<(u64, String)>),
    /// Chunks, then the connection breaks.
    Break(String),
    Hang,
}

/// The authorization and the body of a request.
type Seen = (Option<String>, Value);

#[derive(Clone, Default)]
struct Server {
    acts: Arc<Mutex<Vec<Act>>>,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    async fn handle(State(server): State<Server>, request: HttpRequest<Body>) -> Response {
        assert_eq!((request.method().as_str(), request.uri().path()), ("POST", "/v1/chat/completions"));
        let key = request.headers().get(AUTHORIZATION).map(|key| key.to_str().unwrap().to_owned());
        let body = axum::body::to_bytes(request.into_body(), 1 << 20).await.unwrap();
        server.seen.lock().unwrap().push((key, serde_json::from_slice(&body).unwrap()));
        let act = {
            let mut acts = server.acts.lock().unwrap();
            if acts.is_empty() {
                Act::Answer { status: 418, headers: vec![], body: "script over".into() }
            } else {
                acts.remove(0)
            }
        };
        match act {
            Act::Answer { status, headers, body } => {
                let response = headers.iter().fold(Response::builder().status(status), |r, (k, v)| r.header(*k, *v));
                response.body(Body::from(body)).unwrap()
            }
            Act::Drip(chunks) => {
                let chunks = stream::iter(chunks).then(|(pause, chunk)| async move {
                    tokio::time::sleep(Duration::from_millis(pause)).await;
                    Ok::<_, Infallible>(Bytes::from(chunk))
                });
                Response::builder().header("content-type", "text/event-stream").body(Body::from_stream(chunks)).unwrap()
            }
            Act::Break(chunk) => {
                let pieces = vec![Ok(Bytes::from(chunk)), Err(std::io::Error::other("broken"))];
                Response::new(Body::from_stream(stream::iter(pieces)))
            }
            Act::Hang => std::future::pending().await,
        }
    }

    fn requests(&self) -> Vec<Value> {
        self.seen.lock().unwrap().iter().map(|(_, body)| body.clone()).collect()
    }
}

async fn serve(acts: Vec<Act>) -> (Server, Client) {
    let server = Server { acts: Arc::new(Mutex::new(acts)), ..Server::default() };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let app = axum::Router::new().fallback(Server::handle).with_state(server.clone());
    tokio::spawn(async move { axum::serve(listener, app).await });
    let mut client = Client::new(&settings(&base_url)).unwrap();
    client.pause = Duration::from_millis(5);
    (server, client)
}

fn settings(base_url: &str) -> ModelSettings {
    ModelSettings {
        base_url: base_url.to_owned(),
        name: "m-1".to_owned(),
        key: Some(Secret::new("sk-sesame")),
        timeout: Span::secs(5),
        max_tokens: 500,
        temperature: Some(0.2),
        context_tokens: 8000,
    }
}

fn request() -> Request {
    Request { system: "Be brief.".into(), messages: vec![Turned::text(Role::User, "hi")], max_tokens: 300 }
}

fn never(_: &str) -> bool {
    false
}

fn json_reply(text: &str) -> Act {
    let body = json!({ "model": "m-1-0401", "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 11, "completion_tokens": 3, "prompt_tokens_details": { "cached_tokens": 8 } } });
    Act::Answer { status: 200, headers: vec![("content-type", "application/json")], body: body.to_string() }
}

fn status(status: u16, body: &str) -> Act {
    Act::Answer { status, headers: vec![], body: body.to_owned() }
}

fn delta(delta: Value) -> String {
    format!(
        "data: {}\n\n",
        json!({ "id": "x", "model": "m-1", "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
    )
}

fn usage_chunk(usage: Value) -> String {
    format!("data: {}\n\n", json!({ "choices": [], "usage": usage }))
}

const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const DONE: &str = "data: [DONE]\n\n";

#[tokio::test]
async fn a_stream_is_joined_and_its_usage_read() {
    let chunks = [
        ": OPENROUTER PROCESSING\n\n".to_owned(),
        delta(json!({ "role": "assistant", "content": "" })),
        delta(json!({ "content": "你" })),
        delta(json!({ "content": "好" })),
        STOP.to_owned(),
        usage_chunk(
            json!({ "prompt_tokens": 120, "completion_tokens": 2, "prompt_tokens_details": { "cached_tokens": 64 } }),
        ),
        DONE.to_owned(),
    ];
    let (server, client) = serve(vec![Act::Drip(chunks.iter().map(|c| (1, c.clone())).collect())]).await;
    let reply = client.ask(&request(), &never).await.unwrap();
    assert_eq!(reply.text, "你好");
    assert_eq!(reply.usage, Usage { input: 120, cached: 64, output: 2 });
    assert_eq!(reply.model, "m-1");
    let seen = server.seen.lock().unwrap().clone();
    assert_eq!(seen[0].0.as_deref(), Some("Bearer sk-sesame"));
    assert_eq!(
        seen[0].1,
        json!({ "model": "m-1", "stream": true, "stream_options": { "include_usage": true }, "max_tokens": 300, "temperature": 0.2,
            "messages": [{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "hi" }] })
    );
}

#[tokio::test]
async fn reasoning_is_not_part_of_the_reply() {
    let deepseek = [
        delta(json!({ "content": null, "reasoning_content": "They greet." })),
        delta(json!({ "content": "hello", "reasoning_content": null })),
        STOP.to_owned(),
        usage_chunk(
            json!({ "prompt_tokens": 9, "completion_tokens": 5, "prompt_cache_hit_tokens": 7, "prompt_cache_miss_tokens": 2 }),
        ),
        DONE.to_owned(),
    ];
    let ollama = [
        delta(json!({ "role": "assistant", "content": "", "reasoning": "hm" })),
        delta(json!({ "role": "assistant", "content": "hello" })),
        STOP.to_owned(),
        DONE.to_owned(),
    ];
    let parts = json!([{ "type": "thinking", "thinking": [{ "type": "text", "text": "hm" }] }, { "type": "text", "text": "hello" }]);
    let mistral = [delta(json!({ "content": parts })), STOP.to_owned(), DONE.to_owned()];
    for (chunks, cached) in [(deepseek.to_vec(), 7), (ollama.to_vec(), 0), (mistral.to_vec(), 0)] {
        let (_, client) = serve(vec![Act::Drip(chunks.into_iter().map(|c| (0, c)).collect())]).await;
        let reply = client.ask(&request(), &never).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.usage.cached), ("hello", cached));
    }
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_read_all_the_same() {
    let (_, client) = serve(vec![json_reply("hello")]).await;
    let reply = client.ask(&request(), &never).await.unwrap();
    assert_eq!(
        reply,
        Reply { text: "hello".into(), usage: Usage { input: 11, cached: 8, output: 3 }, model: "m-1-0401".into() }
    );
}

#[tokio::test]
async fn reading_stops_when_the_text_is_complete() {
    let is_complete = |text: &str| text.ends_with("```");
    // It babbles on for a minute: not waited for.
    let (_, client) = serve(vec![Act::Drip(vec![
        (0, delta(json!({ "content": "```js\n1\n```" }))),
        (100, delta(json!({ "content": "and more" }))),
        (60_000, DONE.into()),
    ])])
    .await;
    let reply = timeout(Duration::from_secs(3), client.ask(&request(), &is_complete)).await.unwrap().unwrap();
    assert_eq!((reply.text.as_str(), reply.usage), ("```js\n1\n```", Usage::default()));
    // It stops by itself: its usage still counts.
    let (_, client) = serve(vec![Act::Drip(vec![
        (0, delta(json!({ "content": "```js\n1\n```" }))),
        (20, STOP.into()),
        (0, usage_chunk(json!({ "prompt_tokens": 4, "completion_tokens": 6 }))),
        (0, DONE.into()),
    ])])
    .await;
    let reply = client.ask(&request(), &is_complete).await.unwrap();
    assert_eq!((reply.usage.input, reply.usage.output), (4, 6));
}

#[tokio::test]
async fn hiccups_are_asked_again() {
    let limited = Act::Answer { status: 429, headers: vec![("retry-after", "0")], body: "slow down".into() };
    let broken = Act::Break(delta(json!({ "content": "half a" })));
    let cut = Act::Drip(vec![(0, delta(json!({ "content": "half a" })))]);
    let in_stream = Act::Drip(vec![(0, "data: {\"error\":{\"message\":\"provider failed\",\"code\":502}}\n\n".into())]);
    let overloaded = Act::Answer { status: 503, headers: vec![("retry-after-ms", "3")], body: "".into() };
    for bad in [status(500, "{}"), status(502, "<html>bad gateway</html>"), limited, broken, cut, in_stream, overloaded]
    {
        let (server, client) = serve(vec![bad, json_reply("ok")]).await;
        assert_eq!(client.ask(&request(), &never).await.unwrap().text, "ok");
        assert_eq!(server.requests().len(), 2);
    }
}

#[tokio::test]
async fn attempts_are_bounded_and_the_last_error_told() {
    let (server, client) = serve(vec![status(500, "{\"error\":{\"message\":\"out of memory\"}}"); 9]).await;
    let error = client.ask(&request(), &never).await.unwrap_err();
    assert_eq!(server.requests().len(), ATTEMPTS as usize);
    assert!(error.is_temporary() && error.to_string().contains("500: out of memory"), "{error}");
}

#[tokio::test]
async fn a_long_pause_is_left_to_the_caller() {
    let limited = Act::Answer { status: 429, headers: vec![("retry-after", "37")], body: "".into() };
    let (server, client) = serve(vec![limited]).await;
    let error = client.ask(&request(), &never).await.unwrap_err();
    assert!(matches!(error, LlmError::RateLimited { wait, .. } if wait == Span::secs(37)), "{error}");
    assert!(error.is_temporary() && error.to_string().contains("37 s"));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_refusal_is_final_names_the_remedy_and_hides_the_key() {
    let rows = [
        (401, "{\"error\":{\"message\":\"bad key sk-sesame\"}}", "wants another key (401: bad key …); check `key`"),
        (403, "no", "wants another key (403: no)"),
        (404, "{\"error\":\"model 'm-1' not found\"}", "404: model 'm-1' not found; check `base_url`"),
        (400, "{\"detail\":\"prompt too long\"}", "400: prompt too long; check the model's `name`, `max_tokens`"),
        (
            402,
            "{\"error\":{\"message\":\"Insufficient Balance\"}}",
            "402: Insufficient Balance; the account has no credit",
        ),
        (429, "{\"error\":{\"code\":\"insufficient_quota\",\"message\":\"quota\"}}", "402: quota; the account has no"),
        (308, "", "308: (no message); set `base_url` to the address"),
        (200, "<!doctype html>\n<title>Welcome</title>", "is not a chat completion but \"<!doctype html> <title>"),
        (200, "{\"hello\":\"world\"}", "is not a chat completion but \"{\\\"hello\\\""),
        (200, "{\"error\":{\"code\":401,\"message\":\"who?\"}}", "wants another key (401: who?)"),
    ];
    for (code, body, expected) in rows {
        let (server, client) = serve(vec![status(code, body)]).await;
        let error = client.ask(&request(), &never).await.unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with("http://127.0.0.1:") && message.contains(expected), "{message}");
        assert!(!message.contains("sesame") && !message.contains('\n'), "{message}");
        assert!(!error.is_temporary(), "{message}");
        assert_eq!(server.requests().len(), 1, "{message}");
    }
}

#[tokio::test]
async fn an_empty_reply_is_asked_for_once_more() {
    let (server, client) = serve(vec![json_reply(" \n"), json_reply("here")]).await;
    assert_eq!(client.ask(&request(), &never).await.unwrap().text, "here");
    assert_eq!(server.requests().len(), 2);
    let (server, client) = serve(vec![json_reply(""), json_reply(""), json_reply("late")]).await;
    assert_eq!(client.ask(&request(), &never).await.unwrap().text, "");
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_hanging_server_is_given_up() {
    let stalled = Act::Drip(vec![(0, delta(json!({ "content": "half" }))), (60_000, DONE.into())]);
    for act in [Act::Hang, stalled] {
        let (server, client) = serve(vec![act]).await;
        let client = Client::new(&ModelSettings { timeout: Span::millis(200), ..client.settings().clone() }).unwrap();
        let error = client.ask(&request(), &never).await.unwrap_err();
        assert!(matches!(error, LlmError::TimedOut { .. }) && error.is_temporary(), "{error}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn an_absent_server_is_named() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let mut client = Client::new(&settings(&base_url)).unwrap();
    client.pause = Duration::from_millis(1);
    let error = client.ask(&request(), &never).await.unwrap_err();
    let message = error.to_string();
    assert!(error.is_temporary() && message.contains(&base_url) && message.contains("refused"), "{message}");
}

#[tokio::test]
async fn what_a_server_does_not_understand_is_learnt_once() {
    let options = status(400, "{\"error\":{\"message\":\"Unrecognized field: stream_options\"}}");
    let tokens = status(400, "{\"error\":{\"message\":\"Use 'max_completion_tokens' instead.\"}}");
    let (server, client) = serve(vec![options, tokens, json_reply("a"), json_reply("b")]).await;
    assert_eq!(client.ask(&request(), &never).await.unwrap().text, "a");
    assert_eq!(client.clone().ask(&request(), &never).await.unwrap().text, "b");
    let seen = server.requests();
    assert_eq!(seen.len(), 4);
    assert_eq!(seen[3].get("stream_options"), None);
    assert_eq!((seen[3].get("max_tokens"), &seen[3]["max_completion_tokens"]), (None, &json!(300)));
}

#[tokio::test]
async fn pictures_travel_as_parts() {
    let (server, client) = serve(vec![json_reply("a cat")]).await;
    let parts = vec![Part::Text("what is it".into()), Part::Image("data:image/png;base64,AA==".into())];
    let request = Request { messages: vec![Turned { role: Role::User, parts }], ..request() };
    client.ask(&request, &never).await.unwrap();
    assert_eq!(
        server.requests()[0]["messages"][1]["content"],
        json!([{ "type": "text", "text": "what is it" }, { "type": "image_url", "image_url": { "url": "data:image/png;base64,AA==" } }])
    );
}

#[tokio::test]
async fn each_role_asks_its_own_model() {
    let (server, client) = serve(vec![json_reply("a"), json_reply("b")]).await;
    let text = format!(
        "[model]\nbase_url = {:?}\nname = \"big\"\n[models.reflect]\nname = \"small\"\n",
        client.settings().base_url
    );
    let config = Config::from_text("c", &text, std::path::Path::new(""), &BTreeMap::new()).unwrap();
    let router = Router::new(&config).unwrap();
    router.ask("turn", &request(), &never).await.unwrap();
    router.ask("reflect", &request(), &never).await.unwrap();
    let names: Vec<_> = server.requests().iter().map(|body| body["model"].clone()).collect();
    assert_eq!(names, ["big", "small"]);
    assert_eq!(server.seen.lock().unwrap()[0].0, None, "no key, no header");
    assert!(router.ask("dream", &request(), &never).await.unwrap_err().to_string().contains("turn, reflect"));
}

/// Another implementation: one stream per connection, ended by closing it.
#[tokio::test]
async fn a_server_written_by_others_is_understood() {
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/tools/hand_model.py");
    let folder = tempfile::tempdir().unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let started = tokio::process::Command::new("python3")
        .args([script.as_os_str(), folder.path().as_os_str()])
        .args(["--port", &port.to_string(), "--wait", "10"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .kill_on_drop(true)
        .spawn();
    let Some(mut server) = started.ok().filter(|_| script.is_file()) else {
        eprintln!("LEFT OUT: no python3, or no {}", script.display());
        return;
    };
    for (number, reply) in
        ["!429", "!500", "!empty", "想想。\n```js\nawait telegram.sendText('好')\n```"].iter().enumerate()
    {
        std::fs::write(folder.path().join(format!("{:04}.reply.md", number + 1)), reply).unwrap();
    }
    let mut client = Client::new(&settings(&format!("http://127.0.0.1:{port}/v1"))).unwrap();
    client.pause = Duration::from_millis(300);
    for _ in 0..100 {
        if tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let reply = client.ask(&request(), &|text| text.ends_with("\n```")).await.unwrap();
    assert!(reply.text.starts_with("想想。") && reply.text.ends_with("```"), "{reply:?}");
    assert!(reply.usage.input > 0 && reply.usage.output > 0, "{reply:?}");
    server.kill().await.unwrap();
}
