//! Reading other people's declarations: what it costs, beside the TypeScript compiler, and what is lost.
//!
//! `.ci/declarations` fetches them and runs this. Compare ratios between machines, not times. Without a folder the
//! bundled skills are read, which shows that it works. `--list` names every block that nothing shows.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a bench prints, and may fail loudly")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use groupmate::skills::bundled::bundled;
use groupmate::skills::declaration::{Fate, parse, survey};

/// Passes over everything, of which the fastest counts: other work on the machine only makes slower.
const PASSES: usize = 3;

struct Package {
    name: String,
    files: Vec<(String, String)>,
}

fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

/// The declaration files of a folder. Twins (`.d.mts`, `.d.cts`) say the same and are left out where there is a `.d.ts`.
fn declarations(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            declarations(&path, found);
        } else if [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| name.ends_with(end)) {
            found.push(path);
        }
    }
}

fn packages(folder: &Path) -> Vec<Package> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|path| path.is_dir() && !path.ends_with("typescript"));
    folders.sort();
    let read = |path: PathBuf| {
        let mut found = Vec::new();
        declarations(&path, &mut found);
        let short = |file: &PathBuf| file.strip_prefix(&path).unwrap().display().to_string();
        let files = found.iter().map(|file| (short(file), std::fs::read_to_string(file).unwrap())).collect();
        Package { name: path.file_name().unwrap().to_string_lossy().into_owned(), files }
    };
    folders.into_iter().map(read).collect()
}

/// The fastest of some passes.
fn fastest(mut run: impl FnMut()) -> Duration {
    let timed = (0..PASSES).map(|_| {
        let began = Instant::now();
        run();
        began.elapsed()
    });
    timed.min().unwrap()
}

/// What the TypeScript compiler takes to parse each package's files, in milliseconds.
fn typescript(folder: &Path, packages: &[Package]) -> Option<BTreeMap<String, f64>> {
    let program = format!(
        "const ts = require(process.argv[1]), fs = require('fs'), root = process.argv[2], all = JSON.parse(fs.readFileSync(0));
        const out = {{}};
        for (const [name, files] of Object.entries(all)) {{
          const texts = files.map(file => [file, fs.readFileSync(root + '/' + name + '/' + file, 'utf8')]);
          let best = Infinity;
          for (let n = 0; n < {PASSES}; n++) {{
            const t = process.hrtime.bigint();
            for (const [file, text] of texts) ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
            best = Math.min(best, Number(process.hrtime.bigint() - t) / 1e6);
          }}
          out[name] = best;
        }}
        console.log(JSON.stringify(out));"
    );
    let all: BTreeMap<&str, Vec<&str>> = packages
        .iter()
        .map(|package| (package.name.as_str(), package.files.iter().map(|(name, _)| name.as_str()).collect()))
        .collect();
    let list = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(list.path(), serde_json::to_vec(&all).unwrap()).unwrap();
    let output = Command::new("node")
        .args(["-e", &program])
        .args([folder.join("typescript/lib/typescript.js"), folder.to_owned()])
        .stdin(list.reopen().unwrap())
        .output()
        .ok()?;
    serde_json::from_slice(&output.stdout).ok()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.iter().find(|argument| !argument.starts_with("--")).map(PathBuf::from);
    let lists = arguments.iter().any(|argument| argument == "--list");
    let all = match &folder {
        Some(folder) => packages(&folder.canonicalize().unwrap()),
        None => {
            let ours = bundled().into_iter().map(|skill| {
                let texts = skill.files.into_iter().filter(|(name, _)| name.ends_with(".d.ts"));
                Package { name: skill.name, files: texts.collect() }
            });
            ours.collect()
        }
    };
    let theirs = folder.as_ref().and_then(|folder| typescript(&folder.canonicalize().unwrap(), &all));
    println!(
        "{:<34} {:>5} {:>6}  {:>7} {:>7} {:>6}  {:>6} {:>7} {:>7} {:>6} {:>6} {:>7} {:>7} {:>7}",
        "package",
        "files",
        "MB",
        "ms/MB",
        "TS",
        "ratio",
        "whole",
        "blocks",
        "shown",
        "heads",
        "notice",
        "orphan",
        "lost",
        "in text"
    );
    let mut sum = (0.0, 0.0, 0.0);
    let mut fates: BTreeMap<Option<Fate>, usize> = BTreeMap::new();
    let mut per_file: Vec<(usize, f64)> = Vec::new();
    for package in &all {
        let size: usize = package.files.iter().map(|(_, text)| text.len()).sum();
        let mut took = Duration::ZERO;
        for (name, text) in &package.files {
            let one = fastest(|| drop(parse("x", "x", &[(name, text)])));
            took += one;
            per_file.push((text.len(), one.as_secs_f64() * 1e3 / megabytes(text.len().max(1))));
        }
        let files: Vec<(&str, &str)> =
            package.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let whole = fastest(|| drop(parse("x", "x", &files))).as_secs_f64() * 1e3 / megabytes(size);
        let mut count: BTreeMap<Option<Fate>, usize> = BTreeMap::new();
        let mut blocks = 0;
        for (name, text) in &files {
            let found = survey(&[(name, text)]);
            let written = text.matches("/**").count();
            blocks += written;
            // What is no comment stands within a text or another comment.
            *count.entry(None).or_default() += written.saturating_sub(found.len());
            for block in found {
                *count.entry(Some(block.fate)).or_default() += 1;
                if lists && block.fate == Fate::Overlooked {
                    println!("    {}/{}", package.name, block.place);
                }
            }
        }
        let of = |fate: Option<Fate>| count.get(&fate).copied().unwrap_or(0);
        let each = took.as_secs_f64() * 1e3;
        let their = theirs.as_ref().and_then(|all| all.get(&package.name)).copied();
        println!(
            "{:<34} {:>5} {:>6.2}  {:>7.1} {:>7.1} {:>6.2}  {:>6.1} {:>7} {:>6.2}% {:>6} {:>6} {:>7} {:>7} {:>7}",
            package.name,
            files.len(),
            megabytes(size),
            each / megabytes(size),
            their.unwrap_or(f64::NAN) / megabytes(size),
            each / their.unwrap_or(f64::NAN),
            whole,
            blocks,
            100.0 * of(Some(Fate::Documents)) as f64 / blocks.max(1) as f64,
            of(Some(Fate::Heads)),
            of(Some(Fate::Notice)),
            of(Some(Fate::Orphan)),
            of(Some(Fate::Overlooked)),
            of(None),
        );
        sum = (sum.0 + megabytes(size), sum.1 + each, sum.2 + their.unwrap_or(f64::NAN));
        for (fate, n) in count {
            *fates.entry(fate).or_default() += n;
        }
    }
    let blocks: usize = fates.values().sum();
    let share = |fate| 100.0 * fates.get(&fate).copied().unwrap_or(0) as f64 / blocks.max(1) as f64;
    println!(
        "all: {:.1} MB, {:.1} ms/MB; the TypeScript compiler {:.1} ms/MB; ratio {:.2}",
        sum.0,
        sum.1 / sum.0,
        sum.2 / sum.0,
        sum.1 / sum.2
    );
    println!(
        "{blocks} blocks: {:.2}% shown, {:.2}% head their file, {:.2}% licences, {:.2}% about nothing, {:.2}% within \
         texts and other comments, {:.2}% lost",
        share(Some(Fate::Documents)),
        share(Some(Fate::Heads)),
        share(Some(Fate::Notice)),
        share(Some(Fate::Orphan)),
        share(None),
        share(Some(Fate::Overlooked))
    );
    // Linear: the largest files cost as much for each MB as those of middling size.
    per_file.retain(|(size, _)| *size >= 10_000);
    per_file.sort_by_key(|(size, _)| *size);
    if let (Some(largest), Some(median)) = (per_file.last(), per_file.get(per_file.len() / 2)) {
        let mut rates: Vec<f64> = per_file.iter().map(|(_, rate)| *rate).collect();
        rates.sort_by(f64::total_cmp);
        println!(
            "files of 10 KB and more: median {:.1} ms/MB; the median size ({:.0} KB) {:.1}; the largest ({:.0} KB) {:.1}; the slowest {:.1}",
            rates[rates.len() / 2],
            median.0 as f64 / 1e3,
            median.1,
            largest.0 as f64 / 1e3,
            largest.1,
            rates[rates.len() - 1]
        );
    }
}
