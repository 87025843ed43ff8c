//! Which methods a script meant, read from its syntax tree, or from its tokens where it has none.

pub(crate) mod scan;

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

/// How deep brackets are nested, by a token scan that itself does not recurse.
pub fn nesting(source: &str) -> usize {
    Depth::of(source).brackets
}

/// Whether a parser's stack can bear this source.
pub fn is_parseable(source: &str) -> bool {
    let depth = Depth::of(source);
    source.len() <= MAX_SOURCE && depth.brackets <= MAX_NESTING && depth.run <= MAX_RUN && depth.elses <= MAX_ELSES
}

/// The member paths that the scripts use of these globals, in order of appearance, the last script's first.
pub fn member_paths(_scripts: &[&str], _globals: &[String]) -> Vec<String> {
    Vec::new()
}
