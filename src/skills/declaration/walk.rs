//! From the root of a skill to its methods.

mod calls;
mod members;
mod names;

use std::collections::{BTreeMap, HashMap};

use oxc_ast::ast::{TSType, TSTypeQueryExprName};
use oxc_ast_visit::Visit;
use oxc_span::Span;
use oxc_syntax::scope::ScopeFlags;

use super::index::{Index, Named, Thing, qualified, signature, type_of};
use super::{Doc, Method};
pub(super) use names::references;
use names::{Names, local_name, name_of, type_names};

/// Names within names: deeper paths exist only where types go round in circles.
const MAX_DEPTH: usize = 6;
/// Methods of one skill: beyond it no brief would be read anyway.
const MAX_METHODS: usize = 5_000;
/// Names and members looked at in all: types that mention each other in many ways could be followed for ever.
const MAX_STEPS: usize = 50_000;

pub(super) struct Walk<'i, 'a> {
    index: &'i Index<'a>,
    global: &'i str,
    methods: Vec<Method>,
    by_path: HashMap<String, usize>,
    groups: BTreeMap<String, String>,
    steps: usize,
    /// Names that are being expanded, against types that contain themselves.
    expanding: Vec<String>,
    is_cut: bool,
}

/// Where something is written: its file, the scope that it sees, and the member as a whole.
#[derive(Clone, Copy)]
struct Site<'s> {
    file: usize,
    scope: &'s str,
    start: u32,
    span: Span,
}

type Fault = (String, String);

impl<'i, 'a> Walk<'i, 'a> {
    pub(super) fn of(index: &'i Index<'a>, global: &'i str) -> Self {
        let (methods, by_path, groups) = (Vec::new(), HashMap::new(), BTreeMap::new());
        Self { index, global, methods, by_path, groups, steps: 0, expanding: Vec::new(), is_cut: false }
    }

    /// The methods, what their groups say, and what to say if there were too many.
    pub(super) fn finish(self) -> (Vec<Method>, BTreeMap<String, String>, Option<String>) {
        let cut = self.is_cut.then(|| format!("declares more than {MAX_METHODS} methods; the rest is left out"));
        (self.methods, self.groups, cut)
    }

    /// Walks from the skill's own constant; without one, from the default export, the exports, or the one constant.
    pub(super) fn root(&mut self) -> Option<Fault> {
        let index = self.index;
        let global = self.global;
        let is_value = |full: &&str| index.is_value(full);
        let root = index.resolve("", global).filter(is_value).or_else(|| index.resolve("", index.default?));
        if let Some(root) = root {
            self.name(global, root, true, None);
            return None;
        }
        let exports = index.exports();
        if !exports.is_empty() {
            for full in exports {
                self.name(&qualified(global, full), full, true, None);
            }
            return None;
        }
        let values: Vec<&str> = index.within("").into_iter().filter(is_value).collect();
        let file = index.files.first().map_or("", |file| file.name);
        let message = match values.as_slice() {
            [] => format!("declares nothing to use; write `declare const {global}: {{ … }}`"),
            [one] => format!("declares `{one}`; scripts see this skill as `{global}`, so name it so"),
            many => format!("declares {}; none is called `{global}`", many.join(", ")),
        };
        if let [one] = values.as_slice() {
            self.name(global, one, true, None);
        }
        Some((file.to_owned(), message))
    }

    /// Walks whatever is called so, whether a skill would show it or not.
    pub(super) fn value(&mut self) {
        self.name(&qualified("_", self.global), self.global, true, None);
    }

    /// All declarations of a name. As a value a class has its static members, as a type those of its instances.
    fn name(&mut self, path: &str, full: &str, is_value: bool, site: Option<(Site<'_>, &Doc)>) -> bool {
        if self.expanding.len() >= MAX_DEPTH || self.expanding.iter().any(|name| name == full) {
            return false;
        }
        if !self.step() {
            return false;
        }
        self.expanding.push(full.to_owned());
        let mut found = false;
        let all: Vec<Named<'a>> = self.index.named(full).to_vec();
        // Of a name that is both, a value has no members of the type.
        let is_value = is_value && self.index.is_value(full);
        for named in all.into_iter().filter(|named| !is_value || !named.is_type()) {
            found |= self.thing(path, full, named, is_value, site);
        }
        self.expanding.pop();
        found
    }

    fn thing(
        &mut self,
        path: &str,
        full: &str,
        named: Named<'a>,
        is_value: bool,
        site: Option<(Site<'_>, &Doc)>,
    ) -> bool {
        let outer = full.rsplit_once('.').map_or("", |(scope, _)| scope);
        let own = Site { file: named.file, scope: outer, start: named.start, span: named.span };
        match named.thing {
            Thing::Interface(interface) => {
                let mut found = self.signatures(path, &interface.body.body, own);
                for heritage in &interface.extends {
                    if let Some(base) = name_of(&heritage.type_name).and_then(|name| self.index.resolve(outer, &name)) {
                        found |= self.name(path, base, false, None);
                    }
                }
                found
            }
            Thing::Alias(alias) => {
                let (site, doc) = site.map_or_else(|| (own, self.doc(own)), |(site, doc)| (site, doc.clone()));
                let doc = if doc.text.is_empty() { merged(doc, self.doc(own)) } else { doc };
                self.ty(path, &alias.type_annotation, outer, site, &doc)
            }
            Thing::Class(class) => self.class(path, class, own, is_value),
            Thing::Value(variable) => match type_of(variable) {
                Some(ty) => {
                    let doc = self.doc(own);
                    let found = self.ty(path, ty, outer, own, &doc);
                    if found {
                        self.group(path, own);
                    } else if path.contains('.') {
                        self.add(path, own, doc, false, type_names(ty));
                    }
                    true
                }
                // `const DAY = 86_400_000`
                None if path.contains('.') => self.add(path, own, self.doc(own), false, Vec::new()),
                None => false,
            },
            Thing::Function(function) => {
                let mut names = Names::default();
                names.visit_function(function, ScopeFlags::empty());
                let doc = self.doc(own);
                self.add(path, own, doc, true, names.found)
            }
            Thing::Enum(_) => {
                let doc = self.doc(own);
                self.add(path, own, doc, false, vec![full.to_owned()])
            }
            Thing::Namespace => {
                let mut found = false;
                let inside: Vec<String> = self.index.within(full).into_iter().map(str::to_owned).collect();
                for child in inside {
                    let name = child.rsplit_once('.').map_or(child.as_str(), |(_, name)| name);
                    if self.index.is_value(&child) {
                        found |= self.name(&qualified(path, name), &child, true, None);
                    }
                }
                if found {
                    self.group(path, own);
                }
                found
            }
            Thing::Same(other) => {
                let target = self.index.resolve(outer, other).map(str::to_owned);
                let found = target.is_some_and(|target| self.name(path, &target, is_value, site));
                let known = self.by_path.get(path).and_then(|at| self.methods.get_mut(*at));
                if let (Some(method), Some(file)) = (known, self.index.files.get(own.file)) {
                    method.doc.merge(file.doc(own.start));
                }
                found
            }
        }
    }

    /// What a type has to call under this path; whether there was anything.
    fn ty(&mut self, path: &str, ty: &'a TSType<'a>, scope: &str, site: Site<'_>, doc: &Doc) -> bool {
        match ty {
            TSType::TSFunctionType(_) => self.add(path, site, doc.clone(), true, type_names(ty)),
            TSType::TSTypeLiteral(literal) => self.signatures(path, &literal.members, Site { scope, ..site }),
            TSType::TSParenthesizedType(inner) => self.ty(path, &inner.type_annotation, scope, site, doc),
            TSType::TSIntersectionType(all) => {
                let mut found = false;
                for part in &all.types {
                    found |= self.ty(path, part, scope, site, doc);
                }
                found
            }
            TSType::TSUnionType(all) => {
                let is_empty = |ty: &&TSType<'_>| {
                    matches!(ty, TSType::TSNullKeyword(_) | TSType::TSUndefinedKeyword(_) | TSType::TSVoidKeyword(_))
                };
                let mut real = all.types.iter().filter(|ty| !is_empty(ty));
                match (real.next(), real.next()) {
                    (Some(one), None) => self.ty(path, one, scope, site, doc),
                    _ => false,
                }
            }
            TSType::TSTypeReference(reference) => {
                let Some(name) = name_of(&reference.type_name) else { return false };
                let inner = reference.type_arguments.as_ref().and_then(|arguments| arguments.params.first());
                match (name.as_str(), inner) {
                    ("Readonly" | "Required" | "Partial" | "NonNullable", Some(inner)) => {
                        self.ty(path, inner, scope, site, doc)
                    }
                    _ => self.named(path, &name, scope, false, site, doc),
                }
            }
            TSType::TSTypeQuery(query) => match &query.expr_name {
                TSTypeQueryExprName::TSImportType(import) => {
                    local_name(import).is_some_and(|name| self.named(path, &name, scope, true, site, doc))
                }
                other => other
                    .as_ts_type_name()
                    .and_then(name_of)
                    .is_some_and(|name| self.named(path, &name, scope, true, site, doc)),
            },
            TSType::TSImportType(import) => {
                local_name(import).is_some_and(|name| self.named(path, &name, scope, false, site, doc))
            }
            // Everything else is a value, not something with members to call.
            _ => false,
        }
    }

    fn named(&mut self, path: &str, name: &str, scope: &str, is_value: bool, site: Site<'_>, doc: &Doc) -> bool {
        let full = self.index.resolve(scope, name).map(str::to_owned);
        full.is_some_and(|full| self.name(path, &full, is_value, Some((site, doc))))
    }

    /// What is said about members as a whole, where they have no method of that path to say it.
    fn group(&mut self, path: &str, site: Site<'_>) {
        let text = self.doc(site).text;
        if path.contains('.') && !text.is_empty() && !self.by_path.contains_key(path) {
            self.groups.entry(path.to_owned()).or_insert(text);
        }
    }

    fn doc(&self, site: Site<'_>) -> Doc {
        self.index.files.get(site.file).map(|file| file.doc(site.start)).unwrap_or_default()
    }

    /// Whether another one may be looked at.
    fn step(&mut self) -> bool {
        self.steps += 1;
        self.is_cut |= self.steps > MAX_STEPS;
        self.steps <= MAX_STEPS
    }

    fn add(&mut self, path: &str, site: Site<'_>, doc: Doc, is_callable: bool, names: Vec<String>) -> bool {
        if !self.step() {
            return false;
        }
        let Some(file) = self.index.files.get(site.file) else { return false };
        let signature = signature(&file.text(site.span));
        let types: Vec<String> =
            names.iter().filter_map(|name| self.index.resolve(site.scope, name)).map(str::to_owned).collect();
        let known = self.by_path.get(path).copied().filter(|at| *at < self.methods.len());
        let at = match known {
            Some(at) => {
                if let Some(method) = self.methods.get_mut(at) {
                    method.doc.merge(doc);
                }
                at
            }
            None if self.methods.len() >= MAX_METHODS => {
                self.is_cut = true;
                return false;
            }
            None => {
                self.by_path.insert(path.to_owned(), self.methods.len());
                let place = file.place(site.span.start as usize);
                self.methods.push(Method { path: path.to_owned(), doc, place, ..Method::default() });
                self.methods.len() - 1
            }
        };
        let Some(method) = self.methods.get_mut(at) else { return false };
        method.is_callable |= is_callable;
        if !method.signatures.contains(&signature) {
            method.signatures.push(signature);
        }
        for name in types {
            if !method.types.contains(&name) {
                method.types.push(name);
            }
        }
        true
    }
}

fn merged(mut doc: Doc, other: Doc) -> Doc {
    doc.merge(other);
    doc
}
