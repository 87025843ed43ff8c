//! Requests in, answers out: the parts of HTTP that the Bot API uses.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::connection::Scissors;
use super::method::answer;
use super::{Failure, Shared};
use crate::chat::ids::MessageId;

/// An error in Telegram's shape.
pub(super) struct Refusal {
    pub(super) code: u16,
    pub(super) description: String,
    pub(super) parameters: Option<Value>,
}

pub(super) type Answer = Result<Value, Refusal>;

pub(super) fn refuse(code: u16, description: &str) -> Refusal {
    Refusal { code, description: description.to_owned(), parameters: None }
}

pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/{bot}/{method}", axum::routing::any(handle))
        .route("/file/{bot}/{*path}", axum::routing::get(file))
        .fallback(|| async { reply(Err(refuse(404, "Not Found"))) })
        .with_state(shared)
}

async fn handle(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(scissors): ConnectInfo<Scissors>,
    Path((bot, method)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if bot.strip_prefix("bot") != Some(&shared.token) {
        return reply(Err(refuse(401, "Unauthorized")));
    }
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let Some(request) = parameters(query.as_deref(), kind, &body) else {
        return reply(Err(refuse(400, "Bad Request: can't parse the request's body")));
    };
    if let Some(why) = objection(&shared, &method, &request) {
        return reply(Err(refuse(400, &format!("Bad Request: {why}"))));
    }
    let failure = shared.world().failure(&method);
    match failure {
        Some(Failure::Status { code, body }) => {
            let status = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            let kind = if body.starts_with('{') { "application/json" } else { "text/html" };
            (status, [(header::CONTENT_TYPE, kind)], body).into_response()
        }
        Some(Failure::Retry(secs)) => reply(Err(Refusal {
            parameters: Some(json!({"retry_after": secs})),
            ..refuse(429, &format!("Too Many Requests: retry after {secs}"))
        })),
        Some(Failure::Hang) => std::future::pending().await,
        Some(Failure::Drop) => {
            let _ = answer(&shared, &method, request).await;
            scissors.cut();
            // The connection ends this future; nothing is ever answered.
            std::future::pending().await
        }
        Some(Failure::Late(wait)) => {
            let answer = answer(&shared, &method, request).await;
            tokio::time::sleep(wait).await;
            reply(answer)
        }
        Some(Failure::Pass) | None => reply(answer(&shared, &method, request).await),
    }
}

fn objection(shared: &Shared, method: &str, request: &Request) -> Option<String> {
    let mut world = shared.world();
    let why = world.check.and_then(|check| check(method, &request.0))?;
    world.objections.push(why.clone());
    Some(why)
}

async fn file(State(shared): State<Arc<Shared>>, Path((bot, path)): Path<(String, String)>) -> Response {
    let mut world = shared.world();
    let found = world.files.values().find(|(known, _)| *known == path).map(|(_, bytes)| bytes.clone());
    match found.filter(|_| bot.strip_prefix("bot") == Some(&shared.token)) {
        Some(bytes) => {
            world.downloads += 1;
            ([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response()
        }
        None => reply(Err(refuse(404, "Not Found"))),
    }
}

fn reply(answer: Answer) -> Response {
    let (code, body) = match answer {
        Ok(result) => (200, json!({"ok": true, "result": result})),
        Err(refusal) => {
            let mut body = json!({"ok": false, "error_code": refusal.code, "description": refusal.description});
            if let Some(parameters) = refusal.parameters {
                body["parameters"] = parameters;
            }
            (refusal.code, body)
        }
    };
    let status = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, axum::Json(body)).into_response()
}

/// Parameters come in the query, as a form, or as JSON, and may be mixed.
fn parameters(query: Option<&str>, kind: &str, body: &[u8]) -> Option<Request> {
    let mut fields = Map::new();
    let mut add = |encoded: &[u8]| {
        for (key, value) in url::form_urlencoded::parse(encoded) {
            // Within a form, objects, lists and numbers are JSON; whatever is not is text.
            let value = serde_json::from_str(&value).unwrap_or_else(|_| Value::String(value.into_owned()));
            fields.insert(key.into_owned(), value);
        }
    };
    add(query.unwrap_or_default().as_bytes());
    if kind.starts_with("application/x-www-form-urlencoded") {
        add(body);
    } else if !body.is_empty() {
        match serde_json::from_slice(body).ok()? {
            Value::Object(more) => fields.extend(more),
            Value::Null => {}
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => return None,
        }
    }
    Some(Request(Value::Object(fields)))
}

/// A request's parameters.
pub(super) struct Request(pub(super) Value);

impl Request {
    pub(super) fn int(&self, key: &str) -> Option<i64> {
        match self.0.get(key)? {
            Value::String(text) => text.parse().ok(),
            other => other.as_i64(),
        }
    }

    pub(super) fn text(&self, key: &str) -> String {
        match self.0.get(key) {
            Some(Value::String(text)) => text.clone(),
            // A form's `text=5` was read as a number.
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        }
    }

    pub(super) fn message(&self) -> Result<MessageId, Refusal> {
        self.int("message_id")
            .map(MessageId)
            .ok_or_else(|| refuse(400, "Bad Request: message identifier is not specified"))
    }
}
