//! Model text to what Telegram shows: cleaned, light Markdown as entities, cut into pieces that Telegram takes.
//!
//! Invariants: no reasoning is ever in a piece; every piece has 1 to [`MAX_UNITS`] UTF-16 units and is not blank; a cut
//! is never inside a character, and drops nothing but white space; what is not well-formed Markdown stays as written.
//! There is no parse mode, so no text can fail to parse.

mod door;
mod markdown;
mod split;

use crate::turn::reasoning;

pub use self::door::admit;

/// Telegram's limit of one message, in UTF-16 units.
pub const MAX_UNITS: usize = 4096;
/// One message's worth of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What is shown.
    pub text: String,
    /// How parts of it are shown.
    pub entities: Vec<Entity>,
}

/// A stretch of formatted text. Offsets and lengths are UTF-16 units, as Telegram counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// How it is shown.
    pub kind: EntityKind,
    /// Where it starts.
    pub offset: usize,
    /// How long it is.
    pub length: usize,
}

/// Ways of showing text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntityKind {
    /// Bold.
    Bold,
    /// Italic.
    Italic,
    /// Struck through.
    Strike,
    /// Fixed width within a line.
    Code,
    /// A fixed-width block, with its language if it named one.
    Pre(Option<String>),
    /// A link behind words; always an address that parses.
    Link(url::Url),
}

/// Lays a text out as one or more messages, in order. Nothing to show gives none.
pub fn lay_out(text: &str) -> Vec<Piece> {
    let cleaned = clean(text);
    let shown = markdown::read(&cleaned);
    split::cut(&shown, MAX_UNITS)
}

/// Formatted text before it is cut.
#[derive(Debug, Default)]
struct Shown {
    text: String,
    /// By byte ranges into `text`, ordered by start.
    marks: Vec<Mark>,
}

/// One formatted stretch.
#[derive(Debug)]
struct Mark {
    kind: EntityKind,
    start: usize,
    end: usize,
}

/// Takes out reasoning and control characters, and trims.
fn clean(text: &str) -> String {
    let mut kept = reasoning::without(&text.replace("\r\n", "\n"));
    kept.retain(|c| !c.is_control() || c == '\n' || c == '\t');
    kept.trim().to_owned()
}

#[cfg(test)]
mod tests;
