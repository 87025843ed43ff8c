//! Promises that are used as if they were what they will give.

use super::tree::Subject;
use super::{Explained, Explainer};
use crate::sandbox::notebook::{offset, position};

impl Explainer<'_> {
    /// A promise was used in a way in which only its value can be. `what` says in which: `has no member "x"`, `is no JSON`.
    pub(super) fn too_early(&mut self, at: Option<u32>, what: &str) -> Option<Explained> {
        let key = what.strip_prefix("has no member \"").and_then(|rest| rest.strip_suffix('"'));
        let (subject, place) = match key {
            Some(key) => self.read(at, key)?,
            None => self.coerced(at)?,
        };
        let text = self.quote(subject.span);
        let remedy = match (key, self.call_of(&subject)) {
            // The call itself stands there: `await` binds less than the dot.
            (Some(_), Some(call)) if call.span == subject.span => match self.member_at(place) {
                Some(rest) => format!("write `(await {text}){rest}`"),
                None => format!("write `await {text}`"),
            },
            (_, Some(call)) => {
                let line = position(self.source, offset(call.span.start)).0;
                let is_elsewhere = call.span != subject.span;
                let place = if is_elsewhere { format!(" in line {line}") } else { String::new() };
                format!("write `await {}`{place}", self.quote(call.span))
            }
            (_, None) => "await it first".to_owned(),
        };
        let what = match key {
            Some(key) if key.bytes().all(|byte| byte.is_ascii_digit()) => format!("has no `[{key}]`"),
            Some(key) => format!("has no `{key}`"),
            None => what.to_owned(),
        };
        let message = format!("`{text}` is a promise and {}: {remedy}", what.strip_prefix("is ").unwrap_or(&what));
        Some(Explained { message, position: Some(position(self.source, offset(place))) })
    }

    /// The promise of which a member was read, and where that member stands.
    fn read(&mut self, at: Option<u32>, key: &str) -> Option<(Subject, u32)> {
        let members = self.tree.members.iter().filter(|member| {
            let name = self.source.get(offset(member.property.start)..offset(member.property.end)).unwrap_or_default();
            name.trim_matches(['\'', '"', '`']) == key || member.is_computed
        });
        let members: Vec<(Subject, u32, u32)> =
            members.map(|member| (member.object.clone(), member.property.start, member.span.end)).collect();
        let taken = self.tree.destructured.iter();
        let taken: Vec<(Subject, u32, u32)> =
            taken.map(|taken| (taken.subject.clone(), taken.subject.span.start, taken.to)).collect();
        let all: Vec<_> = members.into_iter().chain(taken).collect();
        let is_here = |(subject, property, end): &(Subject, u32, u32)| {
            at.is_some_and(|at| subject.span.start == at || *property == at || *end == at)
        };
        let here = all.iter().filter(|one| is_here(one));
        // Not every place is exact: then the first that is a promise.
        let ordered: Vec<_> = here.clone().chain(all.iter()).cloned().collect();
        let known = ordered.iter().find(|(subject, ..)| self.awaiting(subject).is_some()).cloned();
        known.or_else(|| here.clone().next().cloned()).map(|(subject, place, _)| (subject, place))
    }

    /// The promise that was used as text or a number.
    fn coerced(&mut self, at: Option<u32>) -> Option<(Subject, u32)> {
        let mut all = self.tree.coerced.clone();
        // The nearest behind the place first.
        all.sort_by_key(|subject| (at.is_some_and(|at| subject.span.end <= at), subject.span.start));
        let found = all.into_iter().find(|subject| self.awaiting(subject).is_some())?;
        let start = found.span.start;
        Some((found, start))
    }

    /// What follows a member's object in the text, such as `.items` or `[0]`.
    fn member_at(&self, property: u32) -> Option<String> {
        let member = self.tree.members.iter().find(|member| member.property.start == property)?;
        self.source.get(offset(member.object.span.end)..offset(member.span.end)).map(|rest| rest.trim().to_owned())
    }

    /// The call of a skill that gave this value: the expression itself, or what a variable was set to.
    fn call_of(&self, subject: &Subject) -> Option<Subject> {
        let mut call = subject.clone();
        if subject.callee.is_none()
            && let Some([name]) = subject.path.as_deref()
        {
            let mut known = self.tree.variables.iter().rev();
            let known = known.find(|(known, init)| known == name && init.span.start < subject.span.start);
            if let Some((_, init)) = known {
                call = init.clone();
            }
        }
        let root = call.callee.as_ref().and_then(|path| path.first())?;
        self.skills.contains(root).then_some(call)
    }

    /// `; it is a promise …` if the value is one that was not awaited.
    pub(super) fn awaiting(&mut self, subject: &Subject) -> Option<String> {
        if let Some(call) = self.call_of(subject) {
            return Some(format!("; it is a promise: write `await {}`", self.quote(call.span)));
        }
        let is_promise = self.kind(subject).is_some_and(|kind| kind == "promise");
        is_promise.then(|| format!("; `{}` is a promise: await it first", self.quote(subject.span)))
    }
}
