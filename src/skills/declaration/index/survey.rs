//! What becomes of each `/**` block of some files: whether a reader of the index ever sees it.

use oxc_span::{GetSpan, Span};

use super::Index;
use crate::skills::declaration::jsdoc::Doc;

/// One `/**` block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// `name:line:column`.
    pub place: String,
    /// What became of it.
    pub fate: Fate,
}

/// What can become of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It documents a method, a property, or a type, or stands within the text of one.
    Documents,
    /// It is about a file as a whole, or about a block of declarations (a namespace, a module).
    Heads,
    /// A licence.
    Notice,
    /// Nothing follows that it could be about: the end of a block, another block, a line that only links files.
    Orphan,
    /// It stands before something that nothing shows.
    Overlooked,
}

impl<'a> Index<'a> {
    /// All blocks in order. Whoever shows the files must have taken the texts before.
    pub(in crate::skills::declaration) fn survey(&self) -> Vec<Block> {
        let mut all = Vec::new();
        for (number, file) in self.files.iter().enumerate() {
            let taken = merged(file.taken.borrow().clone());
            let comments: Vec<_> = file.program.comments.iter().filter(|comment| comment.is_jsdoc()).collect();
            for (at, comment) in comments.iter().enumerate() {
                let raw = file.source.get(comment.span.start as usize..comment.span.end as usize).unwrap_or_default();
                let doc = Doc::parse(raw);
                let is_followed = comments.get(at + 1).is_some_and(|next| next.attached_to == comment.attached_to);
                let is_taken = within(&taken, comment.span.start);
                let ends = comment.attached_to as usize;
                let is_last = file
                    .source
                    .get(ends..)
                    .is_none_or(|rest| rest.is_empty() || rest.starts_with(['}', ')', ']', ',', ';', '|', '>']));
                let is_orphan = is_last || !comment.is_leading() || self.links.contains(&(number, comment.attached_to));
                let is_first = file.program.body.first().is_some_and(|first| first.span().start == comment.attached_to);
                let fate = match () {
                    () if doc.is_notice => Fate::Notice,
                    () if is_taken && !is_orphan => Fate::Documents,
                    () if is_first || self.blocks.contains(&(number, comment.attached_to)) => Fate::Heads,
                    () if is_orphan || is_followed => Fate::Orphan,
                    () => Fate::Overlooked,
                };
                all.push(Block { place: file.place(comment.span.start as usize), fate });
            }
        }
        all
    }
}

/// Sorted, without overlaps.
fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| span.start);
    let mut all: Vec<Span> = Vec::new();
    for span in spans {
        match all.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => all.push(span),
        }
    }
    all
}

fn within(spans: &[Span], at: u32) -> bool {
    let next = spans.partition_point(|span| span.start <= at);
    next.checked_sub(1).and_then(|before| spans.get(before)).is_some_and(|span| at < span.end)
}
