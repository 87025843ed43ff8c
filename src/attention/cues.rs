//! Words that tell what people want of us, in Chinese and English.

/// What in the next words of somebody we answered asks for more of us: questions and corrections. Thanks, laughter and
/// remarks do not.
const WANTS_MORE: [&str; 30] = [
    "?", "？", "吗", "呢", "什么", "怎么", "为啥", "咋", "几点", "哪", "多少", "谁", "不是", "不对", "错了", "改",
    "换成", "算了", "取消", "还有", "再", "帮", "what", "why", "how", "when", "where", "who", "wrong", "instead",
];

/// Words that ask an addressed us for quiet, and those that lift it.
const HUSH: [&str; 6] = ["别说话", "闭嘴", "安静", "别吵", "be quiet", "shut up"];
const UNHUSH: [&str; 4] = ["可以说话", "说话吧", "解除", "you can talk"];

/// Leads by which people give their own name.
const INTRODUCTIONS: [&str; 7] = ["叫我", "喊我", "我是", "我叫", "call me ", "i am ", "i'm "];

/// Whether the next words of somebody we answered ask for more of us.
pub(super) fn wants_more(text: &str) -> bool {
    let text = text.to_lowercase();
    WANTS_MORE.iter().any(|cue| text.contains(cue))
}

/// Whether words to us ask for quiet (`true`) or lift it (`false`).
pub(super) fn hush(text: &str) -> Option<bool> {
    let text = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(&UNHUSH) { Some(false) } else { has(&HUSH).then_some(true) }
}

/// Whether somebody gives this (lower-case) name as their own.
pub(super) fn introduces(text: &str, name: &str) -> bool {
    let text = text.to_lowercase();
    INTRODUCTIONS.iter().any(|lead| {
        let words = format!("{lead}{name}");
        // "我是小夏的粉丝" and "i'm summering" give another name than that.
        text.match_indices(&words).any(|(at, _)| {
            let next = text[at + words.len()..].chars().next();
            !next.is_some_and(|c| c == '的' || c == '\'' || (name.is_ascii() && c.is_ascii_alphanumeric()))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_who_takes_the_name_introduces_themselves_by_it() {
        for (text, name, expected) in [
            ("大家好！叫我小夏就行", "小夏", true),
            ("我是小夏", "小夏", true),
            ("Call me Summer!", "summer", true),
            ("我是小夏的粉丝", "小夏", false),
            ("I'm Summer's friend", "summer", false),
            ("i'm summering in Rome", "summer", false),
            ("小夏我是来道歉的", "小夏", false),
        ] {
            assert_eq!(introduces(text, name), expected, "{text}");
        }
    }

    #[test]
    fn quiet_is_asked_for_and_lifted() {
        for (text, expected) in [
            ("夏夏你先闭嘴到两点", Some(true)),
            ("夏夏可以说话了", Some(false)),
            ("shut up please", Some(true)),
            ("夏夏 在吗", None),
        ] {
            assert_eq!(hush(text), expected, "{text}");
        }
    }
}
