//! The one integration binary; each module is a subject.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test fails by panicking, and says loudly what it had to leave out"
)]

mod acting;
mod attention;
mod behaviour;
mod bot_api;
mod bundled;
mod commands;
mod crash;
mod guides;
mod hooks;
mod faults;
mod layering;
mod letters;
mod licences;
mod leave;
mod outbox;
mod pairs;
mod perceiving;
mod privacy;
mod replays;
mod sandbox;
mod sends;
mod secrets;
mod skills;
mod spine;
mod support;
