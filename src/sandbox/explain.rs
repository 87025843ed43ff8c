//! What the code said, where the engine only says what kind of thing went wrong.
//!
//! The engine's messages name no member; the tree of the script's text at the error's place does, and a look at the
//! turn's own names says what stood there. Both may know nothing: then the message stays as it is.

mod early;
mod given;
mod tree;
mod words;

use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{SourceType, Span};
use serde::Deserialize;

use self::tree::{Called, Subject, Tree};
use self::words::{article, elsewhere, nearest};
use super::notebook::{offset, offset_of, position};

/// Characters of the author's text that a message quotes.
const QUOTED: usize = 60;
/// Names that a message offers.
const OFFERED: usize = 8;
/// What stands at a path of the turn's own names.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Seen {
    /// What each step of the path is, as far as it could be followed: `undefined`, `array`, `promise`, …
    pub(super) kinds: Vec<String>,
    /// Names that there are beside the last step that was looked for.
    pub(super) names: Vec<String>,
}

/// A better message and place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Explained {
    pub(super) message: String,
    pub(super) position: Option<(u32, u32)>,
}

/// Explains an error of the engine, or of the call that failed. `look` tells what stands at a path of global names.
pub(super) fn explain(
    source: &str,
    message: &str,
    failed: Option<&str>,
    place: Option<(u32, u32)>,
    skills: &[String],
    look: &mut dyn FnMut(&[String]) -> Option<Seen>,
) -> Option<Explained> {
    if !crate::skills::intent::is_parseable(source) {
        return None;
    }
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, source, SourceType::mjs()).with_options(options).parse();
    if parsed.panicked {
        return None;
    }
    let tree = Tree::of(&parsed.program);
    let at = place.and_then(|place| offset_of(source, place)).and_then(|at| u32::try_from(at).ok());
    let mut explainer = Explainer { source, tree, skills, look };
    if let Some(path) = failed {
        return explainer.failed(at?, path, message);
    }
    if let Some(name) = message.strip_suffix(" is not defined") {
        return Some(explainer.undefined(name, place));
    }
    if let Some(what) = message.strip_prefix("a promise ").and_then(|rest| rest.strip_suffix("; await it first")) {
        return explainer.too_early(at, what);
    }
    match message {
        "module resolution is disabled for this context" => Some(explainer.no_import(place)),
        "not a callable function" => explainer.not_callable(at?),
        "not a constructor" => explainer.not_constructor(at?),
        "cannot convert 'null' or 'undefined' to object" => explainer.nothing_there(at),
        _ if message.starts_with("expected ") && message.contains(" at line ") => explainer.not_json(at?, message),
        _ if message.ends_with("is not iterable") => explainer.not_iterable(at, message),
        _ if message.starts_with("Cannot destructure") => explainer.not_destructured(at?, message),
        _ => None,
    }
}

fn no_modules(what: &str, skills: &[String]) -> String {
    format!("there is no `{what}` here: scripts have JavaScript itself and the skill objects {}", skills.join(", "))
}

fn is_nothing(kind: &str) -> bool {
    kind == "null" || kind == "undefined"
}

struct Explainer<'s> {
    source: &'s str,
    tree: Tree,
    skills: &'s [String],
    look: &'s mut dyn FnMut(&[String]) -> Option<Seen>,
}

impl Explainer<'_> {
    fn undefined(&mut self, name: &str, place: Option<(u32, u32)>) -> Explained {
        let at = self.tree.names.iter().find(|(known, _)| known == name).map(|(_, at)| *at);
        let position = at.map(|at| position(self.source, offset(at))).or(place);
        let message = if let Some(known) = elsewhere(name) {
            let what = known.map_or_else(|| no_modules(name, self.skills), str::to_owned);
            format!("{name} is not defined: {what}")
        } else {
            let names = (self.look)(&[]).unwrap_or_default().names;
            let near = nearest(name, &names);
            let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            format!("{name} is not defined{near}")
        };
        Explained { message, position }
    }

    fn no_import(&self, place: Option<(u32, u32)>) -> Explained {
        let import = self.tree.imports.first();
        let skill = import.and_then(|(_, name)| name.as_ref()).filter(|name| self.skills.contains(name));
        let message = match skill {
            Some(skill) => format!("there is nothing to import: `{skill}` is here already"),
            None => no_modules("import", self.skills),
        };
        let start = import.map(|(span, _)| position(self.source, offset(span.start)));
        Explained { message, position: start.or(place) }
    }

    fn not_json(&self, at: u32, message: &str) -> Option<Explained> {
        let parse = ["JSON".to_owned(), "parse".to_owned()];
        let is_parse = |path: &Option<Vec<String>>| path.as_deref() == Some(parse.as_slice());
        let here = |call: &&Called| call.callee.span.end <= at && at < call.span.end && is_parse(&call.callee.path);
        let given = self.tree.calls.iter().find(here)?.given.first()?;
        Some(self.about(given, &format!("is no JSON text ({message}); what a skill gives needs no JSON.parse")))
    }

    fn not_callable(&mut self, at: u32) -> Option<Explained> {
        let calls = self.tree.calls.iter().filter(|call| call.callee.span.end <= at && at < call.span.end);
        let call = calls.max_by_key(|call| call.callee.span.end)?;
        let (callee, name) = (call.callee.clone(), call.name);
        let between = self.source.get(offset(callee.span.end)..offset(call.span.end)).unwrap_or_default();
        let gap = between.len() - between.trim_start().len();
        if callee.callee.is_some() && between[..gap].contains('\n') {
            let message = format!(
                "`{}` is called with what the next line begins with: end its line with `;`, for a line that begins with \
                 `(` goes on from the one before",
                self.quote(callee.span)
            );
            return Some(Explained { message, position: Some(position(self.source, offset(callee.span.end) + gap)) });
        }
        Some(self.called(&callee, name, "a function"))
    }

    fn not_constructor(&mut self, at: u32) -> Option<Explained> {
        let Called { callee, name, .. } = self.tree.news.iter().find(|new| new.span.start == at)?;
        let (callee, name) = (callee.clone(), *name);
        Some(self.called(&callee, name, "a constructor"))
    }

    fn called(&mut self, callee: &Subject, name: u32, what: &str) -> Explained {
        let seen = self.seen(callee);
        let is = seen.as_ref().and_then(|(seen, is_whole)| is_whole.then(|| seen.kinds.last().cloned()).flatten());
        let is = is.map(|kind| format!(": it is {}", article(&kind))).unwrap_or_default();
        let hint = match callee.object.as_deref().filter(|_| callee.callee.is_none()) {
            Some(object) => self.awaiting(object).or_else(|| self.offer(callee, seen.as_ref())).unwrap_or_default(),
            None => String::new(),
        };
        let hint = self.hides(callee).unwrap_or(hint);
        let message = format!("`{}` is not {what}{is}{hint}", self.quote(callee.span));
        Explained { message, position: Some(position(self.source, offset(name))) }
    }

    fn nothing_there(&mut self, at: Option<u32>) -> Option<Explained> {
        let Some(index) = self.nothing_of(at) else { return self.nothing_iterated(at) };
        let member = &self.tree.members[index];
        let (object, property, is_computed) = (member.object.clone(), member.property, member.is_computed);
        let which = self.kind(&object).filter(|kind| kind == "null" || kind == "undefined");
        let mut hint = object.object.as_deref().filter(|_| object.callee.is_none()).and_then(|parent| {
            self.awaiting(parent).or_else(|| {
                let seen = self.seen(&object);
                self.offer(&object, seen.as_ref())
            })
        });
        if let Some(hides) = self.hides(&object) {
            hint = Some(hides);
        }
        let key = self.quote(property);
        let key = if is_computed { format!("[{key}]") } else { key };
        let which = which.as_deref().unwrap_or("null or undefined");
        let message = format!(
            "cannot use `{key}` of `{}`, which is {which}{}",
            self.quote(object.span),
            hint.unwrap_or_default()
        );
        Some(Explained { message, position: Some(position(self.source, offset(property.start))) })
    }

    /// The member expression whose object is nothing.
    fn nothing_of(&mut self, at: Option<u32>) -> Option<usize> {
        let all = 0..self.tree.members.len();
        if let Some(at) = at {
            let member = |index: &usize| &self.tree.members[*index];
            // At the property, or at the bracket that calls it.
            let exact = all.clone().find(|index| member(index).property.start == at);
            if let Some(exact) = exact.or_else(|| all.clone().find(|index| member(index).span.end == at)) {
                return Some(exact);
            }
            // In a callee, a target or an optional chain the place is where the whole begins: the outermost is meant,
            // unless what it is a member of is known to be there.
            let mut outer: Vec<usize> = all.clone().filter(|index| member(index).span.start == at).collect();
            outer.sort_by_key(|index| std::cmp::Reverse(member(index).span.end));
            for index in outer {
                let object = self.tree.members[index].object.clone();
                if self.kind(&object).is_none_or(|kind| is_nothing(&kind)) {
                    return Some(index);
                }
            }
        }
        // The place is that of a statement or function around it: whatever in there is known to be nothing.
        let (from, to) = at.map_or((0, u32::MAX), |at| self.tree.function_from(at).unwrap_or((at, u32::MAX)));
        let within = |span: Span| from <= span.start && span.end <= to;
        let mut later: Vec<usize> = all.filter(|index| within(self.tree.members[*index].span)).collect();
        later.sort_by_key(|index| self.tree.members[*index].property.start);
        let known = later.iter().copied().find(|index| {
            let object = self.tree.members[*index].object.clone();
            self.kind(&object).is_some_and(|kind| is_nothing(&kind))
        });
        // Of names within a function nothing is known once it is over; a member of a member is what is missing most often.
        let mut deep = later.into_iter().filter(|index| {
            let object = &self.tree.members[*index].object;
            let is_skill = object.path.as_ref().is_some_and(|path| self.skills.contains(&path[0]));
            object.object.is_some() && object.callee.is_none() && !is_skill
        });
        let (first, more) = (deep.next(), deep.next());
        known.or(first.filter(|_| more.is_none() && to < u32::MAX))
    }

    fn nothing_iterated(&mut self, at: Option<u32>) -> Option<Explained> {
        let subjects: Vec<Subject> = self.tree.iterated.iter().map(|taken| taken.subject.clone()).collect();
        let mut nothing = subjects.into_iter().filter(|subject| at.is_none_or(|at| subject.span.end >= at));
        let subject = nothing.find(|subject| self.kind(subject).is_some_and(|kind| is_nothing(&kind)))?;
        let kind = self.kind(&subject).unwrap_or_default();
        Some(self.about(&subject, &format!("cannot be iterated: it is {kind}, not an array")))
    }

    fn not_iterable(&mut self, at: Option<u32>, message: &str) -> Option<Explained> {
        let there = |taken: &&tree::Taken| at.is_none_or(|at| taken.from <= at && at < taken.to);
        let mut subjects: Vec<Subject> = self.tree.iterated.iter().filter(there).map(|t| t.subject.clone()).collect();
        if subjects.is_empty() {
            subjects = self.tree.iterated.iter().map(|taken| taken.subject.clone()).collect();
        }
        for subject in &subjects {
            if let Some(hint) = self.awaiting(subject) {
                return Some(self.about(subject, &format!("cannot be iterated{hint}")));
            }
        }
        let [subject] = subjects.as_slice() else { return None };
        let kind = self.kind(subject).or_else(|| message.split('`').nth(1).map(str::to_owned));
        let is = kind.map(|kind| format!(": it is {}", article(&kind))).unwrap_or_default();
        Some(self.about(subject, &format!("cannot be iterated{is}, not an array")))
    }

    fn not_destructured(&mut self, at: u32, message: &str) -> Option<Explained> {
        let taken = self.tree.destructured.iter().find(|taken| taken.from <= at && at < taken.to)?;
        let subject = taken.subject.clone();
        let what = message.split('\'').nth(1).unwrap_or("undefined");
        Some(self.about(&subject, &format!("or a part of it is {what} and cannot be taken apart")))
    }

    fn about(&self, subject: &Subject, what: &str) -> Explained {
        let message = format!("`{}` {what}", self.quote(subject.span));
        Explained { message, position: Some(position(self.source, offset(subject.span.start))) }
    }

    /// `; your telegram hides the skill object …` if a name of the script's own stands in a skill's place.
    fn hides(&self, subject: &Subject) -> Option<String> {
        let root = subject.path.as_ref()?.first()?;
        let is_hidden = self.skills.contains(root);
        is_hidden.then(|| format!("; a `{root}` of yours hides the skill object of that name: give yours another name"))
    }

    /// What there is instead of a missing member.
    fn offer(&self, missing: &Subject, seen: Option<&(Seen, bool)>) -> Option<String> {
        let (seen, is_whole) = seen?;
        let (path, object) = (missing.path.as_ref()?, missing.object.as_ref()?);
        if !is_whole || seen.kinds.last().is_none_or(|kind| kind != "undefined") {
            return None;
        }
        let name = path.last()?;
        let object = self.quote(object.span);
        let kind = seen.kinds.len().checked_sub(2).and_then(|index| seen.kinds.get(index))?;
        if let Some(near) = nearest(name, &seen.names) {
            return Some(format!("; did you mean `{near}`?"));
        }
        let own: Vec<&str> =
            seen.names.iter().map(String::as_str).filter(|name| *name != "constructor").take(OFFERED).collect();
        Some(match kind.as_str() {
            "object" if own.is_empty() => format!("; `{object}` is an empty object"),
            "object" => format!("; `{object}` has {}", own.join(", ")),
            kind => format!("; `{object}` is {}", article(kind)),
        })
    }

    /// What the expression is, if it is a path of the turn's own names.
    fn kind(&mut self, subject: &Subject) -> Option<String> {
        let (seen, is_whole) = self.seen(subject)?;
        is_whole.then(|| seen.kinds.last().cloned()).flatten()
    }

    /// What was seen on the path, and whether all of it could be followed.
    fn seen(&mut self, subject: &Subject) -> Option<(Seen, bool)> {
        let path = subject.path.as_ref().filter(|path| !self.tree.inner.contains(&path[0]))?;
        if path[0] == "undefined" {
            return Some((Seen { kinds: vec!["undefined".to_owned()], names: Vec::new() }, path.len() == 1));
        }
        let seen = (self.look)(path)?;
        let is_whole = seen.kinds.len() == path.len();
        Some((seen, is_whole))
    }

    fn quote(&self, span: Span) -> String {
        let text = self.source.get(offset(span.start)..offset(span.end)).unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() <= QUOTED {
            return text;
        }
        text.chars().take(QUOTED).chain(['…']).collect()
    }
}
