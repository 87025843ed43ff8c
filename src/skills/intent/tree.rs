//! Member paths from a script's syntax tree: what each name can stand for, followed as far as reading can.

mod bind;
mod value;

use std::collections::{BTreeMap, HashMap};

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    Argument, ArrayExpressionElement, AssignmentExpression, BinaryExpression, CallExpression, ChainElement, Expression,
    ForOfStatement, ForStatementLeft, FormalParameter, FormalParameters, Function, IdentifierReference,
    MemberExpression, ObjectPropertyKind, PropertyKey, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::{Scoping, SemanticBuilder, SymbolId};
use oxc_span::SourceType;
use oxc_syntax::scope::ScopeFlags;

pub(super) use value::Value;
use value::{MOST_VALUES, items, take, union};

/// How often the tree is walked, so that names used above their declaration are known too.
const PASSES: usize = 3;

/// The paths in order of appearance, or `None` if the script does not parse. `names` are those that the script finds
/// around it; its own top-level names are added.
pub(super) fn paths(source: &str, names: &mut BTreeMap<String, Vec<Value>>) -> Option<Vec<String>> {
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, source, SourceType::ts()).with_options(options).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        return None;
    }
    let scoping = SemanticBuilder::new().build(&parsed.program).semantic.into_scoping();
    let mut reader = Reader {
        scoping: &scoping,
        around: names,
        values: HashMap::new(),
        functions: HashMap::new(),
        results: HashMap::new(),
        found: Vec::new(),
    };
    for _ in 0..PASSES {
        reader.found.clear();
        reader.visit_program(&parsed.program);
    }
    let (found, values) = (reader.found, reader.values);
    for symbol in scoping.iter_bindings_in(scoping.root_scope_id()) {
        let known = values.get(&symbol).cloned().unwrap_or_default();
        names.insert(scoping.symbol_name(symbol).to_owned(), known);
    }
    Some(found)
}

/// For each parameter of a function the names in it, with the members that lead to them.
type Parameters = Vec<Vec<(Vec<String>, SymbolId)>>;

struct Reader<'s> {
    scoping: &'s Scoping,
    around: &'s BTreeMap<String, Vec<Value>>,
    values: HashMap<SymbolId, Vec<Value>>,
    functions: HashMap<SymbolId, Parameters>,
    results: HashMap<SymbolId, Vec<Value>>,
    found: Vec<String>,
}

impl Reader<'_> {
    fn symbol(&self, id: &IdentifierReference<'_>) -> Option<SymbolId> {
        self.scoping.get_reference(id.reference_id.get()?).symbol_id()
    }

    fn name(&self, id: &IdentifierReference<'_>) -> Vec<Value> {
        match self.symbol(id) {
            Some(symbol) => self.values.get(&symbol).cloned().unwrap_or_default(),
            None => self.around.get(id.name.as_str()).cloned().unwrap_or_default(),
        }
    }

    fn eval(&self, expression: &Expression<'_>) -> Vec<Value> {
        match expression {
            Expression::Identifier(id) => self.name(id),
            Expression::StringLiteral(text) => vec![Value::Text(text.value.to_string())],
            Expression::TemplateLiteral(text) => {
                text.single_quasi().map(|text| Value::Text(text.to_string())).into_iter().collect()
            }
            Expression::ParenthesizedExpression(inner) => self.eval(&inner.expression),
            Expression::TSAsExpression(inner) => self.eval(&inner.expression),
            Expression::TSSatisfiesExpression(inner) => self.eval(&inner.expression),
            Expression::TSNonNullExpression(inner) => self.eval(&inner.expression),
            Expression::TSTypeAssertion(inner) => self.eval(&inner.expression),
            Expression::TSInstantiationExpression(inner) => self.eval(&inner.expression),
            Expression::AwaitExpression(inner) => self.eval(&inner.argument),
            Expression::AssignmentExpression(inner) => self.eval(&inner.right),
            Expression::SequenceExpression(inner) => inner.expressions.last().map(|e| self.eval(e)).unwrap_or_default(),
            Expression::ConditionalExpression(inner) => {
                union(self.eval(&inner.consequent), self.eval(&inner.alternate))
            }
            Expression::LogicalExpression(inner) => union(self.eval(&inner.left), self.eval(&inner.right)),
            Expression::BinaryExpression(inner) => self.joined(inner),
            Expression::CallExpression(call) => self.result(call),
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => self.result(call),
                ChainElement::TSNonNullExpression(inner) => self.eval(&inner.expression),
                other => other.as_member_expression().map(|member| self.member(member)).unwrap_or_default(),
            },
            Expression::ObjectExpression(object) => {
                let (mut known, mut values) = (Vec::new(), Vec::new());
                for property in &object.properties {
                    match property {
                        ObjectPropertyKind::ObjectProperty(property) => {
                            if let Some(key) = self.key(&property.key) {
                                known.push((key, self.eval(&property.value)));
                            }
                        }
                        ObjectPropertyKind::SpreadProperty(spread) => {
                            values = union(values, self.eval(&spread.argument))
                        }
                    }
                }
                values.push(Value::Object(known));
                values
            }
            Expression::ArrayExpression(array) => {
                let known = array.elements.iter().enumerate().filter_map(|(at, element)| match element {
                    ArrayExpressionElement::SpreadElement(_) | ArrayExpressionElement::Elision(_) => None,
                    other => other.as_expression().map(|e| (at.to_string(), self.eval(e))),
                });
                vec![Value::Object(known.collect())]
            }
            other => other.as_member_expression().map(|member| self.member(member)).unwrap_or_default(),
        }
    }

    fn joined(&self, sum: &BinaryExpression<'_>) -> Vec<Value> {
        let (left, right) = (self.eval(&sum.left), self.eval(&sum.right));
        match (left.as_slice(), right.as_slice()) {
            ([Value::Text(a)], [Value::Text(b)]) if sum.operator.as_str() == "+" => {
                vec![Value::Text(format!("{a}{b}"))]
            }
            _ => Vec::new(),
        }
    }

    /// What a call gives, where that can be read: a bound method, or what a small function of the script returns.
    fn result(&self, call: &CallExpression<'_>) -> Vec<Value> {
        if let Expression::Identifier(id) = without_parens(&call.callee) {
            return self.symbol(id).and_then(|symbol| self.results.get(&symbol)).cloned().unwrap_or_default();
        }
        let Some(member) = member_of(&call.callee) else { return Vec::new() };
        match member.static_property_name() {
            Some("bind") => self.eval(member.object()),
            Some("resolve" | "freeze" | "assign") => call
                .arguments
                .iter()
                .filter_map(Argument::as_expression)
                .flat_map(|e| self.eval(e))
                .take(MOST_VALUES)
                .collect(),
            Some(_) | None => Vec::new(),
        }
    }

    fn member(&self, member: &MemberExpression<'_>) -> Vec<Value> {
        let object = self.eval(member.object());
        if object.is_empty() {
            return object;
        }
        match member {
            MemberExpression::StaticMemberExpression(member) => take(&object, member.property.name.as_str()),
            MemberExpression::ComputedMemberExpression(member) => match &member.expression {
                Expression::NumericLiteral(number) => take(&object, &number.value.to_string()),
                key => {
                    let keys = self.eval(key);
                    let keys = keys.iter().filter_map(|key| if let Value::Text(key) = key { Some(key) } else { None });
                    keys.flat_map(|key| take(&object, key)).take(MOST_VALUES).collect()
                }
            },
            MemberExpression::PrivateFieldExpression(_) => Vec::new(),
        }
    }

    fn key(&self, key: &PropertyKey<'_>) -> Option<String> {
        key.static_name().map(|name| name.to_string()).or_else(|| match self.eval(key.as_expression()?).as_slice() {
            [Value::Text(text)] => Some(text.clone()),
            _ => None,
        })
    }

    fn record(&mut self, values: &[Value]) {
        for value in values {
            if let Value::Path(path) = value
                && path.contains('.')
                && !self.found.contains(path)
            {
                self.found.push(path.clone());
            }
        }
    }

    fn add(&mut self, symbol: Option<SymbolId>, values: Vec<Value>) {
        if let Some(symbol) = symbol {
            let known = self.values.entry(symbol).or_default();
            *known = union(std::mem::take(known), values);
        }
    }

    fn pass(&mut self, parameters: &FormalParameters<'_>, given: &[Vec<Value>]) {
        for (parameter, values) in parameters.items.iter().zip(given) {
            self.bind(&parameter.pattern, values.clone());
        }
    }
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_member_expression(&mut self, member: &MemberExpression<'a>) {
        // A bound or called method is the method.
        let is_indirect = matches!(member.static_property_name(), Some("bind" | "call" | "apply"));
        let values = if is_indirect { self.eval(member.object()) } else { self.member(member) };
        self.record(&values);
        walk::walk_member_expression(self, member);
    }

    fn visit_variable_declarator(&mut self, variable: &VariableDeclarator<'a>) {
        if let Some(init) = &variable.init {
            let values = self.eval(init);
            self.bind(&variable.id, values);
            if let Some(symbol) = variable.id.get_binding_identifier().and_then(|id| id.symbol_id.get()) {
                self.define(symbol, init);
            }
        }
        walk::walk_variable_declarator(self, variable);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        let values = self.eval(&assignment.right);
        self.assign(&assignment.left, values);
        walk::walk_assignment_expression(self, assignment);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        if let Some(symbol) = function.id.as_ref().and_then(|id| id.symbol_id.get()) {
            self.define_function(symbol, function);
        }
        walk::walk_function(self, function, flags);
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        if let Some(default) = &parameter.initializer {
            let values = self.eval(default);
            self.bind(&parameter.pattern, values);
        }
        walk::walk_formal_parameter(self, parameter);
    }

    fn visit_for_of_statement(&mut self, each: &ForOfStatement<'a>) {
        let values = items(&self.eval(&each.right), None);
        if let ForStatementLeft::VariableDeclaration(variables) = &each.left {
            for variable in &variables.declarations {
                self.bind(&variable.id, values.clone());
            }
        }
        walk::walk_for_of_statement(self, each);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let given: Vec<Vec<Value>> =
            call.arguments.iter().map(|a| a.as_expression().map(|e| self.eval(e)).unwrap_or_default()).collect();
        match without_parens(&call.callee) {
            Expression::Identifier(id) => {
                let parameters = self.symbol(id).and_then(|symbol| self.functions.get(&symbol).cloned());
                for (leaves, values) in parameters.iter().flatten().zip(&given) {
                    for (keys, symbol) in leaves {
                        let inner = keys.iter().fold(values.clone(), |values, key| take(&values, key));
                        self.record(&inner);
                        self.add(Some(*symbol), inner);
                    }
                }
            }
            Expression::ArrowFunctionExpression(arrow) => self.pass(&arrow.params, &given),
            Expression::FunctionExpression(function) => self.pass(&function.params, &given),
            _ => {
                // `[tavily, github].map((skill) => …)`: each element goes to the function.
                if let Some(member) = member_of(&call.callee) {
                    let each = vec![items(&self.eval(member.object()), None)];
                    match call.arguments.first().and_then(Argument::as_expression).map(without_parens) {
                        Some(Expression::ArrowFunctionExpression(arrow)) => self.pass(&arrow.params, &each),
                        Some(Expression::FunctionExpression(function)) => self.pass(&function.params, &each),
                        Some(_) | None => {}
                    }
                }
            }
        }
        walk::walk_call_expression(self, call);
    }
}

fn without_parens<'e, 'a>(expression: &'e Expression<'a>) -> &'e Expression<'a> {
    expression.get_inner_expression()
}

fn member_of<'e, 'a>(callee: &'e Expression<'a>) -> Option<&'e MemberExpression<'a>> {
    match without_parens(callee) {
        Expression::ChainExpression(chain) => chain.expression.as_member_expression(),
        other => other.as_member_expression(),
    }
}
