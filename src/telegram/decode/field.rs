//! Reading fields of JSON that may hold anything.

use serde_json::Value;

/// Lenient access: a missing or wrong field reads as empty.
pub(super) trait Fields {
    /// A field, `null` if missing.
    fn at(&self, key: &str) -> &Value;
    /// A whole number.
    fn int(&self, key: &str) -> Option<i64>;
    /// A string, empty if missing.
    fn text(&self, key: &str) -> &str;
    /// A list, empty if missing.
    fn list(&self, key: &str) -> &[Value];
    /// Whether a field is there and not `null`.
    fn has(&self, key: &str) -> bool;
    /// Whether a field is `true`.
    fn flag(&self, key: &str) -> bool;
}

impl Fields for Value {
    fn at(&self, key: &str) -> &Value {
        static NULL: Value = Value::Null;
        self.get(key).unwrap_or(&NULL)
    }

    fn int(&self, key: &str) -> Option<i64> {
        self.at(key).as_i64()
    }

    fn text(&self, key: &str) -> &str {
        self.at(key).as_str().unwrap_or_default()
    }

    fn list(&self, key: &str) -> &[Value] {
        self.at(key).as_array().map(Vec::as_slice).unwrap_or_default()
    }

    fn has(&self, key: &str) -> bool {
        !self.at(key).is_null()
    }

    fn flag(&self, key: &str) -> bool {
        self.at(key).as_bool().unwrap_or(false)
    }
}

/// The part of a text that an entity covers; Telegram counts UTF-16 units. `None` if it points outside or into a
/// character.
pub(super) fn covered(text: &str, offset: i64, length: i64) -> Option<&str> {
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    let byte = |unit: usize| {
        let mut units = 0;
        for (at, c) in text.char_indices() {
            if units >= unit {
                return (units == unit).then_some(at);
            }
            units += c.len_utf16();
        }
        (units == unit).then_some(text.len())
    };
    text.get(byte(start)?..byte(end)?)
}

/// Shortens a text to at most that many bytes, between two characters.
pub(super) fn cut(text: &mut String, most: usize) {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.truncate(end);
}

/// Foreign text within a sentence of ours: control characters and line breaks become spaces.
pub(super) fn one_line(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}
