//! The walk through a script: what each node teaches, and what it uses.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::ScopeFlags;

use super::Reader;

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if let Some(init) = &it.init {
            let values = self.value(init);
            self.bind(&it.id, &values);
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        let values = self.value(&it.right);
        self.assign(&it.left, &values);
        walk::walk_assignment_expression(self, it);
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        let values = self.value(&it.right);
        let elements = self.elements(&values);
        match &it.left {
            ForStatementLeft::VariableDeclaration(variables) => {
                variables.declarations.iter().for_each(|variable| self.bind(&variable.id, &elements));
            }
            other => {
                if let Some(target) = other.as_assignment_target() {
                    self.assign(target, &elements);
                }
            }
        }
        walk::walk_for_of_statement(self, it);
    }

    fn visit_object_expression(&mut self, it: &ObjectExpression<'a>) {
        let object = self.made(it.span.start);
        for property in &it.properties {
            match property {
                ObjectPropertyKind::ObjectProperty(property) => self.literal(&object, property),
                ObjectPropertyKind::SpreadProperty(spread) => {
                    let values = self.value(&spread.argument);
                    self.learn(&format!("{object}..."), &values);
                    walk::walk_spread_element(self, spread);
                }
            }
        }
    }

    fn visit_array_expression(&mut self, it: &ArrayExpression<'a>) {
        let array = self.made(it.span.start);
        for (number, element) in it.elements.iter().enumerate() {
            let values = match element {
                ArrayExpressionElement::SpreadElement(spread) => {
                    let values = self.value(&spread.argument);
                    self.elements(&values)
                }
                other => {
                    let values = other.as_expression().map(|e| self.value(e)).unwrap_or_default();
                    self.learn(&format!("{array}.{number}"), &values);
                    values
                }
            };
            self.learn(&format!("{array}[]"), &values);
        }
        walk::walk_array_expression(self, it);
    }

    fn visit_member_expression(&mut self, it: &MemberExpression<'a>) {
        let values = self.member(it);
        self.note(&values, false);
        self.note_functions(&values);
        walk::walk_member_expression(self, it);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        let values = self.identifier(it);
        self.note_functions(&values);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        self.pass(&it.callee, &it.arguments);
        walk::walk_call_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        self.pass(&it.callee, &it.arguments);
        self.entries(it);
        walk::walk_new_expression(self, it);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.class(it);
    }

    fn visit_tagged_template_expression(&mut self, it: &TaggedTemplateExpression<'a>) {
        self.pass(&it.tag, &[]);
        walk::walk_tagged_template_expression(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let function = self.made(it.span.start);
        if let Some(symbol) = it.id.as_ref().and_then(|id| id.symbol_id.get()) {
            self.learn(&format!("{}/{symbol:?}", self.script), std::slice::from_ref(&function));
        }
        self.enter(&function, &it.params);
        walk::walk_function(self, it, flags);
        self.functions.pop();
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        let function = self.made(it.span.start);
        self.enter(&function, &it.params);
        if let Some(body) = it.body.as_expression() {
            let values = self.value(body);
            self.learn(&format!("{function}()"), &values);
        }
        walk::walk_arrow_function_expression(self, it);
        self.functions.pop();
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        if let (Some(function), Some(argument)) = (self.functions.last().cloned(), &it.argument) {
            let values = self.value(argument);
            self.learn(&format!("{function}()"), &values);
        }
        walk::walk_return_statement(self, it);
    }
}
