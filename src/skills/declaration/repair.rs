//! Parsing a declaration that is broken: what cannot be read is blanked out, line by line, until the rest can.

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{Parser, ParserReturn};
use oxc_span::SourceType;

use crate::skills::intent::scan::{Scan, Token};

/// How often a file is tried: a bound for files that are not TypeScript at all.
const TRIES: usize = 24;

/// The source as it was finally parsed (offsets and line breaks are those of the text), its tree, and the faults
/// with their offsets.
pub(super) fn parse<'a>(allocator: &'a Allocator, text: &str) -> (&'a str, &'a Program<'a>, Vec<(usize, String)>) {
    let source = allocator.alloc_str(text);
    let parsed = Parser::new(allocator, source, SourceType::d_ts()).parse();
    let mut faults = told(&parsed);
    if !parsed.panicked {
        return (source, allocator.alloc(parsed.program), faults);
    }
    let mut current = text.to_owned();
    for _ in 0..TRIES {
        let attempt = Allocator::default();
        let parsed = Parser::new(&attempt, &current, SourceType::d_ts()).parse();
        let found = told(&parsed);
        if parsed.panicked {
            // Later tries repeat what recovery already told.
            for fault in &found {
                if !faults.iter().any(|(at, _)| line_start(text, *at) == line_start(text, fault.0)) {
                    faults.push(fault.clone());
                }
            }
        }
        if !parsed.panicked {
            break;
        }
        let at = found.last().map_or(current.len(), |(at, _)| *at).min(current.len());
        match without(&current, at) {
            Some(next) => current = next,
            None => {
                current = blank(&current, 0, current.len());
                break;
            }
        }
    }
    faults.sort();
    let source = allocator.alloc_str(&current);
    let program = Parser::new(allocator, source, SourceType::d_ts()).parse().program;
    (source, allocator.alloc(program), faults)
}

/// What the parser says, with offsets.
fn told(parsed: &ParserReturn<'_>) -> Vec<(usize, String)> {
    parsed
        .diagnostics
        .iter()
        .map(|d| (d.labels.first().map_or(0, |label| label.offset() as usize), d.message.to_string()))
        .collect()
}

/// The text with the line at this offset blanked; where nothing is left there, what is open is closed, or the last
/// line that has anything goes.
fn without(text: &str, at: usize) -> Option<String> {
    let is_end = text.get(at..).is_none_or(|rest| rest.trim().is_empty());
    if is_end && let Some(closers) = closers(text) {
        return Some(format!("{}\n{closers}", text.trim_end()));
    }
    let mut start = line_start(text, at);
    loop {
        let end = text.get(start..).and_then(|rest| rest.find('\n')).map_or(text.len(), |end| start + end);
        if text.get(start..end).is_some_and(|line| !line.trim().is_empty()) {
            return Some(blank(text, start, end));
        }
        start = line_start(text, start.checked_sub(1)?);
    }
}

fn line_start(text: &str, at: usize) -> usize {
    let head = text.as_bytes().get(..at).unwrap_or_default();
    head.iter().rposition(|b| *b == b'\n').map_or(0, |newline| newline + 1)
}

fn blank(text: &str, start: usize, end: usize) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for byte in bytes.get_mut(start..end).into_iter().flatten().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// What closes the brackets that are still open.
fn closers(text: &str) -> Option<String> {
    let mut open = Vec::new();
    for (_, token) in Scan::of(text) {
        match token {
            Token::Mark('(') => open.push(')'),
            Token::Mark('[') => open.push(']'),
            Token::Mark('{') => open.push('}'),
            Token::Mark(')' | ']' | '}') => drop(open.pop()),
            Token::Mark(_) | Token::Word(_) | Token::Text(_) | Token::Literal | Token::Optional | Token::Arrow => {}
        }
    }
    (!open.is_empty()).then(|| open.into_iter().rev().collect())
}
