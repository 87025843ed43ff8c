//! Reading declarations and scripts as the skills faculty does: `parse`, `intents`, `docs`.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::calls::DOCS;
use crate::skills::declaration::{self, Declaration, Effect, Method, Problem, Risk};
use crate::skills::disclose;
use crate::skills::intent::{is_parsed, member_paths};
use crate::skills::registry::Registry;

#[derive(Debug, clap::Args)]
pub(super) struct Parse {
    /// The declaration files of one skill, the main one first
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// What scripts call the skill; without it, the main file's name
    #[arg(long)]
    name: Option<String>,
}

impl Parse {
    pub(super) fn run(&self, json: bool) -> anyhow::Result<ExitCode> {
        let texts = self.files.iter().map(|file| Ok((file.display().to_string(), text(file)?)));
        let texts: Vec<(String, String)> = texts.collect::<anyhow::Result<_>>()?;
        let files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let stem = self.files.first().and_then(|file| file.file_name()).map(|name| name.to_string_lossy().into_owned());
        let stem = stem.unwrap_or_default();
        let stem = stem.split('.').next().unwrap_or_default();
        let name = self.name.as_deref().unwrap_or(stem);
        let (declaration, problems) = declaration::parse(name, name, &files);
        if json {
            say!("{}", serde_json::to_string_pretty(&index(name, &declaration, &problems))?);
        } else {
            say!("## {name}\n{}", declaration.summary);
            for method in &declaration.methods {
                say!("- {}: {}", method.path, method.doc.line());
            }
            for problem in &problems {
                eprintln!("{}: {}", problem.place, problem.message);
            }
        }
        Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct Intents {
    /// The script (`-` is standard input); before it, the earlier scripts of the same turn
    #[arg(required = true)]
    scripts: Vec<PathBuf>,
}

impl Intents {
    pub(super) fn run(&self, registry: &Registry, json: bool) -> anyhow::Result<ExitCode> {
        let texts: Vec<String> = self.scripts.iter().map(|file| text(file)).collect::<anyhow::Result<_>>()?;
        let scripts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let paths = member_paths(&scripts, &registry.globals());
        let docs = disclose::disclose(registry, None, &scripts, &BTreeSet::new(), DOCS).unwrap_or_default();
        if json {
            let is_parsed = scripts.last().is_some_and(|script| is_parsed(script));
            let near: serde_json::Map<String, Value> = paths
                .iter()
                .filter(|path| registry.method(path).is_none())
                .map(|path| (path.clone(), json!(registry.nearest(path))))
                .collect();
            let all = json!({ "parsed": is_parsed, "paths": paths, "unknown": near, "documents": docs.paths });
            say!("{}", serde_json::to_string_pretty(&all)?);
            return Ok(ExitCode::SUCCESS);
        }
        for path in &paths {
            let near = registry.nearest(path);
            match registry.method(path) {
                Some(_) => say!("{path}"),
                None if near.is_empty() => say!("{path}  (not declared)"),
                None => say!("{path}  (not declared; near {})", near.join(", ")),
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct Docs {
    /// A method such as tavily.search, a group of them, or a skill
    path: String,
}

impl Docs {
    pub(super) fn run(&self, registry: &Registry, json: bool) -> anyhow::Result<ExitCode> {
        let docs = disclose::docs(registry, &self.path, DOCS).ok_or_else(|| super::unknown(registry, &self.path))?;
        if json {
            say!("{}", serde_json::to_string_pretty(&json!({ "text": docs.text, "documents": docs.paths }))?);
        } else {
            say!("{}", docs.text);
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn text(file: &Path) -> anyhow::Result<String> {
    if file.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text).context("standard input")?;
        return Ok(text);
    }
    let bytes = std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    // A stray byte is no reason to tell nothing of the rest.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The index of a declaration as JSON.
fn index(name: &str, declaration: &Declaration, problems: &[Problem]) -> Value {
    let types =
        declaration.types.iter().map(|(name, ty)| (name.clone(), json!({ "text": ty.text, "types": ty.types })));
    json!({
        "name": name,
        "summary": declaration.summary,
        "methods": declaration.methods.iter().map(method).collect::<Vec<_>>(),
        "groups": declaration.groups,
        "types": types.collect::<serde_json::Map<_, _>>(),
        "problems": problems.iter().map(|p| json!({ "place": p.place, "message": p.message })).collect::<Vec<_>>(),
    })
}

fn method(method: &Method) -> Value {
    let doc = &method.doc;
    let params: Vec<Value> = doc.params.iter().map(|(name, text)| json!({ "name": name, "text": text })).collect();
    let examples: Vec<Value> = doc.examples.iter().map(|e| json!({ "title": e.title, "code": e.code })).collect();
    json!({
        "path": method.path,
        "place": method.place,
        "callable": method.is_callable,
        "signatures": method.signatures,
        "text": doc.text,
        "params": params,
        "returns": doc.returns,
        "throws": doc.throws,
        "examples": examples,
        "effect": doc.effect.map(|effect| match effect { Effect::Read => "read", Effect::Write => "write" }),
        "risk": doc.risk.map(|risk| match risk { Risk::Safe => "safe", Risk::Ask => "ask", Risk::Deny => "deny" }),
        "deprecated": doc.deprecated,
        "default": doc.default,
        "types": method.types,
    })
}
