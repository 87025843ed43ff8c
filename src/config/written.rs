//! A configuration as written: tables whose keys are taken one by one.
//!
//! Invariants: every key that is taken is known, every key that is not taken is an error; the first error in the
//! file's own order is the one reported; a value under a secret key is never quoted.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde_json::Value;
use toml::de::{DeTable, DeValue};

use super::error::ConfigError;
use super::secret::Secret;
use super::{Env, units};
use crate::text::slips;
use crate::time::Span;

type Spanned<'i> = toml::Spanned<DeValue<'i>>;

/// How much of a bad value an error quotes.
const QUOTE_LIMIT: usize = 40;

/// One file, and what was found out about it while reading.
pub(super) struct Document<'a> {
    file: &'a str,
    text: &'a str,
    base: &'a Path,
    env: &'a dyn Env,
    problems: RefCell<Vec<(usize, ConfigError)>>,
    known: RefCell<BTreeSet<String>>,
}

/// One table of it; an absent table is an empty one.
pub(super) struct Section<'a, 'd> {
    document: &'d Document<'a>,
    path: String,
    table: Option<&'d DeTable<'d>>,
    taken: RefCell<BTreeSet<String>>,
}

/// A secret as written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Held {
    Absent,
    Given(Secret),
    /// The environment variable that it names is not there: an error only for whoever needs it.
    NotSet(ConfigError),
}

impl<'a> Document<'a> {
    pub(super) fn new(file: &'a str, text: &'a str, base: &'a Path, env: &'a dyn Env) -> Self {
        let (problems, known) = (RefCell::default(), RefCell::default());
        Self { file, text, base, env, problems, known }
    }

    pub(super) fn parse(&self) -> Result<toml::Spanned<DeTable<'a>>, ConfigError> {
        DeTable::parse(self.text).map_err(|error| ConfigError::Syntax {
            place: self.place(error.span().map_or(0, |span| span.start)),
            message: error.message().replace('\n', " "),
        })
    }

    pub(super) fn root<'d>(&'d self, table: &'d DeTable<'d>) -> Section<'a, 'd> {
        Section { document: self, path: String::new(), table: Some(table), taken: RefCell::default() }
    }

    pub(super) fn report(&self, offset: usize, problem: ConfigError) {
        self.problems.borrow_mut().push((offset, problem));
    }

    /// The first problem in the order of the file.
    pub(super) fn problem(&self) -> Option<ConfigError> {
        self.problems.borrow().iter().min_by_key(|(offset, _)| *offset).map(|(_, problem)| problem.clone())
    }

    /// Every key that was asked for, with its tables.
    #[cfg(test)]
    pub(super) fn known(&self) -> BTreeSet<String> {
        self.known.borrow().clone()
    }

    /// `config.toml:12`.
    pub(super) fn place(&self, offset: usize) -> String {
        let before = self.text.as_bytes().get(..offset).unwrap_or_default();
        format!("{}:{}", self.file, 1 + before.iter().filter(|byte| **byte == b'\n').count())
    }

    pub(super) fn file(&self) -> &str {
        self.file
    }

    pub(super) fn base(&self) -> &Path {
        self.base
    }
}

impl<'a, 'd> Section<'a, 'd> {
    pub(super) fn key(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    fn take(&self, name: &str) -> Option<&'d Spanned<'d>> {
        self.document.known.borrow_mut().insert(self.key(name));
        self.taken.borrow_mut().insert(name.to_owned());
        self.table?.get(name)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.table.is_some_and(|table| table.get(name).is_some())
    }

    /// Where a key stands, for an error found later; the table's absence is the start of the file.
    pub(super) fn place(&self, name: &str) -> String {
        self.document.place(self.offset(name))
    }

    fn offset(&self, name: &str) -> usize {
        self.table.and_then(|table| table.get_key_value(name)).map_or(0, |(key, _)| key.span().start)
    }

    /// Reports a bad value. `found` must not quote a secret.
    pub(super) fn bad(&self, name: &str, found: String, expected: &str, example: &str) {
        let place = self.place(name);
        let (expected, example) = (expected.to_owned(), example.to_owned());
        let problem = ConfigError::Bad { place, key: self.key(name), found, expected, example };
        self.document.report(self.offset(name), problem);
    }

    /// Takes a value that `read` understands; anything else is reported with what was expected.
    fn value<T>(
        &self,
        name: &str,
        expected: &str,
        example: &str,
        read: impl FnOnce(&'d DeValue<'d>) -> Option<T>,
    ) -> Option<T> {
        let value = self.take(name)?.get_ref();
        let read = read(value);
        if read.is_none() {
            self.bad(name, quoted(value), expected, &format!("{name} = {example}"));
        }
        read
    }

    pub(super) fn text(&self, name: &str, example: &str) -> Option<String> {
        self.value(name, "a text", example, |value| value.as_str().map(str::to_owned))
    }

    /// A text that `read` turns into what is wanted.
    pub(super) fn parsed<T>(
        &self,
        name: &str,
        expected: &str,
        example: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        self.value(name, expected, &format!("{example:?}"), |value| value.as_str().and_then(read))
    }

    pub(super) fn flag(&self, name: &str, default: bool) -> bool {
        self.value(name, "true or false", "true", DeValue::as_bool).unwrap_or(default)
    }

    pub(super) fn integer<N>(&self, name: &str, range: RangeInclusive<N>, default: N) -> N
    where
        N: TryFrom<i64> + PartialOrd + Display + Copy,
    {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        let read = |value: &DeValue<'_>| integer(value).and_then(|n| N::try_from(n).ok()).filter(|n| range.contains(n));
        self.value(name, &expected, &default.to_string(), read).unwrap_or(default)
    }

    pub(super) fn number(&self, name: &str, range: RangeInclusive<f32>, example: f32) -> Option<f32> {
        let expected = format!("a number from {} to {}", range.start(), range.end());
        let read = |value: &DeValue<'_>| number(value).map(|n| n as f32).filter(|n| range.contains(n));
        self.value(name, &expected, &format!("{example:?}"), read)
    }

    pub(super) fn span(&self, name: &str, range: RangeInclusive<Span>, default: Span) -> Span {
        let (least, most) = (units::span_text(*range.start()), units::span_text(*range.end()));
        let expected = format!("a time from {least} to {most}");
        let read = |text: &str| units::span(text).filter(|span| range.contains(span));
        self.parsed(name, &expected, &units::span_text(default), read).unwrap_or(default)
    }

    pub(super) fn size(&self, name: &str, range: RangeInclusive<u64>, default: u64) -> u64 {
        let (least, most) = (units::size_text(*range.start()), units::size_text(*range.end()));
        let expected = format!("a size from {least} to {most}");
        let read = |text: &str| units::size(text).filter(|size| range.contains(size));
        self.parsed(name, &expected, &units::size_text(default), read).unwrap_or(default)
    }

    /// A path, relative ones seen from the configuration's own folder.
    pub(super) fn path(&self, name: &str, example: &str) -> Option<PathBuf> {
        let path = self.parsed(name, "a path", example, |text| (!text.is_empty()).then(|| PathBuf::from(text)))?;
        Some(self.document.base.join(path))
    }

    /// A list of which `read` understands every item.
    pub(super) fn list<T>(
        &self,
        name: &str,
        expected: &str,
        example: &str,
        read: impl Fn(&DeValue<'_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let items = self.value(name, expected, example, |value| value.as_array())?;
        let mut out = Vec::with_capacity(items.len());
        for item in items.iter() {
            match read(item.get_ref()) {
                Some(item) => out.push(item),
                None => self.bad(name, quoted(item.get_ref()), expected, &format!("{name} = {example}")),
            }
        }
        Some(out)
    }

    /// `KEY = "…"` or `KEY_env = "VARIABLE"`; the value itself is never quoted.
    pub(super) fn secret(&self, name: &str) -> Held {
        let by_env = format!("{name}_env");
        let (direct, variable) = (self.take(name), self.take(&by_env));
        if direct.is_some() && variable.is_some() {
            let example = format!("{by_env} = \"VARIABLE\"");
            self.bad(&by_env, format!("given beside `{name}`"), "only one of the two", &example);
            return Held::Absent;
        }
        if let Some(value) = direct {
            let held = self.secret_text(value.get_ref());
            if held.is_none() {
                let example = format!("{by_env} = \"VARIABLE\"");
                let found = format!("{}, or an empty one", kind(value.get_ref()));
                self.bad(name, found, "a text, or the name of an environment variable", &example);
            }
            return held.map_or(Held::Absent, Held::Given);
        }
        self.variable(&by_env)
    }

    fn secret_text(&self, value: &DeValue<'_>) -> Option<Secret> {
        value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(Secret::new)
    }

    /// A value out of the environment variable that this key names.
    pub(super) fn variable(&self, name: &str) -> Held {
        let Some(variable) = self.parsed(name, "the name of an environment variable", "VARIABLE", variable_name) else {
            return Held::Absent;
        };
        let value = self.document.env.var(&variable).filter(|value| !value.trim().is_empty());
        match value {
            Some(value) => Held::Given(Secret::new(value.trim())),
            None => Held::NotSet(ConfigError::NotSet { place: self.place(name), key: self.key(name), variable }),
        }
    }

    /// Whether a table of this table is there and says anything.
    pub(super) fn section_is_used(&self, name: &str) -> bool {
        let table = self.table.and_then(|table| table.get(name)).and_then(|value| value.get_ref().as_table());
        table.is_some_and(|table| !table.is_empty())
    }

    /// A table of this table.
    pub(super) fn section(&self, name: &str) -> Section<'a, 'd> {
        let example = format!("[{}]", self.key(name));
        self.table_of(name, &example)
    }

    fn table_of(&self, name: &str, example: &str) -> Section<'a, 'd> {
        let value = self.take(name).map(toml::Spanned::get_ref);
        let table = value.and_then(DeValue::as_table);
        if let (Some(value), None) = (value, table) {
            self.bad(name, kind(value).to_owned(), "a table", example);
        }
        Section { document: self.document, path: self.key(name), table, taken: RefCell::default() }
    }

    /// The names not taken so far, in the order of the file.
    pub(super) fn rest(&self) -> Vec<String> {
        let taken = self.taken.borrow();
        let mut rest: Vec<_> = self
            .table
            .into_iter()
            .flat_map(DeTable::iter)
            .filter(|(key, _)| !taken.contains(key.get_ref().as_ref()))
            .map(|(key, _)| (key.span().start, key.get_ref().to_string()))
            .collect();
        rest.sort();
        rest.into_iter().map(|(_, name)| name).collect()
    }

    /// Every remaining key with its value as JSON: for tables whose keys somebody else defines.
    pub(super) fn values(&self) -> BTreeMap<String, Value> {
        self.rest().into_iter().filter_map(|name| Some((name.clone(), json(self.take(&name)?.get_ref())))).collect()
    }

    /// Reports the keys that nobody took.
    pub(super) fn finish(self) {
        let known = self.taken.borrow().clone();
        for name in self.rest() {
            let hint = match nearest(&name, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{}`?", self.key(near)),
                None => format!("known here: {}", known.iter().cloned().collect::<Vec<_>>().join(", ")),
            };
            let problem = ConfigError::Unknown { place: self.place(&name), key: self.key(&name), hint };
            self.document.report(self.offset(&name), problem);
        }
    }
}

fn variable_name(text: &str) -> Option<String> {
    let fine = !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    fine.then(|| text.to_owned())
}

pub(super) fn integer(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn number(value: &DeValue<'_>) -> Option<f64> {
    match value.as_float() {
        Some(float) => float.as_str().parse().ok(),
        None => integer(value).map(|n| n as f64),
    }
}

fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(_) => integer(value).map_or(Value::Null, Value::from),
        DeValue::Float(_) => number(value).map_or(Value::Null, Value::from),
        DeValue::Boolean(flag) => Value::from(*flag),
        DeValue::Datetime(moment) => Value::from(moment.to_string()),
        DeValue::Array(items) => items.iter().map(|item| json(item.get_ref())).collect(),
        DeValue::Table(table) => {
            table.iter().map(|(key, value)| (key.get_ref().to_string(), json(value.get_ref()))).collect()
        }
    }
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

fn quoted(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) if text.chars().count() > QUOTE_LIMIT => {
            format!("{:?}", text.chars().take(QUOTE_LIMIT).chain(['…']).collect::<String>())
        }
        DeValue::Array(_) | DeValue::Table(_) => kind(value).to_owned(),
        DeValue::String(_) | DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) => {
            json(value).to_string()
        }
    }
}

/// The candidate that a mistyped word most likely meant.
pub(super) fn nearest<'w>(word: &str, candidates: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    // A third of a longer word is still a slip and not another word.
    let most = (word.chars().count() / 3).max(2);
    candidates
        .filter_map(|c| Some((slips(word, c, most)?, c)))
        .filter(|(d, c)| *d < c.chars().count())
        .min()
        .map(|(_, c)| c)
}
