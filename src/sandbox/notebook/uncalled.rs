//! Scripts that define functions and call none: nothing happens, and their author thinks that it did.

use oxc_ast::ast::{Expression, Statement};

/// What to say of it; `None` if the script does anything else.
pub(super) fn uncalled(body: &[Statement<'_>]) -> Option<String> {
    let mut names = Vec::new();
    for statement in body {
        match statement {
            Statement::FunctionDeclaration(function) => names.push(function.id.as_ref()?.name.to_string()),
            Statement::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    declarator.init.as_ref().filter(|init| is_function(init))?;
                    names.push(declarator.id.get_identifier_name()?.to_string());
                }
            }
            Statement::ExpressionStatement(expression) if is_function(&expression.expression) => {
                return Some("(the script ends in a function that was not called: write `()` behind it)".to_owned());
            }
            _ => return None,
        }
    }
    let last = names.pop()?;
    Some(format!("(`{last}` was defined and not called: write `await {last}()`)"))
}

fn is_function(expression: &Expression<'_>) -> bool {
    matches!(
        expression.without_parentheses(),
        Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)
    )
}
