//! What a misspelt path most likely meant.

use super::{BUILT_IN, Registry};
use crate::text::slips;

/// How many names are offered: more is a list to read, not a hint.
const MOST: usize = 3;

impl Registry {
    /// Declared paths that come near this one, nearest first; none if it is declared itself. For a skill with code the
    /// measure is strict, since what it does not declare may well exist.
    pub fn nearest(&self, path: &str) -> Vec<String> {
        if self.method(path).is_some() {
            return Vec::new();
        }
        let (skill, member) = path.split_once('.').unwrap_or((path, ""));
        let known = self.skill(skill);
        let is_strict = known.is_some() && !BUILT_IN.contains(&skill);
        let mut near: Vec<(usize, usize, &str)> = Vec::new();
        for (order, method) in self.skills().flat_map(|s| &s.declaration.methods).enumerate() {
            let (its_skill, its_member) = method.path.split_once('.').unwrap_or((&method.path, ""));
            let distance = match known {
                // The skill is right: only its own members can be meant.
                Some(_) if its_skill == skill => member_distance(member, its_member, is_strict),
                Some(_) => None,
                None if member.is_empty() => slips(skill, last(its_member), bound(skill)),
                None if last(member) == last(its_member) => Some(1 + letters_apart(skill, its_skill).min(8)),
                None => slips(path, &method.path, bound(path)),
            };
            if let Some(distance) = distance {
                near.push((distance, order, &method.path));
            }
        }
        near.sort_unstable();
        near.into_iter().take(MOST).map(|(_, _, path)| path.to_owned()).collect()
    }
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// How many slips a name of this length may have.
fn bound(name: &str) -> usize {
    match name.chars().count() {
        0..=2 => 0,
        3..=4 => 1,
        5..=8 => 2,
        _ => 3,
    }
}

fn member_distance(wanted: &str, declared: &str, is_strict: bool) -> Option<usize> {
    if wanted.is_empty() {
        return None;
    }
    if wanted.eq_ignore_ascii_case(declared) {
        return Some(0);
    }
    let slips = slips(wanted, declared, bound(wanted).min(bound(declared)));
    // `issues.create` for `create`, or the other way round.
    let nested = (last(wanted) == last(declared)).then_some(4);
    let found = slips.or(nested);
    if found.is_some() {
        return found;
    }
    let (a, b) = (words(last(wanted)), words(last(declared)));
    let starts = a.first() == b.first() && (a.len() == 1 || b.len() == 1);
    if starts {
        return Some(5);
    }
    if is_strict {
        return None;
    }
    let shared = a.iter().filter(|word| word.len() > 2 && b.contains(word)).count();
    (shared > 0).then(|| 10_usize.saturating_sub(shared))
}

/// `sendText` → send, text.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_small = false;
    for c in name.chars() {
        let starts = words.is_empty() || (c.is_uppercase() && was_small);
        was_small = c.is_lowercase() || c.is_ascii_digit();
        if !c.is_alphanumeric() {
            was_small = true;
            words.push(String::new());
            continue;
        }
        if starts {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn letters_apart(a: &str, b: &str) -> usize {
    slips(a, b, usize::MAX).unwrap_or(usize::MAX)
}
