//! The little Markdown that chat models write: fences, code, bold, italic, strike, links, headings.
//!
//! Whatever is not closed on its own line (a fence: ever) is no markup. Time is linear in the text's length for each
//! level of nesting.

use url::Url;

use super::{EntityKind, Mark, Shown};

/// How deep emphasis nests: bold in a link in italics is deep enough.
const MAX_DEPTH: usize = 4;
/// What may stand behind a link; anything else stays as written.
const SCHEMES: [&str; 3] = ["http", "https", "tg"];
/// The longest words and the longest address of a link, in characters; it also bounds how far an end is looked for.
const MAX_LINK: usize = 2048;
/// The longest language name of a fence; longer first lines are something else.
const MAX_LANGUAGE: usize = 24;

/// Emphasis by its delimiter, longer ones first.
const EMPHASIS: [(&str, EntityKind); 4] =
    [("**", EntityKind::Bold), ("~~", EntityKind::Strike), ("*", EntityKind::Italic), ("_", EntityKind::Italic)];

/// Reads a text.
pub(super) fn read(text: &str) -> Shown {
    let mut shown = Shown::default();
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let Some((fence, language)) = opens(line) else {
            read_line(line, &mut shown);
            continue;
        };
        let mut code = String::new();
        let mut closing = "";
        for inner in lines.by_ref() {
            if closes(inner, fence) {
                closing = inner;
                break;
            }
            code.push_str(inner);
        }
        let code = code.trim_end_matches('\n');
        if code.trim().is_empty() {
            // An empty block shows nothing; its fences do.
            shown.text.push_str(line);
            shown.text.push_str(closing);
            continue;
        }
        let start = shown.text.len();
        shown.text.push_str(code);
        let kind = EntityKind::Pre((!language.is_empty()).then(|| language.to_owned()));
        shown.marks.push(Mark { kind, start, end: shown.text.len() });
        if closing.ends_with('\n') {
            shown.text.push('\n');
        }
    }
    shown.marks.sort_by_key(|mark| (mark.start, std::cmp::Reverse(mark.end)));
    shown
}

/// Whether a line opens a fence: the run of backticks, and the language.
pub(super) fn opens(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_end();
    let indent = line.len() - line.trim_start_matches(' ').len();
    let body = line.get(indent..).filter(|_| indent <= 3)?;
    let ticks = body.len() - body.trim_start_matches('`').len();
    let (fence, language) = body.split_at_checked(ticks).filter(|_| ticks >= 3)?;
    let language = language.trim();
    let fits = language.len() <= MAX_LANGUAGE && !language.contains(['`', ' ']);
    fits.then_some((fence, language))
}

/// Whether a line closes the fence.
pub(super) fn closes(line: &str, fence: &str) -> bool {
    let body = line.trim();
    body.len() >= fence.len() && body.chars().all(|c| c == '`')
}

fn read_line(line: &str, shown: &mut Shown) {
    let (body, newline) = match line.strip_suffix('\n') {
        Some(body) => (body, "\n"),
        None => (line, ""),
    };
    let start = shown.text.len();
    let hashes = body.len() - body.trim_start_matches('#').len();
    let heading = body.get(hashes..).and_then(|rest| rest.strip_prefix(' ')).filter(|_| (1..=6).contains(&hashes));
    match heading.map(str::trim).filter(|heading| !heading.is_empty()) {
        Some(heading) => {
            inline(heading, 0, None, shown);
            shown.marks.push(Mark { kind: EntityKind::Bold, start, end: shown.text.len() });
        }
        None => inline(body, 0, None, shown),
    }
    shown.text.push_str(newline);
}

/// Reads one line's worth of text. `before` is the character in front of it.
fn inline(text: &str, depth: usize, mut before: Option<char>, shown: &mut Shown) {
    // A delimiter whose end was not found once is not found further on either: this keeps the time linear.
    let mut hopeless = [false; EMPHASIS.len() + 1];
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let Some(c) = rest.chars().next() else { return };
        let taken = match c {
            '`' if !hopeless[EMPHASIS.len()] => code(rest, shown, &mut hopeless[EMPHASIS.len()]),
            '[' if depth < MAX_DEPTH => link(rest, depth, shown),
            // An address stands as it is: `_` and `*` are part of it.
            'h' if !before.is_some_and(char::is_alphanumeric) => address(rest, shown),
            '*' | '_' | '~' if depth < MAX_DEPTH => emphasis(rest, depth, before, shown, &mut hopeless),
            _ => 0,
        };
        if taken > 0 {
            before = text.get(..at + taken).and_then(|done| done.chars().next_back());
            at += taken;
        } else {
            // A run of delimiters that opens nothing is taken whole, so that `***` is not read as `*` and `**`.
            let run =
                if matches!(c, '*' | '_' | '~' | '`') { rest.len() - rest.trim_start_matches(c).len() } else { 0 };
            let step = run.max(c.len_utf8());
            shown.text.push_str(rest.get(..step).unwrap_or_default());
            before = Some(c);
            at += step;
        }
    }
}

/// A bare web address. Returns how many bytes it took; 0 if it is none.
fn address(rest: &str, shown: &mut Shown) -> usize {
    if !(rest.starts_with("https://") || rest.starts_with("http://")) {
        return 0;
    }
    let length = rest.find(|c: char| !c.is_ascii_graphic() || c == '`').unwrap_or(rest.len());
    shown.text.push_str(rest.get(..length).unwrap_or_default());
    length
}

/// `` `code` ``. Returns how many bytes it took; 0 if it is none.
fn code(rest: &str, shown: &mut Shown, hopeless: &mut bool) -> usize {
    let ticks = rest.len() - rest.trim_start_matches('`').len();
    let (fence, inner) = rest.split_at(ticks);
    let mut from = 0;
    while let Some(found) = inner.get(from..).and_then(|rest| rest.find(fence)) {
        let end = from + found;
        let run = inner.get(end..).map_or(0, |rest| rest.len() - rest.trim_start_matches('`').len());
        if run == ticks {
            let body = inner.get(..end).unwrap_or_default();
            if body.trim().is_empty() {
                return 0;
            }
            push(shown, EntityKind::Code, |shown| shown.text.push_str(body));
            return ticks + end + ticks;
        }
        from = end + run;
    }
    *hopeless = ticks == 1;
    0
}

/// `[words](address)`.
fn link(rest: &str, depth: usize, shown: &mut Shown) -> usize {
    let inside = rest.get(1..).unwrap_or_default();
    // The nearest bracket decides: an opening one would be the real start of the link.
    let Some((length, ']')) = inside.char_indices().take(MAX_LINK).find(|(_, c)| matches!(c, '[' | ']')) else {
        return 0;
    };
    let (words, after) = inside.split_at(length);
    let Some(address) = after.strip_prefix("](").filter(|_| !words.trim().is_empty()) else { return 0 };
    let Some(end) = closing_parenthesis(address) else { return 0 };
    let url = address.get(..end).and_then(|address| Url::parse(address).ok());
    let Some(url) = url.filter(|url| SCHEMES.contains(&url.scheme())) else { return 0 };
    push(shown, EntityKind::Link(url), |shown| inline(words, depth + 1, None, shown));
    "[](".len() + length + end + ")".len()
}

/// The end of an address, which may hold balanced parentheses itself but no white space.
fn closing_parenthesis(address: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in address.char_indices().take(MAX_LINK) {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ if c.is_whitespace() => return None,
            _ => {}
        }
    }
    None
}

/// `**bold**`, `*italic*`, `_italic_`, `~~strike~~`.
fn emphasis(
    rest: &str,
    depth: usize,
    before: Option<char>,
    shown: &mut Shown,
    hopeless: &mut [bool; EMPHASIS.len() + 1],
) -> usize {
    for (index, (mark, kind)) in EMPHASIS.into_iter().enumerate() {
        let Some(inner) = rest.strip_prefix(mark) else { continue };
        let first = inner.chars().next();
        // Three in a row are bold around italics; more are a line.
        let is_triple = mark == "**" && inner.starts_with('*') && !inner.starts_with("**");
        let is_visible = first.is_some_and(|c| !c.is_whitespace() && !mark.contains(c)) || is_triple;
        let opens = is_visible && !joins(mark, before);
        if hopeless[index] || !opens {
            continue;
        }
        match closing(inner, mark) {
            Some(end) => {
                let body = inner.get(..end).unwrap_or_default();
                push(shown, kind, |shown| inline(body, depth + 1, None, shown));
                return mark.len() + end + mark.len();
            }
            None => hopeless[index] = true,
        }
    }
    0
}

/// Where emphasis ends: the delimiter alone, after something visible, and not within a word.
fn closing(inner: &str, mark: &str) -> Option<usize> {
    let delimiter = mark.chars().next()?;
    let mut from = 0;
    while let Some(found) = inner.get(from..)?.find(delimiter) {
        let at = from + found;
        let after = inner.get(at..)?;
        let run = after.len() - after.trim_start_matches(delimiter).len();
        let previous = inner.get(..at)?.chars().next_back();
        let next = after.get(run..)?.chars().next();
        let closes = previous.is_some_and(|c| !c.is_whitespace()) && !joins(mark, next);
        // `**a *b***`: the inner one closes first, ours are the last of the run.
        if closes && (run == mark.len() || run == mark.len() + if mark.len() == 1 { 2 } else { 1 }) {
            return Some(at + if mark.len() == 2 { run - mark.len() } else { 0 });
        }
        from = at + run;
    }
    None
}

/// Whether a single delimiter beside this character belongs to a word: `snake_case`, `2*3*4`. Chinese writes no spaces,
/// so there `*` may stand within a run of characters, but `_` may not.
fn joins(mark: &str, neighbour: Option<char>) -> bool {
    match (mark, neighbour) {
        ("*", Some(c)) => c.is_ascii_alphanumeric(),
        ("_", Some(c)) => c.is_alphanumeric() || c == '\\' || c == '/',
        _ => false,
    }
}

fn push(shown: &mut Shown, kind: EntityKind, content: impl FnOnce(&mut Shown)) {
    let start = shown.text.len();
    content(shown);
    shown.marks.push(Mark { kind, start, end: shown.text.len() });
}
