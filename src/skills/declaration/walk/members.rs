//! The members of interfaces, type literals and classes.

use oxc_ast::ast::{
    Class, ClassElement, MethodDefinitionKind, PropertyKey, TSAccessibility, TSMethodSignatureKind, TSSignature, TSType,
};
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;

use super::names::{Names, type_names};
use super::{Site, Walk};

impl<'a> Walk<'_, 'a> {
    pub(super) fn signatures(&mut self, path: &str, members: &'a [TSSignature<'a>], site: Site<'_>) -> bool {
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
        // What holds nothing to call is not taken apart, however large it is.
        let may_call = ty.is_some_and(|ty| self.index.may_call(ty, site.scope));
        let found = may_call && ty.is_some_and(|ty| self.ty(path, ty, site.scope, site, &doc));
        let has_calls = self.methods.get(before..).is_some_and(|new| new.iter().any(|method| method.is_callable));
        if found && (has_calls || before == self.methods.len()) {
            self.group(path, site);
            return true;
        }
        for method in self.methods.drain(before..) {
            self.by_path.remove(&method.path);
        }
        self.add(path, site, doc, false, ty.map(type_names).unwrap_or_default())
    }

    pub(super) fn class(&mut self, path: &str, class: &'a Class<'a>, site: Site<'_>, is_value: bool) -> bool {
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
}

fn key(path: &str, key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::PrivateIdentifier(_) => None,
        other => other.static_name().map(|name| format!("{path}.{name}")),
    }
}
