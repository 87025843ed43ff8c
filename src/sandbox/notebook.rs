//! A script as its author wrote it → one async function whose top-level names live on in later scripts.
//!
//! The syntax tree says where to change the text; the text itself stays in its lines, so that a position in the changed
//! code is the author's own but for a shift within its line.

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    BindingPattern, Declaration, Expression, Function, Program, ReturnStatement, Statement, VariableDeclaration,
};
use oxc_ast_visit::Visit;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{GetSpan as _, SourceType};

/// What stands before the author's first line; the changed code begins on the line after it.
const HEAD: &str = "(async ($result, $returned, $keep) => {";

/// A script ready to be evaluated.
#[derive(Debug)]
pub(super) struct Prepared {
    /// Code that evaluates to an async function of `(result, returned, keep)`.
    pub(super) code: String,
    /// Where text was put in, for columns: `(offset in the author's text, bytes)`.
    shifts: Vec<(usize, isize)>,
    /// The author's text, or what TypeScript was turned into.
    source: String,
    is_mapped: bool,
}

/// Why a script cannot be prepared.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) message: String,
    pub(super) position: Option<(u32, u32)>,
}

struct Edit {
    start: usize,
    end: usize,
    text: String,
}

/// Prepares a script.
pub(super) fn prepare(source: &str) -> Result<Prepared, Wrong> {
    if !crate::skills::intent::is_parseable(source) {
        let message = format!(
            "it is too long or nests too deep (brackets deeper than {}, or a thousand tokens in a row)",
            crate::skills::intent::MAX_NESTING
        );
        return Err(Wrong { message, position: None });
    }
    // A first line for a shell is a comment; it keeps its length.
    let commented = source.strip_prefix("#!").map(|rest| format!("//{rest}"));
    let source = commented.as_deref().unwrap_or(source);
    match as_javascript(source) {
        Ok(prepared) => Ok(prepared),
        Err(wrong) => match crate::skills::prepare::javascript("script.ts", source) {
            Ok(stripped) if !parses(source, SourceType::mjs()) && parses(source, SourceType::ts()) => {
                let prepared = as_javascript(&stripped).map_err(|_| wrong)?;
                Ok(Prepared { is_mapped: false, ..prepared })
            }
            Ok(_) | Err(_) => Err(wrong),
        },
    }
}

fn parses(source: &str, kind: SourceType) -> bool {
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, source, kind).with_options(options).parse();
    !parsed.panicked && parsed.diagnostics.is_empty()
}

fn as_javascript(source: &str) -> Result<Prepared, Wrong> {
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let mut parsed = Parser::new(&allocator, source, SourceType::mjs()).with_options(options).parse();
    if let Some(first) = parsed.diagnostics.iter().next() {
        let at = first.labels.first().map(|label| label.offset());
        return Err(Wrong { message: first.message.to_string(), position: at.map(|at| position(source, offset(at))) });
    }
    if parsed.panicked {
        return Err(Wrong { message: "it does not parse".to_owned(), position: None });
    }
    // Parsed as a module for its `await`, run as a sloppy script: names are judged as the engine will.
    parsed.program.source_type = SourceType::cjs();
    early(&parsed.program, source)?;
    let mut edits = Vec::new();
    let mut kept = Vec::new();
    let body = &parsed.program.body;
    for (index, statement) in body.iter().enumerate() {
        let is_last = index + 1 == body.len();
        change(statement, is_last, source, &mut edits, &mut kept)?;
    }
    let mut returns = Returns { edits: &mut edits };
    for statement in body {
        returns.visit_statement(statement);
    }
    edits.sort_by_key(|edit| (edit.start, edit.end));
    let mut code = String::with_capacity(source.len() + 256);
    code.push_str(HEAD);
    for name in kept {
        code.push_str(&format!("$keep('{name}', {name});"));
    }
    code.push('\n');
    let mut at = 0;
    let mut shifts = Vec::new();
    for edit in &edits {
        code.push_str(&source[at..edit.start]);
        code.push_str(&edit.text);
        let grown = isize::try_from(edit.text.len()).unwrap_or(0) - isize::try_from(edit.end - edit.start).unwrap_or(0);
        shifts.push((edit.start, grown));
        at = edit.end;
    }
    code.push_str(&source[at..]);
    code.push_str("\n})");
    Ok(Prepared { code, shifts, source: source.to_owned(), is_mapped: true })
}

/// Errors that the grammar does not show and the engine lets through: a name declared twice within a function, `eval` as
/// a strict name. Names of the top level may be declared again.
fn early(program: &Program<'_>, source: &str) -> Result<(), Wrong> {
    if let Some(at) = using(program) {
        return Err(Wrong { message: NO_USING.to_owned(), position: Some(position(source, at)) });
    }
    let checked = oxc_semantic::SemanticBuilder::new().with_check_syntax_error(true).build(program);
    for error in &checked.diagnostics {
        let at = error.labels.first().map(|label| offset(label.offset()));
        let is_again = error.message.contains("has already been declared");
        if is_again && at.is_none_or(|at| is_top_level(program, at)) {
            continue;
        }
        return Err(Wrong { message: error.message.to_string(), position: at.map(|at| position(source, at)) });
    }
    Ok(())
}

/// What the engine does not have and dies of, in words for its author.
pub(super) const NO_USING: &str =
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
pub(super) fn may_use_using(source: &str) -> bool {
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

impl Prepared {
    /// The author's text, or what TypeScript was turned into.
    pub(super) fn source(&self) -> &str {
        &self.source
    }

    /// The author's position for one in the changed code (both 1-based); `None` where no author wrote anything.
    pub(super) fn position(&self, line: u32, column: u32) -> Option<(u32, u32)> {
        let line = line.checked_sub(1).filter(|line| *line > 0)?;
        if !self.is_mapped {
            return Some((line, column));
        }
        let start = line_start(&self.source, line)?;
        let end = self.source[start..].find('\n').map_or(self.source.len(), |length| start + length);
        let mut column = isize::try_from(column).ok()?;
        for (at, grown) in self.shifts.iter().filter(|(at, _)| (start..=end).contains(at)) {
            let before = isize::try_from(self.source[start..*at].chars().count()).ok()?;
            if column > before + 1 {
                column = (column - grown).max(before + 1);
            }
        }
        Some((line, u32::try_from(column.max(1)).unwrap_or(1)))
    }
}

fn change(
    statement: &Statement<'_>,
    is_last: bool,
    source: &str,
    edits: &mut Vec<Edit>,
    kept: &mut Vec<String>,
) -> Result<(), Wrong> {
    let span = statement.span();
    let (start, end) = (offset(span.start), offset(span.end));
    match statement {
        Statement::ExpressionStatement(expression) if is_last => {
            let inner = expression.expression.span();
            insert(edits, offset(inner.start), ";return (");
            tail(&expression.expression, edits);
            // A semicolon of the author's stays behind it.
            insert(edits, offset(inner.end), ")");
        }
        Statement::VariableDeclaration(declaration) => variables(declaration, edits),
        Statement::FunctionDeclaration(function) => {
            if let Some(id) = &function.id {
                kept.push(id.name.to_string());
            }
        }
        Statement::ClassDeclaration(class) => {
            if let Some(id) = &class.id {
                insert(edits, start, &format!(";{} = ", id.name));
                insert(edits, end, ";");
            }
        }
        Statement::ImportDeclaration(_) => {
            return Err(Wrong {
                message: "there is nothing to import: the skill objects are already here".to_owned(),
                position: Some(position(source, start)),
            });
        }
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::VariableDeclaration(declaration) => {
                replace(edits, start, offset(declaration.span.start), "");
                variables(declaration, edits);
            }
            _ => return Err(no_export(source, start)),
        },
        Statement::ExportNamedDeclaration(_)
        | Statement::ExportFromDeclaration(_)
        | Statement::ExportDefaultDeclaration(_)
        | Statement::ExportAllDeclaration(_) => {
            return Err(no_export(source, start));
        }
        _ => {}
    }
    Ok(())
}

fn no_export(source: &str, start: usize) -> Wrong {
    let message = "nothing can be exported: write plain statements".to_owned();
    Wrong { message, position: Some(position(source, start)) }
}

/// `const a = 1, {b} = c` → `(a = 1), ({b} = c)`: assignments to names of the turn.
fn variables(declaration: &VariableDeclaration<'_>, edits: &mut Vec<Edit>) {
    let Some(first) = declaration.declarations.first() else { return };
    replace(edits, offset(declaration.span.start), offset(first.span.start), ";");
    for declarator in &declaration.declarations {
        insert(edits, offset(declarator.span.start), "(");
        let is_bare = declarator.init.is_none() && matches!(declarator.id, BindingPattern::BindingIdentifier(_));
        insert(edits, offset(declarator.span.end), if is_bare { " = undefined)" } else { ")" });
    }
}

/// Marks where a last expression's value comes from: an awaited or bare call is told by its promise.
fn tail(expression: &Expression<'_>, edits: &mut Vec<Edit>) {
    match expression {
        Expression::AwaitExpression(awaited) => {
            replace(edits, offset(awaited.span.start), offset(awaited.argument.span().start), "$result(");
            insert(edits, offset(awaited.span.end), ")");
        }
        Expression::ParenthesizedExpression(inner) => tail(&inner.expression, edits),
        Expression::ConditionalExpression(either) => {
            tail(&either.consequent, edits);
            tail(&either.alternate, edits);
        }
        Expression::LogicalExpression(logical) => tail(&logical.right, edits),
        Expression::SequenceExpression(sequence) => {
            if let Some(last) = sequence.expressions.last() {
                tail(last, edits);
            }
        }
        other => {
            let span = other.span();
            insert(edits, offset(span.start), "$result(");
            insert(edits, offset(span.end), ")");
        }
    }
}

/// Top-level `return`s, those inside functions left out.
struct Returns<'e> {
    edits: &'e mut Vec<Edit>,
}

impl<'a> Visit<'a> for Returns<'_> {
    fn visit_function(&mut self, _: &Function<'a>, _: oxc_syntax::scope::ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &oxc_ast::ast::ArrowFunctionExpression<'a>) {}

    fn visit_class(&mut self, _: &oxc_ast::ast::Class<'a>) {}

    fn visit_return_statement(&mut self, statement: &ReturnStatement<'a>) {
        match &statement.argument {
            Some(argument) => {
                let span = argument.span();
                insert(self.edits, offset(span.start), "$returned(");
                insert(self.edits, offset(span.end), ")");
            }
            None => insert(self.edits, offset(statement.span.start) + "return".len(), " $returned()"),
        }
    }
}

fn insert(edits: &mut Vec<Edit>, at: usize, text: &str) {
    replace(edits, at, at, text);
}

fn replace(edits: &mut Vec<Edit>, start: usize, end: usize, text: &str) {
    edits.push(Edit { start, end, text: text.to_owned() });
}

pub(super) fn offset(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

pub(super) fn position(source: &str, at: usize) -> (u32, u32) {
    let before = &source[..source.floor_char_boundary(at)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

/// The byte at a 1-based line and column.
pub(super) fn offset_of(source: &str, (line, column): (u32, u32)) -> Option<usize> {
    let start = line_start(source, line)?;
    let skipped = usize::try_from(column).ok()?.checked_sub(1)?;
    let text = source.get(start..)?;
    Some(start + text.char_indices().nth(skipped).map_or(text.len(), |(at, _)| at))
}

fn line_start(source: &str, line: u32) -> Option<usize> {
    if line == 1 {
        return Some(0);
    }
    let index = usize::try_from(line).ok()?.checked_sub(2)?;
    source.match_indices('\n').nth(index).map(|(at, _)| at + 1)
}

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod tests;
