//! One line for each method: all that the model reads of a skill before it goes wrong.

use std::fmt::Write as _;

use super::{Registry, Skill};
use crate::skills::declaration::jsdoc::joined;

/// Bytes that all briefs may take in a prompt: fifty skills are named in them, each with its methods.
pub const BRIEFS: usize = 8 * 1024;

/// How much a skill says of itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    /// All of it.
    Full,
    /// First sentences.
    Short,
    /// The first sentence of its summary, and the names of its methods.
    Names,
    /// The first sentence of its summary.
    Line,
}

/// The first length at which all skills together fit.
const LENGTHS: [Length; 4] = [Length::Full, Length::Short, Length::Names, Length::Line];

impl Registry {
    /// What the model is told of all skills that can be used, within `budget` bytes: in full if that fits, otherwise in
    /// first sentences, then as names. Whatever is left out stays callable.
    pub fn briefs(&self, budget: usize) -> String {
        let mut text = String::new();
        for length in LENGTHS {
            text.clear();
            for skill in self.skills().filter(|skill| !self.lacking.contains(&skill.name)) {
                if !text.is_empty() {
                    text.push('\n');
                }
                write(&mut text, skill, length);
            }
            if text.len() <= budget {
                return text;
            }
        }
        cut(&text, budget)
    }
}

/// What the model reads of one skill where there is room for all of it.
pub fn brief(skill: &Skill) -> String {
    let mut text = String::new();
    write(&mut text, skill, Length::Full);
    text
}

/// About how many tokens a text costs. A fixed ratio, so that figures do not move with a model: four bytes of a spaced
/// language, one character of the others.
pub fn tokens(text: &str) -> usize {
    let wide = text.chars().filter(|c| !c.is_ascii()).count();
    let narrow = text.chars().count() - wide;
    narrow.div_ceil(4) + wide
}

fn write(out: &mut String, skill: &Skill, length: Length) {
    // Writing to a String does not fail.
    let _ = match length {
        Length::Full if skill.summary.is_empty() => writeln!(out, "## {}", skill.name),
        Length::Full => writeln!(out, "## {}\n{}", skill.name, skill.summary),
        Length::Short if skill.summary.is_empty() => writeln!(out, "## {}", skill.name),
        Length::Short => writeln!(out, "## {}\n{}", skill.name, first_sentence(&skill.summary)),
        Length::Names | Length::Line => writeln!(out, "## {}: {}", skill.name, first_sentence(&skill.summary)),
    };
    let methods = &skill.declaration.methods;
    let name =
        |path: &str| path.strip_prefix(&skill.name).and_then(|rest| rest.strip_prefix('.')).unwrap_or(path).to_owned();
    if length == Length::Names {
        let names: Vec<_> = methods.iter().map(|method| name(&method.path)).collect();
        let _ = writeln!(out, "- {}", names.join(", "));
    }
    if length == Length::Names || length == Length::Line {
        return;
    }
    for method in methods {
        let text = method.doc.line();
        let text = if length == Length::Full { text.as_str() } else { first_sentence(&text) };
        let gone = if method.doc.deprecated.is_some() { "(deprecated) " } else { "" };
        let _ = match text {
            "" => writeln!(out, "- {}", name(&method.path)),
            text => writeln!(out, "- {}: {gone}{text}", name(&method.path)),
        };
    }
}

/// Up to the first mark that ends a sentence; a dot within a word or a number ends none.
pub(crate) fn first_sentence(text: &str) -> &str {
    let mut letters = text.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => letters.peek().is_none_or(|(_, next)| next.is_whitespace()) && !is_short_form(text, at),
            _ => false,
        };
        if ends {
            return text.get(..at + c.len_utf8()).unwrap_or(text);
        }
    }
    text
}

/// "e.g.", "i.e.", "etc.", "vs." do not end a sentence.
fn is_short_form(text: &str, at: usize) -> bool {
    let head = text.get(..at).unwrap_or_default();
    ["e.g", "i.e", "etc", "vs", "cf", "incl"].iter().any(|short| head.ends_with(short))
}

/// At most so many bytes, on a whole line where there is one.
fn cut(text: &str, budget: usize) -> String {
    let mut end = budget.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = text.get(..end).unwrap_or_default();
    head.rfind('\n').and_then(|newline| head.get(..=newline)).map_or_else(|| joined(head), str::to_owned)
}
