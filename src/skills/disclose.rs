//! Documentation when it is needed: after a mistake, or on request.
//!
//! Invariants: what is still visible is not given again, by identity and not by looking for text; the failing call comes
//! first; a budget bounds the bytes, and what is cut is named.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;

use super::declaration::{Declaration, Method};
use super::intent;
use super::registry::Registry;

/// Documentation to show, and what it covers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Disclosure {
    /// What the model reads.
    pub text: String,
    /// What it then need not be given again: paths of methods, and `skill:Type` for types.
    pub paths: Vec<String>,
}

/// Documentation of what failed scripts meant: the last one failed, the others are earlier ones of the same turn.
/// `visible` are identities that the model can still see.
pub fn disclose(
    registry: &Registry,
    failed_call: Option<&str>,
    scripts: &[&str],
    visible: &BTreeSet<String>,
    budget: usize,
) -> Option<Disclosure> {
    let mut used: Vec<String> = failed_call.map(str::to_owned).into_iter().collect();
    for path in intent::member_paths(scripts, &registry.globals()) {
        if !used.contains(&path) {
            used.push(path);
        }
    }
    let wanted = resolve(registry, &used);
    let fresh: Vec<&Method> = wanted.into_iter().filter(|method| !visible.contains(&method.path)).collect();
    let slips: Vec<String> = used.iter().filter_map(|path| slip(registry, path)).collect();
    if fresh.is_empty() && slips.is_empty() {
        return None;
    }
    let mut out = Disclosure::default();
    for slip in slips {
        let _ = writeln!(out.text, "{slip}");
    }
    if !fresh.is_empty() {
        let paths: Vec<&str> = fresh.iter().map(|method| method.path.as_str()).collect();
        let _ = writeln!(
            out.text,
            "## Documentation of what the script used: {}\nCorrect the script with the error above in view.",
            paths.join(", ")
        );
        write(registry, &fresh, visible, budget, &mut out);
    }
    out.text.truncate(out.text.trim_end().len());
    Some(out)
}

/// Documentation on request: of a method, or of every method of a skill.
pub fn docs(registry: &Registry, path: &str, budget: usize) -> Option<Disclosure> {
    let path = path.trim().trim_end_matches("()");
    let methods: Vec<&Method> = match registry.method(path) {
        Some(method) => vec![method],
        None => {
            let skill = registry.skill(path.split('.').next()?)?;
            let inside = format!("{path}.");
            let all = skill.declaration.methods.iter();
            all.filter(|method| path == skill.name || method.path.starts_with(&inside)).collect()
        }
    };
    if methods.is_empty() {
        return None;
    }
    let mut out = Disclosure::default();
    write(registry, &methods, &BTreeSet::new(), budget, &mut out);
    out.text.truncate(out.text.trim_end().len());
    Some(out)
}

/// The methods that were meant: those named, and the nearest to a misspelt one.
fn resolve<'r>(registry: &'r Registry, used: &[String]) -> Vec<&'r Method> {
    let mut methods: Vec<&Method> = Vec::new();
    for path in used {
        let found = match registry.method(path) {
            Some(method) => vec![method],
            // A member of something that is declared: the longest declared part.
            None => match longest_declared(registry, path) {
                Some(method) => vec![method],
                None => registry.nearest(path).iter().take(1).filter_map(|near| registry.method(near)).collect(),
            },
        };
        for method in found {
            if methods.iter().all(|known| known.path != method.path) {
                methods.push(method);
            }
        }
    }
    methods
}

fn longest_declared<'r>(registry: &'r Registry, path: &str) -> Option<&'r Method> {
    let mut part = path;
    while let Some((shorter, _)) = part.rsplit_once('.') {
        if let Some(method) = registry.method(shorter) {
            return Some(method);
        }
        part = shorter;
    }
    None
}

/// What to say of a path that nothing declares.
fn slip(registry: &Registry, path: &str) -> Option<String> {
    if registry.method(path).is_some() || longest_declared(registry, path).is_some() {
        return None;
    }
    let near = registry.nearest(path);
    (!near.is_empty()).then(|| format!("There is no {path}; there is {}.", near.join(", ")))
}

fn write(registry: &Registry, methods: &[&Method], visible: &BTreeSet<String>, budget: usize, out: &mut Disclosure) {
    let start = out.text.len();
    let mut cut = Vec::new();
    for method in methods {
        let text = entry(method);
        if out.text.len() - start + text.len() > budget && !out.paths.is_empty() {
            cut.push(method.path.clone());
            continue;
        }
        out.text.push_str(&text);
        out.paths.push(method.path.clone());
    }
    let mut is_headed = false;
    for (identity, text) in types(registry, methods, visible) {
        let cost = text.len() + 1;
        if out.text.len() - start + cost > budget {
            cut.push(identity);
            continue;
        }
        if !is_headed {
            out.text.push_str("### Types\n```ts\n");
            is_headed = true;
        }
        out.text.push_str(&text);
        out.text.push('\n');
        out.paths.push(identity);
    }
    if is_headed {
        out.text.push_str("```\n");
    }
    if !cut.is_empty() {
        let _ = writeln!(out.text, "(left out for length: {}; skills.docs(\"path\") gives one)", cut.join(", "));
    }
}

fn entry(method: &Method) -> String {
    let doc = &method.doc;
    let mut text = format!("### {}\n```ts\n{}\n```\n", method.path, method.signatures.join("\n"));
    if !doc.text.is_empty() {
        let _ = writeln!(text, "{}", doc.text.trim());
    }
    if let Some(advice) = &doc.deprecated {
        let _ = writeln!(text, "Deprecated: {advice}");
    }
    for (name, about) in &doc.params {
        let _ = writeln!(text, "- {name}: {about}");
    }
    if let Some(returns) = &doc.returns {
        let _ = writeln!(text, "Returns: {returns}");
    }
    for throws in &doc.throws {
        let _ = writeln!(text, "Throws: {throws}");
    }
    for example in &doc.examples {
        let title = if example.title.is_empty() { "Example" } else { &example.title };
        let _ = writeln!(text, "{title}:\n```js\n{}\n```", example.code.trim_end());
    }
    text
}

/// The closure of types that the methods mention, the nearest first, as `(skill:Type, text)`.
fn types(registry: &Registry, methods: &[&Method], visible: &BTreeSet<String>) -> Vec<(String, String)> {
    let mut queue: VecDeque<(&str, &Declaration, &str)> = VecDeque::new();
    for method in methods {
        let name = method.path.split('.').next().unwrap_or_default();
        if let Some(skill) = registry.skill(name) {
            queue.extend(method.types.iter().map(|of| (skill.name.as_str(), &skill.declaration, of.as_str())));
        }
    }
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    while let Some((skill, declaration, name)) = queue.pop_front() {
        let identity = format!("{skill}:{name}");
        if !seen.insert(identity.clone()) {
            continue;
        }
        let Some(of) = declaration.types.get(name) else { continue };
        if !visible.contains(&identity) {
            found.push((identity, of.text.clone()));
        }
        queue.extend(of.types.iter().map(|inner| (skill, declaration, inner.as_str())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skills::bundled::bundled;

    const BUDGET: usize = 6 * 1024;

    fn registry() -> Registry {
        Registry::build(bundled()).0
    }

    fn after(call: Option<&str>, script: &str, visible: &BTreeSet<String>) -> Option<Disclosure> {
        disclose(&registry(), call, &[script], visible, BUDGET)
    }

    #[test]
    fn the_failing_call_comes_first_with_the_types_that_it_reaches() {
        let script = "const m = await memory.recall('x'); await tavily.search('x')";
        let docs = after(Some("tavily.search"), script, &BTreeSet::new()).unwrap();
        let (first, second) = (docs.text.find("### tavily.search"), docs.text.find("### memory.recall"));
        assert!(first < second && first.is_some(), "{}", docs.text);
        assert!(docs.text.contains("interface SearchRequest") && docs.text.contains("type TimeRange"), "{}", docs.text);
        assert!(
            docs.paths.contains(&"tavily.search".to_owned()) && docs.paths.contains(&"tavily:SearchRequest".to_owned())
        );
        assert!(docs.text.len() <= BUDGET + 400);
    }

    #[test]
    fn what_is_visible_is_not_given_again() {
        let first = after(Some("tavily.search"), "tavily.search('x')", &BTreeSet::new()).unwrap();
        let visible: BTreeSet<String> = first.paths.into_iter().collect();
        assert_eq!(after(Some("tavily.search"), "tavily.search('x')", &visible), None);
        let other = after(Some("tavily.extract"), "tavily.extract('x')", &visible).unwrap();
        assert!(!other.text.contains("### tavily.search"), "{}", other.text);
    }

    #[test]
    fn a_name_hides_no_longer_name() {
        let visible: BTreeSet<String> = ["telegram.sendText".to_owned()].into();
        let docs = after(None, "telegram.react(1, 2)", &visible).unwrap();
        assert!(docs.text.contains("### telegram.react"));
    }

    #[test]
    fn a_slip_of_the_pen_gets_the_nearest_name_and_its_docs() {
        let docs = after(Some("tavily.serach"), "tavily.serach('x')", &BTreeSet::new()).unwrap();
        assert!(docs.text.contains("There is no tavily.serach; there is tavily.search"), "{}", docs.text);
        assert!(docs.text.contains("### tavily.search"));
    }

    #[test]
    fn a_budget_cuts_and_names_what_it_cut() {
        let docs =
            disclose(&registry(), Some("tavily.search"), &["tavily.search('x')"], &BTreeSet::new(), 1800).unwrap();
        assert!(docs.text.contains("left out for length: tavily:"), "{}", docs.text);
    }

    #[test]
    fn docs_on_request_know_methods_and_skills() {
        assert!(docs(&registry(), "tavily.search", BUDGET).is_some());
        assert!(docs(&registry(), "tavily", BUDGET).unwrap().text.contains("### tavily.extract"));
        assert_eq!(docs(&registry(), "nothing.here", BUDGET), None);
    }
}
