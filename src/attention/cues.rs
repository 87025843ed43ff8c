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
    INTRODUCTIONS.iter().any(|lead| text.contains(&format!("{lead}{name}")))
}
