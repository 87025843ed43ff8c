//! A model's reply as text → thoughts and a script.
//!
//! The first fenced block tagged `js` or `ts` is the script; other fences are prose; all that follows the script and
//! all reasoning tags are cut, so that neither invented output nor a second block is ever believed.

use super::reasoning;

/// What a reply holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The prose before the script; never shown to a chat.
    pub thoughts: String,
    /// The script, if there is one.
    pub script: Option<String>,
    /// The reply as history keeps it: thoughts and script, without what was cut.
    pub kept: String,
}

/// Reads a reply.
pub fn parse(text: &str) -> Parsed {
    let text = reasoning::without(text);
    let Some(block) = first_block(&text) else {
        let thoughts = text.trim().to_owned();
        return Parsed { kept: thoughts.clone(), thoughts, script: None };
    };
    let thoughts = text[..block.fence_start].trim().to_owned();
    let script = block.script.trim_end_matches(['\n', '\r']).to_owned();
    let kept = if thoughts.is_empty() { String::new() } else { format!("{thoughts}\n\n") };
    // The script may hold a fence line of its own inside a template literal; a longer fence keeps it whole.
    let ticks = "`".repeat(longest_run(&script).max(2) + 1);
    Parsed { kept: format!("{kept}{ticks}js\n{script}\n{ticks}"), thoughts, script: Some(script) }
}

/// Whether the text so far holds a closed script, so that the rest of a stream need not be read.
pub fn script_is_complete(text: &str) -> bool {
    // An opened and not yet closed thought hides what it holds.
    let text = reasoning::without(text);
    first_block(&text).is_some_and(|block| block.is_closed)
}

struct Block<'a> {
    fence_start: usize,
    script: &'a str,
    is_closed: bool,
}

fn first_block(text: &str) -> Option<Block<'_>> {
    let mut at = 0;
    let mut prose_fence: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some((ticks, info)) = fence(line) else { continue };
        match prose_fence {
            Some(open) if info.is_empty() && ticks >= open => prose_fence = None,
            Some(_) => {}
            None if is_script_tag(info) => return Some(block(text, start, at, ticks)),
            None => prose_fence = Some(ticks),
        }
    }
    None
}

fn block(text: &str, fence_start: usize, body: usize, ticks: usize) -> Block<'_> {
    let mut scanner = Scanner::default();
    let mut at = body;
    let mut first_fence = None;
    for line in text[body..].split_inclusive('\n') {
        let start = at;
        at += line.len();
        if fence(line).is_some_and(|(n, info)| n >= ticks && info.is_empty()) {
            if !scanner.is_in_template() {
                return Block { fence_start, script: &text[body..start], is_closed: true };
            }
            // Read as text of the literal: its backticks would end it, and no author means that.
            first_fence = first_fence.or(Some(start));
            continue;
        }
        scanner.line(line);
    }
    match first_fence {
        // The literal never ended, so our scanner (or the author) was wrong: the first fence line closes.
        Some(end) => Block { fence_start, script: &text[body..end], is_closed: false },
        None => Block { fence_start, script: &text[body..], is_closed: false },
    }
}

/// A fence line's number of backticks and what stands behind them.
fn fence(line: &str) -> Option<(usize, &str)> {
    let trimmed = line.trim_end();
    let indent = trimmed.len() - trimmed.trim_start_matches(' ').len();
    let rest = &trimmed[indent..];
    let ticks = rest.bytes().take_while(|b| *b == b'`').count();
    let info = rest[ticks..].trim();
    (ticks >= 3 && indent <= 3 && !info.contains('`')).then_some((ticks, info))
}

fn is_script_tag(info: &str) -> bool {
    let tag = info.split([' ', '\t', '{', ',']).next().unwrap_or_default();
    ["js", "javascript", "ts", "typescript"].iter().any(|known| tag.eq_ignore_ascii_case(known))
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Follows strings, comments and template literals of JavaScript from line to line; nothing else of its grammar.
#[derive(Default)]
struct Scanner {
    /// Open template literals; each with the depth of braces inside its current `${}`, if it is in one.
    templates: Vec<Option<u32>>,
    in_block_comment: bool,
}

impl Scanner {
    fn is_in_template(&self) -> bool {
        matches!(self.templates.last(), Some(None))
    }

    fn line(&mut self, line: &str) {
        let mut quote: Option<char> = None;
        let mut previous = ' ';
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            if self.in_block_comment {
                if c == '*' && chars.next_if_eq(&'/').is_some() {
                    self.in_block_comment = false;
                }
                continue;
            }
            if let Some(open) = quote {
                match c {
                    '\\' => drop(chars.next()),
                    _ if c == open => quote = None,
                    _ => {}
                }
                continue;
            }
            if self.is_in_template() {
                match c {
                    '\\' => drop(chars.next()),
                    '`' => drop(self.templates.pop()),
                    '$' if chars.next_if_eq(&'{').is_some() => self.set_depth(Some(0)),
                    _ => {}
                }
                continue;
            }
            match c {
                '\'' | '"' => quote = Some(c),
                '`' => self.templates.push(None),
                '/' if chars.peek() == Some(&'/') => return,
                '/' if chars.next_if_eq(&'*').is_some() => self.in_block_comment = true,
                // After a value a slash divides; elsewhere it begins a regular expression, which may hold quotes.
                '/' if !(previous.is_alphanumeric()
                    || matches!(previous, ')' | ']' | '}' | '_' | '$' | '"' | '\'')) =>
                {
                    quote = Some('/');
                }
                '{' => self.change_depth(1),
                '}' => self.change_depth(-1),
                _ => {}
            }
            if !c.is_whitespace() {
                previous = c;
            }
        }
    }

    fn set_depth(&mut self, depth: Option<u32>) {
        if let Some(last) = self.templates.last_mut() {
            *last = depth;
        }
    }

    fn change_depth(&mut self, by: i32) {
        if let Some(Some(depth)) = self.templates.last().copied() {
            self.set_depth(depth.checked_add_signed(by));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Option<String> {
        parse(text).script
    }

    #[test]
    fn the_first_tagged_block_is_the_script() {
        let rows: [(&str, Option<&str>); 13] = [
            ("I answer.\n```js\na()\n```", Some("a()")),
            ("```js\na()\n```\nResult: 5\n```js\nb()\n```", Some("a()")),
            ("```\nnot this\n```\n```ts\nb()\n```", Some("b()")),
            ("```json\n{\"js\": 1}\n```", None),
            ("```markdown\n```js\nexample()\n```\n\n```js\nreal()\n```", Some("real()")),
            ("``` js\na()\n```", Some("a()")),
            ("```JavaScript\na()\n```\n", Some("a()")),
            ("~~~js\na()\n~~~", None),
            ("```js\nsend(`\n```\ncode\n```\n`)\n```\ntail", Some("send(`\n```\ncode\n```\n`)")),
            ("```js\nsend(`${x.map(y => `\n```\n`)}`)\n```", Some("send(`${x.map(y => `\n```\n`)}`)")),
            ("```js\n// don't ` worry\na()\n```\nmore\n```", Some("// don't ` worry\na()")),
            ("```js\ns.replace(/`/g, '')\n```", Some("s.replace(/`/g, '')")),
            ("```js\na()", Some("a()")),
        ];
        for (text, expected) in rows {
            assert_eq!(script(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn e1_reasoning_is_cut_wherever_it_stands() {
        let rows = [
            ("<think>plan</think>hi", "hi", None),
            ("<think>plan", "", None),
            ("<think>a<think>b</think>c", "c", None),
            ("<Thought>a</thought>hi", "hi", None),
            ("plan</think>hi\n```js\na()\n```", "hi", Some("a()")),
            ("<think>\n```js\ndraft()\n```\n</think>\n```js\nreal()\n```", "", Some("real()")),
            ("```js\nsend('<think>')\n```", "", Some("send('<think>')")),
            ("a <thinking>x</thinking>b<think>y</think>c", "a bc", None),
        ];
        for (text, thoughts, expected) in rows {
            let parsed = parse(text);
            assert_eq!((parsed.thoughts.as_str(), parsed.script.as_deref()), (thoughts, expected), "{text:?}");
        }
    }

    #[test]
    fn a_stream_is_read_up_to_the_closing_fence() {
        assert!(!script_is_complete("```js\na(`\n```\n"));
        assert!(!script_is_complete("<think>\n```js\na()\n```\n"));
        assert!(script_is_complete("x\n```js\na()\n```"));
        assert!(!script_is_complete("```js\na()\n``"));
    }

    #[test]
    fn e4_history_keeps_what_ran_and_nothing_after_it() {
        assert_eq!(parse("I look.\n```js\na()\n```\nOutput: 5 [END]").kept, "I look.\n\n```js\na()\n```");
        assert_eq!(parse("```js\na(`\n```\n`)\n```").kept, "````js\na(`\n```\n`)\n````");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "(```js\n|```|`|<think>|</think>|\\$\\{|\\}|'|/|\n|[a-z ]|好){0,40}") {
            let parsed = parse(&text);
            proptest::prop_assert!(parsed.kept.len() <= text.len() + 64 + 2 * longest_run(&text));
            script_is_complete(&text);
        }
    }
}
