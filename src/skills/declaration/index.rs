//! The named things of a skill's declaration files.

mod file;
pub(super) mod survey;
mod texts;

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use oxc_ast::ast::{
    BindingPattern, Class, Declaration, ExportDefaultDeclarationKind, ExportSpecifier, Expression, Function,
    ModuleExportName, Statement, TSEnumDeclaration, TSInterfaceDeclaration, TSNamespaceDeclarationBody, TSType,
    TSTypeAliasDeclaration, VariableDeclarator,
};
use oxc_span::{GetSpan, Span};

use super::jsdoc::{joined, plain};
pub(super) use file::File;

/// What a name can stand for.
#[derive(Clone, Copy)]
pub(super) enum Thing<'a> {
    Interface(&'a TSInterfaceDeclaration<'a>),
    Alias(&'a TSTypeAliasDeclaration<'a>),
    Class(&'a Class<'a>),
    Enum(&'a TSEnumDeclaration<'a>),
    Value(&'a VariableDeclarator<'a>),
    Function(&'a Function<'a>),
    /// Its members stand in the index under its name.
    Namespace,
    /// Another name for something.
    Same(&'a str),
}

/// One declaration of a name.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) thing: Thing<'a>,
    pub(super) file: usize,
    /// Where its comment stands before.
    pub(super) start: u32,
    pub(super) span: Span,
    is_exported: bool,
}

impl Named<'_> {
    /// Whether this declares a type alone.
    pub(super) fn is_type(&self) -> bool {
        matches!(self.thing, Thing::Interface(_) | Thing::Alias(_))
    }
}

/// All names of the files, full names with dots.
pub(super) struct Index<'a> {
    pub(super) files: &'a [File<'a>],
    names: HashMap<String, Vec<Named<'a>>>,
    /// For each scope the full names directly within it, in order of appearance.
    children: HashMap<String, Vec<String>>,
    /// What is exported as default, by name or as a type.
    pub(super) default: Option<&'a str>,
    /// The starts of statements that only link files.
    links: BTreeSet<(usize, u32)>,
    /// The starts of blocks of declarations.
    blocks: BTreeSet<(usize, u32)>,
    /// Whether everything that stands here is exported, as in `declare module "x"` without a word about exports.
    exports_all: bool,
    /// The names that hold something to call, or mention one that does.
    pub(super) calls: OnceCell<HashSet<String>>,
}

impl<'a> Index<'a> {
    pub(super) fn of(files: &'a [File<'a>]) -> Self {
        let mut index = Self {
            files,
            names: HashMap::new(),
            children: HashMap::new(),
            default: None,
            links: BTreeSet::new(),
            blocks: BTreeSet::new(),
            exports_all: false,
            calls: OnceCell::new(),
        };
        for (number, file) in files.iter().enumerate() {
            index.statements("", number, &file.program.body);
        }
        index
    }

    /// What a name means, seen from within a namespace: the innermost that has it.
    pub(super) fn resolve(&self, scope: &str, name: &str) -> Option<&str> {
        let mut scope = scope;
        for _ in 0..16 {
            let full = qualified(scope, name);
            if let Some((key, found)) = self.names.get_key_value(&full) {
                return match found.as_slice() {
                    [Named { thing: Thing::Same(other), .. }] if *other != name => self.resolve(scope, other),
                    _ => Some(key),
                };
            }
            if scope.is_empty() {
                return None;
            }
            scope = scope.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
        None
    }

    pub(super) fn named(&self, full: &str) -> &[Named<'a>] {
        self.names.get(full).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether there is something of this name when scripts run. A namespace with nothing but types is none.
    pub(super) fn is_value(&self, full: &str) -> bool {
        let mut waiting = vec![full];
        while let Some(full) = waiting.pop() {
            let all = self.named(full);
            if all.iter().any(|named| !named.is_type() && !matches!(named.thing, Thing::Namespace)) {
                return true;
            }
            if all.iter().any(|named| matches!(named.thing, Thing::Namespace)) {
                waiting.extend(self.children.get(full).into_iter().flatten().map(String::as_str));
            }
        }
        false
    }

    /// All names with what they stand for.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &[Named<'a>])> {
        self.names.iter().map(|(full, named)| (full.as_str(), named.as_slice()))
    }

    /// The names directly within a scope, in order of appearance.
    pub(super) fn within(&self, scope: &str) -> Vec<&str> {
        self.children.get(scope).into_iter().flatten().map(String::as_str).collect()
    }

    /// The exported values of the files' top level, in order.
    pub(super) fn exports(&self) -> Vec<&str> {
        let is_value =
            |n: &Named<'_>| n.is_exported && matches!(n.thing, Thing::Value(_) | Thing::Function(_) | Thing::Namespace);
        self.within("")
            .into_iter()
            .filter(|name| self.is_value(name) && self.named(name).iter().any(is_value))
            .collect()
    }

    fn add(&mut self, scope: &str, name: &str, named: Named<'a>) {
        let full = qualified(scope, name);
        if !self.names.contains_key(&full) {
            self.children.entry(scope.to_owned()).or_default().push(full.clone());
        }
        self.names.entry(full).or_default().push(named);
    }

    fn statements(&mut self, scope: &str, file: usize, statements: &'a [Statement<'a>]) {
        for statement in statements {
            let start = statement.span().start;
            match statement {
                Statement::ExportDefaultDeclaration(export) => {
                    let span = export.declaration.span();
                    let (name, thing) = match &export.declaration {
                        ExportDefaultDeclarationKind::FunctionDeclaration(f) => (f.id.as_ref(), Thing::Function(f)),
                        ExportDefaultDeclarationKind::ClassDeclaration(c) => (c.id.as_ref(), Thing::Class(c)),
                        ExportDefaultDeclarationKind::TSInterfaceDeclaration(i) => (Some(&i.id), Thing::Interface(i)),
                        ExportDefaultDeclarationKind::Identifier(id) => {
                            self.default = Some(id.name.as_str());
                            continue;
                        }
                        _ => continue,
                    };
                    let name = name.map_or("default", |id| id.name.as_str());
                    self.default = Some(name);
                    self.add(scope, name, Named { thing, file, start, span, is_exported: true });
                }
                Statement::TSExportAssignment(export) => {
                    if let Expression::Identifier(id) = &export.expression {
                        self.default = Some(id.name.as_str());
                    }
                }
                Statement::ExportNamedDeclaration(export) => {
                    self.links.insert((file, start));
                    export.specifiers.iter().for_each(|specifier| self.specifier(scope, file, start, specifier));
                }
                Statement::ExportFromDeclaration(export) => {
                    self.links.insert((file, start));
                    export.specifiers.iter().for_each(|specifier| self.specifier(scope, file, start, specifier));
                }
                Statement::ExportDeclaration(export) => self.declaration(scope, file, start, true, &export.declaration),
                Statement::ExportAllDeclaration(_) | Statement::ImportDeclaration(_) => {
                    self.links.insert((file, start));
                }
                other => {
                    if let Some(declaration) = other.as_declaration() {
                        self.declaration(scope, file, start, false, declaration);
                    }
                }
            }
        }
    }

    fn specifier(&mut self, scope: &str, file: usize, start: u32, specifier: &'a ExportSpecifier<'a>) {
        let (local, exported) = (name(&specifier.local), name(&specifier.exported));
        let span = specifier.span;
        // A comment stands before the name itself, or before the whole statement.
        let has_own = self.files.get(file).is_some_and(|file| file.comments.contains_key(&span.start));
        let start = if has_own { span.start } else { start };
        if exported == "default" {
            self.default = Some(local);
        } else if local != exported {
            self.add(scope, exported, Named { thing: Thing::Same(local), file, start, span, is_exported: true });
        } else if let Some(all) = self.names.get_mut(&qualified(scope, local)) {
            all.iter_mut().for_each(|named| named.is_exported = true);
        }
    }

    fn declaration(
        &mut self,
        scope: &str,
        file: usize,
        start: u32,
        is_exported: bool,
        declaration: &'a Declaration<'a>,
    ) {
        let is_exported = is_exported || self.exports_all;
        let named = |thing, span| Named { thing, file, start, span, is_exported };
        let is_block = matches!(
            declaration,
            Declaration::TSNamespaceDeclaration(_)
                | Declaration::TSExternalModuleDeclaration(_)
                | Declaration::TSGlobalDeclaration(_)
        );
        if is_block {
            self.blocks.insert((file, start));
        }
        match declaration {
            Declaration::VariableDeclaration(variables) => {
                for (number, variable) in variables.declarations.iter().enumerate() {
                    if let BindingPattern::BindingIdentifier(id) = &variable.id {
                        let start = if number == 0 { start } else { variable.span.start };
                        let named =
                            Named { thing: Thing::Value(variable), file, start, span: variable.span, is_exported };
                        self.add(scope, id.name.as_str(), named);
                    }
                }
            }
            Declaration::FunctionDeclaration(f) => {
                if let Some(id) = &f.id {
                    self.add(scope, id.name.as_str(), named(Thing::Function(f), f.span));
                }
            }
            Declaration::ClassDeclaration(c) => {
                if let Some(id) = &c.id {
                    self.add(scope, id.name.as_str(), named(Thing::Class(c), c.span));
                }
            }
            Declaration::TSInterfaceDeclaration(i) => {
                self.add(scope, i.id.name.as_str(), named(Thing::Interface(i), i.span))
            }
            Declaration::TSTypeAliasDeclaration(a) => {
                self.add(scope, a.id.name.as_str(), named(Thing::Alias(a), a.span))
            }
            Declaration::TSEnumDeclaration(e) => self.add(scope, e.id.name.as_str(), named(Thing::Enum(e), e.span)),
            Declaration::TSNamespaceDeclaration(n) => {
                let mut scope = qualified(scope, n.id.name.as_str());
                self.add_scope(&scope, named(Thing::Namespace, n.span));
                let mut body = &n.body;
                loop {
                    match body {
                        TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => {
                            scope = qualified(&scope, inner.id.name.as_str());
                            self.add_scope(&scope, named(Thing::Namespace, inner.span));
                            body = &inner.body;
                        }
                        TSNamespaceDeclarationBody::TSModuleBlock(block) => {
                            self.statements(&scope, file, &block.body);
                            break;
                        }
                    }
                }
            }
            // `declare module "x"` and `declare global` add to what the files say as a whole.
            Declaration::TSExternalModuleDeclaration(module) => {
                if let Some(body) = &module.body {
                    let is_export = |statement: &Statement<'_>| {
                        matches!(
                            statement,
                            Statement::ExportNamedDeclaration(_)
                                | Statement::ExportDefaultDeclaration(_)
                                | Statement::TSExportAssignment(_)
                        )
                    };
                    self.exports_all = !body.body.iter().any(is_export);
                    self.statements(scope, file, &body.body);
                    self.exports_all = false;
                }
            }
            Declaration::TSGlobalDeclaration(global) => self.statements("", file, &global.body.body),
            Declaration::TSImportEqualsDeclaration(_) => {}
        }
    }

    fn add_scope(&mut self, full: &str, named: Named<'a>) {
        match full.rsplit_once('.') {
            Some((scope, name)) => self.add(scope, name, named),
            None => self.add("", full, named),
        }
    }
}

fn name<'a>(name: &'a ModuleExportName<'a>) -> &'a str {
    match name {
        ModuleExportName::IdentifierName(id) => id.name.as_str(),
        ModuleExportName::IdentifierReference(id) => id.name.as_str(),
        ModuleExportName::StringLiteral(text) => text.value.as_str(),
    }
}

/// The type that a variable is declared with.
pub(super) fn type_of<'a>(variable: &'a VariableDeclarator<'a>) -> Option<&'a TSType<'a>> {
    variable.type_annotation.as_ref().map(|annotation| &annotation.type_annotation)
}

pub(super) fn qualified(scope: &str, name: &str) -> String {
    if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") }
}

/// A signature on as few lines as it was written, without what ends it.
pub(super) fn signature(text: &str) -> String {
    let text = text.trim().trim_end_matches([';', ',']).trim_end();
    let text = text.strip_prefix("export ").unwrap_or(text);
    let text = text.strip_prefix("default ").unwrap_or(text);
    let text = text.strip_prefix("declare ").unwrap_or(text);
    if text.contains("//") || text.contains("/*") {
        plain(text)
    } else if text.len() <= 120 {
        joined(text)
    } else {
        plain(text)
    }
}
