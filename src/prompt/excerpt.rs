//! The author's line with a caret under the place that an error speaks of.

use crate::text::{characters, columns};

/// Columns of a line that are shown; of a longer one, what stands around the place.
const WIDEST: usize = 100;
/// Columns shown before the place in a line that is too long.
const BEFORE: usize = 60;

/// Two lines, such as `  2 | a.b()` and `    |   ^`; `None` if the text has no such line. The position counts lines and
/// `char`s from 1.
pub(super) fn excerpt(source: &str, (line, column): (u32, u32)) -> Option<String> {
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    let text = source.split('\n').nth(index)?;
    let text = text.strip_suffix('\r').unwrap_or(text);
    let column = usize::try_from(column).ok()?.saturating_sub(1);
    let at = text.char_indices().nth(column).map_or(text.len(), |(at, _)| at);
    // Each character as it is shown: a tab stays one, so that the caret stands right however wide it is.
    let mut shown: Vec<String> = Vec::new();
    let (mut place, mut end) = (0, 0);
    for character in characters(text) {
        end += character.len();
        if end <= at {
            place += 1;
        }
        shown.push(visible(character));
    }
    let width = |part: &[String]| part.iter().map(|character| columns(character)).sum::<usize>();
    let (mut from, mut to) = (0, shown.len());
    if width(&shown) > WIDEST {
        from = place;
        while from > 0 && width(&shown[from - 1..place]) <= BEFORE {
            from -= 1;
        }
        to = place;
        while to < shown.len() && width(&shown[from..=to]) <= WIDEST {
            to += 1;
        }
    }
    let gutter = format!("{line:>3}");
    let mut code = format!("{gutter} | ");
    let mut under = format!("{} | ", " ".repeat(gutter.len()));
    if from > 0 {
        code.push('…');
        under.push(' ');
    }
    code.push_str(&shown[from..to].concat());
    for character in &shown[from..place] {
        under.push_str(&if character == "\t" { "\t".to_owned() } else { " ".repeat(columns(character)) });
    }
    if to < shown.len() {
        code.push('…');
    }
    under.push('^');
    Some(format!("{}\n{under}\n", code.trim_end()))
}

/// What cannot be seen is written out: an author looks for it in vain otherwise.
fn visible(character: &str) -> String {
    let mut chars = character.chars();
    match (chars.next(), chars.next()) {
        (Some('\t'), None) => "\t".to_owned(),
        (Some(c), None) if c.is_control() || columns(character) == 0 || is_odd_space(c) => {
            format!("<U+{:04X}>", u32::from(c))
        }
        _ => character.to_owned(),
    }
}

/// Spaces that look like others, line ends that most editors do not show, marks of direction.
const fn is_odd_space(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns before the character at the place and before the caret, as a terminal with tabs of eight shows them.
    fn both(source: &str, column: u32) -> (String, usize, usize) {
        let shown = excerpt(source, (1, column)).unwrap();
        let (code, under) = shown.split_once('\n').unwrap();
        let wide = |text: &str| {
            text.chars().fold(0, |at, c| if c == '\t' { (at / 8 + 1) * 8 } else { at + columns(&c.to_string()) })
        };
        let caret = under.find('^').unwrap();
        (code.to_owned(), wide(&code[..code.find('¤').unwrap()]), wide(&under[..caret]))
    }

    #[test]
    fn the_caret_stands_under_its_character_whatever_is_before_it() {
        let before = [
            "",
            "abc(",
            "await telegram.sendText('好的') || ",
            "'👍👍'.",
            "'한글', ",
            "\t\t",
            "a\tb\t好\t",
            "'e\u{301}' + ",
            "'\u{200b}' + ",
            "'Ａｱ' ",
        ];
        for text in before {
            let column = u32::try_from(text.chars().count()).unwrap() + 1;
            let (code, character, caret) = both(&format!("{text}¤x"), column);
            assert_eq!(character, caret, "{code}");
            for filler in ["x", "好", "👍"] {
                let long = format!("{}{text}¤{}", filler.repeat(400), filler.repeat(400));
                let column = u32::try_from(400 + text.chars().count()).unwrap() + 1;
                let (code, character, caret) = both(&long, column);
                assert_eq!(character, caret, "{code}");
                assert!(columns(&code) < 120 && code.matches('…').count() == 2, "{code}");
            }
        }
    }

    #[test]
    fn lines_are_found_and_invisible_characters_written_out() {
        let rows = [
            ("one\ntwo\r\nthree", (2, 3), Some("  2 | two\n    |   ^\n")),
            ("one", (1, 4), Some("  1 | one\n    |    ^\n")),
            ("one", (1, 400), Some("  1 | one\n    |    ^\n")),
            ("a\u{200b}b", (1, 2), Some("  1 | a<U+200B>b\n    |  ^\n")),
            ("a\u{a0}= 1", (1, 3), Some("  1 | a<U+00A0>= 1\n    |          ^\n")),
            ("one", (2, 1), None),
            ("one", (0, 1), None),
        ];
        for (source, place, expected) in rows {
            assert_eq!(excerpt(source, place).as_deref(), expected, "{source:?}");
        }
        // A family stays one character, and the caret goes under its beginning.
        assert_eq!(excerpt("'👨‍👩‍👧' x", (1, 4)).as_deref(), Some("  1 | '👨‍👩‍👧' x\n    |  ^\n"));
    }
}
