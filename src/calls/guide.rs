//! `skills.load` and `skills.read`: a guide's text and its files, read when they are asked for.
//!
//! Invariants:
//! - Only what lies inside the guide's own folder is read, symbolic links resolved, and no more of it than its bound.
//! - What was read is in the journal, so a replay needs no folder. Where a folder lies is said to nobody.
//! - A call that failed lays nothing on the shelf, and no call writes anything here.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use serde_json::{Value, json};

use super::args::Args;
use super::{Desk, outcome, settled};
use crate::call::{Call, CallError, Settled};
use crate::journal::{Key, Kind};
use crate::skills::bundled;
use crate::skills::disclose::Disclosure;
use crate::skills::guide::shelf::Loaded;
use crate::skills::guide::{self, FILE, Guide, MAIN, MOST_FILES, RESOURCE};

/// How deep the folders of a guide are looked through for its files.
const DEEPEST: usize = 3;

/// Whether a path is answered here.
pub(super) fn answers(path: &str) -> bool {
    matches!(path, "skills.load" | "skills.read")
}

impl Desk {
    pub(super) async fn guide(&self, n: u64, call: &Call) -> Settled {
        if call.path == "skills.load" { self.load(n, call).await } else { self.read_file(n, call).await }
    }

    async fn load(&self, n: u64, call: &Call) -> Settled {
        let found = Args::of(call).text(0, "name").and_then(|name| self.known(&name));
        let loaded = match found {
            Err(error) => Err(error),
            Ok(guide) => {
                let key = Key::of(self.room, Kind::SkillLoaded).number(n);
                let live = async { load(guide).map_err(|what| refused(call, &guide.name, &what)) };
                self.house.tape.outside(key, &json!({ "name": guide.name }), live).await.answer
            }
        };
        self.inside(n, call, |now| {
            let given = loaded.map(|guide: Loaded| {
                let files = guide.files.clone();
                let mut state = self.lock();
                let shown = state.shelf.load(guide, now);
                let is_new = shown.is_some();
                state.docs.extend(shown.map(|text| Disclosure { text, paths: Vec::new() }));
                let note =
                    if is_new { "The guide comes with the report on this script." } else { "It is in view above." };
                json!({ "note": note, "files": files })
            });
            settled(call, outcome(given), false, String::new())
        })
        .await
    }

    async fn read_file(&self, n: u64, call: &Call) -> Settled {
        let args = Args::of(call);
        let wanted = args.text(0, "name").and_then(|name| Ok((self.known(&name)?, args.text(1, "path")?)));
        let read = match wanted {
            Err(error) => Err(error),
            Ok((guide, path)) => {
                let key = Key::of(self.room, Kind::SkillResourceLoaded).number(n);
                let live = async {
                    if !self.lock().shelf.is_open(&guide.name) {
                        let hint = format!("load it first: skills.load({:?})", guide.name);
                        return Err(refused(call, &guide.name, &hint));
                    }
                    read(guide, &path).map_err(|what| refused(call, &path, &what))
                };
                let question = json!({ "name": guide.name, "path": path });
                let text: Result<String, CallError> = self.house.tape.outside(key, &question, live).await.answer;
                text.map(|text| (guide, path, text))
            }
        };
        self.inside(n, call, |now| {
            let given = read.map(|(guide, path, text)| {
                let mut state = self.lock();
                let shown = state.shelf.read(&guide.name, &path, &text, now);
                state.docs.extend(shown.map(|text| Disclosure { text, paths: Vec::new() }));
                Value::String(text)
            });
            settled(call, outcome(given), false, String::new())
        })
        .await
    }

    /// The guide of this name, or which ones there are.
    fn known(&self, name: &str) -> Result<&Guide, CallError> {
        let registry = &self.skills.registry;
        registry.guide(name.trim()).ok_or_else(|| {
            let names: Vec<&str> = registry.guides().filter(|g| g.is_offered).map(|g| g.name.as_str()).collect();
            let there = if names.is_empty() { "there are none".to_owned() } else { names.join(", ") };
            CallError::new("RangeError", format!("no guide is called {name:?}; the guides: {there}"))
        })
    }
}

fn refused(call: &Call, what: &str, why: &str) -> CallError {
    CallError::new("RangeError", format!("{}: {what}: {why}", call.path))
}

/// A guide's text as it stands now, and its files.
fn load(guide: &Guide) -> Result<Loaded, String> {
    let text = file(guide, MAIN, FILE)?;
    let folder = Path::new(&guide.origin).file_name().and_then(|name| name.to_str()).unwrap_or(&guide.name);
    let (now, body) = guide::parse(folder, &guide.origin, &text).map_err(|problem| problem.message)?;
    if now.name != guide.name {
        let name = now.name;
        return Err(format!(
            "it calls itself {name:?} since; it can be loaded once the operator has reloaded the skills"
        ));
    }
    let mut files: Vec<String> = if guide.origin == bundled::ORIGIN {
        guide.files.keys().filter(|path| guide::may_be_read(path).is_ok()).cloned().collect()
    } else {
        let mut files = Vec::new();
        list(Path::new(&guide.origin), "", 0, &mut files);
        files
    };
    files.sort();
    files.truncate(MOST_FILES);
    Ok(Loaded { name: guide.name.clone(), body, files })
}

fn read(guide: &Guide, path: &str) -> Result<String, String> {
    guide::may_be_read(path)?;
    file(guide, path, RESOURCE)
}

fn file(guide: &Guide, path: &str, most: usize) -> Result<String, String> {
    if guide.origin == bundled::ORIGIN {
        return guide.files.get(path).cloned().ok_or_else(|| NOT_THERE.to_owned());
    }
    text_inside(Path::new(&guide.origin), path, most)
}

const NOT_THERE: &str = "there is no such file";

/// A text file of a folder, of at most so many bytes. What a link leads to must lie in the folder too.
///
/// # Errors
/// Why it is not read, without naming the folder.
pub fn text_inside(folder: &Path, path: &str, most: usize) -> Result<String, String> {
    let gone = |_| NOT_THERE.to_owned();
    let folder = folder.canonicalize().map_err(gone)?;
    let target = folder.join(path).canonicalize().map_err(gone)?;
    if !target.starts_with(&folder) {
        return Err("it leads out of the skill's folder".to_owned());
    }
    // Opening a pipe would wait for whoever writes to it.
    if !target.is_file() {
        return Err("it is no file".to_owned());
    }
    let open = File::open(&target).map_err(|error| format!("it cannot be read: {}", error.kind()))?;
    let size = open.metadata().map_or(u64::MAX, |meta| meta.len());
    let bound = u64::try_from(most).unwrap_or(u64::MAX);
    if size > bound {
        return Err(guide::too_large(usize::try_from(size).unwrap_or(usize::MAX), most));
    }
    let mut bytes = Vec::new();
    // It may have grown since.
    open.take(bound + 1).read_to_end(&mut bytes).map_err(|error| format!("it cannot be read: {}", error.kind()))?;
    if bytes.len() > most {
        return Err(guide::too_large(bytes.len(), most));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(format!("it is not text: byte {} is zero", at + 1));
    }
    String::from_utf8(bytes)
        .map_err(|error| format!("it is not UTF-8: byte {} is wrong", error.utf8_error().valid_up_to() + 1))
}

/// The files that may be read, as paths within the folder. Links are left out: where they lead shows when they are read.
fn list(folder: &Path, within: &str, depth: usize, files: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder.join(within)) else { return };
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = if within.is_empty() { name } else { format!("{within}/{name}") };
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < DEEPEST => {
                // Whatever a file there would be called, it must be one that may be read.
                if guide::may_be_read(&format!("{path}/x.md")).is_ok() {
                    list(folder, &path, depth + 1, files);
                }
            }
            Ok(kind) if kind.is_file() && guide::may_be_read(&path).is_ok() => files.push(path),
            Ok(_) | Err(_) => {}
        }
        if files.len() >= MOST_FILES {
            return;
        }
    }
}
