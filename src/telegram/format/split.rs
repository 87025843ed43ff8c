//! Cutting formatted text into pieces.

use super::{Entity, EntityKind, Mark, Piece, Shown};

/// The most characters that a cut steps back to leave a cluster (a family emoji, a letter with its accents) whole; a
/// longer one is no emoji but an attack on the layout.
const MAX_CLUSTER: usize = 32;

/// Cuts at the best places so that each piece has at most `limit` UTF-16 units.
pub(super) fn cut(shown: &Shown, limit: usize) -> Vec<Piece> {
    let text = shown.text.as_str();
    let code = Code::of(shown);
    let mut pieces = Vec::new();
    let mut start = 0;
    while let Some(rest) = text.get(start..).filter(|rest| !rest.is_empty()) {
        let end = match fitting(rest, limit) {
            fits if fits == rest.len() => text.len(),
            fits => start + best_cut(shown, &code, start, start + fits),
        };
        pieces.extend(piece(shown, &code, start, end));
        start = end;
    }
    pieces
}

/// How many bytes fit; always at least one character.
fn fitting(rest: &str, limit: usize) -> usize {
    let mut units = 0;
    for (at, c) in rest.char_indices() {
        units += c.len_utf16();
        if units > limit && at > 0 {
            return at;
        }
    }
    rest.len()
}

/// How good a place for a cut is, best last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Space,
    Line,
    Sentence,
    Paragraph,
}

/// The length in bytes of the piece that begins at `start` and ends at `limit` at the latest.
fn best_cut(shown: &Shown, code: &Code, start: usize, limit: usize) -> usize {
    let window = shown.text.get(start..limit).unwrap_or_default();
    let after = shown.text.get(limit..).and_then(|rest| rest.chars().next());
    // A paragraph's end in the last half beats a sentence's end further down; a space must leave the piece well filled.
    let earliest = |place: Place| match place {
        Place::Paragraph => window.len() / 2,
        Place::Sentence | Place::Line => window.len() / 4,
        Place::Space => window.len() / 2,
    };
    let mut best: Option<(Place, usize)> = None;
    let mut previous = [None; 2];
    let mut chars = window.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let next = chars.peek().map(|(_, next)| *next).or(after);
        let in_code = code.holds(start + end);
        if let Some(place) = place_after(previous, c, next, in_code).filter(|place| end >= earliest(*place))
            && best.is_none_or(|(known, _)| place >= known)
        {
            best = Some((place, end));
        }
        previous = [previous[1], Some(c)];
    }
    best.map_or_else(|| whole_cluster(window, after), |(_, end)| end)
}

/// What kind of place is behind the character `c`.
fn place_after(previous: [Option<char>; 2], c: char, next: Option<char>, in_code: bool) -> Option<Place> {
    if c == '\n' {
        // A blank line, or the line before a block of code.
        return Some(match previous[1] {
            Some('\n') if !in_code => Place::Paragraph,
            _ => Place::Line,
        });
    }
    if in_code {
        return None;
    }
    let spaced = next.is_none_or(char::is_whitespace);
    let closes = |c: char| matches!(c, '"' | '\'' | ')' | '”' | '’' | '」' | '』' | '）' | '】' | '》');
    let ends =
        |c: Option<char>| matches!(c, Some('。' | '！' | '？' | '…')) || (spaced && matches!(c, Some('.' | '!' | '?')));
    let next_closes = next.is_some_and(|next| closes(next) || matches!(next, '。' | '！' | '？' | '…' | '!' | '?'));
    if !next_closes && (ends(Some(c)) || (closes(c) && ends(previous[1]))) {
        return Some(Place::Sentence);
    }
    (c.is_whitespace() || matches!(c, '，' | '、' | '；' | '：')).then_some(Place::Space)
}

/// The blocks of code in a text; they do not overlap.
struct Code(Vec<(usize, usize)>);

impl Code {
    fn of(shown: &Shown) -> Self {
        let blocks = shown.marks.iter().filter(|mark| matches!(mark.kind, EntityKind::Pre(_)));
        Self(blocks.map(|mark| (mark.start, mark.end)).collect())
    }

    /// Whether a cut here would be within a block.
    fn holds(&self, at: usize) -> bool {
        let after = self.0.partition_point(|(start, _)| *start < at);
        after.checked_sub(1).and_then(|last| self.0.get(last)).is_some_and(|(_, end)| at < *end)
    }
}

/// The end of the last character that is whole in the window.
fn whole_cluster(window: &str, after: Option<char>) -> usize {
    let mut next = after;
    let mut end = window.len();
    for (at, c) in window.char_indices().rev().take(MAX_CLUSTER) {
        let flags = window.get(..end).unwrap_or_default().chars().rev().take_while(|c| is_flag_half(*c)).count();
        let splits = next.is_some_and(|next| extends(next) || (is_flag_half(next) && flags % 2 == 1)) || is_joiner(c);
        if !splits && end > 0 {
            return end;
        }
        next = Some(c);
        end = at;
    }
    window.len()
}

const fn is_joiner(c: char) -> bool {
    c == '\u{200d}'
}

/// Half of a flag: two make one.
const fn is_flag_half(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Whether a character continues the one before it: accents, emoji variants, skin tones, tags, joiners.
const fn extends(c: char) -> bool {
    matches!(
        c,
        '\u{0300}'..='\u{036f}'
            | '\u{0591}'..='\u{05bd}'
            | '\u{064b}'..='\u{065f}'
            | '\u{0900}'..='\u{0903}'
            | '\u{093a}'..='\u{094f}'
            | '\u{0e31}'
            | '\u{0e34}'..='\u{0e3a}'
            | '\u{0e47}'..='\u{0e4e}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{200c}'..='\u{200d}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{3099}'..='\u{309a}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{1f3fb}'..='\u{1f3ff}'
            | '\u{e0020}'..='\u{e007f}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// One piece without the white space around it; nothing if that is all.
fn piece(shown: &Shown, code: &Code, start: usize, end: usize) -> Option<Piece> {
    let whole = shown.text.get(start..end)?;
    // Within code the first line's indent is content.
    let head = if code.holds(start) { whole.trim_start_matches('\n') } else { whole.trim_start() };
    let text = head.trim_end();
    if text.trim().is_empty() {
        return None;
    }
    let from = start + whole.len() - head.len();
    let to = from + text.len();
    let units = |from: usize, to: usize| shown.text.get(from..to).map_or(0, |part| part.encode_utf16().count());
    let clipped = |mark: &Mark| {
        let (first, last) = (mark.start.max(from), mark.end.min(to));
        let visible = shown.text.get(first..last).is_some_and(|part| !part.trim().is_empty());
        visible.then(|| Entity { kind: mark.kind.clone(), offset: units(from, first), length: units(first, last) })
    };
    Some(Piece { text: text.to_owned(), entities: shown.marks.iter().filter_map(clipped).collect() })
}
