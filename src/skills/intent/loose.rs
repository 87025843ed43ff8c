//! Paths in a script that does not parse, by its tokens: chains of members, and the plainest aliases.

use std::collections::HashMap;

use super::Uses;
use super::scan::{Scan, Token};

/// The paths that the last script's tokens name; the scripts before it may have named things.
pub(super) fn uses(scripts: &[&str], globals: &[String]) -> Vec<String> {
    let mut names: HashMap<String, String> = globals.iter().map(|name| (name.clone(), name.clone())).collect();
    let last = scripts.iter().map(|script| one(script, &mut names)).last();
    last.unwrap_or_default().finish()
}

fn one(source: &str, names: &mut HashMap<String, String>) -> Uses {
    let tokens: Vec<Token<'_>> = Scan::of(source).map(|(_, token)| token).collect();
    let mut uses = Uses::default();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let Token::Word(word) = *token else {
            at += 1;
            continue;
        };
        if matches!(word, "const" | "let" | "var") {
            at = declared(&tokens, at + 1, names, &mut uses);
            continue;
        }
        let is_spread = at >= 2 && tokens.get(at - 2) == Some(&Token::Mark('.'));
        if before == Some(&Token::Mark('.')) && !is_spread {
            at += 1;
            continue;
        }
        match chain(&tokens, at, names) {
            Some((path, end)) => {
                note(&tokens, &path, end, &mut uses);
                at = end;
            }
            None => at += 1,
        }
    }
    uses
}

/// A chain that begins at a known name: its path, and the index after it.
fn chain(tokens: &[Token<'_>], start: usize, names: &HashMap<String, String>) -> Option<(String, usize)> {
    let Some(Token::Word(word)) = tokens.get(start) else { return None };
    let mut path = names.get(*word)?.clone();
    let mut at = start + 1;
    loop {
        let mut next = at;
        if tokens.get(next) == Some(&Token::Optional) {
            next += 1;
        }
        if tokens.get(next) == Some(&Token::Mark('!')) {
            next += 1;
        }
        let has_dot = tokens.get(next) == Some(&Token::Mark('.'));
        let key = match (has_dot, tokens.get(next), tokens.get(next + 1), tokens.get(next + 2), tokens.get(next + 3)) {
            (true, _, Some(Token::Word(key)), ..) => Some((*key, next + 2)),
            (true, _, Some(Token::Mark('[')), Some(Token::Text(key)), Some(Token::Mark(']'))) => Some((*key, next + 4)),
            (false, Some(Token::Mark('[')), Some(Token::Text(key)), Some(Token::Mark(']')), _) => {
                Some((*key, next + 3))
            }
            _ => None,
        };
        match key {
            Some(("bind" | "call" | "apply", end)) if path.contains('.') => return Some((path, end)),
            Some((key, end)) => {
                path = format!("{path}.{key}");
                at = end;
            }
            None => return Some((path, at)),
        }
    }
}

fn note(tokens: &[Token<'_>], path: &str, end: usize, uses: &mut Uses) {
    let is_optional_call = tokens.get(end) == Some(&Token::Optional) && tokens.get(end + 2) == Some(&Token::Mark('('));
    uses.add(path, is_optional_call || matches!(tokens.get(end), Some(Token::Mark('(') | Token::Text(_))));
}

/// `x = chain` and `{ a, b: c } = chain` after `const`: new names. Gives the index to go on from.
fn declared(tokens: &[Token<'_>], start: usize, names: &mut HashMap<String, String>, uses: &mut Uses) -> usize {
    match tokens.get(start) {
        Some(Token::Word(name)) => {
            let equals = start + 1;
            if tokens.get(equals) != Some(&Token::Mark('=')) {
                names.remove(*name);
                return equals;
            }
            let mut value = equals + 1;
            if tokens.get(value) == Some(&Token::Word("await")) {
                value += 1;
            }
            match chain(tokens, value, names) {
                Some((path, end)) => {
                    note(tokens, &path, end, uses);
                    let is_alias =
                        !matches!(tokens.get(end), Some(Token::Mark('(') | Token::Optional | Token::Text(_)));
                    if is_alias {
                        names.insert((*name).to_owned(), path);
                    } else {
                        names.remove(*name);
                    }
                    end
                }
                None => {
                    names.remove(*name);
                    equals
                }
            }
        }
        Some(Token::Mark('{')) => {
            let Some(close) = tokens.iter().skip(start).position(|token| *token == Token::Mark('}')).map(|n| n + start)
            else {
                return start + 1;
            };
            let value = match tokens.get(close + 1) {
                Some(Token::Mark('=')) => {
                    let is_awaited = tokens.get(close + 2) == Some(&Token::Word("await"));
                    chain(tokens, close + 2 + usize::from(is_awaited), names)
                }
                _ => None,
            };
            let Some((path, end)) = value else { return start + 1 };
            let is_result = matches!(tokens.get(end), Some(Token::Mark('(') | Token::Optional | Token::Text(_)));
            if is_result {
                note(tokens, &path, end, uses);
                return end;
            }
            let inner = tokens.get(start + 1..close).unwrap_or_default();
            for item in inner.split(|token| *token == Token::Mark(',')) {
                if let [Token::Word(key), rest @ ..] = item {
                    let local = match rest {
                        [Token::Mark(':'), Token::Word(local), ..] => local,
                        _ => key,
                    };
                    let member = format!("{path}.{key}");
                    uses.add(&member, false);
                    names.insert((*local).to_owned(), member);
                }
            }
            end
        }
        _ => start,
    }
}
