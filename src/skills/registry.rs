//! All skills of one session, looked up by name and by path.
//!
//! Invariants:
//! - The host's own skills cannot be replaced: their declarations carry the rules.
//! - Nothing here depends on the order of a map or on time: the same files give the same texts, byte by byte.

mod brief;
mod catalogue;
mod nearest;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::declaration::{self, Declaration, Method};
pub use super::declaration::{Effect, Problem, Risk};
use super::guide::{self, Guide};
use super::manifest::{self, Manifest};
use super::prepare;
pub use brief::{BRIEFS, brief, tokens};
pub use catalogue::escaped;

/// The skills whose calls the host answers; no other skill may take their names.
pub const BUILT_IN: [&str; 5] = ["telegram", "memory", "turn", "agenda", "skills"];

/// Names that scripts see already, and words that cannot be names.
const TAKEN: &[&str] = &[
    "await",
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
    "let",
    "new",
    "null",
    "return",
    "static",
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
    "yield",
    "async",
    "of",
    "arguments",
    "eval",
    "undefined",
    "globalThis",
    "ctx",
    "console",
    "setTimeout",
    "setInterval",
    "clearTimeout",
    "clearInterval",
    "setImmediate",
    "clearImmediate",
    "structuredClone",
    "fetch",
    "escape",
    "unescape",
    "isNaN",
    "isFinite",
    "parseInt",
    "parseFloat",
    "encodeURI",
    "encodeURIComponent",
    "decodeURI",
    "decodeURIComponent",
    "atob",
    "btoa",
    "crypto",
    "performance",
    "constructor",
    "prototype",
    "implements",
    "interface",
    "package",
    "private",
    "protected",
    "public",
    "queueMicrotask",
    "module",
    "require",
    "self",
];

/// A skill as its files came.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SkillFiles {
    /// The folder's name.
    pub name: String,
    /// `bundled`, or the folder as configured.
    pub origin: String,
    /// Path in the folder → text.
    pub files: BTreeMap<String, String>,
}

/// One skill, read.
#[derive(Debug, Clone)]
pub struct Skill {
    /// Its name, which is also what scripts call it.
    pub name: String,
    /// `bundled`, or the folder as configured.
    pub origin: String,
    /// What it is for, on one line.
    pub summary: String,
    /// Its methods and types.
    pub declaration: Declaration,
    /// What it may reach and what it must be given.
    pub manifest: Manifest,
    /// JavaScript module text, if it has code of its own.
    pub code: Option<String>,
}

/// All skills. Cloning is cheap.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    inner: Arc<Inner>,
    /// Skills that lack a key: what cannot be used is not promised in the prompt.
    lacking: Arc<BTreeSet<String>>,
}

#[derive(Debug, Default)]
struct Inner {
    /// In the order in which the model reads of them.
    skills: Vec<Skill>,
    guides: Vec<Guide>,
    digest: String,
}

impl Registry {
    /// Reads all skills. A later one replaces an earlier one of the same name, unless both stand in one root: then the
    /// later is left out. A broken one is told and left out, replaces none, and the others load.
    pub fn build(skills: Vec<SkillFiles>) -> (Self, Vec<Problem>) {
        let mut problems = Vec::new();
        let guides = guides(&skills, &mut problems);
        let digest = digest(&skills);
        let mut chosen: Vec<Skill> = Vec::new();
        // What is a guide and nothing else is in no skill's way.
        for files in skills.iter().filter(|files| has_skill(files)) {
            let problem = |message| Problem { skill: files.name.clone(), place: files.origin.clone(), message };
            if let Err(message) = name_fits(files) {
                problems.push(problem(message));
                continue;
            }
            let at = chosen.iter().position(|known| known.name == files.name);
            if let Some(known) =
                at.and_then(|at| chosen.get(at)).filter(|known| is_beside(&known.origin, &files.origin))
            {
                problems.push(problem(format!("is there already, from {}; this one is left out", known.origin)));
                continue;
            }
            let Some(skill) = read(files, &mut problems) else { continue };
            match at.and_then(|at| chosen.get_mut(at)) {
                Some(known) => *known = skill,
                None => chosen.push(skill),
            }
        }
        let inner = Arc::new(Inner { skills: chosen, guides, digest });
        (Self { inner, lacking: Arc::default() }, problems)
    }

    /// The same skills, of which these lack a key.
    #[must_use]
    pub fn lacking(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.lacking = Arc::new(names.into_iter().collect());
        self
    }

    /// The names of the skills that lack a key.
    pub fn unavailable(&self) -> impl Iterator<Item = &str> {
        self.lacking.iter().map(String::as_str)
    }

    /// All skills, in the order in which the model reads of them.
    pub fn skills(&self) -> impl Iterator<Item = &Skill> {
        self.inner.skills.iter()
    }

    /// The skill of this name.
    pub fn skill(&self, name: &str) -> Option<&Skill> {
        self.skills().find(|skill| skill.name == name)
    }

    /// All guides, in the order of their names.
    pub fn guides(&self) -> impl Iterator<Item = &Guide> {
        self.inner.guides.iter()
    }

    /// The guide of this name.
    pub fn guide(&self, name: &str) -> Option<&Guide> {
        self.guides().find(|guide| guide.name == name)
    }

    /// The method or property of this full path.
    pub fn method(&self, path: &str) -> Option<&Method> {
        self.skill(path.split('.').next()?)?.declaration.method(path)
    }

    /// The names of the objects that scripts see.
    pub fn globals(&self) -> Vec<String> {
        self.skills().map(|skill| skill.name.clone()).collect()
    }

    /// What a call of this path does to the world: the worse, where nothing is said.
    pub fn effect(&self, path: &str) -> Effect {
        self.method(path).and_then(|method| method.doc.effect).unwrap_or(Effect::Write)
    }

    /// Whether a call of this path may run. What a skill does not declare needs leave if it holds a secret.
    pub fn risk(&self, path: &str) -> Risk {
        match self.method(path) {
            Some(method) => method.doc.risk.unwrap_or(Risk::Safe),
            None => {
                let skill = path.split('.').next().and_then(|name| self.skill(name));
                if skill.is_some_and(|skill| !skill.manifest.secrets.is_empty()) { Risk::Ask } else { Risk::Safe }
            }
        }
    }

    /// SHA-256 over the names and texts of all skill files, in hex: whether two sessions had the same skills.
    pub fn digest(&self) -> String {
        self.inner.digest.clone()
    }
}

fn name_fits(files: &SkillFiles) -> Result<(), String> {
    let name = files.name.as_str();
    let mut letters = name.chars();
    let starts_well = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_' || c == '$');
    let is_identifier = starts_well && letters.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    if BUILT_IN.contains(&name) && files.origin != "bundled" {
        return Err(format!("{name} belongs to the host and cannot be replaced; give the folder another name"));
    }
    if !is_identifier || TAKEN.contains(&name) || name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return Err(format!(
            "{name:?} cannot be what scripts call it; use a small letter first, then letters, digits or _"
        ));
    }
    Ok(())
}

/// Whether these files are a skill that scripts call, and not only a guide.
fn has_skill(files: &SkillFiles) -> bool {
    // Beside a guide alone, a declaration is one of its texts.
    let is_guide = files.files.contains_key(guide::MAIN);
    files.files.keys().any(|file| is_code(file) || !is_guide && file.ends_with(".d.ts"))
}

fn is_code(file: &str) -> bool {
    matches!(file, "index.ts" | "index.js" | "index.mjs")
}

fn read(files: &SkillFiles, problems: &mut Vec<Problem>) -> Option<Skill> {
    let name = files.name.clone();
    let main = format!("{name}.d.ts");
    let mut declared: Vec<(&str, &str)> = files
        .files
        .iter()
        .filter(|(file, _)| file.ends_with(".d.ts"))
        .map(|(file, text)| (file.as_str(), text.as_str()))
        .collect();
    declared.sort_by_key(|(file, _)| (*file != main, *file));
    let declaration = if declared.is_empty() {
        let message = format!("there is no {main}: scripts can call it, but the model will not know of it");
        problems.push(Problem { skill: name.clone(), place: files.origin.clone(), message });
        Declaration::default()
    } else {
        let (declaration, more) = declaration::parse(&name, &name, &declared);
        problems.extend(more);
        declaration
    };
    let manifest = files.files.get("package.json").map_or_else(Manifest::default, |text| {
        let (manifest, wrong) = manifest::parse(text);
        let problem = |message| Problem { skill: name.clone(), place: "package.json".to_owned(), message };
        problems.extend(wrong.into_iter().map(problem));
        manifest
    });
    let code = match files.files.iter().find(|(file, _)| is_code(file)) {
        None => None,
        Some((file, source)) => match prepare::javascript(file, source) {
            Ok(code) => Some(code),
            Err(problem) => {
                problems.push(Problem { skill: name, ..problem });
                return None;
            }
        },
    };
    if code.is_none() && !BUILT_IN.contains(&name.as_str()) {
        let message = "has a declaration but no index.ts or index.js: nothing would answer its calls".to_owned();
        problems.push(Problem { skill: name, place: files.origin.clone(), message });
        return None;
    }
    let summary = declaration.summary.clone();
    Some(Skill { name, origin: files.origin.clone(), summary, declaration, manifest, code })
}

/// Whether two skills stand in the same root, which is the folder that holds theirs.
fn is_beside(one: &str, other: &str) -> bool {
    Path::new(one).parent() == Path::new(other).parent()
}

/// The guides among these files, by name; a later one replaces an earlier one from another root.
fn guides(skills: &[SkillFiles], problems: &mut Vec<Problem>) -> Vec<Guide> {
    let mut guides: BTreeMap<String, Guide> = BTreeMap::new();
    for files in skills {
        let Some(text) = files.files.get(guide::MAIN) else { continue };
        match guide::parse(&files.name, &files.origin, text) {
            Ok((mut guide, _)) => {
                guide.warnings.iter_mut().for_each(|problem| problem.place = placed(files, &problem.place));
                if files.origin == super::bundled::ORIGIN {
                    guide.files.clone_from(&files.files);
                }
                match guides.get(&guide.name) {
                    Some(known) if is_beside(&known.origin, &guide.origin) => {
                        let message = format!("is there already, from {}; this one is left out", known.origin);
                        problems.push(Problem { skill: guide.name, place: guide.origin, message });
                    }
                    Some(_) | None => drop(guides.insert(guide.name.clone(), guide)),
                }
            }
            Err(problem) => problems.push(Problem { place: placed(files, &problem.place), ..problem }),
        }
    }
    guides.into_values().collect()
}

/// A file's place, with its folder, which tells one `SKILL.md` from another.
fn placed(files: &SkillFiles, place: &str) -> String {
    format!("{}/{place}", if files.origin == super::bundled::ORIGIN { &files.name } else { &files.origin })
}

fn digest(skills: &[SkillFiles]) -> String {
    let mut hash = Sha256::new();
    let ordered: BTreeSet<_> =
        skills.iter().flat_map(|s| s.files.iter().map(move |(file, text)| (&s.name, file, text))).collect();
    for (name, file, text) in ordered {
        for part in [name, file, text] {
            // Lengths keep "ab" + "c" apart from "a" + "bc".
            hash.update(part.len().to_le_bytes());
            hash.update(part.as_bytes());
        }
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
