//! What the model is told of skills before anything goes wrong, beside the same as JSON tool schemas.
//!
//! `cargo test --bench tokens`, or with a folder of packages as `.ci/declarations` leaves it. Nothing here depends on
//! time. Tokens are `registry::tokens`: four ASCII characters, or one other, a token, for both sides alike. A schema
//! is the common one for function calling: name, description (the brief's very text), and its parameters with their
//! types and texts, the types that they mention written out three levels deep.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a bench prints, and may fail loudly")]

use std::path::PathBuf;

use oxc_allocator::Allocator;
use oxc_ast::ast::{FormalParameters, Statement, TSLiteral, TSSignature, TSType, TSTypeName};
use oxc_parser::Parser;
use oxc_span::SourceType;
use serde_json::{Map, Value, json};

use groupmate::skills::bundled::bundled;
use groupmate::skills::declaration::Method;
use groupmate::skills::registry::{Registry, Skill, SkillFiles, brief, tokens};

/// Types within types that a schema writes out.
const LEVELS: usize = 3;

fn schema(ty: &TSType<'_>, skill: &Skill, level: usize) -> Value {
    match ty {
        TSType::TSStringKeyword(_) => json!({ "type": "string" }),
        TSType::TSNumberKeyword(_) => json!({ "type": "number" }),
        TSType::TSBooleanKeyword(_) => json!({ "type": "boolean" }),
        TSType::TSArrayType(array) => json!({ "type": "array", "items": schema(&array.element_type, skill, level) }),
        TSType::TSParenthesizedType(inner) => schema(&inner.type_annotation, skill, level),
        TSType::TSLiteralType(literal) => match &literal.literal {
            TSLiteral::StringLiteral(text) => json!({ "const": text.value.as_str() }),
            TSLiteral::NumericLiteral(number) => json!({ "const": number.value }),
            _ => json!({}),
        },
        TSType::TSUnionType(all) => {
            let parts: Vec<Value> = all.types.iter().map(|ty| schema(ty, skill, level)).collect();
            let words: Vec<&Value> = parts.iter().filter_map(|part| part.get("const")).collect();
            if words.len() == parts.len() { json!({ "enum": words }) } else { json!({ "anyOf": parts }) }
        }
        TSType::TSTypeLiteral(literal) => object(&literal.members, skill, level),
        TSType::TSTypeReference(reference) => {
            let TSTypeName::IdentifierReference(name) = &reference.type_name else { return json!({}) };
            let Some(found) = skill.declaration.types.get(name.name.as_str()).filter(|_| level < LEVELS) else {
                return json!({});
            };
            read(&found.text, |statement| match statement {
                Statement::TSInterfaceDeclaration(it) => Some(object(&it.body.body, skill, level + 1)),
                Statement::TSTypeAliasDeclaration(it) => Some(schema(&it.type_annotation, skill, level + 1)),
                _ => None,
            })
            .unwrap_or_else(|| json!({}))
        }
        _ => json!({}),
    }
}

fn object(members: &[TSSignature<'_>], skill: &Skill, level: usize) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for member in members {
        let TSSignature::TSPropertySignature(property) = member else { continue };
        let Some(name) = property.key.static_name() else { continue };
        let ty = property.type_annotation.as_ref().map(|annotation| schema(&annotation.type_annotation, skill, level));
        properties.insert(name.to_string(), ty.unwrap_or_else(|| json!({})));
        if !property.optional {
            required.push(name.to_string());
        }
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

/// The first statement of a declaration's text, if it parses.
fn read<T>(text: &str, take: impl FnOnce(&Statement<'_>) -> Option<T>) -> Option<T> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, text, SourceType::d_ts()).parse();
    take(parsed.program.body.first()?)
}

fn parameters(given: &FormalParameters<'_>, method: &Method, skill: &Skill) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for parameter in &given.items {
        let Some(name) = parameter.pattern.get_identifier_name() else { continue };
        let ty = parameter.type_annotation.as_ref().map(|annotation| schema(&annotation.type_annotation, skill, 0));
        let mut ty = ty.unwrap_or_else(|| json!({}));
        let text = method.doc.params.iter().find(|(known, _)| known == name.as_str()).map(|(_, text)| text);
        if let (Some(object), Some(text)) = (ty.as_object_mut(), text) {
            object.insert("description".to_owned(), json!(text));
        }
        properties.insert(name.to_string(), ty);
        if !parameter.optional && parameter.initializer.is_none() {
            required.push(name.to_string());
        }
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

/// The method as a tool for function calling, by its first signature.
fn tool(method: &Method, skill: &Skill) -> Value {
    let signature = method.signatures.first().map_or("", String::as_str);
    let text = match signature.strip_prefix("function ") {
        Some(_) => format!("declare {signature};"),
        None => format!("interface I {{ {signature} }}"),
    };
    let found = read(&text, |statement| match statement {
        Statement::FunctionDeclaration(function) => Some(parameters(&function.params, method, skill)),
        Statement::TSInterfaceDeclaration(it) => match it.body.body.first()? {
            TSSignature::TSMethodSignature(it) => Some(parameters(&it.params, method, skill)),
            TSSignature::TSPropertySignature(it) => match &it.type_annotation.as_ref()?.type_annotation {
                TSType::TSFunctionType(it) => Some(parameters(&it.params, method, skill)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    let empty = || json!({ "type": "object", "properties": {} });
    let function = json!({
        "name": method.path.replace('.', "_"),
        "description": method.doc.line(),
        "parameters": found.unwrap_or_else(empty),
    });
    json!({ "type": "function", "function": function })
}

fn row(skill: &Skill) -> (usize, usize, usize) {
    let methods: Vec<&Method> = skill.declaration.methods.iter().filter(|method| method.is_callable).collect();
    let tools: Vec<Value> = methods.iter().map(|method| tool(method, skill)).collect();
    let (ours, theirs) = (tokens(&brief(skill)), tokens(&serde_json::to_string(&tools).unwrap()));
    println!(
        "{:<14} {:>5} methods  {ours:>7} tokens as a brief  {theirs:>7} as tool schemas  {:>5.1} times as many",
        skill.name,
        methods.len(),
        theirs as f64 / ours as f64
    );
    (methods.len(), ours, theirs)
}

/// Packages with one object that scripts would use: name, folder, file.
const PACKAGES: [(&str, &str, &str); 4] = [
    ("playwright", "playwright-core@1.65.1", "types/types.d.ts"),
    ("grammy", "@grammyjs-types@5.0.0", "methods.d.ts"),
    ("fs", "@types-node@26.6.7", "fs.d.ts"),
    ("lodash", "@types-lodash@4.17.27", "fp.d.ts"),
];

/// What a package's main object is called, where it does not follow from its file.
const ROOTS: [(&str, &str); 4] = [
    ("playwright", "declare const playwright: Page;"),
    ("grammy", "declare const grammy: ApiMethods;"),
    ("fs", ""),
    ("lodash", "declare const lodash: _.LoDashFp;"),
];

fn main() {
    let folder = std::env::args().skip(1).find(|argument| !argument.starts_with("--")).map(PathBuf::from);
    let (registry, _) = Registry::build(bundled());
    let all: Vec<_> = registry.skills().map(row).collect();
    let (ours, theirs) = all.iter().fold((0, 0), |sum, one| (sum.0 + one.1, sum.1 + one.2));
    println!("bundled: {ours} and {theirs} tokens, {:.1} times as many\n", theirs as f64 / ours as f64);
    assert!(theirs > ours * 2, "{ours} {theirs}");
    let Some(folder) = folder else { return };
    for (name, package, file) in PACKAGES {
        let text = std::fs::read_to_string(folder.join(package).join(file)).unwrap();
        let root = ROOTS.iter().find(|(known, _)| *known == name).map_or("", |(_, root)| root);
        let files = [
            (format!("{name}.d.ts"), format!("{text}\n{root}\n")),
            ("index.js".to_owned(), "export default {};".to_owned()),
        ];
        let skill = SkillFiles { name: name.to_owned(), origin: "package".to_owned(), files: files.into() };
        let (registry, problems) = Registry::build(vec![skill]);
        match registry.skill(name) {
            Some(skill) => drop(row(skill)),
            None => println!("{name}: {problems:?}"),
        }
    }
}
