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

/// Passes over everything at least.
const PASSES: u32 = 3;
/// Processor time after which a figure is believed.
const ENOUGH: Duration = Duration::from_millis(100);

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

/// The processor time of this thread, to the nanosecond; the clock's where the kernel does not tell.
fn processor(start: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let told = text.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse().ok());
    told.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// Milliseconds of processor time that one run takes: a busy machine must not count. The kernel counts in steps, so it is
/// run until they do not matter.
fn cost(mut run: impl FnMut()) -> f64 {
    let start = Instant::now();
    let began = processor(start);
    let mut times = 0_u32;
    while times < PASSES || processor(start).saturating_sub(began) < ENOUGH {
        run();
        times += 1;
    }
    processor(start).saturating_sub(began).as_secs_f64() * 1e3 / f64::from(times)
}

/// What the TypeScript compiler takes to parse each package's files, in milliseconds of processor time.
fn typescript(folder: &Path, packages: &[Package]) -> Option<BTreeMap<String, f64>> {
    let program = format!(
        "const ts = require(process.argv[1]), fs = require('fs'), root = process.argv[2], all = JSON.parse(fs.readFileSync(0));
        const out = {{}};
        for (const [name, files] of Object.entries(all)) {{
          const texts = files.map(file => [file, fs.readFileSync(root + '/' + name + '/' + file, 'utf8')]);
          let best = Infinity;
          for (let n = 0; n < {PASSES}; n++) {{
            const t = process.cpuUsage();
            for (const [file, text] of texts) ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
            const d = process.cpuUsage(t);
            best = Math.min(best, (d.user + d.system) / 1e3);
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
    for package in &all {
        let size: usize = package.files.iter().map(|(_, text)| text.len()).sum();
        let each = cost(|| package.files.iter().for_each(|(name, text)| drop(parse("x", "x", &[(name, text)]))));
        let files: Vec<(&str, &str)> =
            package.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let whole = cost(|| drop(parse("x", "x", &files))) / megabytes(size);
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
    // Linear: a megabyte costs as much in large files as in small ones.
    for (from, to) in [(0, 10), (10, 30), (30, 100), (100, 300), (300, 10_000)] {
        let is_of = |text: &str| (from * 1000..to * 1000).contains(&text.len());
        let texts = all.iter().flat_map(|package| &package.files).map(|(_, text)| text.as_str());
        let texts: Vec<&str> = texts.filter(|text| is_of(text)).collect();
        let size = megabytes(texts.iter().map(|text| text.len()).sum());
        if size > 0.0 {
            let took = cost(|| texts.iter().for_each(|text| drop(parse("x", "x", &[("x.d.ts", text)]))));
            println!("{:>5} files of {from} to {to} KB, {size:>5.1} MB: {:>5.1} ms/MB", texts.len(), took / size);
        }
    }
}
