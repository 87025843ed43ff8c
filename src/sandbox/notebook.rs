//! A script as its author wrote it → one async function whose top-level names live on in later scripts.
//!
//! The syntax tree says where to change the text; the text itself stays in its lines, so that a position in the changed
//! code is the author's own but for a shift within its line.

mod early;
mod patterns;
mod typescript;
mod uncalled;
mod wording;

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    BindingPattern, Declaration, Expression, Function, ReturnStatement, Statement, VariableDeclaration,
};
use oxc_ast_visit::Visit;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{GetSpan as _, SourceType};

use self::early::early;
pub(super) use self::early::{NO_USING, may_use_using};
use self::typescript::TypeScript;
use self::wording::{Fault, worded};

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
    typescript: Option<TypeScript>,
    /// What to say of a script that only defines functions.
    pub(super) uncalled: Option<String>,
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
        // What is early is said of JavaScript that parses.
        Err(wrong) if parse_fault(source, SourceType::mjs()).is_none() => Err(wrong),
        Err(wrong) => match parse_fault(source, SourceType::ts()) {
            // Whichever grammar goes further is the author's.
            Some(other) => Err(if other.position > wrong.position { other } else { wrong }),
            None => typescript::prepare(source, wrong),
        },
    }
}

fn parse_fault(source: &str, kind: SourceType) -> Option<Wrong> {
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, source, kind).with_options(options).parse();
    if let Some(first) = parsed.diagnostics.iter().next() {
        let at = first.labels.first().map(|label| offset(label.offset()));
        let opened = first.labels.iter().find(|label| label.label() == Some("Opened here"));
        let opened = opened.map(|label| offset(label.offset()));
        return Some(worded(source, &Fault { message: &first.message, at, opened }, &parsed.program));
    }
    parsed.panicked.then(|| Wrong { message: "it does not parse".to_owned(), position: None })
}

/// A script's text without HTML's comments, which a module would read otherwise; `None` if it has none.
fn without_html_comments(source: &str) -> Option<String> {
    if !source.contains("<!--") && !source.contains("-->") {
        return None;
    }
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, source, SourceType::script()).parse();
    let mut text = source.to_owned();
    for comment in parsed.program.comments.iter().filter(|_| parsed.diagnostics.is_empty()) {
        let (start, end) = (offset(comment.span.start), offset(comment.span.end));
        if !source[start..].starts_with('/') {
            text.replace_range(start..end, &" ".repeat(end - start));
        }
    }
    (text != source).then_some(text)
}

fn as_javascript(source: &str) -> Result<Prepared, Wrong> {
    if let Some(text) = without_html_comments(source) {
        return as_javascript(&text);
    }
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let mut parsed = Parser::new(&allocator, source, SourceType::mjs()).with_options(options).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        // `await` as a name is fine in a script, but not in the async function that ours becomes.
        let is_await = |wrong: &Wrong| wrong.message.starts_with("Cannot use `await` as an identifier");
        if let Some(wrong) = parse_fault(source, SourceType::mjs()).filter(is_await) {
            let message = "`await` is a reserved word and cannot be a name: choose another".to_owned();
            return Err(Wrong { message, ..wrong });
        }
        // What only a script may have: `let` as a name.
        parsed = Parser::new(&allocator, source, SourceType::script()).with_options(options).parse();
    }
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        let unknown = || Wrong { message: "it does not parse".to_owned(), position: None };
        return Err(parse_fault(source, SourceType::mjs()).unwrap_or_else(unknown));
    }
    // Parsed as a module for its `await`, run as a sloppy script: names are judged as the engine will.
    parsed.program.source_type = SourceType::cjs();
    early(&parsed.program, source)?;
    let mut edits = Vec::new();
    let mut kept = Vec::new();
    let body = &parsed.program.body;
    let uncalled = uncalled::uncalled(body);
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
    for name in body.iter().flat_map(hoisted) {
        code.push_str(&format!("typeof {name} === 'undefined' && ({name} = undefined);"));
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
    Ok(Prepared { code, shifts, source: source.to_owned(), typescript: None, uncalled })
}

impl Prepared {
    /// The author's text, or what TypeScript was turned into.
    pub(super) fn source(&self) -> &str {
        &self.source
    }

    /// The position in the author's text of one in [`Prepared::source`].
    pub(super) fn author(&self, place: (u32, u32)) -> (u32, u32) {
        self.typescript.as_ref().map_or(place, |typescript| typescript.author(&self.source, place))
    }

    /// The position in [`Prepared::source`] for one in the changed code (both 1-based); `None` where no author wrote
    /// anything.
    pub(super) fn position(&self, line: u32, column: u32) -> Option<(u32, u32)> {
        let line = line.checked_sub(1).filter(|line| *line > 0)?;
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
            return Err(no_import(source, start));
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

fn no_import(source: &str, start: usize) -> Wrong {
    let message =
        "there is nothing to import: scripts have JavaScript itself and the skill objects, which are already here";
    Wrong { message: message.to_owned(), position: Some(position(source, start)) }
}

fn no_export(source: &str, start: usize) -> Wrong {
    let message = "nothing can be exported: write plain statements".to_owned();
    Wrong { message, position: Some(position(source, start)) }
}

/// Names that may be read before their `var` gives them a value, as what TypeScript's `enum` becomes does.
fn hoisted(statement: &Statement<'_>) -> Vec<String> {
    let Statement::VariableDeclaration(declaration) = statement else { return Vec::new() };
    let declared = declaration.declarations.iter().filter(|_| declaration.kind.is_var());
    declared.flat_map(|declarator| patterns::names(&declarator.id)).collect()
}

/// `const a = 1, {b} = c` → `(a = 1), ({b} = c)`: assignments to names of the turn.
fn variables(declaration: &VariableDeclaration<'_>, edits: &mut Vec<Edit>) {
    let Some(first) = declaration.declarations.first() else { return };
    replace(edits, offset(declaration.span.start), offset(first.span.start), ";");
    for declarator in &declaration.declarations {
        if patterns::has_computed_key(&declarator.id) {
            // `const { [a]: b } = c` → `[b] = await (async () => { const { [a]: b } = c; return [b] })()`
            let names = patterns::names(&declarator.id).join(", ");
            insert(edits, offset(declarator.span.start), &format!("([{names}] = await (async () => {{ const "));
            insert(edits, offset(declarator.span.end), &format!("; return [{names}] }})())"));
            continue;
        }
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
