//! What is said to the model. Still parts come first and fresh parts last, so that providers can cache the prefix.
//!
//! Invariants: names and texts of people are rendered by [`mod@line`] alone, which keeps one message one line block that
//! nobody can forge; nothing here reads a clock or a store, so the same arguments give the same bytes.

mod excerpt;
pub mod line;
pub mod observation;
pub mod opening;
pub mod request;
pub mod system;
