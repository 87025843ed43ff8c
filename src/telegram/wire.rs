//! One Bot API request and its answer, over HTTP; and what can go wrong.
//!
//! Invariants: nothing is ever repeated here; an error says whether the request may have happened ([`ApiError::Unclear`])
//! or certainly did not (all others); neither the token nor an address that holds it is in any message.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::chat::ids::ChatId;
use crate::time::Span;

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How long an unused connection is kept: well below what servers keep, for a request into a connection that is just
/// being closed would end without an answer, and its act as unknown.
const IDLE: Duration = Duration::from_secs(20);
/// The longest answer that is read: a hundred updates are below 2 MB, so more is not the Bot API speaking.
const MAX_ANSWER: usize = 16 << 20;
/// How much of a foreign answer an error repeats.
const SNIPPET_CHARS: usize = 120;
/// The first wait after a fault of unknown length; doubled with each attempt.
const FIRST_WAIT: Span = Span::secs(1);
/// The longest of those waits: an outage should not cost more than this after it ends.
const LONGEST_WAIT: Span = Span::secs(60);

/// Why a Bot API request did not succeed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApiError {
    /// No connection came about: nothing was sent.
    #[error("cannot reach {base}: {why}; check the network, a proxy (HTTPS_PROXY), and telegram.api in the config")]
    Unreachable {
        /// The server, without the token.
        base: String,
        /// What the network said.
        why: String,
    },
    /// The token is not known.
    #[error("Telegram does not know this token; check telegram.token in the config, or ask @BotFather for a new one")]
    Unauthorized,
    /// Somebody else polls with this token.
    #[error("updates go to somebody else: {0}; stop the other instance, or remove its webhook (deleteWebhook)")]
    Conflict(String),
    /// Too many requests: wait that long.
    #[error("Telegram asks to wait {} s", .0.0 / 1000)]
    RetryAfter(Span),
    /// The group became a supergroup with this id.
    #[error("the group is now the supergroup {0}; use that id")]
    Migrated(ChatId),
    /// The message to reply to is gone.
    #[error("the message to reply to is gone; send without reply")]
    ReplyGone,
    /// We may not write there.
    #[error("may not write there: {0}; an administrator must let the bot in or give it the right")]
    CannotWrite(String),
    /// Telegram refused the request for another reason.
    #[error("Telegram refused: {0}")]
    Refused(String),
    /// No answer was read: it may have happened.
    #[error("no clear answer from Telegram: {0}; it may have happened")]
    Unclear(String),
}

impl ApiError {
    /// How long to wait before the next attempt, where trying again can help; `attempt` counts from 0.
    pub fn wait(&self, attempt: u32) -> Span {
        match self {
            ApiError::RetryAfter(wait) => *wait,
            ApiError::Unauthorized => LONGEST_WAIT,
            ApiError::Unreachable { .. }
            | ApiError::Conflict(_)
            | ApiError::Migrated(_)
            | ApiError::ReplyGone
            | ApiError::CannotWrite(_)
            | ApiError::Refused(_)
            | ApiError::Unclear(_) => {
                let doubled = FIRST_WAIT.0.saturating_mul(1 << attempt.min(16));
                Span(doubled.min(LONGEST_WAIT.0))
            }
        }
    }
}

/// A connection to one Bot API server with one token. Clones share it.
#[derive(Clone)]
pub(super) struct Wire {
    /// The client, or why there is none (no TLS roots, for one): said at the first request.
    client: Result<reqwest::Client, String>,
    base: Arc<str>,
    token: Arc<str>,
}

impl Wire {
    pub(super) fn new(base: &str, token: &str) -> Self {
        let base = base.trim_end_matches('/');
        // A redirect would repeat a send, and carry the token elsewhere.
        let builder = reqwest::Client::builder()
            .connect_timeout(CONNECT)
            .pool_idle_timeout(IDLE)
            .redirect(reqwest::redirect::Policy::none());
        // A local server is never behind the proxy that leads to Telegram.
        let builder = if is_local(base) { builder.no_proxy() } else { builder };
        Self { client: builder.build().map_err(plain), base: base.into(), token: token.into() }
    }

    /// The same without any of its connections.
    pub(super) fn anew(&self) -> Self {
        Self::new(&self.base, &self.token)
    }

    /// Sends one request and reads its `result`. `sent` runs when the server has begun to answer: everything is out and
    /// nothing has been read.
    pub(super) async fn post(
        &self,
        method: &str,
        body: Vec<u8>,
        timeout: Duration,
        sent: impl FnOnce() + Send,
    ) -> Result<Value, ApiError> {
        let client = self.client.as_ref().map_err(|why| self.unreachable(why.clone()))?;
        let request = client
            .post(format!("{}/bot{}/{method}", self.base, self.token))
            .header(reqwest::header::CONTENT_TYPE, "application/json")
            .timeout(timeout)
            .body(body);
        let mut response = match request.send().await {
            Ok(response) => response,
            Err(e) if e.is_connect() || e.is_builder() => return Err(self.unreachable(plain(e))),
            Err(e) => return Err(ApiError::Unclear(plain(e))),
        };
        sent();
        let status = response.status().as_u16();
        let mut answer = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if answer.len() + chunk.len() <= MAX_ANSWER => answer.extend_from_slice(&chunk),
                Ok(Some(_)) => return Err(ApiError::Unclear(format!("an answer above {MAX_ANSWER} bytes"))),
                Ok(None) => return read(status, &answer),
                Err(e) => return Err(ApiError::Unclear(plain(e))),
            }
        }
    }

    /// Downloads a file by the path that `getFile` told, if it has at most `most` bytes.
    pub(super) async fn download(&self, path: &str, most: usize, timeout: Duration) -> Result<Vec<u8>, ApiError> {
        let client = self.client.as_ref().map_err(|why| self.unreachable(why.clone()))?;
        let request = client.get(format!("{}/file/bot{}/{path}", self.base, self.token)).timeout(timeout);
        let mut response = request.send().await.map_err(|e| match e.is_connect() || e.is_builder() {
            true => self.unreachable(plain(e)),
            false => ApiError::Unclear(plain(e)),
        })?;
        let status = response.status().as_u16();
        if status != 200 {
            return Err(ApiError::Refused(format!("HTTP {status} for a file")));
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|e| ApiError::Unclear(plain(e)))? {
            if bytes.len() + chunk.len() > most {
                return Err(ApiError::Refused(format!("the file has more than {most} bytes")));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    fn unreachable(&self, why: String) -> ApiError {
        ApiError::Unreachable { base: self.base.to_string(), why }
    }
}

fn is_local(base: &str) -> bool {
    let host = url::Url::parse(base).ok().and_then(|url| url.host_str().map(str::to_owned));
    host.is_some_and(|host| host == "localhost" || host == "[::1]" || host.starts_with("127."))
}

/// An error with its causes, without the address: that holds the token.
fn plain(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

/// Reads an answer: `{"ok": true, "result": …}` or `{"ok": false, "error_code": …, "description": …, "parameters": …}`.
fn read(status: u16, answer: &[u8]) -> Result<Value, ApiError> {
    let Some(Value::Object(mut fields)) = serde_json::from_slice(answer).ok() else {
        let words: String = String::from_utf8_lossy(answer).split_whitespace().collect::<Vec<_>>().join(" ");
        let snippet: String = words.chars().take(SNIPPET_CHARS).collect();
        let why = format!("HTTP {status} with {snippet:?} where JSON was expected; is telegram.api a Bot API server?");
        // A refusal in the 400s came from something that did not pass the request on.
        return Err(if (400..500).contains(&status) { ApiError::Refused(why) } else { ApiError::Unclear(why) });
    };
    if fields.get("ok") == Some(&Value::Bool(true)) {
        return fields.remove("result").ok_or_else(|| ApiError::Unclear("an answer without result".to_owned()));
    }
    let description = fields.get("description").and_then(Value::as_str).unwrap_or("no description").to_owned();
    let code = fields.get("error_code").and_then(Value::as_u64).unwrap_or(u64::from(status));
    let parameter = |name: &str| fields.get("parameters").and_then(|p| p.get(name)).and_then(Value::as_i64);
    Err(refusal(code, description, parameter("retry_after"), parameter("migrate_to_chat_id")))
}

fn refusal(code: u64, description: String, retry_after: Option<i64>, migrate_to: Option<i64>) -> ApiError {
    if let Some(chat) = migrate_to {
        return ApiError::Migrated(ChatId(chat));
    }
    if let Some(secs) = retry_after {
        return ApiError::RetryAfter(Span::secs(secs.max(1)));
    }
    let lower = description.to_lowercase();
    let says = |any: &[&str]| any.iter().any(|part| lower.contains(part));
    match code {
        401 => ApiError::Unauthorized,
        // An unknown method is "Not Found: method not found"; only a token that does not parse is the bare words.
        404 if lower == "not found" => ApiError::Unauthorized,
        403 => ApiError::CannotWrite(description),
        409 => ApiError::Conflict(description),
        // Telegram forgot to say how long.
        429 => ApiError::RetryAfter(FIRST_WAIT),
        500.. => ApiError::Unclear(description),
        _ if says(&["message to be replied not found", "replied message not found", "reply_message_id_invalid"]) => {
            ApiError::ReplyGone
        }
        _ if says(&[
            "chat not found",
            "not enough rights",
            "have no rights",
            "need administrator rights",
            "chat_write_forbidden",
            "topic_closed",
        ]) =>
        {
            ApiError::CannotWrite(description)
        }
        _ => ApiError::Refused(description),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_by_what_they_mean() {
        let error = |status: u16, body: &str| read(status, body.as_bytes()).unwrap_err();
        let api = |code: u64, text: &str| format!(r#"{{"ok":false,"error_code":{code},"description":"{text}"}}"#);
        let rows = [
            (api(401, "Unauthorized"), "Unauthorized"),
            (api(404, "Not Found"), "Unauthorized"),
            (api(404, "Not Found: method not found"), "Refused"),
            (api(409, "Conflict: terminated by other getUpdates request"), "Conflict"),
            (api(403, "Forbidden: bot was kicked from the supergroup chat"), "CannotWrite"),
            (api(400, "Bad Request: chat not found"), "CannotWrite"),
            (api(400, "Bad Request: message to be replied not found"), "ReplyGone"),
            (api(400, "Bad Request: message thread not found"), "Refused"),
            (api(429, "Too Many Requests"), "RetryAfter"),
            (api(500, "Internal Server Error"), "Unclear"),
            ("{}".to_owned(), "Unclear"),
            ("<html>bad gateway".to_owned(), "Unclear"),
            (r#"{"ok":true}"#.to_owned(), "Unclear"),
        ];
        for (body, expected) in rows {
            let got = format!("{:?}", error(502, &body));
            assert!(got.starts_with(expected), "{body}: {got}");
        }
        assert!(matches!(error(403, "<html>blocked</html>"), ApiError::Refused(_)));
        let wait = r#"{"ok":false,"error_code":429,"description":"x","parameters":{"retry_after":37}}"#;
        assert_eq!(error(429, wait), ApiError::RetryAfter(Span::secs(37)));
        let moved = r#"{"ok":false,"error_code":400,"description":"x","parameters":{"migrate_to_chat_id":-1009}}"#;
        assert_eq!(error(400, moved), ApiError::Migrated(ChatId(-1009)));
    }

    #[test]
    fn waits_double_up_to_a_minute() {
        let error = ApiError::Unclear(String::new());
        assert_eq!([0, 1, 5, 6, 60].map(|n| error.wait(n).0 / 1000), [1, 2, 32, 60, 60]);
        assert_eq!(ApiError::RetryAfter(Span::secs(37)).wait(9), Span::secs(37));
    }

    #[tokio::test]
    async fn no_error_shows_the_token() {
        let wire = Wire::new("http://127.0.0.1:9/", "SECRET");
        let error = wire.post("getMe", vec![], Duration::from_secs(5), || ()).await.unwrap_err();
        assert!(matches!(error, ApiError::Unreachable { .. }), "{error:?}");
        assert!(!format!("{error} {error:?}").contains("SECRET"));
    }
}
