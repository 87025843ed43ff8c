//! Why there is no reply, told to whoever runs the bot.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::time::Span;

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LlmError {
    /// The settings cannot be used.
    #[error("{0}")]
    Settings(String),
    /// No connection, or it broke off.
    #[error("{base_url}: the model's server cannot be reached ({why}); is it running, and is `base_url` right?")]
    Unreachable {
        /// The server.
        base_url: String,
        /// What the network said.
        why: String,
    },
    /// The key is missing or wrong.
    #[error("{base_url}: the model's server wants another key ({status}: {message}); check `key` or `key_env`")]
    Unauthorized {
        /// The server.
        base_url: String,
        /// The HTTP status.
        status: u16,
        /// What the server said.
        message: String,
    },
    /// Too many requests, and the pause it wants is longer than a request should wait.
    #[error("{base_url}: the model's server wants a pause of {} s; ask again then", wait.0.div_euclid(1000).max(1))]
    RateLimited {
        /// The server.
        base_url: String,
        /// For how long.
        wait: Span,
    },
    /// The server answered, and it was a no.
    #[error("{base_url}: the model's server answered {status}: {message}{}", remedy(*status))]
    Rejected {
        /// The server.
        base_url: String,
        /// The HTTP status.
        status: u16,
        /// What the server said.
        message: String,
    },
    /// The time limit of the settings passed.
    #[error("{base_url}: no complete reply within {} s; raise `timeout` or take a faster model", limit.0.div_euclid(1000))]
    TimedOut {
        /// The server.
        base_url: String,
        /// The limit.
        limit: Span,
    },
    /// The answer is not a chat completion.
    #[error("{base_url}: the answer is not a chat completion but {start:?}; `base_url` often ends in /v1")]
    Garbled {
        /// The server.
        base_url: String,
        /// How the answer begins.
        start: String,
    },
}

impl LlmError {
    /// Whether the same request may succeed later without anybody changing anything.
    pub const fn is_temporary(&self) -> bool {
        match self {
            LlmError::Unreachable { .. } | LlmError::RateLimited { .. } | LlmError::TimedOut { .. } => true,
            LlmError::Rejected { status, .. } => *status >= 500 || *status == 408,
            LlmError::Settings(_) | LlmError::Unauthorized { .. } | LlmError::Garbled { .. } => false,
        }
    }
}

const fn remedy(status: u16) -> &'static str {
    match status {
        301..=399 => "; set `base_url` to the address that it moved to",
        402 => "; the account has no credit left",
        404 => "; check `base_url` (it often ends in /v1) and the model's `name`",
        400 | 413 | 422 => "; check the model's `name`, `max_tokens` and `context_tokens`",
        _ => "",
    }
}
