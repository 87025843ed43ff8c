//! The one integration binary; each subject is a module.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr, reason = "tests may fail loudly")]

mod bot_api;
mod outbox;
