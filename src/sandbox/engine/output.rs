//! What a script prints, bounded: the head and the tail are kept, and what was cut between them is counted.

/// Of the bytes kept, one in so many is for the tail.
const TAIL: usize = 4;

/// Text that grows without bound and is kept within one.
#[derive(Debug, Default)]
pub(super) struct Output {
    head: String,
    tail: String,
    limit: usize,
    is_head_full: bool,
    cut_bytes: usize,
    cut_lines: usize,
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
            let end = rest.floor_char_boundary(room.min(rest.len()));
            self.head.push_str(&rest[..end]);
            rest = &rest[end..];
            self.is_head_full = !rest.is_empty();
        }
        let most = self.limit / TAIL;
        // Of one long text only the end can stay; the rest is not copied first.
        if rest.len() > most {
            self.drop_tail(self.tail.len());
            let start = rest.ceil_char_boundary(rest.len() - most);
            self.count(&rest[..start]);
            rest = &rest[start..];
        }
        self.tail.push_str(rest);
        // Shifting is done now and then, not with each line.
        if self.tail.len() > 2 * most {
            self.drop_tail(self.tail.len() - most);
        }
    }

    fn drop_tail(&mut self, bytes: usize) {
        let end = self.tail.ceil_char_boundary(bytes);
        let dropped: String = self.tail.drain(..end).collect();
        self.count(&dropped);
    }

    fn count(&mut self, text: &str) {
        self.cut_bytes += text.len();
        self.cut_lines += text.bytes().filter(|byte| *byte == b'\n').count();
    }

    /// Everything that is kept.
    pub(super) fn finish(mut self) -> String {
        let most = self.limit / TAIL;
        if self.tail.len() > most {
            self.drop_tail(self.tail.len() - most);
        }
        if self.cut_bytes > 0 {
            let gap = format!("… ({} bytes in {} lines left out) …", self.cut_bytes, self.cut_lines + 1);
            let before = if self.head.ends_with('\n') { "" } else { "\n" };
            self.head = format!("{}{before}{gap}\n", self.head);
        }
        self.head + &self.tail
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
        }
    }

    #[test]
    fn one_long_text_keeps_its_end() {
        let text = bounded(&format!("a{}z", "x".repeat(1_000_000)), 100);
        assert!(text.starts_with("ax") && text.ends_with("xz") && text.contains("999902 bytes in 1 lines"), "{text}");
    }
}
