//! Attention: whether a message is meant for us, when to think, and what became of each message.

pub mod ledger;
pub mod address;
mod cues;
pub mod settings;
pub mod gate;
