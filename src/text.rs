//! Text as people see it: whole characters, the columns they take, the lines they stand in, and slips of the pen.
//!
//! A *character* here is what a reader takes for one: a letter with its marks, an emoji with its joiners, a flag, a line
//! break of two bytes. No cut falls inside one.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation as _};
use unicode_width::UnicodeWidthStr as _;

/// The longest names that are compared, in `char`s: what is longer is no name.
const LONGEST_NAME: usize = 128;
/// Of the bytes that [`clip`] keeps, one in so many is for the tail.
const TAIL: usize = 4;

/// Insertions, deletions, changes and swaps of neighbours between two names, letter case aside, if there are at most so
/// many.
pub fn slips(a: &str, b: &str, most: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    if a.len().abs_diff(b.len()) > most || a.len().max(b.len()) > LONGEST_NAME {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let at = |line: &[usize], j: usize| line.get(j).copied().unwrap_or(usize::MAX / 2);
            let mut best = (at(&above, j) + usize::from(x != y)).min(at(&above, j + 1) + 1).min(at(&row, j) + 1);
            let is_swap = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if is_swap {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().filter(|slips| *slips <= most)
}

/// The characters of a text.
pub fn characters(text: &str) -> impl Iterator<Item = &str> {
    text.graphemes(true)
}

/// The columns that a text takes where all characters are equally wide, those of Chinese, Japanese and Korean and emoji
/// twice so.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The end of the last whole character that ends at or before this byte.
pub fn floor(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at);
    if is_boundary(text, at) { at } else { cursor(text, at).prev_boundary(text, 0).ok().flatten().unwrap_or(0) }
}

/// The beginning of the first whole character that begins at or after this byte.
pub fn ceil(text: &str, at: usize) -> usize {
    let at = text.ceil_char_boundary(at);
    if is_boundary(text, at) {
        at
    } else {
        cursor(text, at).next_boundary(text, 0).ok().flatten().unwrap_or(text.len())
    }
}

fn is_boundary(text: &str, at: usize) -> bool {
    cursor(text, at).is_boundary(text, 0).unwrap_or(true)
}

fn cursor(text: &str, at: usize) -> GraphemeCursor {
    GraphemeCursor::new(at, text.len(), true)
}

/// What was left out of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    bytes: usize,
    breaks: usize,
    /// Whether its last line is whole, so that it counts no further one.
    ends_in_break: bool,
}

impl Gap {
    /// Left out after what already was.
    pub fn add(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.bytes += text.len();
        self.breaks += text.bytes().filter(|byte| *byte == b'\n').count();
        self.ends_in_break = text.ends_with('\n');
    }

    /// Whether nothing was.
    pub const fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Head and tail, with a line between them that says how much is missing.
    pub fn between(&self, head: &str, tail: &str) -> String {
        let lines = self.breaks + usize::from(!self.ends_in_break);
        let (bytes, lines) = (count(self.bytes, "byte"), count(lines, "line"));
        let before = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
        format!("{head}{before}… ({bytes} in {lines} left out) …\n{tail}")
    }
}

/// A number with its noun, such as `1 line` and `2 lines`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Head and tail of a text of more than so many bytes, with what is missing between them counted.
pub fn clip(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let head = floor(text, most - most / TAIL);
    let tail = ceil(text, text.len() - most / TAIL).max(head);
    let mut gap = Gap::default();
    gap.add(&text[head..tail]);
    if gap.is_empty() {
        return text.to_owned();
    }
    gap.between(&text[..head], &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted_up_to_a_bound() {
        let rows = [
            ("search", "serach", 3, Some(1)),
            ("sendText", "sendtext", 0, Some(0)),
            ("", "ab", 2, Some(2)),
            ("kitten", "sitting", 3, Some(3)),
            ("kitten", "sitting", 2, None),
            ("名字", "名子", 1, Some(1)),
            ("ab", "ba", 1, Some(1)),
        ];
        for (a, b, most, expected) in rows {
            assert_eq!(slips(a, b, most), expected, "{a} {b}");
            assert_eq!(slips(b, a, most), expected, "{b} {a}");
        }
    }

    #[test]
    fn no_cut_falls_inside_a_character() {
        // An accent of its own, a family, flags, a skin tone, a keycap, jamo, a line break of two bytes.
        let whole = ["e\u{301}", "👨‍👩‍👧‍👦", "🇨🇳", "🇯🇵", "👍🏽", "1\u{fe0f}\u{20e3}", "각", "\r\n", "好", "न\u{93f}"];
        let text = whole.concat();
        let mut starts: Vec<usize> = vec![0];
        for part in whole {
            starts.push(starts[starts.len() - 1] + part.len());
        }
        for at in 0..=text.len() {
            let (low, high) = (floor(&text, at), ceil(&text, at));
            assert!(low <= at && at <= high && starts.contains(&low) && starts.contains(&high), "{at}: {low} {high}");
        }
        for most in 0..text.len() {
            let clipped = clip(&text, most);
            let parts: Vec<&str> = clipped.split("… (").collect();
            let head = parts[0].strip_suffix('\n').unwrap_or(parts[0]);
            let (_, tail) = clipped.split_once(" left out) …\n").unwrap();
            assert!(text.starts_with(head) && starts.contains(&head.len()), "{most}: {clipped:?}");
            assert!(text.ends_with(tail) && starts.contains(&(text.len() - tail.len())), "{most}: {clipped:?}");
        }
    }

    #[test]
    fn what_is_left_out_is_counted_in_bytes_and_lines() {
        let rows = [
            ("short", 100, "short"),
            ("0123456789", 4, "012\n… (6 bytes in 1 line left out) …\n9"),
            ("ab\ncd\nef\ngh\n", 4, "ab\n… (8 bytes in 3 lines left out) …\n\n"),
            ("好好好好好", 12, "好好好\n… (3 bytes in 1 line left out) …\n好"),
        ];
        for (text, most, expected) in rows {
            assert_eq!(clip(text, most), expected, "{text:?}");
        }
        let mut gap = Gap::default();
        gap.add("one\n");
        gap.add("two\n");
        assert_eq!(gap.between("head\n", "tail"), "head\n… (8 bytes in 2 lines left out) …\ntail");
    }

    #[test]
    fn columns_are_those_of_a_terminal() {
        let rows =
            [("abc", 3), ("好", 2), ("한글", 4), ("👍", 2), ("👨‍👩‍👧‍👦", 2), ("e\u{301}", 1), ("ｱ", 1), ("Ａ", 2), ("🇨🇳", 2)];
        for (text, expected) in rows {
            assert_eq!(columns(text), expected, "{text}");
        }
    }
}
