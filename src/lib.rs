//! groupmate: a member of your Telegram group that reads along, remembers, and acts by writing JavaScript.
//!
//! The modules stand in reading order, lower floors first; see `ARCHITECTURE.md`. A file uses lower floors,
//! and on its own floor only modules listed above it here; a test checks both.

// floor 0 · data
pub mod time;
pub mod text;
pub mod chat;
pub mod call;

// floor 1 · faculties
pub mod commands;
pub mod attention;
pub mod agenda;
pub mod memory;
pub mod prompt;
pub mod skills;
pub mod turn;

// floor 2 · hands and senses
pub mod clock;
pub mod config;
pub mod journal;
pub mod store;
pub mod llm;
pub mod sandbox;
pub mod telegram;

// floor 3 · life
pub mod calls;
pub mod room;
pub mod app;
pub mod replay;
pub mod playground;
pub mod cli;
