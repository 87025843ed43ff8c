//! The guides that lie open in a room: loaded once, in view until they are put away.
//!
//! Invariants:
//! - What lies here was put here by a call that succeeded, never because of what a text looks like.
//! - Nothing here is shortened. What does not fit is put away whole: files first, then guides, whatever was used longest
//!   ago before the rest; of a guide put away for want of room a line remains that it can be loaded again.

use serde::{Deserialize, Serialize};

use super::super::registry::escaped;
use crate::time::{Span, Timestamp};

/// A guide's text, as it was loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loaded {
    /// The guide.
    pub name: String,
    /// What follows its front matter.
    pub body: String,
    /// Paths of its files, for `skills.read`.
    pub files: Vec<String>,
}

/// What lies open in one room.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    /// In the order in which they were loaded.
    open: Vec<Open>,
    /// Guides that were put away for want of room, and when they were last used.
    away: Vec<(String, Timestamp)>,
}

#[derive(Clone, Debug)]
struct Open {
    guide: Loaded,
    /// Path and text of its files that were read.
    read: Vec<(String, String)>,
    used: Timestamp,
}

impl Shelf {
    /// Whether this guide is in view.
    pub fn is_open(&self, name: &str) -> bool {
        self.open.iter().any(|open| open.guide.name == name)
    }

    /// A guide was loaded. What its reader now has to be shown: nothing if it is in view as it is.
    pub fn load(&mut self, guide: Loaded, now: Timestamp) -> Option<String> {
        self.away.retain(|(name, _)| *name != guide.name);
        if let Some(open) = self.open.iter_mut().find(|open| open.guide == guide) {
            open.used = now;
            return None;
        }
        let text = body(&guide);
        let read = Vec::new();
        // One that changed since lies there anew; what was read of it before may be no longer so.
        self.open.retain(|open| open.guide.name != guide.name);
        self.open.push(Open { guide, read, used: now });
        Some(text)
    }

    /// A file of a guide was read. What its reader now has to be shown: nothing if it is in view as it is.
    pub fn read(&mut self, name: &str, path: &str, text: &str, now: Timestamp) -> Option<String> {
        let open = self.open.iter_mut().find(|open| open.guide.name == name)?;
        open.used = now;
        if open.read.iter().any(|(known, old)| known == path && old == text) {
            return None;
        }
        open.read.retain(|(known, _)| known != path);
        open.read.push((path.to_owned(), text.to_owned()));
        Some(file(name, path, text))
    }

    /// Puts away what nobody used for `keep`, and whatever is too much for `most` bytes.
    pub fn tidy(&mut self, now: Timestamp, keep: Span, most: usize) {
        let is_fresh = |used: Timestamp| now.since(used) <= keep;
        self.open.retain(|open| is_fresh(open.used));
        self.away.retain(|(_, used)| is_fresh(*used));
        while self.text().len() > most {
            let with_files = self.open.iter_mut().filter(|open| !open.read.is_empty());
            if let Some(open) = with_files.min_by_key(|open| open.used) {
                open.read.remove(0);
                continue;
            }
            let Some((index, _)) = self.open.iter().enumerate().min_by_key(|(_, open)| open.used) else { break };
            let open = self.open.remove(index);
            self.away.push((open.guide.name, open.used));
        }
    }

    /// All that lies open: guides first, then their files, then what can be loaded again. Empty if there is nothing.
    pub fn text(&self) -> String {
        let bodies = self.open.iter().map(|open| body(&open.guide));
        let files =
            self.open.iter().flat_map(|open| open.read.iter().map(|(path, text)| file(&open.guide.name, path, text)));
        let mut text: String = bodies.chain(files).collect();
        let away: Vec<&str> = self.away.iter().map(|(name, _)| name.as_str()).collect();
        if !away.is_empty() {
            text.push_str(&format!(
                "(Loaded earlier and put away since; skills.load brings one back: {}.)\n",
                away.join(", ")
            ));
        }
        text
    }
}

fn body(guide: &Loaded) -> String {
    let mut text = format!("<guide name=\"{}\">\n{}\n", guide.name, kept(&guide.body));
    if !guide.files.is_empty() {
        text.push_str(&format!(
            "(Its files, for skills.read(\"{}\", path): {})\n",
            guide.name,
            guide.files.iter().map(|path| escaped(path)).collect::<Vec<_>>().join(", ")
        ));
    }
    text.push_str("</guide>\n");
    text
}

fn file(name: &str, path: &str, text: &str) -> String {
    format!("<guide-file name=\"{name}\" path=\"{}\">\n{}\n</guide-file>\n", escaped(path), kept(text))
}

/// The text as it is, but for what would end its section.
fn kept(text: &str) -> String {
    text.trim_end().replace("</guide", "<\\/guide")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guide(name: &str, body: &str) -> Loaded {
        Loaded { name: name.to_owned(), body: body.to_owned(), files: vec!["assets/a.md".to_owned()] }
    }

    #[test]
    fn guides_come_before_files_and_each_is_shown_once() {
        let mut shelf = Shelf::default();
        assert_eq!(shelf.text(), "");
        let shown = shelf.load(guide("tea", "Boil.</guide>\n"), Timestamp(1)).unwrap();
        assert_eq!(
            shown,
            "<guide name=\"tea\">\nBoil.<\\/guide>\n(Its files, for skills.read(\"tea\", path): assets/a.md)\n</guide>\n"
        );
        assert_eq!(shelf.load(guide("tea", "Boil.</guide>\n"), Timestamp(2)), None, "it is in view");
        assert!(shelf.read("tea", "assets/a.md", "A", Timestamp(3)).unwrap().contains("path=\"assets/a.md\">\nA\n"));
        assert_eq!(shelf.read("tea", "assets/a.md", "A", Timestamp(4)), None, "it is in view");
        assert_eq!(shelf.read("coffee", "assets/a.md", "A", Timestamp(4)), None, "it was never loaded");
        shelf.load(guide("ice", "Freeze."), Timestamp(5)).unwrap();
        let text = shelf.text();
        let at = |part: &str| text.find(part).unwrap();
        assert!(
            at("name=\"tea\"") < at("name=\"ice\"") && at("name=\"ice\"") < at("<guide-file name=\"tea\""),
            "{text}"
        );
        assert!(shelf.load(guide("tea", "Boil more."), Timestamp(6)).is_some(), "it changed");
        assert_eq!(shelf.text().matches("<guide name=\"tea\"").count(), 1);
        assert!(!shelf.text().contains("guide-file"), "what was read of the old one is gone");
    }

    #[test]
    fn over_budget_files_go_first_then_guides_and_a_line_remains() {
        let mut shelf = Shelf::default();
        shelf.load(guide("tea", &"x".repeat(300)), Timestamp(1));
        shelf.load(guide("ice", &"y".repeat(300)), Timestamp(2));
        shelf.read("tea", "assets/a.md", &"z".repeat(300), Timestamp(3));
        let keep = Span::hours(1);
        shelf.tidy(Timestamp(4), keep, 5000);
        assert!(shelf.text().contains("zzz"), "all of it fits");
        shelf.tidy(Timestamp(4), keep, 900);
        assert!(!shelf.text().contains("zzz") && shelf.is_open("tea") && shelf.is_open("ice"));
        shelf.tidy(Timestamp(4), keep, 600);
        assert!(shelf.is_open("tea") && !shelf.is_open("ice"), "the one used longest ago goes first");
        assert!(shelf.text().ends_with("skills.load brings one back: ice.)\n"), "{}", shelf.text());
        shelf.tidy(Timestamp(4), keep, 0);
        assert!(shelf.text().contains("ice, tea"), "{}", shelf.text());
        shelf.load(guide("ice", "y"), Timestamp(5));
        assert!(shelf.is_open("ice") && shelf.text().contains("brings one back: tea."));
        shelf.tidy(Timestamp(6) + Span::hours(2), keep, 5000);
        assert_eq!(shelf.text(), "", "after the idle time nothing is left, not even a line");
    }
}
