//! Whether a call may run: hard rules first, then what the operator remembered, then whoever must be asked.
//!
//! Invariants:
//! - A denial is final: no approval, remembered or fresh, ever overrides one.
//! - The operator's configuration stands above what a declaration says of itself, in both directions; a guard (a
//!   before-hook) can only make it stricter.
//! - Every denial has a reason that the author of the script can read.

use std::collections::BTreeMap;

use super::declaration::Risk;

/// What is to be done about one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It runs.
    Allow,
    /// An operator is asked.
    Ask,
    /// It never runs; this is why, for the script's author.
    Deny(String),
}

/// What the operator's configuration says about methods: full paths, or everything below one (`github.issues.*`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules(BTreeMap<String, Risk>);

/// What is known of one call when it is judged.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// The full path, such as `telegram.admin.ban`.
    pub path: &'a str,
    /// What the declaration says, or stands for what it does not list.
    pub declared: Risk,
    /// What guards say, in their order.
    pub guards: Vec<Verdict>,
    /// Whether an operator said for good that this chat may do it.
    pub is_remembered: bool,
}

impl Rules {
    /// Sets what holds for a path or, if it ends in `*`, for all below it.
    pub fn set(&mut self, pattern: String, risk: Risk) {
        self.0.insert(pattern, risk);
    }

    /// What is said about this path: about itself first, then about the nearest that holds it.
    pub fn of(&self, path: &str) -> Option<Risk> {
        if let Some(risk) = self.0.get(path) {
            return Some(*risk);
        }
        self.0
            .iter()
            .filter(|(pattern, _)| covers(pattern, path))
            .max_by_key(|(pattern, _)| pattern.len())
            .map(|(_, r)| *r)
    }

    /// All of it, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Risk)> {
        self.0.iter().map(|(pattern, risk)| (pattern.as_str(), *risk))
    }
}

/// Whether a pattern speaks about a path: the path itself, everything below one (`github.*`), or everything (`*`).
pub fn covers(pattern: &str, path: &str) -> bool {
    match pattern.strip_suffix('*') {
        None => pattern == path,
        Some(head) => (head.is_empty() || head.ends_with('.')) && path.starts_with(head),
    }
}

/// Judges a call.
pub fn judge(case: &Case<'_>, rules: &Rules) -> Verdict {
    let path = case.path;
    let said = rules.of(path);
    match (said, case.declared) {
        (Some(Risk::Deny), _) => return Verdict::Deny(format!("{path} is forbidden here by the operator")),
        (None, Risk::Deny) => return Verdict::Deny(format!("{path} is forbidden here")),
        (Some(Risk::Safe | Risk::Ask), _) | (None, Risk::Safe | Risk::Ask) => {}
    }
    let mut must_ask = said.unwrap_or(case.declared) == Risk::Ask;
    for guard in &case.guards {
        match guard {
            Verdict::Deny(why) => return Verdict::Deny(format!("{path}: {why}")),
            Verdict::Ask => must_ask = true,
            Verdict::Allow => {}
        }
    }
    if must_ask && !case.is_remembered { Verdict::Ask } else { Verdict::Allow }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hard_rules_come_first_then_what_is_remembered() {
        use Risk::{Ask, Deny, Safe};
        let deny = || Verdict::Deny("not on Sundays".to_owned());
        let no = |why: &str| Verdict::Deny(why.to_owned());
        // declared, configured, guards, remembered → verdict
        type Row = (Risk, Option<Risk>, Vec<Verdict>, bool, Verdict);
        let rows: Vec<Row> = vec![
            (Safe, None, vec![], false, Verdict::Allow),
            (Ask, None, vec![], false, Verdict::Ask),
            (Ask, None, vec![], true, Verdict::Allow),
            (Deny, None, vec![], false, no("x.y is forbidden here")),
            (Deny, None, vec![], true, no("x.y is forbidden here")),
            (Safe, Some(Deny), vec![], true, no("x.y is forbidden here by the operator")),
            (Ask, Some(Deny), vec![Verdict::Allow], true, no("x.y is forbidden here by the operator")),
            (Deny, Some(Safe), vec![], false, Verdict::Allow),
            (Deny, Some(Ask), vec![], false, Verdict::Ask),
            (Deny, Some(Ask), vec![], true, Verdict::Allow),
            (Safe, Some(Ask), vec![], false, Verdict::Ask),
            (Ask, Some(Safe), vec![], false, Verdict::Allow),
            (Safe, None, vec![Verdict::Ask], false, Verdict::Ask),
            (Safe, None, vec![Verdict::Ask], true, Verdict::Allow),
            (Ask, Some(Safe), vec![Verdict::Ask], false, Verdict::Ask),
            (Safe, Some(Safe), vec![Verdict::Ask, deny()], true, no("x.y: not on Sundays")),
            (Safe, None, vec![deny()], true, no("x.y: not on Sundays")),
            (Ask, None, vec![Verdict::Allow], false, Verdict::Ask),
        ];
        for (declared, configured, guards, is_remembered, expected) in rows {
            let mut rules = Rules::default();
            if let Some(risk) = configured {
                rules.set("x.y".to_owned(), risk);
            }
            let case = Case { path: "x.y", declared, guards, is_remembered };
            assert_eq!(judge(&case, &rules), expected, "{case:?} {configured:?}");
        }
    }

    #[test]
    fn the_nearest_rule_holds() {
        let mut rules = Rules::default();
        for (pattern, risk) in
            [("github.*", Risk::Ask), ("github.issues.*", Risk::Safe), ("github.issues.delete", Risk::Deny)]
        {
            rules.set(pattern.to_owned(), risk);
        }
        let rows = [
            ("github.repos.get", Some(Risk::Ask)),
            ("github.issues.list", Some(Risk::Safe)),
            ("github.issues.delete", Some(Risk::Deny)),
            ("githubby.x", None),
            ("gitlab.x", None),
            ("github", None),
        ];
        for (path, expected) in rows {
            assert_eq!(rules.of(path), expected, "{path}");
        }
        assert!(covers("*", "a.b") && covers("a.b", "a.b") && !covers("a*", "ab.c") && !covers("a.b", "a.b.c"));
    }
}
