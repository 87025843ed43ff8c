//! The language model over HTTP: OpenAI-compatible chat completions, streamed.
//!
//! Invariants: an ask ends, by its reply, an error or its time limit, after a bounded number of attempts; nothing of a
//! failed attempt reaches the caller; reasoning fields are never part of a reply; no error shows the key.

mod error;
mod sse;
#[cfg(test)]
mod tests;
mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use tokio::time::timeout;
use tracing::{Instrument, debug, debug_span};

pub use self::error::LlmError;
use self::wire::{Dialect, Incoming};
use crate::config::{Config, ModelSettings, ROLES, SENSES};
use crate::prompt::request::{Reply, Request};
use crate::time::Span;

/// Requests per ask, the first included: enough for a hiccup, few enough that an outage is soon known as one.
const ATTEMPTS: u32 = 4;
/// The first pause before another attempt; each later one is twice as long.
const PAUSE: Duration = Duration::from_millis(500);
/// A server that wants a longer pause than this is waited for by the caller, who may have something better to do.
const PATIENCE: Span = Span::secs(20);
/// The pause assumed where a server says "too many requests" without saying for how long.
const RATE_LIMIT_WAIT: Span = Span::secs(5);
/// A server that does not even accept the connection in this time is not there.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// How long a stream is read on for its usage figures after its text is complete.
const USAGE_GRACE: Duration = Duration::from_millis(300);
/// The most bytes of one answer: far above any token limit, far below what would hurt.
const BODY_LIMIT: usize = 8 << 20;

/// One model on one server. Clones share what was learnt about the server.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    settings: Arc<ModelSettings>,
    headers: HeaderMap,
    learnt: Arc<Learnt>,
    pause: Duration,
}

/// What a server turned out not to understand.
#[derive(Debug, Default)]
struct Learnt {
    refuses_stream_options: AtomicBool,
    wants_completion_tokens: AtomicBool,
}

/// The models by role.
#[derive(Clone, Debug)]
pub struct Router {
    clients: BTreeMap<&'static str, Client>,
}

/// How one attempt went wrong.
enum Fault {
    /// Asking again at once or after the usual pause may help.
    Hiccup(LlmError),
    /// Asking again helps after this time.
    Later(Span),
    /// The server does not understand a field that can be left out or renamed: nobody's fault, ask again at once.
    Dialect,
    /// Asking again is in vain.
    Final(LlmError),
}

impl Client {
    /// A client for one model.
    pub fn new(settings: &ModelSettings) -> Result<Self, LlmError> {
        let http = http(is_local(&settings.base_url))?;
        Self::over(http, settings)
    }

    fn over(http: reqwest::Client, settings: &ModelSettings) -> Result<Self, LlmError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(key) = &settings.key {
            let value = HeaderValue::from_str(&format!("Bearer {}", key.expose()));
            let mut value = value.map_err(|_| {
                LlmError::Settings("the model's `key` has characters that no header may have; copy it again".to_owned())
            })?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let (settings, learnt) = (Arc::new(settings.clone()), Arc::default());
        Ok(Self { http, settings, headers, learnt, pause: PAUSE })
    }

    /// The settings that this client uses.
    pub fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    /// Asks. Reading stops once `complete` says that the text so far is all that is wanted.
    ///
    /// An empty reply is asked for once more, then returned as it is. Dropping the future cancels the request.
    pub async fn ask(&self, request: &Request, complete: &(dyn Fn(&str) -> bool + Sync)) -> Result<Reply, LlmError> {
        let span = debug_span!("ask", model = %self.settings.name);
        self.attempts(request, complete).instrument(span).await
    }

    async fn attempts(&self, request: &Request, complete: &(dyn Fn(&str) -> bool + Sync)) -> Result<Reply, LlmError> {
        let (mut attempt, mut may_ask_again_if_empty) = (0, true);
        loop {
            attempt += 1;
            let limit = self.settings.timeout;
            let timed_out = || LlmError::TimedOut { base_url: self.settings.base_url.clone(), limit };
            // Not asked again: a reply that takes longer than the limit would take as long the next time.
            let tried = timeout(limit.to_duration(), self.attempt(request, complete)).await.map_err(|_| timed_out())?;
            let is_last = attempt >= ATTEMPTS;
            let wait = match tried {
                Ok(reply) if reply.text.trim().is_empty() && may_ask_again_if_empty && !is_last => {
                    may_ask_again_if_empty = false;
                    debug!("empty reply, asking once more");
                    continue;
                }
                Ok(reply) => {
                    debug!(
                        input = reply.usage.input,
                        cached = reply.usage.cached,
                        output = reply.usage.output,
                        "reply"
                    );
                    return Ok(reply);
                }
                Err(Fault::Dialect) if !is_last => continue,
                Err(Fault::Hiccup(error)) if is_last => return Err(error),
                Err(Fault::Hiccup(error)) => {
                    debug!(%error, attempt, "hiccup");
                    self.pause * 2_u32.saturating_pow(attempt - 1)
                }
                Err(Fault::Later(wait)) if is_last || wait > PATIENCE => {
                    return Err(LlmError::RateLimited { base_url: self.settings.base_url.clone(), wait });
                }
                Err(Fault::Later(wait)) => {
                    debug!(wait_ms = wait.0, attempt, "rate limit");
                    wait.to_duration()
                }
                Err(Fault::Final(error)) => return Err(error),
                Err(Fault::Dialect) => return Err(self.garbled("a refusal of every form of the request")),
            };
            tokio::time::sleep(wait).await;
        }
    }

    async fn attempt(&self, request: &Request, complete: &(dyn Fn(&str) -> bool + Sync)) -> Result<Reply, Fault> {
        let dialect = Dialect {
            stream_options: !self.learnt.refuses_stream_options.load(Ordering::Relaxed),
            completion_tokens: self.learnt.wants_completion_tokens.load(Ordering::Relaxed),
        };
        let body = wire::body(&self.settings, request, dialect).to_string();
        let url = format!("{}/chat/completions", self.settings.base_url);
        let sending = self.http.post(url).headers(self.headers.clone()).body(body).send();
        let response = sending.await.map_err(|error| self.unreachable(&error))?;
        let status = response.status().as_u16();
        if status != 200 {
            let headers = response.headers().clone();
            let body = self.whole(response).await.unwrap_or_default();
            return Err(self.refusal(status, &headers, &body, dialect));
        }
        self.read(response, complete).await
    }

    /// Reads an answer as it comes: a stream of events, or one JSON object, whatever its headers say.
    async fn read(
        &self,
        response: reqwest::Response,
        complete: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Reply, Fault> {
        let mut chunks = response.bytes_stream();
        let mut incoming = Incoming::default();
        let mut size = 0;
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|error| self.unreachable(&error))?;
            size += chunk.len();
            incoming.feed(&chunk);
            if incoming.is_over() || incoming.is_foreign() || size > BODY_LIMIT {
                break;
            }
            if complete(&incoming.reply.text) {
                incoming.close_text();
                // A model that stops by itself sends its usage at once; one that babbles on is cut off.
                let _ = timeout(USAGE_GRACE, async {
                    while let Some(Ok(chunk)) = chunks.next().await {
                        incoming.feed(&chunk);
                        if incoming.is_over() {
                            break;
                        }
                    }
                })
                .await;
                break;
            }
        }
        self.judge(incoming)
    }

    /// Writes down what is said in a recording. Asked once: whoever wants it has more to do than to wait.
    pub async fn transcribe(&self, recording: &[u8], kind: &str) -> Result<String, LlmError> {
        let (content_type, body) = wire::form(&self.settings.name, recording, kind);
        let mut headers = self.headers.clone();
        headers.insert(CONTENT_TYPE, content_type);
        let url = format!("{}/audio/transcriptions", self.settings.base_url);
        let limit = self.settings.timeout;
        let asking = async {
            let sending = self.http.post(url).headers(headers).body(body).send();
            let response = sending.await.map_err(|error| self.unreachable(&error))?;
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            let body = self.whole(response).await.unwrap_or_default();
            if status != 200 {
                return Err(self.refusal_of(status, wire::retry_after(&headers), &wire::error_message(&body)));
            }
            wire::transcript(&body).ok_or_else(|| Fault::Final(self.garbled(&body)))
        };
        let timed_out = |_| LlmError::TimedOut { base_url: self.settings.base_url.clone(), limit };
        timeout(limit.to_duration(), asking).await.map_err(timed_out)?.map_err(|fault| match fault {
            Fault::Hiccup(error) | Fault::Final(error) => error,
            Fault::Later(wait) => LlmError::RateLimited { base_url: self.settings.base_url.clone(), wait },
            Fault::Dialect => self.garbled("a refusal of the form of the request"),
        })
    }

    fn judge(&self, incoming: Incoming) -> Result<Reply, Fault> {
        let base_url = self.settings.base_url.clone();
        let (reply, end) = incoming.end();
        match end {
            wire::End::Complete => {
                let model = if reply.model.is_empty() { self.settings.name.clone() } else { reply.model };
                Ok(Reply { model, ..reply })
            }
            wire::End::BrokenOff => {
                Err(Fault::Hiccup(LlmError::Unreachable { base_url, why: "the stream broke off".to_owned() }))
            }
            wire::End::Error { status, message } => Err(self.refusal_of(status, None, &message)),
            wire::End::Foreign { start } => Err(Fault::Final(self.garbled(&start))),
        }
    }

    fn refusal(&self, status: u16, headers: &HeaderMap, body: &str, dialect: Dialect) -> Fault {
        let message = wire::error_message(body);
        if matches!(status, 400 | 422) {
            if dialect.stream_options && body.contains("stream_options") {
                self.learnt.refuses_stream_options.store(true, Ordering::Relaxed);
                return Fault::Dialect;
            }
            if !dialect.completion_tokens && body.contains("max_completion_tokens") {
                self.learnt.wants_completion_tokens.store(true, Ordering::Relaxed);
                return Fault::Dialect;
            }
        }
        // Out of credit is told as "too many requests" by some; waiting does not fill an account.
        if status == 429 && body.contains("insufficient_quota") {
            return Fault::Final(self.rejected(402, &message));
        }
        self.refusal_of(status, wire::retry_after(headers), &message)
    }

    fn refusal_of(&self, status: u16, wait: Option<Span>, message: &str) -> Fault {
        match status {
            401 | 403 => Fault::Final(LlmError::Unauthorized {
                base_url: self.settings.base_url.clone(),
                status,
                message: self.without_key(message),
            }),
            429 => Fault::Later(wait.unwrap_or(RATE_LIMIT_WAIT)),
            503 if wait.is_some() => Fault::Later(wait.unwrap_or(RATE_LIMIT_WAIT)),
            408 | 500..=599 => Fault::Hiccup(self.rejected(status, message)),
            _ => Fault::Final(self.rejected(status, message)),
        }
    }

    fn rejected(&self, status: u16, message: &str) -> LlmError {
        let (base_url, message) = (self.settings.base_url.clone(), self.without_key(message));
        LlmError::Rejected { base_url, status, message }
    }

    fn garbled(&self, start: &str) -> LlmError {
        LlmError::Garbled { base_url: self.settings.base_url.clone(), start: self.without_key(start) }
    }

    fn unreachable(&self, error: &reqwest::Error) -> Fault {
        // The innermost cause says it best ("Connection refused"); the outer ones repeat the address.
        let mut cause: &dyn std::error::Error = error;
        while let Some(inner) = cause.source() {
            cause = inner;
        }
        let why = self.without_key(&wire::one_line(&cause.to_string()));
        Fault::Hiccup(LlmError::Unreachable { base_url: self.settings.base_url.clone(), why })
    }

    /// Some servers quote the key that they refuse.
    fn without_key(&self, text: &str) -> String {
        match &self.settings.key {
            Some(key) => text.replace(key.expose(), "…"),
            None => text.to_owned(),
        }
    }

    async fn whole(&self, response: reqwest::Response) -> Option<String> {
        let mut chunks = response.bytes_stream();
        let mut body = Vec::new();
        while let Some(chunk) = chunks.next().await {
            body.extend_from_slice(&chunk.ok()?);
            if body.len() > BODY_LIMIT {
                break;
            }
        }
        Some(String::from_utf8_lossy(&body).into_owned())
    }
}

impl Router {
    /// A client for every role; roles with equal settings share one.
    pub fn new(config: &Config) -> Result<Self, LlmError> {
        let mut clients = BTreeMap::<&'static str, Client>::new();
        for role in ROLES {
            let settings = config.model(role).map_err(|error| LlmError::Settings(error.to_string()))?;
            let twin = clients.values().find(|client| *client.settings == *settings).cloned();
            clients.insert(role, twin.map_or_else(|| Client::new(settings), Ok)?);
        }
        for role in SENSES {
            match config.model(role) {
                Ok(settings) => drop(clients.insert(role, Client::new(settings)?)),
                // Configured, but its key is not there; a role that is not configured is no fault.
                Err(error) if config.has_model(role) => return Err(LlmError::Settings(error.to_string())),
                Err(_) => {}
            }
        }
        Ok(Self { clients })
    }

    /// Whether a role has a model.
    pub fn has(&self, role: &str) -> bool {
        self.clients.contains_key(role)
    }

    /// The client of a role.
    pub fn client(&self, role: &str) -> Result<&Client, LlmError> {
        let unknown =
            || LlmError::Settings(format!("no model role is called {role:?}; known are {}", ROLES.join(", ")));
        self.clients.get(role).ok_or_else(unknown)
    }

    /// Has the model of a role write a recording down; see [`Client::transcribe`].
    pub async fn transcribe(&self, role: &str, recording: Vec<u8>, kind: &str) -> Result<String, LlmError> {
        self.client(role)?.transcribe(&recording, kind).await
    }

    /// Asks the model of a role; see [`Client::ask`].
    pub async fn ask(
        &self,
        role: &str,
        request: &Request,
        complete: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Reply, LlmError> {
        self.client(role)?.ask(request, complete).await
    }
}

fn http(is_local: bool) -> Result<reqwest::Client, LlmError> {
    // A redirected POST would lose its body or carry the key elsewhere: the operator is told instead.
    let redirects = reqwest::redirect::Policy::none();
    let mut builder = reqwest::Client::builder().connect_timeout(CONNECT_LIMIT).redirect(redirects);
    if is_local {
        // A proxy of the environment cannot reach this machine's own servers.
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| LlmError::Settings(format!("the HTTP client cannot start: {error}")))
}

fn is_local(base_url: &str) -> bool {
    let url = url::Url::parse(base_url).ok();
    match url.as_ref().and_then(url::Url::host) {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
