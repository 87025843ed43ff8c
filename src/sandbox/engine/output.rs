//! What a script prints, bounded: the head and the tail are kept, and what was cut between them is counted.

use crate::text::{Gap, ceil, floor};

/// Of the bytes kept, one in so many is for the tail.
const TAIL: usize = 4;

/// Text that grows without bound and is kept within one. Each piece that is pushed ends in a whole character.
#[derive(Debug, Default)]
pub(super) struct Output {
    head: String,
    tail: String,
    limit: usize,
    is_head_full: bool,
    gap: Gap,
}

impl Output {
    /// Keeps about so many bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    pub(super) fn push(&mut self, text: &str) {
        let mut rest = text;
        if !self.is_head_full {
            let room = (self.limit - self.limit / TAIL).saturating_sub(self.head.len());
            let end = floor(rest, room.min(rest.len()));
            self.head.push_str(&rest[..end]);
            rest = &rest[end..];
            self.is_head_full = !rest.is_empty();
        }
        let most = self.limit / TAIL;
        // Of one long text only the end can stay; the rest is not copied first.
        if rest.len() > most {
            self.drop_tail(self.tail.len());
            let start = ceil(rest, rest.len() - most);
            self.gap.add(&rest[..start]);
            rest = &rest[start..];
        }
        self.tail.push_str(rest);
        // Shifting is done now and then, not with each line.
        if self.tail.len() > 2 * most {
            self.drop_tail(self.tail.len() - most);
        }
    }

    fn drop_tail(&mut self, bytes: usize) {
        let end = ceil(&self.tail, bytes);
        self.gap.add(&self.tail[..end]);
        self.tail.drain(..end);
    }

    /// Everything that is kept.
    pub(super) fn finish(mut self) -> String {
        let most = self.limit / TAIL;
        // What was never more than the limit is whole.
        if !self.gap.is_empty() || self.head.len() + self.tail.len() > self.limit {
            self.drop_tail(self.tail.len().saturating_sub(most));
        }
        if self.gap.is_empty() { self.head + &self.tail } else { self.gap.between(&self.head, &self.tail) }
    }
}

/// A text as [`Output`] keeps it.
pub(super) fn bounded(text: &str, limit: usize) -> String {
    let mut output = Output::new(limit);
    output.push(text);
    output.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_and_tail_stay_and_the_cut_is_counted() {
        let mut output = Output::new(40);
        for line in 0..1000 {
            output.push(&format!("line {line}\n"));
        }
        let text = output.finish();
        assert!(text.starts_with("line 0\nline 1\n"), "{text}");
        assert!(text.ends_with("line 999\n"), "{text}");
        assert!(text.contains("bytes in") && text.len() < 120, "{text}");
    }

    #[test]
    fn what_fits_is_untouched_and_characters_stay_whole() {
        let rows = [("", ""), ("短", "短"), ("abcd\n", "abcd\n")];
        for (given, expected) in rows {
            assert_eq!(bounded(given, 100), expected);
        }
        for limit in 0..60 {
            let text = bounded(&"汉字与🎉".repeat(50), limit);
            assert!(!text.contains('\u{fffd}') && text.contains("left out"), "{limit}: {text}");
            let family = bounded(&"👨‍👩‍👧‍👦🇨🇳e\u{301}\r\n".repeat(50), limit);
            for part in family.split("left out) …\n").flat_map(|part| part.split("\n… (")) {
                let starts = ["", "👨‍👩‍👧‍👦", "🇨🇳", "e\u{301}", "\r\n"]
                    .iter()
                    .any(|c| part.is_empty() || !c.is_empty() && part.starts_with(c));
                assert!(starts || part.ends_with(" "), "{limit}: {part:?}");
            }
        }
    }

    #[test]
    fn one_long_text_keeps_its_end() {
        let text = bounded(&format!("a{}z", "x".repeat(1_000_000)), 100);
        assert!(
            text.starts_with("ax") && text.ends_with("xz") && text.contains("999902 bytes in 1 line left"),
            "{text}"
        );
    }
}
