//! Telegram: updates to events, acts to requests.
//!
//! Incoming JSON is decoded field by field by ourselves ([`decode`]) so that a kind of update that no library knows
//! yet is neither lost nor fatal, and its raw text can be kept. Outgoing requests are teloxide's typed ones ([`api`]),
//! over our own connection: the library waits ten seconds on every 5xx, and fails on an answer newer than itself although
//! the message was sent. Every visible act goes through the [`outbox`] and happens at most once.

pub mod api;
pub mod decode;
pub mod format;
pub mod outbox;
pub mod poll;
mod wire;
