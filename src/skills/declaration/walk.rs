//! From the root of a skill to its methods.

mod names;

use std::collections::HashMap;

use oxc_ast::ast::{
    Class, ClassElement, MethodDefinitionKind, PropertyKey, TSAccessibility, TSMethodSignatureKind, TSSignature,
    TSType, TSTypeQueryExprName,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

use super::index::{Index, Named, Thing, qualified, signature, type_of};
use super::{Doc, Method};
pub(super) use names::references;
use names::{Names, local_name, name_of, type_names};

/// Names within names: deeper paths exist only where types go round in circles.
const MAX_DEPTH: usize = 6;
/// Methods of one skill: beyond it no brief would be read anyway.
const MAX_METHODS: usize = 5_000;

pub(super) struct Walk<'i, 'a> {
    index: &'i Index<'a>,
    global: &'i str,
    methods: Vec<Method>,
    by_path: HashMap<String, usize>,
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
        Self { index, global, methods: Vec::new(), by_path: HashMap::new(), expanding: Vec::new(), is_cut: false }
    }

    /// The methods, and what to say if there were too many.
    pub(super) fn finish(self) -> (Vec<Method>, Option<String>) {
        let cut = self.is_cut.then(|| format!("declares more than {MAX_METHODS} methods; the rest is left out"));
        (self.methods, cut)
    }

    /// Walks from the skill's own constant; without one, from the default export, the exports, or the one constant.
    pub(super) fn root(&mut self) -> Option<Fault> {
        let index = self.index;
        let global = self.global;
        let is_value = |full: &&str| {
            index.named(full).iter().any(|n| !matches!(n.thing, Thing::Interface(_) | Thing::Alias(_) | Thing::Enum(_)))
        };
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

    /// All declarations of a name. As a value a class has its static members, as a type those of its instances.
    fn name(&mut self, path: &str, full: &str, is_value: bool, site: Option<(Site<'_>, &Doc)>) -> bool {
        if self.expanding.len() >= MAX_DEPTH || self.expanding.iter().any(|name| name == full) {
            return false;
        }
        self.expanding.push(full.to_owned());
        let mut found = false;
        let all: Vec<Named<'a>> = self.index.named(full).to_vec();
        for named in all {
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
                    if !found && path.contains('.') {
                        self.add(path, own, doc, false, type_names(ty));
                    }
                    true
                }
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
                    let is_only_type = |n: &Named<'_>| {
                        matches!(n.thing, Thing::Interface(_) | Thing::Alias(_) | Thing::Class(_) | Thing::Enum(_))
                    };
                    if !self.index.named(&child).iter().all(is_only_type) {
                        found |= self.name(&qualified(path, name), &child, true, None);
                    }
                }
                found
            }
            Thing::Same(other) => {
                let target = self.index.resolve(outer, other).map(str::to_owned);
                target.is_some_and(|target| self.name(path, &target, is_value, site))
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

    fn signatures(&mut self, path: &str, members: &'a [TSSignature<'a>], site: Site<'_>) -> bool {
        let mut found = false;
        for member in members {
            let span = member.span();
            let here = Site { start: span.start, span, ..site };
            let mut names = Names::default();
            match member {
                TSSignature::TSMethodSignature(method) => {
                    names.visit_ts_method_signature(method);
                    if let Some(path) = key(path, &method.key) {
                        let doc = self.doc(here);
                        found |= self.add(&path, here, doc, method.kind == TSMethodSignatureKind::Method, names.found);
                    }
                }
                TSSignature::TSPropertySignature(property) => {
                    if let Some(path) = key(path, &property.key) {
                        let ty = property.type_annotation.as_ref().map(|annotation| &annotation.type_annotation);
                        found |= self.property(&path, ty, here);
                    }
                }
                TSSignature::TSCallSignatureDeclaration(call) => {
                    names.visit_ts_call_signature_declaration(call);
                    let doc = self.doc(here);
                    found |= self.add(path, here, doc, true, names.found);
                }
                TSSignature::TSConstructSignatureDeclaration(construct) => {
                    names.visit_ts_construct_signature_declaration(construct);
                    let doc = self.doc(here);
                    found |= self.add(path, here, doc, true, names.found);
                }
                TSSignature::TSIndexSignature(_) => {}
            }
        }
        found
    }

    /// A member with a type: a function, an object with functions in it, or a plain value.
    fn property(&mut self, path: &str, ty: Option<&'a TSType<'a>>, site: Site<'_>) -> bool {
        let doc = self.doc(site);
        let before = self.methods.len();
        let found = ty.is_some_and(|ty| self.ty(path, ty, site.scope, site, &doc));
        let has_calls = self.methods.get(before..).is_some_and(|new| new.iter().any(|method| method.is_callable));
        if found && (has_calls || before == self.methods.len()) {
            return true;
        }
        for method in self.methods.drain(before..) {
            self.by_path.remove(&method.path);
        }
        self.add(path, site, doc, false, ty.map(type_names).unwrap_or_default())
    }

    fn class(&mut self, path: &str, class: &'a Class<'a>, site: Site<'_>, is_value: bool) -> bool {
        let mut found = false;
        for element in &class.body.body {
            let span = element.span();
            let here = Site { start: span.start, span, ..site };
            let is_hidden = |access: Option<TSAccessibility>| {
                matches!(access, Some(TSAccessibility::Private | TSAccessibility::Protected))
            };
            match element {
                ClassElement::MethodDefinition(method) => {
                    let is_constructor = method.kind == MethodDefinitionKind::Constructor;
                    if is_constructor || method.r#static != is_value || is_hidden(method.accessibility) {
                        continue;
                    }
                    let mut names = Names::default();
                    names.visit_method_definition(method);
                    if let Some(path) = key(path, &method.key) {
                        let doc = self.doc(here);
                        found |= self.add(&path, here, doc, method.kind == MethodDefinitionKind::Method, names.found);
                    }
                }
                ClassElement::PropertyDefinition(property) => {
                    if property.r#static == is_value
                        && !is_hidden(property.accessibility)
                        && let Some(path) = key(path, &property.key)
                    {
                        let ty = property.type_annotation.as_ref().map(|annotation| &annotation.type_annotation);
                        found |= self.property(&path, ty, here);
                    }
                }
                ClassElement::StaticBlock(_)
                | ClassElement::AccessorProperty(_)
                | ClassElement::TSIndexSignature(_) => {}
            }
        }
        let base = class.heritage.as_ref().and_then(|heritage| heritage.expression.get_identifier_reference());
        if let Some(base) = base.and_then(|base| self.index.resolve(site.scope, base.name.as_str())).map(str::to_owned)
        {
            found |= self.name(path, &base, is_value, None);
        }
        found
    }

    fn doc(&self, site: Site<'_>) -> Doc {
        self.index.files.get(site.file).map(|file| file.doc(site.start)).unwrap_or_default()
    }

    fn add(&mut self, path: &str, site: Site<'_>, doc: Doc, is_callable: bool, names: Vec<String>) -> bool {
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

fn key(path: &str, key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::PrivateIdentifier(_) => None,
        other => other.static_name().map(|name| format!("{path}.{name}")),
    }
}
