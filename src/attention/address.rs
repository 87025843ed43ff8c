//! Whether a message is meant for us.
//!
//! Names are matched as words, also where no spaces part words: in Chinese talk a name that is *called* stands at the
//! start of a clause, or alone, or at its end after what was asked; a name that is talked *about*, or whose letters
//! straddle two other words, stands elsewhere or goes on differently.

use serde::{Deserialize, Serialize};

use crate::chat::message::{Mention, Message};
use crate::chat::person::{Chat, ChatKind, Identity, Sender};

/// In which way a message is meant for us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// It was said to us alone.
    Dm,
    /// `@username`, or a link to us.
    Mention,
    /// It answers a message of ours.
    Reply,
    /// It calls us by a name.
    Name,
    /// A command with our username behind it.
    Command,
}

/// What we answer to.
#[derive(Clone, Debug)]
pub struct Address {
    id: crate::chat::ids::PersonId,
    username: String,
    names: Vec<String>,
}

/// After a called name in a Chinese clause: whom, what, when and how people go on when they speak *to* somebody.
const GOES_ON: &str =
    "你您帮请来能可会在快给查记提看算讲醒出把别要怎什为下几谁问那这咱我以每明后今周早晚再还先也有没知";
/// Words after which a name is still called, at the end of a greeting.
const GREETINGS: [&str; 16] = [
    "谢谢", "谢啦", "多谢", "感谢", "辛苦", "早安", "晚安", "早", "嗨", "嘿", "请问", "麻烦", "hi", "hey", "hello",
    "thanks",
];
/// Words before a name at the end of a clause by which it is talked about, not to.
const ABOUT: &str = "的了问叫找是给让和跟被把喊用像比对说个有";
/// What makes a longer word, or talk about somebody, out of a name and the character behind it.
const OTHER_WORDS: [&str; 14] =
    ["昨天", "今天", "刚才", "刚刚", "上次", "之前", "今早", "说你", "说我", "说的", "先生", "同学", "老师", "他们"];

impl Address {
    /// For this identity.
    pub fn new(me: &Identity) -> Self {
        let mut names: Vec<String> = Vec::new();
        for name in std::iter::once(&me.name).chain(&me.aliases) {
            let name = name.trim().to_lowercase();
            if name.chars().count() > 1 && !names.contains(&name) {
                names.push(name);
            }
        }
        // The longest first, so that a short alias inside a long one is not counted apart.
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        Self { id: me.id, username: me.username.to_lowercase(), names }
    }

    /// In which way the message is meant for us, if it is.
    pub fn of(&self, message: &Message, chat: &Chat) -> Option<How> {
        if message.from == Sender::Us {
            return None;
        }
        if chat.kind == ChatKind::Private {
            return Some(How::Dm);
        }
        if let Some(command) = &message.command {
            let is_ours = command.to.as_ref().is_some_and(|to| to.eq_ignore_ascii_case(&self.username));
            if is_ours {
                return Some(How::Command);
            }
            if command.to.is_some() {
                return None;
            }
        }
        let is_named = message.mentions.iter().any(|mention| match mention {
            Mention::Username(name) => name.eq_ignore_ascii_case(&self.username),
            Mention::Person(person) => *person == self.id,
        });
        let text = message.text.to_lowercase();
        if is_named || has_handle(&text, &self.username) {
            return Some(How::Mention);
        }
        if message.reply_to.as_ref().is_some_and(|quote| quote.from == Some(Sender::Us)) {
            return Some(How::Reply);
        }
        self.called_by(&text).map(|_| How::Name)
    }

    /// The name by which a text calls us.
    pub fn called(&self, text: &str) -> Option<&str> {
        self.called_by(&text.to_lowercase())
    }

    /// Whether a text only calls us and says nothing yet.
    pub fn is_bare_call(&self, text: &str) -> bool {
        let mut rest = text.to_lowercase().replace(&format!("@{}", self.username), "");
        for name in &self.names {
            rest = rest.replace(name, "");
        }
        !rest.chars().any(is_word)
    }

    /// Our username, in lower case.
    pub fn username(&self) -> &str {
        &self.username
    }

    /// Our names as they are compared: in lower case, the longest first.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    fn called_by(&self, lower: &str) -> Option<&str> {
        self.names.iter().find(|name| calls(lower, name)).map(String::as_str)
    }
}

/// `@name` as a whole handle. Telegram marks none when a letter of another script touches it, but people mean it.
fn has_handle(lower: &str, username: &str) -> bool {
    if username.is_empty() {
        return false;
    }
    let handle = format!("@{username}");
    lower.match_indices(&handle).any(|(at, _)| {
        let after = lower[at + handle.len()..].chars().next();
        !after.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

fn calls(lower: &str, name: &str) -> bool {
    let mut from = 0;
    while let Some(found) = lower[from..].find(name) {
        let (start, mut end) = (from + found, from + found + name.len());
        // A name called twice in a row is one call.
        while lower[end..].starts_with(name) {
            end += name.len();
        }
        if is_call(&lower[..start], &lower[end..], name) {
            return true;
        }
        from = end;
    }
    false
}

fn is_call(before: &str, after: &str, name: &str) -> bool {
    let (previous, next) = (before.chars().next_back(), after.chars().next());
    if !name.chars().any(is_cjk) {
        // A spaced script: bounded on both sides is a word. Called or talked about is not told apart there.
        return !previous.is_some_and(is_word) && !next.is_some_and(is_word);
    }
    let starts = !previous.is_some_and(is_word) || GREETINGS.iter().any(|word| before.trim_end().ends_with(word));
    let ends = !next.is_some_and(is_word);
    if starts && ends {
        return true;
    }
    if starts {
        return next.is_some_and(|c| GOES_ON.contains(c) || c.is_ascii_alphanumeric())
            && !OTHER_WORDS.iter().any(|word| after.starts_with(word));
    }
    // At the end of a clause: "你觉得呢小夏", but not "我问了小夏".
    ends && previous
        .is_some_and(|c| matches!(c, '呢' | '吗' | '吧' | '啊' | '嘛' | '呀' | '哦' | '下') && !ABOUT.contains(c))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || is_cjk(c)
}

fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::ids::PersonId;

    fn address() -> Address {
        Address::new(&Identity {
            id: PersonId(1),
            name: "小夏".into(),
            username: "xiaxia_bot".into(),
            aliases: vec!["夏夏".into(), "Summer".into()],
        })
    }

    #[test]
    fn a_name_is_a_call_only_as_a_word() {
        let rows = [
            ("小夏 你怎么看", true),
            ("夏夏", true),
            ("夏夏夏夏 那停写多久", true),
            ("夏夏你醒着不", true),
            ("公司停车位：夏夏帮我记", true),
            ("谢谢小夏", true),
            ("你觉得呢小夏", true),
            ("哈哈，小夏！", true),
            ("hey summer, what now", true),
            ("SUMMER?", true),
            ("midsummer night", false),
            ("这个歌单叫《小夏天》", false),
            ("小夏天 第三首", false),
            ("我弟报了个初夏夏令营", false),
            ("小夏威夷果是不是涨价了", false),
            ("今年夏天小夏威夷果", false),
            ("小夏昨天说我矿", false),
            ("我问了小夏", false),
            ("好的小夏", false),
            ("那个夏夏多少钱一个月", false),
        ];
        for (text, expected) in rows {
            assert_eq!(address().called(text).is_some(), expected, "{text}");
        }
    }

    #[test]
    fn a_handle_is_ours_only_whole() {
        assert!(has_handle("@xiaxia_bot明天提醒", "xiaxia_bot"));
        assert!(has_handle("喊 @xiaxia_bot", "xiaxia_bot"));
        assert!(!has_handle("@xiaxia_bot2 hi", "xiaxia_bot"));
        assert!(!has_handle("xiaxia_bot", "xiaxia_bot"));
    }
}
