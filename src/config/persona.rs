//! Who it is: front matter between `+++` lines (TOML), then prose in its own voice.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use toml::de::{DeTable, DeValue};

use super::error::ConfigError;
use super::{Language, hex};

/// The personas inside the binary.
const BUNDLED: [(&str, &str); 2] =
    [("xiaxia", include_str!("../../persona/xiaxia.md")), ("robin", include_str!("../../persona/robin.md"))];

/// A persona longer than this would crowd the talk out of every prompt.
const PROSE_LIMIT: usize = 16 * 1024;

/// Who it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Persona {
    /// The name it goes by.
    pub name: String,
    /// Further names that it answers to.
    pub aliases: Vec<String>,
    /// The language that it speaks where a chat has none configured.
    pub language: Language,
    /// Its temper in a few words.
    pub temper: String,
    /// Who it is, for the prompt.
    pub prose: String,
}

impl Persona {
    /// Reads a persona; `file` names it in errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, ConfigError> {
        let fault = |line: Option<usize>, message: &str| {
            let place = line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}"));
            let example = "begin with `+++`, `name = \"小夏\"`, `aliases = [\"夏夏\"]`, `language = \"zh\"`, \
                           `temper = \"warm, brief\"`, `+++`, then the prose";
            ConfigError::Persona { place, message: format!("{message}; {example}") }
        };
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let rest = text.strip_prefix("+++\n").ok_or_else(|| fault(Some(1), "the front matter is missing"))?;
        let (front, prose) =
            rest.split_once("\n+++").ok_or_else(|| fault(Some(1), "the front matter has no closing `+++`"))?;
        let table = DeTable::parse(front).map_err(|error| {
            // The opening line comes before the front matter's own first.
            let line = 2 + error.span().map_or(0, |span| front[..span.start.min(front.len())].matches('\n').count());
            fault(Some(line), &error.message().replace('\n', " "))
        })?;
        let mut persona = Self {
            name: String::new(),
            aliases: Vec::new(),
            language: Language::default(),
            temper: String::new(),
            prose: prose.trim().to_owned(),
        };
        for (key, value) in table.get_ref() {
            let line = Some(2 + front[..key.span().start].matches('\n').count());
            let (name, value) = (key.get_ref().as_ref(), value.get_ref());
            let wrong = |expected: &str| fault(line, &format!("`{name}` should be {expected}"));
            match name {
                "name" => persona.name = text_of(value).ok_or_else(|| wrong("a text"))?,
                "temper" => persona.temper = text_of(value).ok_or_else(|| wrong("a text"))?,
                "aliases" => {
                    let items = value.as_array().map(|items| items.iter().map(|item| text_of(item.get_ref())));
                    let aliases: Option<Vec<_>> = items.and_then(Iterator::collect);
                    persona.aliases = aliases.ok_or_else(|| wrong("a list of names"))?;
                }
                "language" => {
                    let language = value.as_str().and_then(Language::from_code);
                    persona.language = language.ok_or_else(|| wrong("\"zh\" or \"en\""))?;
                }
                _ => return Err(fault(line, &format!("unknown key `{name}`"))),
            }
        }
        if persona.name.is_empty() {
            return Err(fault(Some(2), "`name` is missing"));
        }
        if persona.prose.is_empty() {
            return Err(fault(None, "the prose is missing"));
        }
        if persona.prose.len() > PROSE_LIMIT {
            return Err(fault(None, &format!("the prose is longer than {PROSE_LIMIT} bytes")));
        }
        Ok(persona)
    }

    /// One of the personas inside the binary.
    pub fn bundled(name: &str) -> Option<Result<Self, ConfigError>> {
        let (name, text) = BUNDLED.iter().find(|(known, _)| *known == name)?;
        Some(Self::parse(&format!("persona/{name}.md"), text))
    }

    /// The names of the personas inside the binary.
    pub fn bundled_names() -> impl Iterator<Item = &'static str> {
        BUNDLED.iter().map(|(name, _)| *name)
    }

    /// As the configuration names it: a file (it ends in `.md`), a `persona/NAME.md` beside the configuration,
    /// or a bundled name, in this order.
    pub(super) fn find(name: &str, base: &Path) -> Result<Self, ConfigError> {
        let by_file = name.ends_with(".md");
        let path = if by_file { base.join(name) } else { base.join("persona").join(format!("{name}.md")) };
        let is_plain = !name.is_empty() && !name.contains(['/', '\\']);
        if by_file || (is_plain && path.is_file()) {
            let shown = path.display().to_string();
            let text = std::fs::read_to_string(&path).map_err(|error| ConfigError::Persona {
                place: shown.clone(),
                message: format!("the persona cannot be read ({error}); give a file or one of: {}", known()),
            })?;
            return Self::parse(&shown, &text);
        }
        Self::bundled(name).unwrap_or_else(|| {
            let message = format!("no persona is called {name:?}; give a file ending in .md, or one of: {}", known());
            Err(ConfigError::Persona { place: "persona".to_owned(), message })
        })
    }

    /// A digest of everything in it, for a journal's header.
    pub fn digest(&self) -> String {
        let parts = [&self.name, &self.aliases.join("\n"), self.language.code(), &self.temper, &self.prose];
        hex(&Sha256::digest(parts.join("\0")))
    }
}

fn known() -> String {
    Persona::bundled_names().collect::<Vec<_>>().join(", ")
}

fn text_of(value: &DeValue<'_>) -> Option<String> {
    value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_personas_parse() {
        for name in Persona::bundled_names() {
            let persona = Persona::bundled(name).unwrap().unwrap();
            assert!(!persona.aliases.is_empty(), "{name}");
            assert!(persona.prose.len() < 4096, "{name}: the prompt carries it every time");
        }
        assert_eq!(Persona::bundled("xiaxia").unwrap().unwrap().name, "小夏");
        assert_eq!(Persona::bundled("robin").unwrap().unwrap().language, Language::En);
    }

    #[test]
    fn a_broken_persona_says_where_and_what_would_do() {
        let rows = [
            ("just prose", "p.md:1: the front matter is missing"),
            ("+++\nname = \"A\"\n", "p.md:1: the front matter has no closing"),
            ("+++\nname = \"A\"\nmood = \"x\"\n+++\nI am.", "p.md:3: unknown key `mood`"),
            ("+++\nname = 3\n+++\nI am.", "p.md:2: `name` should be a text"),
            ("+++\nname = \"A\"\nlanguage = \"tlh\"\n+++\nI am.", "p.md:3: `language` should be \"zh\" or \"en\""),
            ("+++\nname = \n+++\nI am.", "p.md:2: "),
            ("+++\nname = \"A\"\n+++\n", "p.md: the prose is missing"),
            ("+++\naliases = []\n+++\nI am.", "p.md:2: `name` is missing"),
        ];
        for (text, expected) in rows {
            let message = Persona::parse("p.md", text).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
            assert!(message.contains("+++") && !message.contains('\n'), "{message}");
        }
    }

    #[test]
    fn a_file_beside_the_configuration_goes_before_the_bundled_one() {
        let base = tempfile::tempdir().unwrap();
        assert_eq!(Persona::find("robin", base.path()).unwrap().name, "Robin");
        std::fs::create_dir(base.path().join("persona")).unwrap();
        std::fs::write(base.path().join("persona/robin.md"), "+++\r\nname = \"Other\"\r\n+++\r\nHi.").unwrap();
        assert_eq!(Persona::find("robin", base.path()).unwrap().name, "Other");
        assert_eq!(Persona::find("persona/robin.md", base.path()).unwrap().prose, "Hi.");
        assert!(Persona::find("nobody", base.path()).unwrap_err().to_string().contains("xiaxia, robin"));
        assert!(Persona::find("gone.md", base.path()).unwrap_err().to_string().contains("cannot be read"));
    }
}
