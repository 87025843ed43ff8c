//! Guides: folders with a `SKILL.md` of the open agent-skills format, read by the model when a description matches.
//!
//! Invariants:
//! - Lenient: what is odd is told, what can be loaded is loaded, and only what has no usable name and description is
//!   refused.
//! - A guide grants nothing: none of its keys (`allowed-tools` among them) touches a permission.
//! - Only a guide's name and description stand in a prompt until it is loaded; its folder's path never does.

mod front;
pub mod shelf;

use std::collections::BTreeMap;

use front::Front;

use super::declaration::Problem;
use crate::text;

/// The front matter must end within so many bytes.
pub const FRONT: usize = 16 * 1024;
/// The most bytes of a body.
pub const BODY: usize = 64_000;
/// The most bytes of a `SKILL.md`: a longer one is not read.
pub const FILE: usize = FRONT + BODY;
/// The most bytes of a file that a guide brings along.
pub const RESOURCE: usize = 32_000;
/// The most files that are listed of one guide's folder.
pub const MOST_FILES: usize = 100;
/// The file that makes a folder a guide.
pub const MAIN: &str = "SKILL.md";

/// The longest name, as the format has it.
const LONGEST_NAME: usize = 64;
/// The most characters of a description that stand in the catalogue, as the format has it.
const LONGEST_DESCRIPTION: usize = 1024;
/// Folders of a guide whose files can be read.
const FOLDERS: [&str; 2] = ["references", "assets"];
/// Endings of the files that can be read.
const TEXTS: [&str; 7] = [".md", ".txt", ".json", ".yaml", ".yml", ".csv", ".d.ts"];

/// A guide as it was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guide {
    /// What it is loaded as: a-z, 0-9 and hyphens.
    pub name: String,
    /// `bundled`, or its folder.
    pub origin: String,
    /// What it is for and when to load it, on one line.
    pub description: String,
    /// Whether it stands in the catalogue; some ask not to be offered to a model.
    pub is_offered: bool,
    /// The files of a bundled one; those of others stay on the disk until they are read.
    pub files: BTreeMap<String, String>,
    /// What is odd about it. It loads all the same.
    pub warnings: Vec<Problem>,
}

/// Reads a `SKILL.md`: what the catalogue needs, and the body.
///
/// # Errors
/// Why the guide is refused, with the line and the remedy.
pub fn parse(folder: &str, origin: &str, text: &str) -> Result<(Guide, String), Problem> {
    let refused = |line: usize, message: String| Problem {
        skill: folder.to_owned(),
        place: place(line),
        message: format!("is refused: {message}"),
    };
    if text.len() > FILE {
        return Err(refused(0, too_large(text.len(), FILE)));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let (front, body) = split(&text).map_err(|message| refused(1, message))?;
    let body = body.trim();
    if body.len() > BODY {
        return Err(refused(0, format!("its body has {} bytes; at most {BODY} are loaded", body.len())));
    }
    let mut notes: Vec<(usize, String)> = Vec::new();
    let front = Front::read(front, &mut notes).map_err(|(line, message)| refused(line, message))?;
    let name = name(folder, &front, &mut notes).map_err(|message| refused(1, message))?;
    let description = description(&front, &mut notes).map_err(|message| refused(1, message))?;
    if !front.is_offered {
        notes.push((front.line("disable-model-invocation"), "asks not to be offered to the model".to_owned()));
    }
    let warnings =
        notes.into_iter().map(|(line, message)| Problem { skill: name.clone(), place: place(line), message }).collect();
    let guide = Guide {
        name,
        origin: origin.to_owned(),
        description,
        is_offered: front.is_offered,
        files: BTreeMap::new(),
        warnings,
    };
    Ok((guide, body.to_owned()))
}

/// What is said of a file that is larger than is read.
pub fn too_large(bytes: usize, most: usize) -> String {
    format!("it has {bytes} bytes; at most {most} are read")
}

/// Whether a path names a file that a guide may bring along: a text under `references/` or `assets/`, or beside
/// `SKILL.md`. Whether it is there, and really inside the folder, shows where it is read.
///
/// # Errors
/// Why not, for whoever asked.
pub fn may_be_read(path: &str) -> Result<(), String> {
    let parts: Vec<&str> = path.split('/').collect();
    if path.contains('\\') || parts.iter().any(|part| part.is_empty() || *part == "." || *part == "..") {
        return Err("the path must lead into the guide's folder, such as references/style.md".to_owned());
    }
    if parts.iter().any(|part| part.starts_with('.')) {
        return Err("hidden files are not read".to_owned());
    }
    if path == MAIN || path == "package.json" {
        return Err(format!("{path} is not one of the guide's files"));
    }
    if parts.len() > 1 && !parts.first().is_some_and(|first| FOLDERS.contains(first)) {
        return Err("only files under references/ and assets/ and beside SKILL.md are read".to_owned());
    }
    if !TEXTS.iter().any(|end| path.ends_with(end)) {
        return Err(format!("only texts are read: {}", TEXTS.join(", ")));
    }
    Ok(())
}

/// Front matter and body. The front matter stands between two lines of three hyphens.
fn split(text: &str) -> Result<(&str, &str), String> {
    const WANTED: &str = "SKILL.md must begin with front matter: `---`, `name:`, `description:`, `---`";
    if text.trim().is_empty() {
        return Err("SKILL.md is empty; it needs front matter with `name` and `description`".to_owned());
    }
    let first = text.lines().next().unwrap_or_default();
    if first.trim_end() != "---" {
        let seen: String = text::characters(first.trim()).take(60).collect();
        return Err(format!("{WANTED}; this one begins with `{seen}`"));
    }
    let start = first.len() + 1;
    let mut at = start;
    for line in text.get(start..).unwrap_or_default().split_inclusive('\n') {
        if at > FRONT {
            break;
        }
        if line.trim_end() == "---" {
            return Ok((text.get(start..at).unwrap_or_default(), text.get(at + line.len()..).unwrap_or_default()));
        }
        at += line.len();
    }
    Err(format!("its front matter is not closed by a line `---` within the first {FRONT} bytes"))
}

fn name(folder: &str, front: &Front, notes: &mut Vec<(usize, String)>) -> Result<String, String> {
    let fits = |name: &str| {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        (1..=LONGEST_NAME).contains(&name.len())
            && name.chars().all(is_plain)
            && !name.starts_with('-')
            && !name.ends_with('-')
    };
    let line = front.line("name");
    match front.name.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) if fits(name) => {
            if name != folder {
                notes.push((line, format!("the folder is `{folder}`, the skill `{name}`: it loads under `{name}`")));
            }
            Ok(name.to_owned())
        }
        Some(name) if fits(folder) => {
            let name: String = text::characters(name).take(LONGEST_NAME).collect();
            let message = format!(
                "`{name}` is no name (a-z, 0-9 and hyphens, at most {LONGEST_NAME}): it loads under `{folder}`"
            );
            notes.push((line, message));
            Ok(folder.to_owned())
        }
        None if fits(folder) => {
            notes.push((1, format!("has no `name`: it loads under its folder's, `{folder}`")));
            Ok(folder.to_owned())
        }
        Some(_) | None => Err(format!(
            "it has no usable `name`: a-z, 0-9 and hyphens, at most {LONGEST_NAME}, such as `weekly-report`"
        )),
    }
}

fn description(front: &Front, notes: &mut Vec<(usize, String)>) -> Result<String, String> {
    let written = front.description.as_deref().unwrap_or_default();
    let words: Vec<&str> = written.split_whitespace().collect();
    if words.is_empty() {
        return Err("it has no `description`; say in a sentence or two what it does and when to use it".to_owned());
    }
    let count = written.trim().chars().count();
    if count <= LONGEST_DESCRIPTION {
        return Ok(words.join(" "));
    }
    let message =
        format!("`description` has {count} characters, {LONGEST_DESCRIPTION} are allowed: cut in the catalogue");
    notes.push((front.line("description"), message));
    let line = words.join(" ");
    // One character is for the mark of the cut.
    let end = line.char_indices().nth(LONGEST_DESCRIPTION - 1).map_or(line.len(), |(at, _)| at);
    let head = line.get(..text::floor(&line, end)).unwrap_or_default();
    // Where words are not spaced, there may be no end of one to be found.
    let head = head.rsplit_once(' ').map_or(head, |(whole, _)| if whole.len() * 2 > head.len() { whole } else { head });
    Ok(format!("{}…", head.trim_end_matches([',', ';', ':', ' '])))
}

fn place(line: usize) -> String {
    if line == 0 { MAIN.to_owned() } else { format!("{MAIN}:{line}") }
}

#[cfg(test)]
mod tests;
