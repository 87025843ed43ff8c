//! Member paths of a script that does not parse, from its tokens alone.

use std::collections::BTreeMap;

use super::scan::{Scan, Token};
use super::tree::Value;

/// The paths in order of appearance; simple aliases and destructured names are followed and kept in `names`.
pub(super) fn paths(source: &str, names: &mut BTreeMap<String, Vec<Value>>) -> Vec<String> {
    let tokens: Vec<Token<'_>> = Scan::of(source).map(|(_, token)| token).collect();
    let mut found: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let Token::Word(word) = token else {
            at += 1;
            continue;
        };
        let is_member = at > 0
            && matches!(tokens.get(at - 1), Some(Token::Mark('.') | Token::Optional))
            && !(at > 2 && matches!(tokens.get(at - 2), Some(Token::Mark('.'))));
        let bases: Vec<String> = if is_member { Vec::new() } else { known(names, word) };
        let (members, next) = members(&tokens, at + 1);
        for base in &bases {
            let mut path = base.clone();
            for member in &members {
                if matches!(*member, "bind" | "call" | "apply" | "then" | "catch" | "finally") {
                    break;
                }
                path.push('.');
                path.push_str(member);
            }
            let mut before = at;
            while before > 0 && matches!(tokens.get(before - 1), Some(Token::Word("await") | Token::Mark('('))) {
                before -= 1;
            }
            let taken = if before > 1 && tokens.get(before - 1) == Some(&Token::Mark('=')) {
                bound(&tokens, before - 2, &path)
            } else {
                Vec::new()
            };
            for (name, path) in taken {
                if path.contains('.') && !found.contains(&path) {
                    found.push(path.clone());
                }
                // What follows a call's bracket is its result, not the method.
                if tokens.get(next) != Some(&Token::Mark('(')) {
                    names.insert(name, vec![Value::Path(path)]);
                }
            }
            if path.contains('.') && !found.contains(&path) {
                found.push(path);
            }
        }
        at = next.max(at + 1);
    }
    found
}

fn known(names: &BTreeMap<String, Vec<Value>>, word: &str) -> Vec<String> {
    let values = names.get(word).map(Vec::as_slice).unwrap_or_default();
    values.iter().filter_map(|value| if let Value::Path(path) = value { Some(path.clone()) } else { None }).collect()
}

/// The members that follow a name, and where they end.
fn members<'a>(tokens: &[Token<'a>], from: usize) -> (Vec<&'a str>, usize) {
    let mut members = Vec::new();
    let mut at = from;
    loop {
        let mut next = at;
        while matches!(tokens.get(next), Some(Token::Mark('.' | '!' | ')') | Token::Optional)) {
            // `a?.b`, `a!.b`, `(a).b`: only what ends in a dot or a bracket goes on.
            next += 1;
        }
        match (
            next.checked_sub(1).and_then(|last| tokens.get(last)),
            tokens.get(next),
            tokens.get(next + 1),
            tokens.get(next + 2),
        ) {
            (Some(Token::Mark('.')), Some(Token::Word(word)), _, _) if next > at => {
                members.push(*word);
                at = next + 1;
            }
            (_, Some(Token::Mark('[')), Some(Token::Text(text)), Some(Token::Mark(']'))) => {
                members.push(*text);
                at = next + 3;
            }
            _ => return (members, at),
        }
    }
}

/// The names left of a `=` and the path that each then stands for: one name, or what braces take apart.
fn bound(tokens: &[Token<'_>], last: usize, path: &str) -> Vec<(String, String)> {
    match tokens.get(last) {
        Some(Token::Word(name)) => vec![((*name).to_owned(), path.to_owned())],
        Some(Token::Mark('}')) => {
            let start = tokens.get(..last).and_then(|head| head.iter().rposition(|token| *token == Token::Mark('{')));
            let inside = start.and_then(|start| tokens.get(start + 1..last)).unwrap_or_default();
            let mut bound = Vec::new();
            for part in inside.split(|token| *token == Token::Mark(',')) {
                match part {
                    [Token::Word(key), Token::Mark(':'), Token::Word(name), ..] => {
                        bound.push(((*name).to_owned(), format!("{path}.{key}")));
                    }
                    [Token::Word(key), ..] => bound.push(((*key).to_owned(), format!("{path}.{key}"))),
                    _ => {}
                }
            }
            bound
        }
        Some(_) | None => Vec::new(),
    }
}
