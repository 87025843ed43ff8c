//! One declaration file, parsed, with its comments and the places of its lines.

use std::cell::RefCell;
use std::collections::HashMap;

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_span::Span;

use crate::skills::declaration::jsdoc::Doc;
use crate::skills::declaration::repair;

/// A parsed file.
pub(in crate::skills::declaration) struct File<'a> {
    pub(in crate::skills::declaration) name: &'a str,
    pub(super) source: &'a str,
    pub(super) program: &'a Program<'a>,
    /// `/** … */` comments by the start of the token that they stand before.
    pub(super) comments: HashMap<u32, Vec<Span>>,
    lines: Vec<usize>,
    /// The spans whose text somebody took, comments among them.
    pub(super) taken: RefCell<Vec<Span>>,
}

impl<'a> File<'a> {
    /// Parses what can be parsed; the faults are places and messages.
    pub(in crate::skills::declaration) fn parse(
        allocator: &'a Allocator,
        name: &'a str,
        text: &str,
    ) -> (Self, Vec<(String, String)>) {
        let lines: Vec<usize> = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1))
            .collect();
        let (source, program, faults) = repair::parse(allocator, text);
        let mut comments: HashMap<u32, Vec<Span>> = HashMap::new();
        for comment in program.comments.iter().filter(|comment| comment.is_jsdoc() && comment.is_leading()) {
            comments.entry(comment.attached_to).or_default().push(comment.span);
        }
        let file = Self { name, source, program, comments, lines, taken: RefCell::default() };
        let faults = faults.into_iter().map(|(at, message)| (file.place(at), message)).collect();
        (file, faults)
    }

    /// `name:line:column`.
    pub(in crate::skills::declaration) fn place(&self, at: usize) -> String {
        let line = self.lines.partition_point(|start| *start <= at);
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let column = self.source.get(start..at).map_or(1, |text| text.chars().count() + 1);
        format!("{}:{}:{column}", self.name, line.max(1))
    }

    /// The text of a span, without the indentation of the line that it begins on.
    pub(in crate::skills::declaration) fn text(&self, span: Span) -> String {
        self.taken.borrow_mut().push(span);
        let (start, end) = (span.start as usize, span.end as usize);
        let text = self.source.get(start..end).unwrap_or_default();
        let line = self.lines.partition_point(|from| *from <= start).saturating_sub(1);
        let before = self.lines.get(line).and_then(|from| self.source.get(*from..start)).unwrap_or_default();
        let margin = before.len() - before.trim_start().len();
        let mut out = String::with_capacity(text.len());
        for (number, line) in text.lines().enumerate() {
            if number > 0 {
                out.push('\n');
            }
            let blank = line.len() - line.trim_start().len();
            let cut = if number == 0 { 0 } else { blank.min(margin) };
            out.push_str(line.get(cut..).unwrap_or(line).trim_end());
        }
        out
    }

    /// The comments before the token that begins here, as written.
    pub(super) fn comments(&self, at: u32) -> impl DoubleEndedIterator<Item = (Span, &'a str)> + '_ {
        let spans = self.comments.get(&at).map(Vec::as_slice).unwrap_or_default();
        spans.iter().filter_map(|span| Some((*span, self.source.get(span.start as usize..span.end as usize)?)))
    }

    /// The documentation of what begins here: the nearest comment that is no notice.
    pub(in crate::skills::declaration) fn doc(&self, at: u32) -> Doc {
        let all = self.comments(at).rev().map(|(span, raw)| (span, Doc::parse(raw)));
        let Some((span, doc)) = all.into_iter().find(|(_, doc)| !doc.is_notice) else { return Doc::default() };
        self.taken.borrow_mut().push(span);
        doc
    }
}
