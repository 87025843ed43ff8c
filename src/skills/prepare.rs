//! A skill's own code, made ready for the engine: TypeScript becomes JavaScript, nothing else changes.

use std::path::Path;

use oxc_allocator::Allocator;
use oxc_codegen::{Codegen, CodegenOptions};
use oxc_parser::Parser;
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;
use oxc_transformer::{TransformOptions, Transformer};

use super::declaration::Problem;
use super::intent::is_parseable;

/// The JavaScript module text of a skill's `index.ts` or `index.js`. The problem's skill is left empty: whoever knows
/// it fills it in.
///
/// # Errors
/// The first thing that does not parse, with its line and column.
pub fn javascript(file: &str, source: &str) -> Result<String, Problem> {
    with_places(file, source).map(|(code, _)| code)
}

/// A token of the JavaScript and where it stood before: lines and UTF-16 columns from 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) now: (u32, u32),
    pub(crate) before: (u32, u32),
}

/// The same with the places of its tokens, in order; none where nothing was changed.
pub(crate) fn with_places(file: &str, source: &str) -> Result<(String, Vec<Place>), Problem> {
    let problem = |place: String, message: String| Problem { skill: String::new(), place, message };
    if !is_parseable(source) {
        return Err(problem(file.to_owned(), "is too large or too deeply nested to be read".to_owned()));
    }
    let is_typescript = file.ends_with(".ts") || file.ends_with(".mts");
    let kind = if is_typescript { SourceType::ts() } else { SourceType::mjs() };
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, source, kind).parse();
    if let Some(fault) = parsed.diagnostics.first() {
        let at = fault.labels.first().map_or(0, |label| label.offset() as usize);
        return Err(problem(place(file, source, at), fault.message.to_string()));
    }
    if !is_typescript {
        return Ok((source.to_owned(), Vec::new()));
    }
    let mut program = parsed.program;
    let semantic = SemanticBuilder::new().with_enum_eval(true).build(&program);
    if let Some(fault) = semantic.diagnostics.first() {
        let at = fault.labels.first().map_or(0, |label| label.offset() as usize);
        return Err(problem(place(file, source, at), fault.message.to_string()));
    }
    let options = TransformOptions::default();
    let done = Transformer::new(&allocator, Path::new(file), &options)
        .build_with_scoping(semantic.semantic.into_scoping(), &mut program);
    match done.diagnostics.first() {
        Some(fault) => Err(problem(file.to_owned(), fault.message.to_string())),
        None => {
            let options = CodegenOptions { source_map_path: Some(file.into()), ..CodegenOptions::default() };
            let written = Codegen::new().with_options(options).with_source_text(source).build(&program);
            let tokens = written.map.iter().flat_map(|map| map.get_tokens());
            let places = tokens.map(|token| Place {
                now: (token.get_dst_line(), token.get_dst_col()),
                before: (token.get_src_line(), token.get_src_col()),
            });
            Ok((written.code, places.collect()))
        }
    }
}

fn place(file: &str, source: &str, at: usize) -> String {
    let before = source.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |text| text.chars().count()) + 1;
    format!("{file}:{line}:{column}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_go_and_code_stays() {
        let code = javascript(
            "index.ts",
            "interface A { x: number }\nenum E { One = 1, Two }\nexport default { f(a: A, ...rest: string[]): E { return a!.x as E; } };",
        )
        .unwrap();
        assert!(!code.contains("interface") && !code.contains(": A") && !code.contains(" as "), "{code}");
        assert!(code.contains("export default") && code.contains("f(a, ...rest)"), "{code}");
    }

    #[test]
    fn a_fault_has_its_place() {
        let fault = javascript("index.ts", "const a = 1;\nexport default {{;").unwrap_err();
        assert!(fault.place.starts_with("index.ts:2:"), "{fault:?}");
        let deep = format!("export default {}1{}", "(".repeat(5000), ")".repeat(5000));
        assert!(javascript("index.js", &deep).is_err());
    }

    #[test]
    fn the_bundled_code_prepares() {
        for skill in crate::skills::bundled::bundled() {
            if let Some(code) = skill.files.get("index.ts") {
                let code = javascript("index.ts", code).unwrap();
                assert!(code.contains("export default") && !code.contains("interface "), "{code}");
            }
        }
    }
}
