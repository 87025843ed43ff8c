//! Model text to what Telegram shows: cleaned, light Markdown as entities, cut into pieces that Telegram takes.
//!
//! Invariants: no reasoning is ever in a piece; every piece has 1 to [`MAX_UNITS`] UTF-16 units and is not blank; a cut
//! is never inside a character, and drops nothing but white space; what is not well-formed Markdown stays as written.
//! There is no parse mode, so no text can fail to parse.

mod markdown;
mod split;

/// Telegram's limit of one message, in UTF-16 units.
pub const MAX_UNITS: usize = 4096;
/// Tags that models put around their reasoning.
const REASONING: [&str; 4] = ["think", "thinking", "thought", "reasoning"];
/// The longest such tag, white space included: keeps the search linear.
const MAX_TAG: usize = 16;

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
    let mut kept = without_reasoning(&text.replace("\r\n", "\n"));
    kept.retain(|c| !c.is_control() || c == '\n' || c == '\t');
    kept.trim().to_owned()
}

/// Cuts `<think>…</think>` and its like. An opening tag without end takes the rest with it, an end without opening tag
/// all that stands before it: some models never write the first one. Code blocks keep what they show.
fn without_reasoning(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    let mut fence: Option<&str> = None;
    while !rest.is_empty() {
        let line_end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(line_end);
        if let Some(open) = fence {
            if markdown::closes(line, open) {
                fence = None;
            }
        } else if let Some((open, _)) = markdown::opens(line) {
            fence = Some(open);
        } else if let Some(tag) = next_tag(line) {
            let (before, from) = rest.split_at(tag.start);
            kept.push_str(before);
            let inside = from.get(tag.length..).unwrap_or_default();
            if tag.is_end {
                kept.clear();
                rest = inside;
            } else {
                rest = after_end(inside, tag.name);
            }
            continue;
        }
        kept.push_str(line);
        rest = after;
    }
    kept
}

struct Tag {
    start: usize,
    length: usize,
    name: &'static str,
    is_end: bool,
}

/// The first reasoning tag in a text, inline code aside.
fn next_tag(text: &str) -> Option<Tag> {
    let mut in_code = false;
    for (start, c) in text.char_indices() {
        match c {
            '`' => in_code = !in_code && text.get(start + 1..).is_some_and(|rest| rest.contains('`')),
            '<' if !in_code => {
                if let Some(tag) = tag_at(text, start) {
                    return Some(tag);
                }
            }
            _ => {}
        }
    }
    None
}

fn tag_at(text: &str, start: usize) -> Option<Tag> {
    let inner = text.get(start + 1..)?;
    let (name, is_end) = match inner.strip_prefix('/') {
        Some(name) => (name, true),
        None => (inner, false),
    };
    let end = name.bytes().take(MAX_TAG).position(|byte| byte == b'>')?;
    let written = name.get(..end)?.trim();
    let name = REASONING.into_iter().find(|known| written.eq_ignore_ascii_case(known))?;
    Some(Tag { start, length: 1 + usize::from(is_end) + end + 1, name, is_end })
}

/// What follows the end of a reasoning block, nested ones included; nothing if it never ends.
fn after_end<'a>(inside: &'a str, name: &str) -> &'a str {
    let mut depth = 1;
    for (at, _) in inside.match_indices('<') {
        let Some(tag) = tag_at(inside, at).filter(|tag| tag.name == name) else { continue };
        depth = if tag.is_end { depth - 1 } else { depth + 1 };
        if depth == 0 {
            return inside.get(at + tag.length..).unwrap_or_default();
        }
    }
    // Nested opening tags may be mere words of the reasoning: then its first end counts.
    let first = inside.match_indices('<').find_map(|(at, _)| tag_at(inside, at).filter(|t| t.is_end && t.name == name));
    first.and_then(|tag| inside.get(tag.start + tag.length..)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
