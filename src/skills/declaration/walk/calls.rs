//! Which types hold something to call: everything else is data, and need not be taken apart to find methods in it.

use std::collections::{HashMap, HashSet};

use oxc_ast::ast::{
    Function, TSCallSignatureDeclaration, TSConstructSignatureDeclaration, TSFunctionType, TSImportType,
    TSMethodSignature, TSType, TSTypeName, TSTypeQuery,
};
use oxc_ast_visit::Visit;
use oxc_syntax::scope::ScopeFlags;

use super::names::Names;
use crate::skills::declaration::index::{Index, Thing, type_of};

/// What a node mentions, and whether something in it can be called by itself.
#[derive(Default)]
struct Calls {
    names: Names,
    found: bool,
}

impl<'a> Visit<'a> for Calls {
    fn visit_ts_method_signature(&mut self, _: &TSMethodSignature<'a>) {
        self.found = true;
    }
    fn visit_ts_call_signature_declaration(&mut self, _: &TSCallSignatureDeclaration<'a>) {
        self.found = true;
    }
    fn visit_ts_construct_signature_declaration(&mut self, _: &TSConstructSignatureDeclaration<'a>) {
        self.found = true;
    }
    fn visit_ts_function_type(&mut self, _: &TSFunctionType<'a>) {
        self.found = true;
    }
    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {
        self.found = true;
    }
    // `typeof` names a value, which may be anything.
    fn visit_ts_type_query(&mut self, _: &TSTypeQuery<'a>) {
        self.found = true;
    }
    fn visit_ts_type_name(&mut self, name: &TSTypeName<'a>) {
        self.names.visit_ts_type_name(name);
    }
    fn visit_ts_import_type(&mut self, import: &TSImportType<'a>) {
        self.names.visit_ts_import_type(import);
    }
}

impl<'a> Index<'a> {
    /// Whether something in this type can be called, as far as the files tell. Never no where there is.
    pub(super) fn may_call(&self, ty: &TSType<'a>, scope: &str) -> bool {
        let mut calls = Calls::default();
        calls.visit_ts_type(ty);
        let known = self.calls.get_or_init(|| self.callable());
        let is_known = |name: &String| self.resolve(scope, name).is_some_and(|full| known.contains(full));
        calls.found || calls.names.found.iter().any(is_known)
    }

    fn callable(&self) -> HashSet<String> {
        let mut mentioned: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut known: HashSet<String> = HashSet::new();
        let mut waiting: Vec<&str> = Vec::new();
        for (full, all) in self.all() {
            let scope = full.rsplit_once('.').map_or("", |(scope, _)| scope);
            let mut calls = Calls::default();
            for named in all {
                match named.thing {
                    Thing::Interface(interface) => calls.visit_ts_interface_declaration(interface),
                    Thing::Alias(alias) => calls.visit_ts_type_alias_declaration(alias),
                    Thing::Value(variable) => type_of(variable).into_iter().for_each(|ty| calls.visit_ts_type(ty)),
                    Thing::Same(other) => calls.names.found.push(other.to_owned()),
                    Thing::Enum(_) => {}
                    Thing::Class(_) | Thing::Function(_) | Thing::Namespace => calls.found = true,
                }
            }
            if calls.found {
                waiting.push(full);
            }
            for name in calls.names.found {
                if let Some(target) = self.resolve(scope, &name) {
                    mentioned.entry(target).or_default().push(full);
                }
            }
        }
        while let Some(full) = waiting.pop() {
            if known.insert(full.to_owned()) {
                waiting.extend(mentioned.get(full).into_iter().flatten());
            }
        }
        known
    }
}
