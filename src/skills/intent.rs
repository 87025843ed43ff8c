//! Which methods a script meant, read from its syntax tree, or from its tokens where it has none.
//!
//! Invariants:
//! - Only names that scripts see as skills begin a path; comments, texts and shadowed names give nothing.
//! - Reading is bounded, whatever the script: rounds, values for each name, and paths have limits.

pub(crate) mod scan;

mod loose;
mod tree;

use scan::Depth;

/// Brackets open at once beyond which nothing is parsed: the parser recurses, and so do those who walk its tree.
/// Scripts that people write stay below 20.
pub const MAX_NESTING: usize = 64;
/// Tokens in a row without a separator beyond which nothing is parsed, since operators and members nest as well.
const MAX_RUN: usize = 1000;
/// `else`s beyond which nothing is parsed.
const MAX_ELSES: usize = 100;
/// Bytes beyond which nothing is parsed.
const MAX_SOURCE: usize = 4 * 1024 * 1024;
/// Paths that one script gives: nobody reads more documentation than that at once.
const MAX_PATHS: usize = 64;

/// How deep brackets are nested, by a token scan that itself does not recurse.
pub fn nesting(source: &str) -> usize {
    Depth::of(source).brackets
}

/// Whether a parser's stack can bear this source.
pub fn is_parseable(source: &str) -> bool {
    let depth = Depth::of(source);
    source.len() <= MAX_SOURCE && depth.brackets <= MAX_NESTING && depth.run <= MAX_RUN && depth.elses <= MAX_ELSES
}

/// Whether a parser's stack can bear this declaration file.
pub(crate) fn is_readable(source: &str) -> bool {
    let depth = Depth::of_declaration(source);
    source.len() <= MAX_SOURCE && depth.brackets <= MAX_NESTING && depth.run <= MAX_RUN
}

/// Whether a script parses, so that its paths come from its syntax tree.
pub fn is_parsed(source: &str) -> bool {
    tree::is_parsed(source)
}

/// The member paths of these globals that the last script uses, in order of appearance. The scripts before it are
/// earlier steps of the same turn: what they bound to a name, the last one may use by that name.
pub fn member_paths(scripts: &[&str], globals: &[String]) -> Vec<String> {
    tree::uses(scripts, globals).unwrap_or_else(|| loose::uses(scripts, globals))
}

/// Collects paths in order, each once.
#[derive(Debug, Default, Clone)]
struct Uses(Vec<Use>);

#[derive(Debug, Clone)]
struct Use {
    path: String,
    is_called: bool,
}

impl Uses {
    fn add(&mut self, path: &str, is_called: bool) {
        if let Some(known) = self.0.iter_mut().find(|known| known.path == path) {
            known.is_called |= is_called;
        } else if self.0.len() < MAX_PATHS * 4 {
            self.0.push(Use { path: path.to_owned(), is_called });
        }
    }

    /// Without what only led to something longer: of `github.issues.create()` no `github.issues`.
    fn finish(self) -> Vec<String> {
        let is_step = |one: &Use| {
            let leads = |other: &Use| other.path.strip_prefix(&one.path).is_some_and(|rest| rest.starts_with('.'));
            !one.is_called && (!one.path.contains('.') || self.0.iter().any(leads))
        };
        self.0.iter().filter(|one| !is_step(one)).map(|one| one.path.clone()).take(MAX_PATHS).collect()
    }
}

#[cfg(test)]
mod tests;
