//! What a documentation comment says.

use super::{Effect, Risk};

/// A documentation comment, taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Doc {
    /// Everything before the first tag, line breaks kept.
    pub text: String,
    /// The texts of further overloads and merged declarations, where they say something else.
    pub others: Vec<String>,
    /// `@param`s: name and text.
    pub params: Vec<(String, String)>,
    /// `@returns`.
    pub returns: Option<String>,
    /// `@throws`, one text each.
    pub throws: Vec<String>,
    /// `@example`s in order.
    pub examples: Vec<Example>,
    /// `@effect`.
    pub effect: Option<Effect>,
    /// `@risk`.
    pub risk: Option<Risk>,
    /// `@deprecated`, with its advice.
    pub deprecated: Option<String>,
    /// `@default`.
    pub default: Option<String>,
    /// Whether a licence tag makes it a notice instead of documentation.
    pub is_notice: bool,
}

/// One `@example`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Example {
    /// What stands on the tag's own line, when code follows below it.
    pub title: String,
    /// The code, without fences.
    pub code: String,
}

/// Tags that end whatever stands before them. Within an example only these do, so that decorators stay code.
const TAGS: [&str; 38] = [
    "param",
    "arg",
    "argument",
    "returns",
    "return",
    "throws",
    "throw",
    "exception",
    "example",
    "effect",
    "risk",
    "deprecated",
    "default",
    "defaultValue",
    "see",
    "since",
    "remarks",
    "template",
    "typeParam",
    "license",
    "licence",
    "preserve",
    "copyright",
    "file",
    "fileoverview",
    "overview",
    "packageDocumentation",
    "module",
    "type",
    "internal",
    "async",
    "version",
    "author",
    "experimental",
    "summary",
    "description",
    "name",
    "category",
];

impl Doc {
    /// Reads a comment as it stands in the source, delimiters included.
    pub fn parse(comment: &str) -> Self {
        let mut doc = Self::default();
        let mut tag = String::new();
        let mut body: Vec<String> = Vec::new();
        let mut is_fenced = false;
        for line in lines(comment) {
            let trimmed = line.trim();
            if trimmed.starts_with("```") {
                is_fenced = !is_fenced;
            }
            match begins_tag(trimmed, &tag).filter(|_| !is_fenced) {
                Some((name, rest)) => {
                    doc.take(&tag, &body);
                    tag = name.to_owned();
                    body = vec![rest.trim_start().to_owned()];
                }
                None => body.push(line),
            }
        }
        doc.take(&tag, &body);
        doc
    }

    /// The text on one line, as a brief shows it.
    pub fn line(&self) -> String {
        joined(&self.text)
    }

    /// Fills what is empty here from the comment of another overload or of a merged declaration.
    pub(super) fn merge(&mut self, other: Self) {
        if self.text.is_empty() {
            self.text = other.text;
        } else if !other.text.is_empty() && other.text != self.text && !self.others.contains(&other.text) {
            self.others.push(other.text);
        }
        for more in other.others {
            if !self.others.contains(&more) {
                self.others.push(more);
            }
        }
        for param in other.params {
            if !self.params.iter().any(|(name, _)| *name == param.0) {
                self.params.push(param);
            }
        }
        for throws in other.throws {
            if !self.throws.contains(&throws) {
                self.throws.push(throws);
            }
        }
        for example in other.examples {
            if !self.examples.contains(&example) {
                self.examples.push(example);
            }
        }
        self.returns = self.returns.take().or(other.returns);
        self.effect = self.effect.or(other.effect);
        // The stricter of two: an overload must not loosen what another forbids.
        self.risk = self.risk.max(other.risk);
        self.deprecated = self.deprecated.take().or(other.deprecated);
        self.default = self.default.take().or(other.default);
    }

    fn take(&mut self, tag: &str, body: &[String]) {
        if tag == "example" {
            self.examples.push(example(body));
            return;
        }
        let text = linked(body.join("\n").trim());
        match tag {
            "" => self.text = text,
            "param" | "arg" | "argument" => {
                let (name, text) = param(&text);
                self.params.push((name, text));
            }
            "returns" | "return" => self.returns = Some(joined(without_type(&text))).filter(|t| !t.is_empty()),
            "throws" | "throw" | "exception" => self.throws.push(joined(&text)),
            "effect" => {
                self.effect = match text.split_whitespace().next() {
                    Some("read") => Some(Effect::Read),
                    Some("write") => Some(Effect::Write),
                    Some(_) | None => self.effect,
                }
            }
            "risk" => {
                self.risk = match text.split_whitespace().next() {
                    Some("safe") => Some(Risk::Safe),
                    Some("ask") => Some(Risk::Ask),
                    Some("deny") => Some(Risk::Deny),
                    // Whoever wrote the tag meant some care.
                    Some(_) | None => Some(Risk::Ask),
                }
            }
            "deprecated" => self.deprecated = Some(joined(&text)),
            "default" | "defaultValue" => self.default = Some(joined(&text)),
            "license" | "licence" | "preserve" | "copyright" => self.is_notice = true,
            "file" | "fileoverview" | "overview" | "packageDocumentation" | "module" if self.text.is_empty() => {
                self.text = text;
            }
            // Some write nothing before the first tag, and everything behind these.
            "summary" | "description" | "desc" if self.text.is_empty() => self.text = text,
            "description" | "desc" => self.text = format!("{}\n\n{text}", self.text),
            _ => {}
        }
    }
}

/// A text on one line: runs of white space become one space.
pub fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The comment's lines without its delimiters and margin; `<star>` is a star.
fn lines(comment: &str) -> Vec<String> {
    let inner = comment.trim();
    let inner = inner.strip_prefix("/**").or_else(|| inner.strip_prefix("/*")).unwrap_or(inner);
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let text = inner.replace("<star>", "*");
    text.lines()
        .enumerate()
        .map(|(index, line)| {
            let line = line.trim_end();
            if index == 0 {
                return line.trim_start().to_owned();
            }
            match line.trim_start().strip_prefix('*') {
                Some(rest) => rest.strip_prefix(' ').unwrap_or(rest).to_owned(),
                None => line.to_owned(),
            }
        })
        .collect()
}

/// Comment text as a reader should see it: `<star>` stands for `*`, and a link is its label.
pub(super) fn plain(text: &str) -> String {
    linked(&text.replace("<star>", "*"))
}

/// A text whose links are their labels.
fn linked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("{@link") {
        let (before, link) = rest.split_at(at);
        out.push_str(before);
        let Some(end) = link.find('}') else {
            out.push_str(link);
            return out;
        };
        let inner = link.get(1..end).unwrap_or_default();
        let inner = inner.split_once(char::is_whitespace).map_or("", |(_, target)| target.trim());
        let label =
            inner.split_once('|').or_else(|| inner.split_once(char::is_whitespace)).map_or(inner, |(_, label)| label);
        out.push_str(label.trim());
        rest = link.get(end + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

fn begins_tag<'a>(trimmed: &'a str, within: &str) -> Option<(&'a str, &'a str)> {
    let rest = trimmed.strip_prefix('@')?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    let is_tag = !name.is_empty() && !rest.starts_with(['(', '.', '/', '=', '[']);
    (is_tag && (within != "example" || TAGS.contains(&name))).then_some((name, rest))
}

/// `{type} name - text`, `[name=default] text`, `name text`.
fn param(text: &str) -> (String, String) {
    let text = without_type(text);
    let (name, rest) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((inner, rest)) => (inner.split('=').next().unwrap_or(inner), rest),
        None => text.split_once(char::is_whitespace).unwrap_or((text, "")),
    };
    let rest = rest.trim_start();
    let rest = ["- ", "– ", "— ", ": "].iter().find_map(|dash| rest.strip_prefix(dash)).unwrap_or(rest);
    (name.trim().to_owned(), joined(rest))
}

fn without_type(text: &str) -> &str {
    let text = text.trim_start();
    if !text.starts_with('{') {
        return text;
    }
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return text.get(at + 1..).unwrap_or_default().trim_start();
                }
            }
            _ => {}
        }
    }
    text
}

/// The title stands on the tag's line, or in a caption; code that is one fenced block loses its fence.
fn example(body: &[String]) -> Example {
    let (first, rest) = body.split_first().map_or(("", &[][..]), |(first, rest)| (first.trim(), rest));
    let caption = first.strip_prefix("<caption>").and_then(|t| t.strip_suffix("</caption>"));
    let has_code = rest.iter().any(|line| !line.trim().is_empty());
    let is_fence = |line: &str| line.trim_start().starts_with("```");
    let (title, code): (&str, Vec<&str>) = match (caption, has_code) {
        (Some(caption), _) => (caption, rest.iter().map(String::as_str).collect()),
        (None, true) if !is_fence(first) => (first, rest.iter().map(String::as_str).collect()),
        (None, _) => ("", body.iter().map(String::as_str).collect()),
    };
    // Titles come within backticks, and behind characters that nobody sees.
    let title = title.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{200b}' | '`')).to_owned();
    let code = dedented(&code.join("\n"));
    let lines: Vec<&str> = code.lines().collect();
    let fences = lines.iter().filter(|line| is_fence(line)).count();
    let code = match lines.as_slice() {
        [open, inner @ .., close] if fences == 2 && is_fence(open) && is_fence(close) => dedented(&inner.join("\n")),
        // Prose between several blocks stays prose.
        _ => code,
    };
    Example { title, code }
}

/// Without empty lines around it and without the indentation that all its lines share.
pub(super) fn dedented(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let start = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(start, |last| last + 1);
    let lines = lines.get(start..end).unwrap_or_default();
    let margin = lines.iter().filter(|l| !l.is_empty()).map(|l| l.len() - l.trim_start().len()).min().unwrap_or(0);
    lines.iter().map(|line| line.get(margin..).unwrap_or_else(|| line.trim_start())).collect::<Vec<_>>().join("\n")
}
