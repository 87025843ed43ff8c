//! Faults of a script's grammar in words that say what to do. The parser knows what it expected; an author wants to know
//! what was mistaken for what: a fence that was left in, a sign of another alphabet, an end that never came.

use oxc_ast::ast::{ArrowFunctionExpression, Function, Program};
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan as _;

use super::{Wrong, offset, position};

/// Signs that text editors, phones and other alphabets put where JavaScript has one of its own.
const SIGNS: [(&str, &str); 13] = [
    ("“”„«»＂", "\""),
    ("‘’‚＇", "'"),
    ("（", "("),
    ("）", ")"),
    ("；", ";"),
    ("，、", ","),
    ("：", ":"),
    ("．。", "."),
    ("！", "!"),
    ("【［", "["),
    ("】］", "]"),
    ("–—−", "-"),
    ("＝", "="),
];
const RESERVED: [&str; 36] = [
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "import",
    "in",
    "instanceof",
    "new",
    "null",
    "return",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "void",
    "while",
    "with",
];

/// A fault as the parser told it.
pub(super) struct Fault<'a> {
    pub(super) message: &'a str,
    pub(super) at: Option<usize>,
    /// Where what is not closed was opened.
    pub(super) opened: Option<usize>,
}

/// What its author reads.
pub(super) fn worded(source: &str, fault: &Fault<'_>, program: &Program<'_>) -> Wrong {
    let wrong = |at: usize, message: String| Wrong { message, position: Some(position(source, at)) };
    if let Some((at, line)) = fence(source) {
        return wrong(at, format!("the fence line {line} was left in the script: leave it out"));
    }
    let Some(at) = fault.at else { return Wrong { message: fault.message.to_owned(), position: None } };
    let said = fault.message;
    let (before, rest) = (&source[..source.floor_char_boundary(at)], &source[source.floor_char_boundary(at)..]);
    if said.starts_with("Invalid Character") {
        return wrong(at, foreign(rest, said));
    }
    if said.contains("`await` is only allowed") {
        return not_async(source, at, program);
    }
    if said.starts_with("Unterminated string") {
        let message = if rest.starts_with('`') {
            "the text that begins here with a backquote never ends; is the script cut off?"
        } else {
            "the text that begins here does not end in its line: close it, write line breaks as \\n, or put the text in \
             backquotes"
        };
        return wrong(at, message.to_owned());
    }
    let is_end = said.contains("found `EOF`") || rest.trim().is_empty();
    if is_end {
        let bracket = fault.opened.and_then(|opened| source[opened..].chars().next().map(|c| (opened, c)));
        let what = match bracket {
            Some((opened, bracket)) => {
                let (line, column) = position(source, opened);
                format!("before the `{bracket}` of line {line}, column {column} is closed")
            }
            None => "in the middle of a statement".to_owned(),
        };
        return wrong(at, format!("the script ends {what}; is it cut off?"));
    }
    let word = word_at(rest);
    if RESERVED.contains(&word) && said == "Unexpected token" || said.starts_with("Identifier expected. '") {
        return wrong(at, format!("`{word}` is a reserved word and cannot be a name: choose another"));
    }
    let last = before.trim_end();
    let last_word = last.rsplit(|c: char| !is_name(c)).next().unwrap_or_default();
    if said == "Unexpected token" && RESERVED.contains(&last_word) && last.len() == before.len() {
        let at = at - last_word.len();
        return wrong(at, format!("`{last_word}` is a reserved word and cannot be a name: choose another"));
    }
    if said.starts_with("Expected `:` but found") && RESERVED.contains(&last_word) {
        let message = format!("`{last_word}` is a reserved word and cannot be a name: write `{last_word}: other`");
        return wrong(last.len() - last_word.len(), message);
    }
    if said.starts_with("Expected `,` or") && last.ends_with(['"', '\'']) && last.len() == before.len() {
        let quote = &last[last.len() - 1..];
        let message = format!(
            "the {quote} before this ended the text: put a \\ before a {quote} within a text, or put the text in backquotes"
        );
        return wrong(at, message);
    }
    if said.starts_with("Expected a semicolon") {
        return wrong(at, not_ended(last, rest));
    }
    wrong(at, said.to_owned())
}

/// Two words in a row that no statement has.
fn not_ended(last: &str, rest: &str) -> String {
    let last = word_before(last);
    let next = rest.trim_start();
    let next = match word_at(next) {
        "" => next.chars().take(1).collect(),
        word => word.to_owned(),
    };
    format!(
        "`{last}` cannot be followed by `{next}`: scripts are JavaScript, where remarks begin with // and texts stand in quotes"
    )
}

/// The first or last line, if it is one that encloses code in a chat.
fn fence(source: &str) -> Option<(usize, String)> {
    let mut at = 0;
    let mut lines = Vec::new();
    for line in source.split_inclusive('\n') {
        if !line.trim().is_empty() {
            lines.push((at, line.trim()));
        }
        at += line.len();
    }
    [lines.first(), lines.last()].into_iter().flatten().find(|(_, line)| is_fence(line)).map(|(at, line)| {
        // Shown as code, whatever it consists of.
        (*at, format!("\"{line}\""))
    })
}

fn is_fence(line: &str) -> bool {
    let tag = line.trim_start_matches(['`', '~']);
    let marks = line.len() - tag.len();
    let is_tag = ["js", "javascript", "ts", "typescript"].contains(&tag.trim());
    marks >= 3 && tag.chars().all(|c| is_name(c) || c == ' ') || (1..3).contains(&marks) && is_tag
}

fn foreign(rest: &str, said: &str) -> String {
    let Some(sign) = rest.chars().next() else { return said.to_owned() };
    match SIGNS.iter().find(|(signs, _)| signs.contains(sign)) {
        Some((_, own)) => format!("`{sign}` is not `{own}`: outside of texts, write `{own}`"),
        None => format!("`{sign}` (U+{:04X}) means nothing in JavaScript outside of texts", u32::from(sign)),
    }
}

/// `await` in a function that is not async: what to write instead.
fn not_async(source: &str, at: usize, program: &Program<'_>) -> Wrong {
    let mut around = Around { at, innermost: None };
    around.visit_program(program);
    let head = around.innermost.and_then(|(start, end)| source.get(start..end)).map(|head| head.trim().to_owned());
    let message = match (&head, around.innermost) {
        (Some(head), Some((start, _))) => {
            let is_each = source[..start].trim_end().ends_with(".forEach(");
            let each = if is_each { "; better `for (const … of …)`, since forEach does not wait" } else { "" };
            format!("`await` needs an async function around it: write `async {head}`{each}")
        }
        _ => "`await` needs an async function around it".to_owned(),
    };
    Wrong { message, position: Some(position(source, at)) }
}

/// The innermost function around a place: where it begins, and where its head ends.
struct Around {
    at: usize,
    innermost: Option<(usize, usize)>,
}

impl Around {
    fn visit(&mut self, span: oxc_span::Span, body: u32) {
        if (offset(span.start)..offset(span.end)).contains(&self.at) {
            self.innermost = Some((offset(span.start), offset(body)));
        }
    }
}

impl<'a> Visit<'a> for Around {
    fn visit_function(&mut self, function: &Function<'a>, flags: oxc_syntax::scope::ScopeFlags) {
        if let Some(body) = &function.body {
            self.visit(function.span, body.span.start);
        }
        walk::walk_function(self, function, flags);
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.visit(arrow.span, arrow.body.span().start);
        walk::walk_arrow_function_expression(self, arrow);
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn word_at(text: &str) -> &str {
    &text[..text.find(|c: char| !is_name(c)).unwrap_or(text.len())]
}

/// The word or sign that a text ends with.
fn word_before(text: &str) -> &str {
    let start =
        text.rfind(|c: char| !is_name(c)).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    match &text[start..] {
        "" => &text[text.char_indices().next_back().map_or(0, |(at, _)| at)..],
        word => word,
    }
}
