//! How names come to stand for something: patterns, assignments, parameters, functions.

use oxc_ast::ast::{
    ArrowFunctionBody, AssignmentTarget, AssignmentTargetMaybeDefault, AssignmentTargetProperty, BindingPattern,
    Expression, FormalParameters, Function, Statement,
};
use oxc_semantic::SymbolId;

use super::value::{Value, items, take, union};
use super::{Reader, without_parens};

impl Reader<'_> {
    /// Names get what a pattern takes apart.
    pub(super) fn bind(&mut self, pattern: &BindingPattern<'_>, values: Vec<Value>) {
        match pattern {
            BindingPattern::BindingIdentifier(id) => self.add(id.symbol_id.get(), values),
            BindingPattern::AssignmentPattern(with_default) => {
                let values = union(values, self.eval(&with_default.right));
                self.bind(&with_default.left, values);
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    if let Some(key) = self.key(&property.key) {
                        let inner = take(&values, &key);
                        self.record(&inner);
                        self.bind(&property.value, inner);
                    }
                }
                if let Some(rest) = &object.rest {
                    self.bind(&rest.argument, values);
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for (at, element) in array.elements.iter().enumerate() {
                    if let Some(element) = element {
                        self.bind(element, items(&values, Some(at)));
                    }
                }
            }
        }
    }

    pub(super) fn assign(&mut self, target: &AssignmentTarget<'_>, values: Vec<Value>) {
        match target {
            AssignmentTarget::AssignmentTargetIdentifier(id) => self.add(self.symbol(id), values),
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                for property in &object.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) => {
                            let inner = take(&values, property.binding.name.as_str());
                            self.record(&inner);
                            self.add(self.symbol(&property.binding), inner);
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                            if let Some(key) = self.key(&property.name) {
                                let inner = take(&values, &key);
                                self.record(&inner);
                                self.assign_maybe(&property.binding, inner);
                            }
                        }
                    }
                }
            }
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                for (at, element) in array.elements.iter().enumerate() {
                    if let Some(element) = element {
                        self.assign_maybe(element, items(&values, Some(at)));
                    }
                }
            }
            other => {
                // `box.search = tavily.search`: the object now has that member.
                let Some(member) = other.as_member_expression() else { return };
                let (Some(key), Expression::Identifier(id)) = (member.static_property_name(), member.object()) else {
                    return;
                };
                self.add(self.symbol(id), vec![Value::Object(vec![(key.to_owned(), values)])]);
            }
        }
    }

    fn assign_maybe(&mut self, target: &AssignmentTargetMaybeDefault<'_>, values: Vec<Value>) {
        match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(target) => {
                let values = union(values, self.eval(&target.init));
                self.assign(&target.binding, values);
            }
            other => {
                if let Some(target) = other.as_assignment_target() {
                    self.assign(target, values);
                }
            }
        }
    }

    /// What a variable holds, if it is a function: its parameters, and what it returns.
    pub(super) fn define(&mut self, symbol: SymbolId, init: &Expression<'_>) {
        match without_parens(init) {
            Expression::ArrowFunctionExpression(arrow) => {
                let result = match &arrow.body {
                    ArrowFunctionBody::FunctionBody(body) => self.returned(&body.statements),
                    expression => expression.as_expression().map(|e| self.eval(e)).unwrap_or_default(),
                };
                self.results.insert(symbol, result);
                self.parameters(symbol, &arrow.params);
            }
            Expression::FunctionExpression(function) => self.define_function(symbol, function),
            _ => {}
        }
    }

    pub(super) fn define_function(&mut self, symbol: SymbolId, function: &Function<'_>) {
        let result = function.body.as_ref().map(|body| self.returned(&body.statements)).unwrap_or_default();
        self.results.insert(symbol, result);
        self.parameters(symbol, &function.params);
    }

    fn returned(&self, statements: &[Statement<'_>]) -> Vec<Value> {
        let mut values = Vec::new();
        for statement in statements {
            if let Statement::ReturnStatement(statement) = statement
                && let Some(argument) = &statement.argument
            {
                values = union(values, self.eval(argument));
            }
        }
        values
    }

    fn parameters(&mut self, symbol: SymbolId, parameters: &FormalParameters<'_>) {
        let each = parameters.items.iter().map(|parameter| {
            let mut leaves = Vec::new();
            self.leaves(&parameter.pattern, &mut Vec::new(), &mut leaves);
            leaves
        });
        let each = each.collect();
        self.functions.insert(symbol, each);
    }

    fn leaves(&self, pattern: &BindingPattern<'_>, keys: &mut Vec<String>, leaves: &mut Vec<(Vec<String>, SymbolId)>) {
        match pattern {
            BindingPattern::BindingIdentifier(id) => {
                leaves.extend(id.symbol_id.get().map(|symbol| (keys.clone(), symbol)))
            }
            BindingPattern::AssignmentPattern(with_default) => self.leaves(&with_default.left, keys, leaves),
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    if let Some(key) = self.key(&property.key) {
                        keys.push(key);
                        self.leaves(&property.value, keys, leaves);
                        keys.pop();
                    }
                }
            }
            BindingPattern::ArrayPattern(_) => {}
        }
    }
}
