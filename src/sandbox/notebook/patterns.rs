//! What a pattern binds, and what the engine cannot assign to.

use oxc_ast::ast::{
    ArrowFunctionExpression, BindingIdentifier, BindingPattern, BindingProperty, CatchClause, ForOfStatement,
    ForStatementLeft, Function,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::ScopeFlags;

use super::offset;

/// The names that a pattern binds, in order.
pub(super) fn names(pattern: &BindingPattern<'_>) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'a> Visit<'a> for Names {
        fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
            self.0.push(it.name.to_string());
        }
        // Names within functions of defaults are theirs.
        fn visit_expression(&mut self, _: &oxc_ast::ast::Expression<'a>) {}
    }
    let mut names = Names(Vec::new());
    names.visit_binding_pattern(pattern);
    names.0
}

/// Whether a pattern has a computed key: the engine refuses some of them in an assignment, and none in a
/// declaration.
pub(super) fn has_computed_key(pattern: &BindingPattern<'_>) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit_binding_property(&mut self, it: &BindingProperty<'a>) {
            self.0 |= it.computed;
            walk::walk_binding_property(self, it);
        }
    }
    let mut finder = Finder(false);
    finder.visit_binding_pattern(pattern);
    finder.0
}

/// A `for (var a of …)` within `catch (a)`, which is an error though neither parser says so.
pub(super) fn caught_again(program: &oxc_ast::ast::Program<'_>) -> Option<(usize, String)> {
    #[derive(Default)]
    struct Finder {
        caught: Vec<String>,
        found: Option<(usize, String)>,
    }
    impl<'a> Visit<'a> for Finder {
        fn visit_catch_clause(&mut self, it: &CatchClause<'a>) {
            let outer = self.caught.len();
            self.caught.extend(it.param.iter().flat_map(|param| names(&param.pattern)));
            walk::walk_catch_clause(self, it);
            self.caught.truncate(outer);
        }

        fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
            if let ForStatementLeft::VariableDeclaration(declaration) = &it.left
                && declaration.kind.is_var()
            {
                let bound = declaration.declarations.iter().flat_map(|declarator| names(&declarator.id));
                if let Some(name) = bound.into_iter().find(|name| self.caught.contains(name)) {
                    self.found.get_or_insert((offset(declaration.span.start), name));
                }
            }
            walk::walk_for_of_statement(self, it);
        }

        fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
            let caught = std::mem::take(&mut self.caught);
            walk::walk_arrow_function_expression(self, it);
            self.caught = caught;
        }

        fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
            let caught = std::mem::take(&mut self.caught);
            walk::walk_function(self, it, flags);
            self.caught = caught;
        }
    }
    let mut finder = Finder::default();
    finder.visit_program(program);
    finder.found
}
