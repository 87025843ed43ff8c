//! Member paths from a syntax tree: aliases, destructuring, optional chaining, literal keys, `bind` and its kin.
//!
//! Names are followed through scopes; a name that is declared anew hides what it stood for.

use std::collections::HashMap;

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    ArrowFunctionExpression, AssignmentExpression, AssignmentTarget, AssignmentTargetMaybeDefault,
    AssignmentTargetProperty, BindingPattern, BlockStatement, CatchClause, Expression, FormalParameters, Function,
    VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;
use oxc_syntax::scope::ScopeFlags;

/// Members of functions themselves, which pass a call on to what stands before them.
const PASSED_ON: [&str; 3] = ["call", "apply", "bind"];

/// The paths that one script mentions, in order; `known` are names of earlier scripts of the turn, and is added to.
/// `None` if the script does not parse.
pub(super) fn paths(source: &str, known: &mut HashMap<String, Option<String>>) -> Option<Vec<String>> {
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = [SourceType::mjs(), SourceType::ts()].into_iter().find_map(|kind| {
        let parsed = Parser::new(&allocator, source, kind).with_options(options).parse();
        (!parsed.panicked && parsed.diagnostics.is_empty()).then_some(parsed)
    })?;
    let mut finder = Finder { scopes: vec![std::mem::take(known)], found: Vec::new() };
    // Functions are hoisted, so a name that one of them takes is theirs from the start.
    finder.visit_program(&parsed.program);
    *known = finder.scopes.swap_remove(0);
    Some(finder.found)
}

struct Finder {
    /// What names stand for, the innermost scope last; `None` hides an outer meaning.
    scopes: Vec<HashMap<String, Option<String>>>,
    found: Vec<String>,
}

impl Finder {
    fn meaning(&self, name: &str) -> Option<&str> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).and_then(Option::as_deref)
    }

    fn name(&mut self, name: &str, meaning: Option<String>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), meaning);
        }
    }

    fn note(&mut self, path: String) {
        if path.contains('.') && !self.found.contains(&path) {
            self.found.push(path);
        }
    }

    /// The path that an expression stands for.
    fn path(&self, expression: &Expression<'_>) -> Option<String> {
        match expression {
            Expression::Identifier(id) => self.meaning(&id.name).map(str::to_owned),
            Expression::StaticMemberExpression(member) => {
                let object = self.path(&member.object)?;
                Some(joined(object, &member.property.name))
            }
            Expression::ComputedMemberExpression(member) => {
                let object = self.path(&member.object)?;
                Some(joined(object, &literal(&member.expression)?))
            }
            Expression::ChainExpression(chain) => match &chain.expression {
                oxc_ast::ast::ChainElement::StaticMemberExpression(member) => {
                    let object = self.path(&member.object)?;
                    Some(joined(object, &member.property.name))
                }
                oxc_ast::ast::ChainElement::ComputedMemberExpression(member) => {
                    let object = self.path(&member.object)?;
                    Some(joined(object, &literal(&member.expression)?))
                }
                _ => None,
            },
            Expression::ParenthesizedExpression(inner) => self.path(&inner.expression),
            Expression::SequenceExpression(all) => self.path(all.expressions.last()?),
            Expression::TSAsExpression(inner) => self.path(&inner.expression),
            Expression::TSNonNullExpression(inner) => self.path(&inner.expression),
            Expression::TSSatisfiesExpression(inner) => self.path(&inner.expression),
            Expression::ConditionalExpression(either) => {
                self.path(&either.consequent).or_else(|| self.path(&either.alternate))
            }
            Expression::LogicalExpression(logical) => self.path(&logical.left).or_else(|| self.path(&logical.right)),
            // `f.bind(o)` is still f.
            Expression::CallExpression(call) => match &call.callee {
                Expression::StaticMemberExpression(member) if member.property.name == "bind" => {
                    self.path(&member.object)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Gives the names of a pattern what they stand for, if `path` is destructured.
    fn bind(&mut self, pattern: &BindingPattern<'_>, path: Option<&str>) {
        match pattern {
            BindingPattern::BindingIdentifier(id) => self.name(&id.name, path.map(str::to_owned)),
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    let inner = path.zip(property.key.static_name()).map(|(path, key)| joined(path.to_owned(), &key));
                    if let Some(inner) = &inner {
                        self.note(inner.clone());
                    }
                    self.bind(&property.value, inner.as_deref());
                }
                if let Some(rest) = &object.rest {
                    self.bind(&rest.argument, path);
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for element in array.elements.iter().flatten() {
                    self.bind(element, None);
                }
            }
            BindingPattern::AssignmentPattern(default) => {
                let own = self.path(&default.right);
                self.bind(&default.left, path.or(own.as_deref()));
            }
        }
    }

    fn assign(&mut self, target: &AssignmentTarget<'_>, path: Option<&str>) {
        match target {
            AssignmentTarget::AssignmentTargetIdentifier(id) => {
                let name = id.name.to_string();
                let scope = self.scopes.iter_mut().rev().find(|scope| scope.contains_key(&name));
                match scope {
                    Some(scope) => drop(scope.insert(name, path.map(str::to_owned))),
                    None => self.name(&name, path.map(str::to_owned)),
                }
            }
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                for property in &object.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(short) => {
                            let inner = path.map(|path| joined(path.to_owned(), &short.binding.name));
                            if let Some(inner) = &inner {
                                self.note(inner.clone());
                            }
                            self.name(&short.binding.name, inner);
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(long) => {
                            let inner = path.zip(long.name.static_name()).map(|(p, key)| joined(p.to_owned(), &key));
                            if let Some(inner) = &inner {
                                self.note(inner.clone());
                            }
                            match &long.binding {
                                AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(default) => {
                                    self.assign(&default.binding, inner.as_deref());
                                }
                                other => {
                                    if let Some(target) = other.as_assignment_target() {
                                        self.assign(target, inner.as_deref());
                                    }
                                }
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn hide(&mut self, params: &FormalParameters<'_>) {
        for param in &params.items {
            self.bind(&param.pattern, None);
        }
    }
}

impl<'a> Visit<'a> for Finder {
    fn visit_expression(&mut self, expression: &Expression<'a>) {
        if let Some(path) = self.path(expression) {
            self.note(path);
            // A conditional or `bind` holds more than the one path.
            let is_plain = matches!(
                expression,
                Expression::Identifier(_)
                    | Expression::StaticMemberExpression(_)
                    | Expression::ComputedMemberExpression(_)
            );
            if is_plain {
                return;
            }
        }
        walk::walk_expression(self, expression);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        let path = declarator.init.as_ref().and_then(|init| self.path(init));
        if let Some(init) = &declarator.init {
            self.visit_expression(init);
        }
        self.bind(&declarator.id, path.as_deref());
        walk::walk_binding_pattern(self, &declarator.id);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        let path = self.path(&assignment.right);
        self.visit_expression(&assignment.right);
        self.assign(&assignment.left, path.as_deref());
        walk::walk_assignment_target(self, &assignment.left);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        if let Some(id) = &function.id {
            self.name(&id.name, None);
        }
        self.scopes.push(HashMap::new());
        self.hide(&function.params);
        walk::walk_function(self, function, flags);
        self.scopes.pop();
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.scopes.push(HashMap::new());
        self.hide(&arrow.params);
        walk::walk_arrow_function_expression(self, arrow);
        self.scopes.pop();
    }

    fn visit_block_statement(&mut self, block: &BlockStatement<'a>) {
        self.scopes.push(HashMap::new());
        walk::walk_block_statement(self, block);
        self.scopes.pop();
    }

    fn visit_catch_clause(&mut self, clause: &CatchClause<'a>) {
        self.scopes.push(HashMap::new());
        if let Some(param) = &clause.param {
            self.bind(&param.pattern, None);
        }
        walk::walk_catch_clause(self, clause);
        self.scopes.pop();
    }
}

fn joined(object: String, member: &str) -> String {
    // `f.call` is a call of f.
    if PASSED_ON.contains(&member) && object.contains('.') { object } else { format!("{object}.{member}") }
}

fn literal(expression: &Expression<'_>) -> Option<String> {
    match expression {
        Expression::StringLiteral(text) => Some(text.value.to_string()),
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
            template.quasis.first().and_then(|part| part.value.cooked.as_ref()).map(ToString::to_string)
        }
        _ => None,
    }
}
