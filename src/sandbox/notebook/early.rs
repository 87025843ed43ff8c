//! What is refused before a script runs, though it parses: modules, what the engine dies of, early errors of the language.

use oxc_allocator::Allocator;
use oxc_ast::ast::{Declaration, Program, Statement, VariableDeclaration};
use oxc_ast_visit::Visit;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{GetSpan as _, SourceType};

use super::wording::{Fault, worded};
use super::{Wrong, no_export, no_import, offset, position};

/// Errors that the grammar does not show and the engine lets through: a name declared twice within a function, `eval` as
/// a strict name. Names of the top level may be declared again.
pub(super) fn early(program: &Program<'_>, source: &str) -> Result<(), Wrong> {
    if let Some(at) = using(program) {
        return Err(Wrong { message: NO_USING.to_owned(), position: Some(position(source, at)) });
    }
    if let Some(import) = program.body.iter().find(|statement| matches!(statement, Statement::ImportDeclaration(_))) {
        return Err(no_import(source, offset(import.span().start)));
    }
    let is_export = |statement: &&Statement<'_>| statement.is_module_declaration() && !is_exported_variable(statement);
    if let Some(export) = program.body.iter().find(is_export) {
        return Err(no_export(source, offset(export.span().start)));
    }
    if let Some((at, name)) = super::patterns::caught_again(program) {
        let message = format!("Identifier `{name}` has already been declared: it is what `catch` caught");
        return Err(Wrong { message, position: Some(position(source, at)) });
    }
    let checked = oxc_semantic::SemanticBuilder::new().with_check_syntax_error(true).build(program);
    for error in &checked.diagnostics {
        let at = error.labels.first().map(|label| offset(label.offset()));
        let is_again = error.message.contains("has already been declared");
        if is_again && at.is_none_or(|at| is_top_level(program, at)) {
            continue;
        }
        return Err(worded(source, &Fault { message: &error.message, at, opened: None }, program));
    }
    Ok(())
}

/// What the engine does not have and dies of, in words for its author.
pub(in crate::sandbox) const NO_USING: &str =
    "`using` declarations are not available here: use `const` and dispose of it in `finally`";

/// The place of a `using` declaration. The engine panics at one in a function and disposes of nothing elsewhere.
fn using(program: &Program<'_>) -> Option<usize> {
    struct Finder(Option<usize>);
    impl<'a> Visit<'a> for Finder {
        fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
            if declaration.kind.is_using() {
                self.0.get_or_insert(offset(declaration.span.start));
            }
            oxc_ast_visit::walk::walk_variable_declaration(self, declaration);
        }
    }
    let mut finder = Finder(None);
    finder.visit_program(program);
    finder.0
}

/// Whether code that did not come through [`prepare`] (of `eval`, of a skill) has a `using` declaration, or may have one.
pub(in crate::sandbox) fn may_use_using(source: &str) -> bool {
    let is_named = |(at, word): (usize, &str)| {
        let rest = source[at + word.len()..].trim_start();
        rest.starts_with(|c: char| c.is_alphabetic() || "_$\\/".contains(c))
    };
    // Nearly all code ends here, unparsed.
    if !source.match_indices("using").any(is_named) || !crate::skills::intent::is_parseable(source) {
        return false;
    }
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    for kind in [SourceType::mjs(), SourceType::cjs()] {
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, source, kind).with_options(options).parse();
        if !parsed.panicked && parsed.diagnostics.is_empty() {
            return using(&parsed.program).is_some();
        }
    }
    true
}

/// Whether a declaration of the top level names something there.
fn is_top_level(program: &Program<'_>, at: usize) -> bool {
    program.body.iter().any(|statement| {
        let span = statement.span();
        let holds = |span: oxc_span::Span| (offset(span.start)..offset(span.end)).contains(&at);
        match statement {
            Statement::VariableDeclaration(declaration) => {
                declaration.declarations.iter().any(|declarator| holds(declarator.id.span()))
            }
            Statement::FunctionDeclaration(function) => function.id.as_ref().is_some_and(|id| holds(id.span)),
            Statement::ClassDeclaration(class) => class.id.as_ref().is_some_and(|id| holds(id.span)),
            _ => holds(span) && matches!(statement, Statement::ExportDeclaration(_)),
        }
    })
}

/// `export const a = 1`, which can be read as a plain declaration.
fn is_exported_variable(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::ExportDeclaration(export)
        if matches!(export.declaration, Declaration::VariableDeclaration(_)))
}
