//! What a skill's `.d.ts` files say: its methods by full path, with documentation and the types they mention.
//!
//! Invariants:
//! - Declaration order is kept, and the same files give the same declaration.
//! - A file that does not parse gives its problems, and everything that still reads.
//! - Texts are as written, never re-printed from the tree.

mod index;
pub mod jsdoc;
mod repair;
mod walk;

use std::collections::{BTreeMap, HashMap};

use oxc_allocator::Allocator;

use serde::{Deserialize, Serialize};

use super::intent::is_readable;
pub use index::survey::{Block, Fate};
use index::{File, Index};
pub use jsdoc::{Doc, Example};
use walk::Walk;

/// Something about a skill that its author or the operator should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The skill.
    pub skill: String,
    /// The file, with line and column where there is one: `tavily.d.ts:12:4`.
    pub place: String,
    /// What is wrong, and what helps.
    pub message: String,
}

/// What a call does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It only looks.
    Read,
    /// It may change something that others notice.
    Write,
}

/// Whether a call may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Risk {
    /// It may.
    Safe,
    /// Only with the operator's leave.
    Ask,
    /// Never.
    Deny,
}

/// What a skill's declaration files say.
#[derive(Debug, Clone, Default)]
pub struct Declaration {
    /// The skill's own text, on one line.
    pub summary: String,
    /// Methods and properties in declaration order.
    pub methods: Vec<Method>,
    /// Types by full name.
    pub types: BTreeMap<String, Type>,
    /// What is said about groups of methods (`github.issues`), by their paths.
    pub groups: BTreeMap<String, String>,
    by_path: HashMap<String, usize>,
}

/// One method, or a property of a skill.
#[derive(Debug, Clone, Default)]
pub struct Method {
    /// From the skill's name on: `github.issues.create`.
    pub path: String,
    /// As written, one for each overload.
    pub signatures: Vec<String>,
    /// Its documentation.
    pub doc: Doc,
    /// Full names of the types that its signatures mention, in order.
    pub types: Vec<String>,
    /// Whether it can be called.
    pub is_callable: bool,
    /// Where it is declared: `github.d.ts:12:4`.
    pub place: String,
}

/// A type that signatures mention.
#[derive(Debug, Clone, Default)]
pub struct Type {
    /// As written, its own comments included.
    pub text: String,
    /// Full names of the types that it mentions, in order.
    pub types: Vec<String>,
}

impl Declaration {
    /// The method or property of this full path.
    pub fn method(&self, path: &str) -> Option<&Method> {
        self.by_path.get(path).and_then(|at| self.methods.get(*at))
    }
}

/// Reads a skill's declaration files: name and text of each, the main one first. `skill` is its folder's name and
/// `global` the identifier that scripts use.
pub fn parse(skill: &str, global: &str, files: &[(&str, &str)]) -> (Declaration, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut problem =
        |place: String, message: String| problems.push(Problem { skill: skill.to_owned(), place, message });
    let allocator = Allocator::default();
    let mut read = Vec::new();
    for &(name, text) in files {
        if is_readable(text) {
            let (file, faults) = File::parse(&allocator, name, text);
            faults.into_iter().for_each(|(place, message)| problem(place, message));
            read.push(file);
        } else {
            problem(name.to_owned(), "is too large or too deeply nested to be read".to_owned());
        }
    }
    let index = Index::of(&read);
    let mut walk = Walk::of(&index, global);
    walk.root().into_iter().for_each(|(place, message)| problem(place, message));
    let (methods, groups, cut) = walk.finish();
    if let Some(message) = cut {
        problem(files.first().map_or_else(String::new, |(name, _)| (*name).to_owned()), message);
    }
    if methods.is_empty() && problems.is_empty() {
        let place = files.first().map_or_else(String::new, |(name, _)| (*name).to_owned());
        let message = format!("`{global}` has nothing to call");
        problems.push(Problem { skill: skill.to_owned(), place, message });
    }
    let by_path = methods.iter().enumerate().map(|(at, method)| (method.path.clone(), at)).collect();
    let summary = index.summary(global);
    (Declaration { summary, methods, types: index.types(), groups, by_path }, problems)
}

/// What becomes of each `/**` block when every value that the files declare is looked at, under its own name.
pub fn survey(files: &[(&str, &str)]) -> Vec<Block> {
    let allocator = Allocator::default();
    let readable = files.iter().filter(|(_, text)| is_readable(text));
    let read: Vec<File<'_>> = readable.map(|(name, text)| File::parse(&allocator, name, text).0).collect();
    let index = Index::of(&read);
    for name in index.within("") {
        Walk::of(&index, name).value();
    }
    index.summary("");
    index.types();
    index.survey()
}

#[cfg(test)]
mod tests;
