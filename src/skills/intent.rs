//! Which methods a script meant, read from its syntax tree, or from its tokens where it has none.

pub(crate) mod scan;
mod tokens;
mod tree;

use std::collections::BTreeMap;

use scan::Depth;
use tree::Value;

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

/// Whether a parser's stack can bear this declaration file.
pub(crate) fn is_readable(source: &str) -> bool {
    let depth = Depth::of_declaration(source);
    source.len() <= MAX_SOURCE && depth.brackets <= MAX_NESTING && depth.run <= MAX_RUN
}

/// The member paths that the scripts of one turn use of these globals: those of the last script first, each script's
/// in order of appearance. A path that only leads to a longer one is left out. Names that earlier scripts declared at
/// their top level live on in later ones.
pub fn member_paths(scripts: &[&str], globals: &[String]) -> Vec<String> {
    let mut names: BTreeMap<String, Vec<Value>> =
        globals.iter().map(|name| (name.clone(), vec![Value::Path(name.clone())])).collect();
    let mut found: Vec<Vec<String>> = Vec::new();
    for script in scripts {
        let tree = if is_parseable(script) { tree::paths(script, &mut names) } else { None };
        found.push(tree.unwrap_or_else(|| tokens::paths(script, &mut names)));
    }
    let mut all: Vec<String> = Vec::new();
    for path in found.into_iter().rev().flatten() {
        if !all.contains(&path) {
            all.push(path);
        }
    }
    let leads_on =
        |path: &String| all.iter().any(|other| other.strip_prefix(path.as_str()).is_some_and(|r| r.starts_with('.')));
    all.iter().filter(|path| !leads_on(path)).cloned().collect()
}

#[cfg(test)]
mod tests;
