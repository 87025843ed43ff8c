//! The guides that can be loaded, one line each.

use super::Registry;
use super::brief::first_sentence;
use crate::skills::guide::Guide;

impl Registry {
    /// A line for every guide that may be offered, within `budget` bytes: whole descriptions if they fit, otherwise first
    /// sentences, then names. Empty if there is none.
    pub fn catalogue(&self, budget: usize) -> String {
        let all: Vec<_> = self.guides().filter(|guide| guide.is_offered).collect();
        let lengths: [fn(&str) -> &str; 3] = [|text| text, first_sentence, |_| ""];
        let mut text = String::new();
        for shorten in lengths {
            text = all.iter().map(|guide| line(&guide.name, shorten(&guide.description))).collect();
            if text.len() <= budget {
                return text;
            }
        }
        while text.len() > budget {
            let shorter = text.trim_end().rfind('\n').map_or(0, |end| end + 1);
            text.truncate(shorter);
        }
        text
    }
}

impl Guide {
    /// Its line in the list where there is room for all of it.
    pub fn line(&self) -> String {
        line(&self.name, &self.description)
    }
}

fn line(name: &str, description: &str) -> String {
    format!("<skill name=\"{}\">{}</skill>\n", escaped(name), escaped(description))
}

/// A text that stays within its tag.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
