//! The one integration binary; each subject is a module.

mod bot_api;
mod outbox;
