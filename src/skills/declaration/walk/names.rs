//! The names of types that a node mentions.

use oxc_ast::ast::{TSImportType, TSImportTypeQualifier, TSType, TSTypeName};
use oxc_ast_visit::Visit;

use crate::skills::declaration::index::Thing;

/// A type's name with its dots.
pub(super) fn name_of(name: &TSTypeName<'_>) -> Option<String> {
    let mut parts = Vec::new();
    let mut name = name;
    loop {
        match name {
            TSTypeName::IdentifierReference(id) => {
                parts.push(id.name.as_str());
                parts.reverse();
                return Some(parts.join("."));
            }
            TSTypeName::QualifiedName(qualified) => {
                parts.push(qualified.right.name.as_str());
                name = &qualified.left;
            }
            TSTypeName::ThisExpression(_) => return None,
        }
    }
}

/// The name in `import("./file").Name`: files of a skill see each other.
pub(super) fn local_name(import: &TSImportType<'_>) -> Option<String> {
    match &import.qualifier {
        Some(TSImportTypeQualifier::Identifier(id)) if import.source.value.starts_with('.') => {
            Some(id.name.to_string())
        }
        Some(_) | None => None,
    }
}

/// Collects the names of types that a node mentions.
#[derive(Default)]
pub(super) struct Names {
    pub(super) found: Vec<String>,
}

impl<'a> Visit<'a> for Names {
    fn visit_ts_type_name(&mut self, name: &TSTypeName<'a>) {
        if let Some(name) = name_of(name).filter(|name| !self.found.contains(name)) {
            self.found.push(name);
        }
    }

    fn visit_ts_import_type(&mut self, import: &TSImportType<'a>) {
        if let Some(name) = local_name(import) {
            self.found.push(name);
        }
        oxc_ast_visit::walk::walk_ts_import_type(self, import);
    }
}

pub(super) fn type_names(ty: &TSType<'_>) -> Vec<String> {
    let mut names = Names::default();
    names.visit_ts_type(ty);
    names.found
}

/// The names of types that a declaration mentions.
pub(in crate::skills::declaration) fn references(thing: Thing<'_>) -> Vec<String> {
    let mut names = Names::default();
    match thing {
        Thing::Interface(interface) => names.visit_ts_interface_declaration(interface),
        Thing::Alias(alias) => names.visit_ts_type_alias_declaration(alias),
        Thing::Class(class) => names.visit_class(class),
        Thing::Enum(declared) => names.visit_ts_enum_declaration(declared),
        Thing::Value(_) | Thing::Function(_) | Thing::Namespace | Thing::Same(_) => {}
    }
    names.found
}
