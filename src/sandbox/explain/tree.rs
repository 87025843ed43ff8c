//! What a script's text holds at the places of which errors speak.

use std::collections::BTreeSet;

use oxc_ast::ast::{
    Argument, ArrayExpression, BinaryExpression, BindingIdentifier, BindingPattern, CallExpression,
    ComputedMemberExpression, Expression, ForInStatement, ForOfStatement, FunctionBody, IdentifierReference,
    ImportExpression, NewExpression, ObjectPropertyKind, Program, SpreadElement, StaticMemberExpression,
    TemplateLiteral, UnaryExpression, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan as _, Span};

/// An expression as far as it can be told without running it.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) span: Span,
    /// Names from a root on, such as `["a", "b"]` for `a.b`.
    pub(super) path: Option<Vec<String>>,
    /// The expression whose member this is.
    pub(super) object: Option<Box<Subject>>,
    /// For a call: what is called.
    pub(super) callee: Option<Vec<String>>,
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) span: Span,
    pub(super) object: Subject,
    pub(super) property: Span,
    pub(super) is_computed: bool,
}

#[derive(Debug)]
pub(super) struct Called {
    pub(super) span: Span,
    pub(super) callee: Subject,
    /// Where the name of what is called begins.
    pub(super) name: u32,
    /// What it is given; of an object literal the values of its properties.
    pub(super) given: Vec<Subject>,
}

/// Something taken apart or gone through.
#[derive(Debug)]
pub(super) struct Taken {
    /// Where errors may say that it is.
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) subject: Subject,
}

#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) members: Vec<Member>,
    pub(super) calls: Vec<Called>,
    pub(super) news: Vec<Called>,
    /// Right sides of `for … of`, spread elements, array patterns.
    pub(super) iterated: Vec<Taken>,
    /// What object patterns are taken from.
    pub(super) destructured: Vec<Taken>,
    /// `name = initial value` of variables, in order.
    pub(super) variables: Vec<(String, Subject)>,
    pub(super) names: Vec<(String, u32)>,
    /// What stands where text or a number is wanted: in templates, beside operators, in calls.
    pub(super) coerced: Vec<Subject>,
    /// `import(…)` expressions.
    pub(super) imports: Vec<(Span, Option<String>)>,
    /// Names that the top level declares.
    pub(super) outer: BTreeSet<String>,
    /// Names declared below the top level: the turn's own names may be hidden by them.
    pub(super) inner: BTreeSet<String>,
    bodies: Vec<Span>,
    depth: usize,
    /// Spans of the calls and arrays around the node.
    around: Vec<Span>,
}

impl Tree {
    pub(super) fn of(program: &Program<'_>) -> Self {
        let mut tree = Self::default();
        tree.visit_program(program);
        tree
    }

    /// The function whose body begins there: what fails after an `await` may have that as its place.
    pub(super) fn function_from(&self, at: u32) -> Option<(u32, u32)> {
        self.bodies.iter().find(|body| body.start == at).map(|body| (body.start, body.end))
    }
}

pub(super) fn subject(expression: &Expression<'_>) -> Subject {
    let span = expression.span();
    let mut subject = Subject { span, path: None, object: None, callee: None };
    match expression {
        Expression::Identifier(name) => subject.path = Some(vec![name.name.to_string()]),
        Expression::ParenthesizedExpression(inner) => {
            let inner = self::subject(&inner.expression);
            return Subject { span, ..inner };
        }
        Expression::StaticMemberExpression(member) => {
            let object = self::subject(&member.object);
            subject.path = with(object.path.as_ref(), Some(member.property.name.to_string()));
            subject.object = Some(Box::new(object));
        }
        Expression::ComputedMemberExpression(member) => {
            let object = self::subject(&member.object);
            let key = match &member.expression {
                Expression::StringLiteral(text) => Some(text.value.to_string()),
                Expression::NumericLiteral(number) => Some(number.value.to_string()),
                _ => None,
            };
            subject.path = with(object.path.as_ref(), key);
            subject.object = Some(Box::new(object));
        }
        Expression::CallExpression(call) => {
            let callee = self::subject(&call.callee);
            subject.callee = callee.path.clone();
            subject.object = Some(Box::new(callee));
        }
        _ => {}
    }
    subject
}

fn with(path: Option<&Vec<String>>, key: Option<String>) -> Option<Vec<String>> {
    let (mut path, key) = (path?.clone(), key?);
    path.push(key);
    Some(path)
}

/// Arguments, and the values of object literals among them.
fn given(arguments: &[Argument<'_>]) -> Vec<Subject> {
    let mut given = Vec::new();
    for argument in arguments.iter().filter_map(|argument| argument.as_expression()) {
        given.push(subject(argument));
        if let Expression::ObjectExpression(object) = argument {
            given.extend(object.properties.iter().filter_map(|property| match property {
                ObjectPropertyKind::ObjectProperty(property) => Some(subject(&property.value)),
                ObjectPropertyKind::SpreadProperty(_) => None,
            }));
        }
    }
    given
}

fn name_of(callee: &Expression<'_>) -> u32 {
    match callee {
        Expression::StaticMemberExpression(member) => member.property.span.start,
        other => other.span().start,
    }
}

impl<'a> Visit<'a> for Tree {
    fn enter_scope(
        &mut self,
        _: oxc_syntax::scope::ScopeFlags,
        _: &std::cell::Cell<Option<oxc_syntax::scope::ScopeId>>,
    ) {
        self.depth += 1;
    }

    fn leave_scope(&mut self) {
        self.depth -= 1;
    }

    fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
        let names = if self.depth > 1 { &mut self.inner } else { &mut self.outer };
        names.insert(name.name.to_string());
    }

    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        self.names.push((name.name.to_string(), name.span.start));
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        let object = subject(&member.object);
        self.members.push(Member { span: member.span, object, property: member.property.span, is_computed: false });
        walk::walk_static_member_expression(self, member);
    }

    fn visit_computed_member_expression(&mut self, member: &ComputedMemberExpression<'a>) {
        let object = subject(&member.object);
        let property = member.expression.span();
        self.members.push(Member { span: member.span, object, property, is_computed: true });
        walk::walk_computed_member_expression(self, member);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let name = name_of(&call.callee);
        let callee = subject(&call.callee);
        // What `Promise.all` and its like go through is their first argument.
        if callee.path.as_ref().is_some_and(|path| path[0] == "Promise" && path.len() == 2)
            && let Some(first) = call.arguments.first().and_then(|first| first.as_expression())
        {
            self.iterated.push(Taken { from: call.span.start, to: call.span.end, subject: subject(first) });
        }
        let given = given(&call.arguments);
        self.coerced.extend(given.iter().cloned());
        self.calls.push(Called { span: call.span, callee, name, given });
        self.around.push(call.span);
        walk::walk_call_expression(self, call);
        self.around.pop();
    }

    fn visit_new_expression(&mut self, new: &NewExpression<'a>) {
        let name = name_of(&new.callee);
        let given = given(&new.arguments);
        self.news.push(Called { span: new.span, callee: subject(&new.callee), name, given });
        self.around.push(new.span);
        walk::walk_new_expression(self, new);
        self.around.pop();
    }

    fn visit_function_body(&mut self, body: &FunctionBody<'a>) {
        self.bodies.push(body.span);
        walk::walk_function_body(self, body);
    }

    fn visit_import_expression(&mut self, import: &ImportExpression<'a>) {
        let name = match &import.source {
            Expression::StringLiteral(text) => Some(text.value.to_string()),
            _ => None,
        };
        self.imports.push((import.span, name));
        walk::walk_import_expression(self, import);
    }

    fn visit_template_literal(&mut self, template: &TemplateLiteral<'a>) {
        self.coerced.extend(template.expressions.iter().map(subject));
        walk::walk_template_literal(self, template);
    }

    fn visit_binary_expression(&mut self, binary: &BinaryExpression<'a>) {
        self.coerced.extend([subject(&binary.left), subject(&binary.right)]);
        walk::walk_binary_expression(self, binary);
    }

    fn visit_unary_expression(&mut self, unary: &UnaryExpression<'a>) {
        self.coerced.push(subject(&unary.argument));
        walk::walk_unary_expression(self, unary);
    }

    fn visit_for_in_statement(&mut self, each: &ForInStatement<'a>) {
        self.coerced.push(subject(&each.right));
        walk::walk_for_in_statement(self, each);
    }

    fn visit_array_expression(&mut self, array: &ArrayExpression<'a>) {
        self.around.push(array.span);
        walk::walk_array_expression(self, array);
        self.around.pop();
    }

    fn visit_spread_element(&mut self, spread: &SpreadElement<'a>) {
        let around = self.around.last().copied().unwrap_or(spread.span);
        self.iterated.push(Taken { from: around.start, to: spread.span.end, subject: subject(&spread.argument) });
        walk::walk_spread_element(self, spread);
    }

    fn visit_for_of_statement(&mut self, each: &ForOfStatement<'a>) {
        self.iterated.push(Taken { from: each.span.start, to: each.right.span().end, subject: subject(&each.right) });
        walk::walk_for_of_statement(self, each);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if let Some(init) = &declarator.init {
            let subject = subject(init);
            let (from, to) = (declarator.span.start, declarator.span.end);
            match &declarator.id {
                BindingPattern::BindingIdentifier(id) => self.variables.push((id.name.to_string(), subject)),
                BindingPattern::ArrayPattern(_) => self.iterated.push(Taken { from, to, subject }),
                BindingPattern::ObjectPattern(_) => self.destructured.push(Taken { from, to, subject }),
                BindingPattern::AssignmentPattern(_) => {}
            }
        }
        walk::walk_variable_declarator(self, declarator);
    }
}
