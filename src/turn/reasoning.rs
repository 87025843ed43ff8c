//! Reasoning that models write into their text, taken out. One reading for what is asked to run and what is sent.

/// Tags that models put around their reasoning.
const TAGS: [&str; 4] = ["think", "thinking", "thought", "reasoning"];
/// The longest such tag, white space included: keeps the search linear.
const MAX_TAG: usize = 16;

/// Cuts `<think>…</think>` and its like. An opening tag without end takes the rest with it, an end without opening tag
/// all that stands before it: some models never write the first one. Code blocks keep what they show.
pub fn without(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    let mut fence: Option<usize> = None;
    while !rest.is_empty() {
        let line_end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(line_end);
        if let Some(open) = fence {
            if closes(line, open) {
                fence = None;
            }
        } else if let Some(open) = opens(line) {
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

/// How many backticks open a block of code on this line.
fn opens(line: &str) -> Option<usize> {
    let body = line.trim_end();
    let ticks = body.trim_start_matches(' ');
    let indent = body.len() - ticks.len();
    let count = ticks.bytes().take_while(|byte| *byte == b'`').count();
    let is_fence = count >= 3 && indent <= 3 && !ticks.get(count..).is_some_and(|info| info.contains('`'));
    is_fence.then_some(count)
}

/// Whether a line closes a block that so many backticks opened.
fn closes(line: &str, open: usize) -> bool {
    let body = line.trim();
    body.len() >= open && body.bytes().all(|byte| byte == b'`')
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
    let name = TAGS.into_iter().find(|known| written.eq_ignore_ascii_case(known))?;
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
