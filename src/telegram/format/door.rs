//! The filter at the door: what was never meant for people does not reach a chat, whatever a script sends.
//!
//! Code blocks and inline code keep what they show, for people do talk about such words; only a text that is nothing but
//! a tool call is refused even in a fence.

use serde_json::Value;

use super::reasoning;

/// Words of models that mean "I say nothing", compared without case and brackets.
const SILENCE: [&str; 12] = [
    "no_reply",
    "no reply",
    "noreply",
    "silent",
    "silence",
    "empty",
    "no_response",
    "no response",
    "heartbeat_ok",
    "pass",
    "end",
    "done",
];
/// The brackets in which they stand.
const BRACKETS: [char; 12] = ['[', ']', '(', ')', '<', '>', '（', '）', '【', '】', '*', '_'];
/// Elements in which models write tool calls and their results.
const ELEMENTS: [&str; 7] =
    ["tool_call", "tool_calls", "function_call", "function_calls", "tool_response", "tool_result", "invoke"];
/// Remains of chat templates that are no word of any language.
const TEMPLATE: [&str; 5] = ["[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "[END]"];

/// The text as it may be sent, or why nothing of it may, in words for the author of a script.
pub fn admit(text: &str) -> Result<String, String> {
    let text = reasoning::without(&text.replace("\r\n", "\n"));
    if is_tool_call(&text) {
        return Err(
            "that is a tool call written as text; nothing was sent. There are no tools: call the skill's method \
                    in a script instead"
                .to_owned(),
        );
    }
    if is_silence(&text) {
        return Err("that word means silence and was not sent; to say nothing call turn.pass(reason)".to_owned());
    }
    let mut kept = String::with_capacity(text.len());
    let (mut prose, mut fence) = (String::new(), None);
    for line in text.split_inclusive('\n') {
        match fence {
            None if super::markdown::opens(line).is_some() => {
                kept.push_str(&cleaned(&std::mem::take(&mut prose)));
                fence = super::markdown::opens(line).map(|(fence, _)| fence);
                kept.push_str(line);
            }
            None => prose.push_str(line),
            Some(open) => {
                kept.push_str(line);
                if super::markdown::closes(line, open) {
                    fence = None;
                }
            }
        }
    }
    kept.push_str(&cleaned(&prose));
    let kept = if fence.is_some() { without_lone_fence(&kept) } else { kept };
    if kept.trim().is_empty() && !text.trim().is_empty() {
        return Err("that was markup of a model and no word for people; nothing was sent".to_owned());
    }
    Ok(kept)
}

/// A fence that nothing closes, at the very end: what is left of a block whose rest was cut.
fn without_lone_fence(text: &str) -> String {
    let body = text.trim_end();
    let start = body.rfind('\n').map_or(0, |at| at + 1);
    let last = body.get(start..).unwrap_or_default();
    if super::markdown::opens(last).is_some() {
        body.get(..start).unwrap_or_default().to_owned()
    } else {
        text.to_owned()
    }
}

fn is_silence(text: &str) -> bool {
    let is_mark = |c: char| BRACKETS.contains(&c) || c.is_whitespace();
    let trimmed = text.trim();
    let bare = trimmed.trim_matches(is_mark);
    let is_marked = trimmed.starts_with(BRACKETS) || bare.contains('_');
    // "pass" or "done" alone may be somebody's answer; in brackets or capitals with a bar they are not.
    let is_shouted = bare.len() > 4 && bare.contains('_') || is_marked;
    is_shouted && SILENCE.iter().any(|word| bare.eq_ignore_ascii_case(word))
}

/// Whether a text is nothing but a tool call as JSON, fenced or not.
fn is_tool_call(text: &str) -> bool {
    let mut body = text.trim();
    if let Some(first) = body.lines().next().filter(|line| super::markdown::opens(line).is_some()) {
        body = body.get(first.len()..).unwrap_or_default().trim().trim_end_matches('`').trim();
    }
    if !body.starts_with(['{', '[']) {
        return false;
    }
    serde_json::from_str::<Value>(body).is_ok_and(|value| calls(&value))
}

fn calls(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty() && items.iter().all(calls),
        Value::Object(fields) => {
            let has = |key: &str| fields.contains_key(key);
            let names = ["name", "tool", "tool_name", "function", "action"].into_iter().any(has);
            let takes = ["arguments", "parameters", "args", "input", "tool_input", "action_input"].into_iter().any(has);
            (names && takes) || has("tool_calls") || has("function_call") || fields.get("function").is_some_and(calls)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Prose without tool calls as elements and without remains of chat templates.
fn cleaned(prose: &str) -> String {
    let mut kept = String::with_capacity(prose.len());
    let mut rest = prose;
    let mut in_code = false;
    while let Some(at) = rest.find(['<', '[', '`']) {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let skip = if from.starts_with('`') {
            in_code = !in_code && from.get(1..).is_some_and(|rest| rest.contains('`'));
            0
        } else if in_code {
            0
        } else {
            foreign(from)
        };
        let one = from.chars().next().map_or(0, char::len_utf8);
        if skip == 0 {
            kept.push_str(from.get(..one).unwrap_or_default());
        }
        rest = from.get(skip.max(one)..).unwrap_or_default();
    }
    kept.push_str(rest);
    kept
}

/// How many bytes at the start of a text are not for people.
fn foreign(text: &str) -> usize {
    if let Some(word) = TEMPLATE.iter().find(|word| text.starts_with(**word)) {
        return word.len();
    }
    // <|im_start|>assistant, <|eot_id|> and their like.
    if let Some(inner) = text.strip_prefix("<|") {
        let end = inner.bytes().take(32).position(|byte| byte == b'|').filter(|end| inner[*end..].starts_with("|>"));
        let is_word =
            |end: &usize| inner.get(..*end).is_some_and(|w| w.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
        let Some(end) = end.filter(is_word) else { return 0 };
        let role = inner.get(end + 2..).unwrap_or_default();
        let opens = inner.get(..end).is_some_and(|word| word == "im_start" || word == "start_header_id");
        let roles = ["assistant", "user", "system", "tool"];
        let role = roles.iter().find(|name| opens && role.starts_with(**name)).map_or(0, |name| name.len());
        return 2 + end + 2 + role;
    }
    let Some(inner) = text.strip_prefix('<') else { return 0 };
    let Some(name) = ELEMENTS
        .iter()
        .find(|name| inner.strip_prefix(**name).is_some_and(|rest| rest.starts_with(['>', ' ', '\n', '='])))
    else {
        let stray = inner.strip_prefix('/').and_then(|inner| {
            ELEMENTS.iter().find(|name| inner.strip_prefix(**name).is_some_and(|rest| rest.starts_with('>')))
        });
        return stray.map_or(0, |name| name.len() + 3);
    };
    let close = format!("</{name}>");
    text.find(&close).map_or(text.len(), |at| at + close.len())
}
