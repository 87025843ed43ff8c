//! The languages in which commands, notices and errors are written.

use serde::{Deserialize, Serialize};

/// A language of ours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Chinese.
    #[default]
    Zh,
    /// English.
    En,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Zh, Self::En];

    /// From `zh` or `en`.
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "zh" => Some(Language::Zh),
            "en" => Some(Language::En),
            _ => None,
        }
    }

    /// What somebody reads best whose Telegram is set to this IETF tag, such as `zh-hans`.
    pub fn for_tag(tag: &str) -> Self {
        let is_chinese = tag.split('-').next().is_some_and(|first| first.eq_ignore_ascii_case("zh"));
        if is_chinese { Language::Zh } else { Language::En }
    }

    /// `zh` or `en`.
    pub const fn code(self) -> &'static str {
        match self {
            Language::Zh => "zh",
            Language::En => "en",
        }
    }
}
