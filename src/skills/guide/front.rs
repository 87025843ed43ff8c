//! Front matter: YAML, read as events, so that no alias multiplies and no depth is kept.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle};

/// What a guide's front matter says that matters here. Other keys are somebody else's.
#[derive(Debug, Default)]
pub(super) struct Front {
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) is_offered: bool,
    /// Key → line in the file.
    lines: BTreeMap<String, usize>,
}

/// A value at the top: one text, a list of texts, or something deeper.
enum Value {
    One(String),
    Other,
}

impl Front {
    /// Reads the text between the fences. Values that YAML refuses because of a colon in them are read as if quoted, and
    /// that is noted.
    ///
    /// # Errors
    /// The line in the file and what is wrong there.
    pub(super) fn read(text: &str, notes: &mut Vec<(usize, String)>) -> Result<Self, Fault> {
        let keys = match keys(text) {
            Ok(keys) => keys,
            Err(error) => {
                let (quoted, repaired) = quoted(text);
                if repaired.is_empty() {
                    return Err(error);
                }
                let keys = keys(&quoted).map_err(|_| error)?;
                notes.extend(repaired);
                keys
            }
        };
        let mut front = Self { is_offered: true, ..Self::default() };
        for (key, line, value) in keys {
            match (key.as_str(), value) {
                ("name", Value::One(text)) => front.name = Some(text),
                ("description", Value::One(text)) => front.description = Some(text),
                ("disable-model-invocation", Value::One(text)) => front.is_offered = text != "true",
                _ => {}
            }
            front.lines.insert(key, line);
        }
        Ok(front)
    }

    /// The line in the file on which a key stands.
    pub(super) fn line(&self, key: &str) -> usize {
        self.lines.get(key).copied().unwrap_or(1)
    }
}

/// The keys at the top with their lines and values, in the order of the file.
fn keys(text: &str) -> Result<Vec<(String, usize, Value)>, Fault> {
    let mut keys: Vec<(String, usize, Value)> = Vec::new();
    let mut depth = 0_usize;
    let mut key: Option<(String, usize)> = None;
    for event in Parser::new_from_str(text) {
        // The opening fence is the file's first line.
        let (event, span) = event.map_err(|error| {
            let at = error.marker();
            (at.line() + 1, format!("its front matter is not YAML: {}, at column {}", error.info(), at.col() + 1))
        })?;
        let line = span.start.line() + 1;
        let value = match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {
                continue;
            }
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                depth += 1;
                if depth == 1 {
                    if matches!(event, Event::SequenceStart(..)) {
                        return Err((line, NO_KEYS.to_owned()));
                    }
                    continue;
                }
                None
            }
            Event::MappingEnd | Event::SequenceEnd => {
                depth = depth.saturating_sub(1);
                (depth == 1).then_some(Value::Other)
            }
            Event::Alias(_) => (depth == 1).then_some(Value::Other),
            Event::Scalar(text, style, ..) => match depth {
                0 => return Err((line, NO_KEYS.to_owned())),
                1 if style == ScalarStyle::Plain && matches!(text.as_ref(), "" | "~" | "null") => Some(Value::Other),
                1 => Some(Value::One(text.into_owned())),
                _ => None,
            },
        };
        let Some(value) = value else { continue };
        match (key.take(), value) {
            (Some((name, line)), value) => keys.push((name, line, value)),
            (None, Value::One(name)) => key = Some((name, line)),
            // A key that is no text is nobody's; its value is read past.
            (None, Value::Other) => key = Some((String::new(), line)),
        }
    }
    if keys.is_empty() { Err((1, NO_KEYS.to_owned())) } else { Ok(keys) }
}

/// Line and message.
type Fault = (usize, String);

const NO_KEYS: &str = "its front matter must be keys with values, such as `name: tea-timer`";

/// The same with every plain value quoted that holds a colon and a space, and what was done to which line.
fn quoted(text: &str) -> (String, Vec<(usize, String)>) {
    let mut notes = Vec::new();
    let mut out = String::with_capacity(text.len() + 8);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let parts = line.trim_end().split_once(": ").filter(|(key, value)| {
            let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
            is_key
                && value.contains(": ")
                && !value.trim_start().starts_with(['"', '\'', '[', '{', '|', '>', '&', '*', '!'])
        });
        match parts {
            Some((key, value)) => {
                out.push_str(&format!("{key}: '{}'\n", value.trim().replace('\'', "''")));
                notes.push((
                    index + 2,
                    format!("`{key}` holds \": \", which YAML reads as a new key; read as if quoted, put it in quotes"),
                ));
            }
            None => out.push_str(line),
        }
    }
    (out, notes)
}
