use super::*;
use expect_test::{Expect, expect};
use proptest::prelude::*;

/// Pieces as text, with entities drawn as `⟦kind text⟧` lines.
fn draw(text: &str) -> String {
    let mut out = String::new();
    for piece in lay_out(text) {
        out.push_str(&format!("{}\n", piece.text));
        let units: Vec<u16> = piece.text.encode_utf16().collect();
        for Entity { kind, offset, length } in &piece.entities {
            let part = String::from_utf16(&units[*offset..offset + length]).unwrap();
            let kind = match kind {
                EntityKind::Link(url) => format!("Link({url})"),
                kind => format!("{kind:?}"),
            };
            out.push_str(&format!("  {kind}: {part}\n"));
        }
    }
    out
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&draw(text));
}

#[test]
fn markdown_becomes_entities() {
    check(
        "## 计划 *一*\n**周五**去千岛湖，~~周六~~，看 [地图 `x`](https://a.b/c(d)) 和 `a_b*c`",
        expect![[r#"
            计划 一
            周五去千岛湖，周六，看 地图 x 和 a_b*c
              Bold: 计划 一
              Italic: 一
              Bold: 周五
              Strike: 周六
              Link(https://a.b/c(d)): 地图 x
              Code: x
              Code: a_b*c
        "#]],
    );
    check(
        "这是*重点*吧 ***both*** **a *b***",
        expect![[r#"
            这是重点吧 both a b
              Italic: 重点
              Italic: both
              Bold: both
              Bold: a b
              Italic: b
        "#]],
    );
    check(
        "**https://a.b** *see https://a.b/x_y* [https://a.b](https://a.b)",
        expect![[r#"
            https://a.b see https://a.b/x_y https://a.b
              Bold: https://a.b
              Italic: see https://a.b/x_y
              Link(https://a.b/): https://a.b
        "#]],
    );
    check(
        "look:\n```rust\nfn main() {\n    a_b * c;\n}\n```\ndone",
        expect![[r#"
            look:
            fn main() {
                a_b * c;
            }
            done
              Pre(Some("rust")): fn main() {
                a_b * c;
            }
        "#]],
    );
}

#[test]
fn b3_what_is_no_markup_is_delivered_as_written() {
    let rows = [
        "a_b *c [d",
        "snake_case_name and __init__",
        "2*3*4 = 24, 2 * 3 * 4",
        r"¯\_(ツ)_/¯",
        "* item\n* item",
        "[x](javascript:alert(1))",
        "[a](b) ![c](d",
        "** not bold **",
        "**",
        "``` not a fence because of words",
        "`",
        "#5 and #tag",
        "文件_名_字",
        "~~~",
        "https://a.b/?q=_x_&r=*y*&s=~~z~~",
        "(http://a.b/_x_)",
        "```\n```",
    ];
    for text in rows {
        let pieces = lay_out(text);
        assert_eq!(pieces, [Piece { text: text.to_owned(), entities: vec![] }], "{text}");
    }
}

#[test]
fn e1_reasoning_is_never_shown() {
    let rows = [
        ("<think>plan", ""),
        ("<think>plan</think>hi", "hi"),
        ("plan</think>\nhi", "hi"),
        ("<Thinking>a <thinking>b</thinking> c</THINKING>hi", "hi"),
        ("<think>I should close <think> tags</think>hi", "hi"),
        ("<think>\n```js\nx\n```\n</think>\nhi", "hi"),
        ("a<reasoning>x\ny</reasoning>b", "ab"),
        ("write `<think>` in your prompt", "write <think> in your prompt"),
        ("```xml\n<think>a</think>\n```", "<think>a</think>"),
        ("I think <b> so", "I think <b> so"),
        ("  \n\u{0}\u{7}", ""),
        ("", ""),
    ];
    for (text, expected) in rows {
        let shown: Vec<String> = lay_out(text).into_iter().map(|piece| piece.text).collect();
        assert_eq!(shown.join("|"), expected, "{text}");
    }
}

#[test]
fn b1_long_text_is_cut_at_sentence_ends_in_order() {
    for sentence in ["今天我们去千岛湖玩吧！", "Let us see what comes next, 3.14 or more. "] {
        let text = sentence.repeat(6000 / sentence.chars().count());
        let pieces = lay_out(&text);
        assert!(pieces.len() >= 2);
        for piece in &pieces {
            assert!(
                piece.text.ends_with(sentence.trim_end()),
                "{:?}",
                piece.text.chars().rev().take(9).collect::<String>()
            );
            assert!(piece.text.starts_with(sentence.chars().next().unwrap()));
        }
        let joined: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(joined.replace(' ', ""), text.replace(' ', ""));
    }
}

#[test]
fn b2_a_long_block_is_closed_and_reopened() {
    let line = "    let a = b * c; // [x](y) **z**\n";
    let text = format!("look:\n```rust\n{}```\nafter **it**", line.repeat(150));
    let pieces = lay_out(&text);
    assert!(pieces.len() >= 2);
    for piece in &pieces {
        let pre: Vec<_> =
            piece.entities.iter().filter(|e| matches!(&e.kind, EntityKind::Pre(Some(l)) if l == "rust")).collect();
        assert_eq!(pre.len(), 1, "each part is a block with its language");
        assert!(!piece.text.contains("```"));
    }
    assert!(pieces[1].text.starts_with("    let a"), "the indent stays: {:?}", &pieces[1].text[..10]);
    assert_eq!(pieces.iter().map(|p| p.text.matches("let a").count()).sum::<usize>(), 150);
    assert!(pieces.last().unwrap().entities.iter().any(|e| e.kind == EntityKind::Bold));
}

#[test]
fn b4_b11_emoji_count_double_and_are_never_cut() {
    let pieces = lay_out(&"😀".repeat(2100));
    let units: Vec<usize> = pieces.iter().map(|piece| piece.text.encode_utf16().count()).collect();
    assert_eq!(units, [4096, 104]);
    for cluster in ["👨‍👩‍👧‍👦", "👍🏽", "🇨🇳", "e\u{301}", "❤️", "🏴\u{e0067}\u{e0062}\u{e007f}"]
    {
        for pad in 0..8 {
            let text = "x".repeat(pad) + &cluster.repeat(3000);
            for piece in lay_out(&text) {
                let bare = piece.text.trim_start_matches('x');
                assert_eq!(bare.replace(cluster, ""), "", "{cluster:?} {pad}");
            }
        }
    }
}

#[test]
fn marks_that_never_close_are_laid_out_all_the_same() {
    // What they cost is measured in `benches/figures.rs`.
    for unit in [
        "*a ", "**a ", "`a``", "[a](", "_a ", "[", "<think", "`", "~~a*", "\u{301}", "```\n", "<think>", "[a](b",
        "``a ",
    ] {
        for piece in lay_out(&unit.repeat(60_000 / unit.len())) {
            assert!((1..=4096).contains(&piece.text.encode_utf16().count()), "{unit:?}");
        }
    }
}

fn solid(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever the text: pieces fit, are not blank, rejoin to the whole, and entities stay inside whole characters.
    #[test]
    fn pieces_rejoin_and_fit(
        parts in proptest::collection::vec("[a-z*_`~#。！.!? \n\\[\\]()😀👨🏽\u{200d}\u{301}中文<>/]{0,12}|```js\n|\\*\\*|<think>", 0..60),
        limit in 2usize..40,
    ) {
        let text = parts.concat();
        let shown = markdown::read(&clean(&text));
        let pieces = split::cut(&shown, limit);
        for piece in &pieces {
            let units: Vec<u16> = piece.text.encode_utf16().collect();
            prop_assert!(!units.is_empty() && units.len() <= limit);
            prop_assert!(!piece.text.trim().is_empty());
            for entity in &piece.entities {
                prop_assert!(entity.length > 0 && entity.offset + entity.length <= units.len());
                prop_assert!(String::from_utf16(&units[entity.offset..entity.offset + entity.length]).is_ok());
            }
        }
        let joined: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
        prop_assert_eq!(solid(&joined), solid(&shown.text));
    }

    /// Whatever a model thinks, it is not shown.
    #[test]
    fn reasoning_never_leaks(
        before in "[a-z中 \n*_]{0,20}",
        thought in "([a-z<> \n*_`]|```js\n){0,20}",
        tag in prop_oneof!["think", "Thinking", "thought", "REASONING "],
        after in prop_oneof![Just(None), "[a-z中 \n]{0,20}".prop_map(Some)],
    ) {
        let text = match &after {
            Some(after) => format!("{before}<{tag}>SECRET{thought}SECRET</{tag}>{after}"),
            None => format!("{before}<{tag}>SECRET{thought}SECRET"),
        };
        let shown: String = lay_out(&text).into_iter().map(|piece| piece.text).collect();
        prop_assert!(!shown.contains("SECRET"), "{shown}");
        if let Some(after) = after {
            prop_assert!(solid(&shown).ends_with(&solid(&after)));
        }
    }

    /// Plain words pass through untouched.
    #[test]
    fn plain_text_is_untouched(text in "[a-zA-Z0-9中文，。！ ]{1,200}") {
        let pieces = lay_out(&text);
        let joined: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
        prop_assert_eq!(joined, text.trim());
    }
}

#[test]
fn e2_what_was_never_meant_for_people_stops_at_the_door() {
    let refused = [
        r#"{"name":"schedule","arguments":{"at":"5pm"}}"#,
        "```json\n{\"name\":\"schedule\",\"arguments\":{}}\n```",
        r#"[{"type":"function","function":{"name":"x","arguments":"{}"}}]"#,
        r#"{"tool_calls":[]}"#,
        "<tool_call>\n{\"name\":\"x\"}\n</tool_call>",
        "<function_calls><invoke name=\"x\"></invoke></function_calls>",
        "<tool_call>never closed",
        "NO_REPLY",
        "[SILENT]",
        "(empty)",
        "<pass>",
        "[END]",
        "<|im_end|>",
        "<think>plan</think>[no reply]",
        "```",
    ];
    for text in refused {
        assert!(admit(text).is_err(), "{text}: {:?}", admit(text));
    }
    let rows = [
        ("好的<|im_end|>", "好的"),
        ("<|im_start|>assistant\n好的", "好的"),
        ("好<tool_call>{}</tool_call>的", "好的"),
        ("五点见 [END]", "五点见"),
        ("看这个\n```", "看这个"),
        ("<think>a<think>b</think>c", "c"),
        ("`<tool_call>` 是什么", "`<tool_call>` 是什么"),
        ("```xml\n<tool_call>x</tool_call>\n```", "```xml\n<tool_call>x</tool_call>\n```"),
        (r#"{"name":"小夏","age":3}"#, r#"{"name":"小夏","age":3}"#),
        ("done", "done"),
        ("pass", "pass"),
        ("silence is golden", "silence is golden"),
        ("a < b, [x] <b>", "a < b, [x] <b>"),
        ("", ""),
    ];
    for (text, expected) in rows {
        assert_eq!(admit(text).as_deref().map(str::trim), Ok(expected), "{text}");
    }
}

proptest! {
    #[test]
    fn the_door_takes_any_text_and_adds_nothing(text in "(<tool_call>|</tool_call>|<\\||\\|>|`|```|\n|\\[END\\]|<think>|</think>|[a-z ]|好|😀){0,30}") {
        if let Ok(once) = admit(&text) {
            prop_assert!(once.len() <= text.len());
            let _ = admit(&once);
            let _ = lay_out(&once);
        }
    }
}
