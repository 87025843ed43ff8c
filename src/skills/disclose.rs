//! Documentation when it is needed: after a mistake, or on request.

use std::collections::BTreeSet;

use super::registry::Registry;

/// Documentation to show, and what it covers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Disclosure {
    /// What the model reads.
    pub text: String,
    /// What it then need not be given again: paths of methods, and `skill:Type` for types.
    pub paths: Vec<String>,
}

/// Documentation of what failed scripts meant.
pub fn disclose(
    _registry: &Registry,
    _failed_call: Option<&str>,
    _scripts: &[&str],
    _visible: &BTreeSet<String>,
    _budget: usize,
) -> Option<Disclosure> {
    None
}

/// Documentation on request.
pub fn docs(_registry: &Registry, _path: &str, _budget: usize) -> Option<Disclosure> {
    None
}
