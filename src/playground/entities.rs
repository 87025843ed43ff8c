//! Finding mentions, commands and addresses in what people say.

use serde_json::{Value, json};

/// The entities that Telegram finds by itself: commands, mentions and web addresses, each a word of its own. Like the
/// real one it takes ASCII names only, so `@bot帮我` is a mention of `bot`, and `甲@bot` is none.
pub(super) fn entities(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut unit = 0;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
        let starts_word = !(before.is_alphanumeric() || before == '_' || before == '/' || before == '@');
        let name = |rest: &str, more: &[char]| {
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_' || more.contains(c)).count()
        };
        let (kind, length) = match c {
            '@' if starts_word => ("mention", name(rest, &[])),
            '/' if starts_word => ("bot_command", name(rest, &['@'])),
            'h' if starts_word && (rest.starts_with("ttp://") || rest.starts_with("ttps://")) => {
                ("url", rest.chars().take_while(|c| c.is_ascii_graphic()).count())
            }
            _ => ("", 0),
        };
        if length > 0 {
            found.push(json!({"type": kind, "offset": unit, "length": length + 1}));
        }
        unit += c.len_utf16();
        before = c;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_found_as_telegram_finds_them() {
        let found = |text: &str| {
            let list = entities(text);
            list.iter().map(|e| format!("{}@{}+{}", e["type"].as_str().unwrap(), e["offset"], e["length"])).collect()
        };
        let rows: [(&str, Vec<&str>); 6] = [
            ("😀 @ann_l hi", vec!["mention@3+6"]),
            ("/why@xiaxia_bot now", vec!["bot_command@0+15"]),
            ("@xiaxia_bot帮我", vec!["mention@0+11"]),
            ("mail a@b.c and/or", vec![]),
            ("see https://example.com/a?b", vec!["url@4+23"]),
            ("@ alone /", vec![]),
        ];
        for (text, expected) in rows {
            let got: Vec<String> = found(text);
            assert_eq!(got, expected, "{text}");
        }
    }
}
