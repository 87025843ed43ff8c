//! Documentation when it is needed: after a mistake, or on request.
//!
//! Invariants:
//! - Nothing that is still visible is given again; what is visible is known by identity, never by looking into texts.
//! - A text stays within its budget, and what had to be left out is named.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;

use super::declaration::Method;
use super::intent::member_paths;
use super::registry::{Registry, Skill};

/// Room that is kept for naming what was cut.
const RESERVE: usize = 160;
/// How many related types are looked at: a bound for declarations that mention everything.
const MOST_TYPES: usize = 200;

/// Documentation to show, and what it covers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Disclosure {
    /// What the model reads.
    pub text: String,
    /// What it then need not be given again: paths of methods, and `skill:Type` for types.
    pub paths: Vec<String>,
}

/// Documentation of what a failed script meant: the failing call's first, then what else it used. `scripts` are those
/// of this turn, the failed one last; `visible` are the paths of disclosures that the model can still see.
/// `None` if there is nothing to say that is not visible already.
pub fn disclose(
    registry: &Registry,
    failed_call: Option<&str>,
    scripts: &[&str],
    visible: &BTreeSet<String>,
    budget: usize,
) -> Option<Disclosure> {
    let used = member_paths(scripts, &registry.globals());
    let mut methods: Vec<&Method> = Vec::new();
    let mut corrections: Vec<String> = Vec::new();
    for path in failed_call.into_iter().chain(used.iter().map(String::as_str)) {
        let found = find(registry, path);
        if found.is_empty() && is_unknown(registry, path) {
            let near = registry.nearest(path);
            let is_failed = failed_call == Some(path);
            let line = if near.is_empty() {
                declared(registry, path).filter(|_| is_failed && !visible.contains(path))
            } else {
                Some(format!("There is no `{path}`; did you mean `{}`?", near.join("`, `")))
            };
            if let Some(line) = line.filter(|line| !corrections.contains(line)) {
                corrections.push(line);
            }
            methods.extend(near.iter().filter_map(|path| registry.method(path)));
        }
        methods.extend(found);
    }
    let mut known = BTreeSet::new();
    methods.retain(|method| known.insert(method.path.as_str()) && !visible.contains(&method.path));
    if methods.is_empty() {
        // A correction alone counts as given under the name that it corrects.
        let failed = failed_call.filter(|path| !corrections.is_empty() && !visible.contains(*path))?;
        let text = shortened(&corrections.join("\n"), budget);
        return Some(Disclosure { text, paths: vec![failed.to_owned()] });
    }
    let names: Vec<String> = methods.iter().map(|method| format!("`{}`", method.path)).collect();
    let mut head = format!(
        "The failed script used {}. Here is the documentation; read it with the error above in view and write the script again.\n",
        names.join(", ")
    );
    for line in corrections {
        head.push_str(&line);
        head.push('\n');
    }
    Some(write(registry, head, &methods, visible, budget))
}

/// Documentation of a method, of everything below a path, or of a whole skill. `None` if nothing is called that.
pub fn docs(registry: &Registry, path: &str, budget: usize) -> Option<Disclosure> {
    let path = path.trim().trim_end_matches("()").trim_end_matches('.');
    let under = format!("{path}.");
    let skill = registry.skill(path.split('.').next()?)?;
    let mut methods: Vec<&Method> = skill.declaration.methods.iter().filter(|m| m.path == path).collect();
    methods.extend(skill.declaration.methods.iter().filter(|m| m.path.starts_with(&under)));
    if methods.is_empty() {
        return None;
    }
    let head = match skill.declaration.groups.get(path) {
        _ if path == skill.name => format!("## {}\n{}\n", skill.name, skill.summary),
        Some(text) => format!("## {path}\n{text}\n"),
        None => String::new(),
    };
    Some(write(registry, head, &methods, &BTreeSet::new(), budget))
}

/// What a path that a script uses refers to: a method, the method whose result it goes on from, or the one property.
fn find<'r>(registry: &'r Registry, path: &str) -> Vec<&'r Method> {
    let mut path = path;
    loop {
        if let Some(method) = registry.method(path) {
            return vec![method];
        }
        match path.rsplit_once('.') {
            Some((shorter, _)) => path = shorter,
            None => return Vec::new(),
        }
    }
}

/// What the skill of an unknown path does declare.
fn declared(registry: &Registry, path: &str) -> Option<String> {
    let (name, _) = path.split_once('.')?;
    let methods = &registry.skill(name)?.declaration.methods;
    let paths: Vec<&str> = methods.iter().map(|method| method.path.as_str()).collect();
    (!paths.is_empty()).then(|| format!("`{path}` is not declared; there is {}.", paths.join(", ")))
}

/// Whether the path names a member that its skill does not declare, and not just a group of members.
fn is_unknown(registry: &Registry, path: &str) -> bool {
    let Some((name, _)) = path.split_once('.') else { return false };
    let under = format!("{path}.");
    registry.skill(name).is_some_and(|s| !s.declaration.methods.iter().any(|m| m.path.starts_with(&under)))
}

fn write(
    registry: &Registry,
    head: String,
    methods: &[&Method],
    visible: &BTreeSet<String>,
    budget: usize,
) -> Disclosure {
    let mut text = head;
    let mut paths = Vec::new();
    let mut cut: Vec<String> = Vec::new();
    let room = budget.saturating_sub(RESERVE);
    for method in methods {
        let full = document(method, true);
        let fits = |piece: &str, text: &str| text.len() + piece.len() <= room;
        let short = document(method, false);
        // Better the signature alone than nothing; the first one is what it is all about.
        let piece = if fits(&full, &text) { full } else { short };
        if fits(&piece, &text) {
            text.push_str(&piece);
            paths.push(method.path.clone());
        } else if paths.is_empty() {
            text.push_str(&shortened(&piece, room.saturating_sub(text.len())));
            paths.push(method.path.clone());
        } else {
            cut.push(method.path.clone());
        }
    }
    let mut is_first = true;
    for (skill, name) in related(registry, methods) {
        let key = format!("{}:{name}", skill.name);
        let Some(found) = skill.declaration.types.get(&name).filter(|_| !visible.contains(&key)) else { continue };
        let heading = if is_first { "\n### Types\n" } else { "" };
        let piece = format!("{heading}```ts\n{}\n```\n", found.text);
        if text.len() + piece.len() <= room {
            text.push_str(&piece);
            paths.push(key);
            is_first = false;
        } else {
            cut.push(name);
        }
    }
    if !cut.is_empty() {
        let mut names = cut.join(", ");
        names = shortened(&names, RESERVE.saturating_sub(80)).trim_end().to_owned();
        // Writing to a String does not fail.
        let _ = writeln!(text, "\n(Left out for length: {names}. skills.docs(path) gives more.)");
    }
    Disclosure { text: text.trim_end().to_owned(), paths }
}

/// The types that methods reach, nearest first.
fn related<'r>(registry: &'r Registry, methods: &[&Method]) -> Vec<(&'r Skill, String)> {
    let mut known: BTreeSet<(String, String)> = BTreeSet::new();
    let mut waiting: VecDeque<(&Skill, String)> = VecDeque::new();
    let mut found = Vec::new();
    for method in methods {
        let Some(skill) = method.path.split('.').next().and_then(|name| registry.skill(name)) else { continue };
        waiting.extend(method.types.iter().map(|name| (skill, name.clone())));
    }
    while let Some((skill, name)) = waiting.pop_front() {
        if found.len() >= MOST_TYPES || !known.insert((skill.name.clone(), name.clone())) {
            continue;
        }
        if let Some(ty) = skill.declaration.types.get(&name) {
            waiting.extend(ty.types.iter().map(|name| (skill, name.clone())));
            found.push((skill, name));
        }
    }
    found
}

/// One method's documentation; without its examples and details if it must be short.
fn document(method: &Method, is_full: bool) -> String {
    let doc = &method.doc;
    let mut text = format!("\n### {}\n```ts\n{}\n```\n", method.path, method.signatures.join("\n"));
    // Writing to a String does not fail.
    if let Some(advice) = &doc.deprecated {
        let _ = writeln!(text, "Deprecated. {advice}");
    }
    if !doc.text.is_empty() {
        let _ = writeln!(text, "{}", doc.text);
    }
    for other in &doc.others {
        let _ = writeln!(text, "Also: {other}");
    }
    if !is_full {
        return text;
    }
    for (name, about) in &doc.params {
        let _ = writeln!(text, "- {name}: {about}");
    }
    if let Some(default) = &doc.default {
        let _ = writeln!(text, "Default: {default}");
    }
    if let Some(returns) = &doc.returns {
        let _ = writeln!(text, "Returns: {returns}");
    }
    for throws in &doc.throws {
        let _ = writeln!(text, "Throws: {throws}");
    }
    for example in &doc.examples {
        let title = if example.title.is_empty() { String::new() } else { format!(": {}", example.title) };
        // The tag is not `js`: this is something to read, not a reply.
        let (open, close) = fence(&example.code);
        let _ = writeln!(text, "Example{title}\n{open}\n{}\n{close}", example.code);
    }
    text
}

/// A fence that the code within does not close; prose with fences of its own is not code.
fn fence(code: &str) -> (String, String) {
    let runs = code.lines().map(|line| line.trim_start()).map(|line| line.len() - line.trim_start_matches('`').len());
    match runs.max().unwrap_or(0) {
        run @ 3.. => ("`".repeat(run + 1) + "md", "`".repeat(run + 1)),
        _ => ("```ts".to_owned(), "```".to_owned()),
    }
}

fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let mut end = most.saturating_sub('…'.len_utf8());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…\n", text.get(..end).unwrap_or_default())
}

#[cfg(test)]
mod tests;
