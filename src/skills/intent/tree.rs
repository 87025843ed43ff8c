//! Paths in a script that parses: what each name can stand for, followed through bindings, functions and earlier
//! scripts of the turn, whatever the order in which they run.
//!
//! A value is a text: a member path (`github.issues`), a literal (`'create`), or an object, array or function of the
//! script (`#2:117`, by script and offset), whose members are names of their own (`#2:117.key`). A path too long to
//! be one is no value.

use std::collections::{BTreeMap, HashMap};

use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::{Scoping, SemanticBuilder};
use oxc_span::{GetSpan, SourceType};

mod bind;
mod class;
mod walk;

use super::{Uses, is_parseable};

/// Rounds of following bindings: each carries a value one step further against the order of the text.
const ROUNDS: usize = 6;
/// Values that one name can have.
const MAX_VALUES: usize = 16;
/// Members in a path: declarations have no deeper ones.
const MAX_MEMBERS: usize = 8;
/// Members that no skill declares, since every object or promise has them.
const COMMON: [&str; 7] = ["then", "catch", "finally", "constructor", "toString", "valueOf", "prototype"];
type Values = Vec<String>;

/// Whether a script has a syntax tree.
pub(super) fn is_parsed(source: &str) -> bool {
    parse(&Allocator::default(), source).is_some()
}

/// The paths that the last script uses; `None` if it does not parse.
pub(super) fn uses(scripts: &[&str], globals: &[String]) -> Option<Vec<String>> {
    let allocator = Allocator::default();
    let mut parsed = Vec::new();
    for (number, source) in scripts.iter().enumerate() {
        let is_last = number + 1 == scripts.len();
        match parse(&allocator, source) {
            Some(script) => parsed.push(script),
            None if is_last => return None,
            None => {}
        }
    }
    let tops = parsed.iter().map(|(_, scoping)| tops(scoping)).collect();
    let mut reader = Reader {
        globals,
        scopings: parsed.iter().map(|(_, scoping)| scoping).collect(),
        tops,
        script: 0,
        names: HashMap::new(),
        has_changed: false,
        is_final: false,
        functions: Vec::new(),
        selves: Vec::new(),
        by_function: HashMap::new(),
        uses: Uses::default(),
    };
    for round in 0..=ROUNDS {
        reader.has_changed = false;
        for (number, (program, _)) in parsed.iter().enumerate() {
            reader.script = number;
            reader.uses = Uses::default();
            reader.visit_program(program);
        }
        if reader.is_final {
            break;
        }
        reader.is_final = !reader.has_changed || round + 1 == ROUNDS;
    }
    Some(reader.uses.finish())
}

fn parse<'a>(allocator: &'a Allocator, source: &str) -> Option<(&'a Program<'a>, Scoping)> {
    if !is_parseable(source) {
        return None;
    }
    let source = allocator.alloc_str(source);
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(allocator, source, SourceType::ts()).with_options(options).parse();
    if parsed.panicked {
        return None;
    }
    let program: &Program<'_> = allocator.alloc(parsed.program);
    Some((program, SemanticBuilder::new().build(program).semantic.into_scoping()))
}

/// The names of a script's top level, which later scripts see.
fn tops(scoping: &Scoping) -> HashMap<String, String> {
    let root = scoping.root_scope_id();
    let own = scoping.symbol_ids().filter(|id| scoping.symbol_scope_id(*id) == root);
    own.map(|id| (scoping.symbol_name(id).to_owned(), format!("{id:?}"))).collect()
}

struct Reader<'s> {
    globals: &'s [String],
    scopings: Vec<&'s Scoping>,
    /// For each script its top-level names and their symbols.
    tops: Vec<HashMap<String, String>>,
    script: usize,
    /// What names, members of the script's own objects, parameters and results can stand for.
    names: HashMap<String, Values>,
    has_changed: bool,
    is_final: bool,
    /// The functions around what is read.
    functions: Vec<String>,
    /// The objects and classes around what is read, for `this`.
    selves: Vec<String>,
    /// What each function uses, for scripts after the one that made it.
    by_function: HashMap<String, BTreeMap<String, bool>>,
    uses: Uses,
}

impl<'a> Reader<'_> {
    fn learn(&mut self, name: &str, values: &[String]) {
        if values.is_empty() {
            return;
        }
        let known = self.names.entry(name.to_owned()).or_default();
        for value in values {
            if known.len() < MAX_VALUES && !known.contains(value) {
                known.push(value.clone());
                self.has_changed = true;
            }
        }
    }

    fn known(&self, name: &str) -> Values {
        self.names.get(name).cloned().unwrap_or_default()
    }

    fn note(&mut self, values: &[String], is_called: bool) {
        for value in values.iter().filter(|value| !value.starts_with(['#', '\''])) {
            self.uses.add(value, is_called);
            for function in &self.functions {
                *self.by_function.entry(function.clone()).or_default().entry(value.clone()).or_default() |= is_called;
            }
        }
    }

    /// What earlier scripts' functions use counts where they are used.
    fn note_functions(&mut self, values: &[String]) {
        let own = format!("#{}:", self.script);
        for value in values.iter().filter(|value| value.starts_with('#') && !value.starts_with(&own)) {
            for (path, is_called) in self.by_function.get(value).cloned().unwrap_or_default() {
                self.note(&[path], is_called);
            }
        }
    }

    fn made(&self, at: u32) -> String {
        format!("#{}:{at}", self.script)
    }

    /// The key under which the values of a referenced name are kept.
    fn key(&self, id: &IdentifierReference<'a>) -> Option<String> {
        let scoping = self.scopings.get(self.script)?;
        let symbol = id.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id());
        if let Some(symbol) = symbol {
            return Some(format!("{}/{symbol:?}", self.script));
        }
        let name = id.name.as_str();
        let earlier = self.tops.iter().enumerate().take(self.script).rev();
        let found = earlier.filter_map(|(number, tops)| Some(format!("{number}/{}", tops.get(name)?))).next();
        found.or_else(|| (!self.globals.iter().any(|global| global == name)).then(|| format!("-/{name}")))
    }

    fn identifier(&self, id: &IdentifierReference<'a>) -> Values {
        match self.key(id) {
            Some(key) if id.name == "globalThis" && key.starts_with('-') => vec!["#global".to_owned()],
            Some(key) => self.known(&key),
            None => vec![id.name.to_string()],
        }
    }

    fn members(&self, values: &[String], key: &str) -> Values {
        let mut found = Values::new();
        for value in values {
            if value == "#global" {
                found.extend(self.globals.iter().filter(|global| *global == key).cloned());
            } else if value.starts_with('#') {
                found.extend(self.known(&format!("{value}.{key}")));
                let spread: Values = self.known(&format!("{value}...")).into_iter().filter(|v| v != value).collect();
                // Objects spread into each other in a circle would never end.
                let plain: Values = spread.iter().filter(|v| !v.starts_with('#')).cloned().collect();
                found.extend(self.members(&plain, key));
                for inner in spread.iter().filter(|v| v.starts_with('#')) {
                    found.extend(self.known(&format!("{inner}.{key}")));
                }
            } else if !value.starts_with('\'') && !COMMON.contains(&key) {
                let is_same = value.contains('.') && matches!(key, "bind" | "call" | "apply");
                if is_same {
                    found.push(value.clone());
                } else if value.matches('.').count() < MAX_MEMBERS && key.len() <= 64 {
                    found.push(format!("{value}.{key}"));
                }
            }
        }
        found.truncate(MAX_VALUES);
        found
    }

    fn elements(&self, values: &[String]) -> Values {
        values.iter().filter(|v| v.starts_with('#')).flat_map(|v| self.known(&format!("{v}[]"))).collect()
    }

    fn texts(&self, expression: &Expression<'a>) -> Vec<String> {
        self.value(expression).into_iter().filter_map(|v| v.strip_prefix('\'').map(str::to_owned)).collect()
    }

    /// What an expression can stand for.
    fn value(&self, expression: &Expression<'a>) -> Values {
        let expression = expression.get_inner_expression();
        if let Some(member) = expression.as_member_expression() {
            return self.member(member);
        }
        match expression {
            Expression::Identifier(id) => self.identifier(id),
            Expression::StringLiteral(text) => vec![format!("'{}", text.value)],
            Expression::TemplateLiteral(text) => {
                text.single_quasi().map(|text| format!("'{text}")).into_iter().collect()
            }
            Expression::BinaryExpression(sum) if sum.operator.as_str() == "+" => {
                let (left, right) = (self.texts(&sum.left), self.texts(&sum.right));
                match (left.as_slice(), right.as_slice()) {
                    ([left], [right]) if left.len() + right.len() <= 64 => vec![format!("'{left}{right}")],
                    _ => Values::new(),
                }
            }
            Expression::AwaitExpression(it) => self.value(&it.argument),
            Expression::AssignmentExpression(it) => self.value(&it.right),
            Expression::SequenceExpression(it) => it.expressions.last().map(|e| self.value(e)).unwrap_or_default(),
            Expression::ConditionalExpression(it) => joined(self.value(&it.consequent), self.value(&it.alternate)),
            Expression::LogicalExpression(it) => joined(self.value(&it.left), self.value(&it.right)),
            Expression::ChainExpression(it) => match &it.expression {
                ChainElement::CallExpression(call) => self.result(call),
                ChainElement::TSNonNullExpression(it) => self.value(&it.expression),
                other => other.as_member_expression().map(|m| self.member(m)).unwrap_or_default(),
            },
            Expression::CallExpression(call) => self.result(call),
            Expression::NewExpression(it) => self.instance(it),
            Expression::ThisExpression(_) | Expression::Super(_) => self.this(),
            Expression::ClassExpression(_)
            | Expression::ObjectExpression(_)
            | Expression::ArrayExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_) => vec![self.made(expression.span().start)],
            // Everything else gives a value that has nothing to do with skills.
            _ => Values::new(),
        }
    }

    fn member(&self, member: &MemberExpression<'a>) -> Values {
        let object = self.value(member.object());
        if object.is_empty() {
            return Values::new();
        }
        if let Some(name) = member_name(member) {
            return self.members(&object, name);
        }
        let MemberExpression::ComputedMemberExpression(computed) = member else { return Values::new() };
        if let Expression::NumericLiteral(number) = &computed.expression {
            return self.members(&object, &number.value.to_string());
        }
        let keys = self.texts(&computed.expression);
        if keys.is_empty() {
            return self.elements(&object);
        }
        keys.iter().flat_map(|key| self.members(&object, key)).take(MAX_VALUES).collect()
    }

    /// What a call gives back, as far as that can be something to use.
    fn result(&self, call: &CallExpression<'a>) -> Values {
        let argument = |n: usize| call.arguments.get(n).and_then(Argument::as_expression);
        if let Some(member) = call.callee.get_inner_expression().as_member_expression() {
            let name = member.static_property_name().unwrap_or_default();
            if name == "bind" {
                return self.value(member.object());
            }
            if name == "get" {
                let maps: Values = self.value(member.object()).into_iter().filter(|v| v.starts_with('#')).collect();
                let keys = argument(0).map(|e| self.texts(e)).unwrap_or_default();
                let found: Values = keys.iter().flat_map(|key| self.members(&maps, key)).take(MAX_VALUES).collect();
                if !maps.is_empty() {
                    return if keys.is_empty() { self.elements(&maps) } else { found };
                }
            }
            if let Expression::Identifier(id) = member.object() {
                let first = || argument(0).map(|e| self.value(e)).unwrap_or_default();
                match (id.name.as_str(), name) {
                    ("Promise", "all" | "allSettled" | "resolve" | "race" | "any") | ("Object", "freeze" | "seal") => {
                        return first();
                    }
                    ("Object", "assign") => {
                        return joined(first(), argument(1).map(|e| self.value(e)).unwrap_or_default());
                    }
                    ("Reflect", "get") => {
                        let keys = argument(1).map(|e| self.texts(e)).unwrap_or_default();
                        return keys.iter().flat_map(|key| self.members(&first(), key)).collect();
                    }
                    _ => {}
                }
            }
        }
        let functions = self.value(&call.callee);
        functions.iter().filter(|v| v.starts_with('#')).flat_map(|v| self.known(&format!("{v}()"))).collect()
    }

    fn keys(&self, key: &PropertyKey<'a>) -> Vec<String> {
        match key.static_name() {
            Some(name) => vec![name.into_owned()],
            None => match key.private_name() {
                Some(name) => vec![name.to_string()],
                None => key.as_expression().map(|e| self.texts(e)).unwrap_or_default(),
            },
        }
    }
}

fn member_name<'a>(member: &MemberExpression<'a>) -> Option<&'a str> {
    match member {
        MemberExpression::PrivateFieldExpression(it) => Some(it.field.name.as_str()),
        other => other.static_property_name(),
    }
}

fn joined(mut left: Values, right: Values) -> Values {
    left.extend(right);
    left.truncate(MAX_VALUES);
    left
}
