//! Model text to what Telegram shows.

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
