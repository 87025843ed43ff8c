//! The wire format: requests as JSON, and answers as they come, from OpenAI, DeepSeek, OpenRouter, vLLM, Ollama,
//! llama.cpp and their like, whose fields differ in small ways.

use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

use super::sse::Events;
use crate::config::ModelSettings;
use crate::prompt::request::{Part, Reply, Request, Role, Turned, Usage};
use crate::time::Span;

/// How much of a server's message or of a foreign answer an error quotes.
const QUOTE_LIMIT: usize = 300;

/// What a server understands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    /// It takes `stream_options`.
    pub(super) stream_options: bool,
    /// It wants `max_completion_tokens` where others take `max_tokens`.
    pub(super) completion_tokens: bool,
}

/// The body of a request.
pub(super) fn body(settings: &ModelSettings, request: &Request, dialect: Dialect) -> Value {
    let mut messages = Vec::with_capacity(request.messages.len() + 1);
    if !request.system.is_empty() {
        messages.push(json!({ "role": "system", "content": request.system }));
    }
    messages.extend(request.messages.iter().map(message));
    let mut body = json!({ "model": settings.name, "messages": messages, "stream": true });
    let limit = if dialect.completion_tokens { "max_completion_tokens" } else { "max_tokens" };
    body[limit] = request.max_tokens.min(settings.max_tokens).into();
    if dialect.stream_options {
        body["stream_options"] = json!({ "include_usage": true });
    }
    if let Some(temperature) = settings.temperature {
        // As decimal text: 0.2_f32 widened would be sent as 0.20000000298023224.
        body["temperature"] = temperature.to_string().parse::<f64>().map_or(Value::Null, Value::from);
    }
    body
}

fn message(message: &Turned) -> Value {
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    let texts: Option<Vec<&str>> = message
        .parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Image(_) => None,
        })
        .collect();
    // Plain text as a string: not every server reads lists of parts.
    let content = match texts {
        Some(texts) => Value::from(texts.join("\n")),
        None => message
            .parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => json!({ "type": "text", "text": text }),
                Part::Image(url) => json!({ "type": "image_url", "image_url": { "url": url } }),
            })
            .collect(),
    };
    json!({ "role": role, "content": content })
}

/// A transcription request as a form with a file, and its content type.
pub(super) fn form(model: &str, recording: &[u8], kind: &str) -> (HeaderValue, Vec<u8>) {
    // Long and odd enough to stand in no recording.
    const BOUNDARY: &str = "groupmate-5d1f0c7e9a3b48c2b6e4f1a7d09c3e85";
    let name = kind.replace('/', ".");
    let mut body = Vec::with_capacity(recording.len() + 1024);
    for (field, value) in [("model", model), ("response_format", "json")] {
        let part = format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{field}\"\r\n\r\n{value}\r\n");
        body.extend_from_slice(part.as_bytes());
    }
    let head = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\ncontent-type: {kind}\r\n\r\n"
    );
    body.extend_from_slice(head.as_bytes());
    body.extend_from_slice(recording);
    body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    (HeaderValue::from_static("multipart/form-data; boundary=groupmate-5d1f0c7e9a3b48c2b6e4f1a7d09c3e85"), body)
}

/// The text of a transcription.
pub(super) fn transcript(body: &str) -> Option<String> {
    let answer: Value = serde_json::from_str(body).ok()?;
    answer.get("text")?.as_str().map(str::to_owned)
}

/// An answer as far as it has come.
#[derive(Debug, Default)]
pub(super) struct Incoming {
    pub(super) reply: Reply,
    shape: Shape,
    events: Events,
    /// The body of an answer that is one object, or the start of a foreign one.
    whole: Vec<u8>,
    is_closed: bool,
    is_finished: bool,
    is_done: bool,
    error: Option<(u16, String)>,
}

/// What the first byte says that the answer is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Shape {
    #[default]
    Unknown,
    Events,
    Object,
    Foreign,
}

/// How an answer ended.
pub(super) enum End {
    Complete,
    BrokenOff,
    Error { status: u16, message: String },
    Foreign { start: String },
}

impl Incoming {
    /// Takes the next bytes.
    pub(super) fn feed(&mut self, chunk: &[u8]) {
        if self.shape == Shape::Unknown {
            self.shape = match chunk.iter().find(|byte| !byte.is_ascii_whitespace()) {
                None => Shape::Unknown,
                Some(b'{' | b'[') => Shape::Object,
                // A field name or a comment of an event stream.
                Some(b'd' | b'e' | b'i' | b'r' | b':') => Shape::Events,
                Some(_) => Shape::Foreign,
            };
        }
        match self.shape {
            Shape::Unknown => {}
            Shape::Events => {
                let mut events = std::mem::take(&mut self.events);
                events.feed(chunk, |event| self.event(event));
                self.events = events;
            }
            Shape::Object | Shape::Foreign => self.whole.extend_from_slice(chunk),
        }
    }

    /// From now on only usage is read.
    pub(super) fn close_text(&mut self) {
        self.is_closed = true;
    }

    /// Whether nothing more is to come.
    pub(super) fn is_over(&self) -> bool {
        self.is_done || self.error.is_some()
    }

    /// Whether this is no answer of a model at all.
    pub(super) fn is_foreign(&self) -> bool {
        self.shape == Shape::Foreign && self.whole.len() >= QUOTE_LIMIT
    }

    /// The stream is over, or nobody reads on.
    pub(super) fn end(mut self) -> (Reply, End) {
        let mut events = std::mem::take(&mut self.events);
        events.finish(|event| self.event(event));
        if self.shape == Shape::Object && !self.is_closed {
            match serde_json::from_slice::<Value>(&self.whole) {
                Ok(object) => self.object(&object),
                Err(_) => self.shape = Shape::Foreign,
            }
        }
        if let Some((status, message)) = self.error.take() {
            return (self.reply, End::Error { status, message });
        }
        let end = match self.shape {
            Shape::Foreign => End::Foreign { start: quoted(&String::from_utf8_lossy(&self.whole)) },
            Shape::Unknown => End::BrokenOff,
            Shape::Events | Shape::Object if self.is_closed || self.is_done || self.is_finished => End::Complete,
            Shape::Events | Shape::Object => End::BrokenOff,
        };
        (self.reply, end)
    }

    fn event(&mut self, data: &str) {
        if data.trim() == "[DONE]" {
            self.is_done = true;
        } else if let Ok(object) = serde_json::from_str::<Value>(data) {
            self.object(&object);
        }
    }

    /// One chunk of a stream, or a whole completion: they differ in `delta` and `message`.
    fn object(&mut self, object: &Value) {
        if let Some(error) = object.get("error").filter(|error| !error.is_null()) {
            let code = error.get("code").or_else(|| error.get("status")).or_else(|| object.get("code"));
            let status = code.and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
            let status = status.and_then(|n| u16::try_from(n).ok()).filter(|n| (400..600).contains(n));
            // An error inside a stream that began well is the server's own trouble.
            self.error.get_or_insert((status.unwrap_or(500), message_of(error)));
            return;
        }
        if let Some(model) = object.get("model").and_then(Value::as_str).filter(|_| self.reply.model.is_empty()) {
            model.clone_into(&mut self.reply.model);
        }
        if let Some(usage) = object.get("usage").filter(|usage| usage.is_object()) {
            self.reply.usage = read_usage(usage);
        }
        let Some(choice) = object.get("choices").and_then(|choices| choices.get(0)) else {
            // A usage chunk has an empty list; an object without the field is somebody else's.
            if object.get("choices").is_none() && self.shape == Shape::Object {
                self.shape = Shape::Foreign;
            }
            return;
        };
        let said = choice.get("delta").or_else(|| choice.get("message"));
        if let Some(content) = said.and_then(|said| said.get("content")).filter(|_| !self.is_closed) {
            append(&mut self.reply.text, content);
        }
        let reason = choice.get("finish_reason").filter(|reason| !reason.is_null());
        self.is_finished |= reason.is_some() || self.shape == Shape::Object;
    }
}

/// Content is a text, or a list of parts of which only texts are meant to be seen.
fn append(text: &mut String, content: &Value) {
    match content {
        Value::String(piece) => text.push_str(piece),
        Value::Array(parts) => parts
            .iter()
            .filter(|part| part.get("type").and_then(Value::as_str).is_none_or(|kind| kind == "text"))
            .filter_map(|part| part.get("text").and_then(Value::as_str))
            .for_each(|piece| text.push_str(piece)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {}
    }
}

fn read_usage(usage: &Value) -> Usage {
    let first = |paths: &[&str]| {
        let found = paths.iter().filter_map(|path| usage.pointer(path));
        found.filter_map(|n| n.as_u64().or_else(|| n.as_f64().map(|n| n.max(0.0) as u64))).next().unwrap_or(0)
    };
    Usage {
        input: first(&["/prompt_tokens", "/input_tokens"]),
        cached: first(&[
            "/prompt_tokens_details/cached_tokens",
            "/prompt_cache_hit_tokens",
            "/input_tokens_details/cached_tokens",
            "/cache_read_input_tokens",
            "/cached_tokens",
        ]),
        output: first(&["/completion_tokens", "/output_tokens"]),
    }
}

/// What a refusal says, in one bounded line.
pub(super) fn error_message(body: &str) -> String {
    let message = match serde_json::from_str::<Value>(body) {
        Ok(object) => match object.get("error").or_else(|| object.get(0).and_then(|first| first.get("error"))) {
            Some(error) => message_of(error),
            None => message_of(&object),
        },
        Err(_) => quoted(body),
    };
    if message.is_empty() { "(no message)".to_owned() } else { message }
}

fn message_of(error: &Value) -> String {
    let text = error.as_str().or_else(|| ["message", "detail", "msg"].iter().find_map(|key| error.get(key)?.as_str()));
    text.map_or_else(|| quoted(&error.to_string()), quoted)
}

/// `Retry-After` in seconds, or in milliseconds as OpenAI adds; a date would need a clock and is not read.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Span> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok().filter(|n| *n >= 0.0);
    let millis = number("retry-after-ms").or_else(|| number("retry-after").map(|secs| secs * 1000.0))?;
    // A day is as good as never; the cap keeps nonsense out of the arithmetic.
    Some(Span::millis(millis.min(86_400_000.0).ceil() as i64))
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn quoted(text: &str) -> String {
    let line = one_line(text);
    match line.char_indices().nth(QUOTE_LIMIT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], step: usize) -> (String, Usage, bool) {
        let mut incoming = Incoming::default();
        bytes.chunks(step).for_each(|chunk| incoming.feed(chunk));
        let (reply, end) = incoming.end();
        (reply.text, reply.usage, matches!(end, End::Complete))
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200), step in 1_usize..9) {
            read(&bytes, step);
            error_message(&String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn a_stream_reads_the_same_however_it_is_cut(
            pieces in proptest::collection::vec("[a-z夏`\n\"{}🙂]{0,6}", 0..8),
            step in 1_usize..40,
        ) {
            let mut stream = String::new();
            for piece in &pieces {
                stream += &format!("data: {}\n\n", json!({ "choices": [{ "delta": { "content": piece } }] }));
            }
            stream += "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n";
            let usage = Usage { input: 3, cached: 0, output: 2 };
            proptest::prop_assert_eq!(read(stream.as_bytes(), step), (pieces.concat(), usage, true));
        }
    }
}
