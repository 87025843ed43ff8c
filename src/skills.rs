//! Skills: what the model can use, declared in TypeScript, described in one line, documented when it goes wrong.
//!
//! Invariants:
//! - Everything here is pure: files come in as texts, texts and tables go out. Broken input gives problems, never a
//!   panic, and one broken skill never takes another with it.
//! - A declaration is an index, not a fence: what it does not list can still be called.
//! - Source nested deeper than a parser's stack can bear is never parsed (`intent::is_parseable`).

pub mod bundled;
pub mod declaration;
pub mod disclose;
pub mod guide;
pub mod permission;
pub mod hook;
pub mod intent;
pub mod manifest;
pub mod prepare;
pub mod registry;
