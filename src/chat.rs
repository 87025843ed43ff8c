//! What a chat is made of: ids, people, messages, events, the transcript, and who may learn what.

pub mod audience;
pub mod event;
pub mod ids;
pub mod language;
pub mod media;
pub mod message;
pub mod person;
pub mod transcript;
