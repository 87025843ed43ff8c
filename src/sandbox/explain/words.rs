//! Words of messages.

use crate::text::slips;

/// A kind with its article.
pub(super) fn article(kind: &str) -> String {
    match kind {
        "null" | "undefined" => kind.to_owned(),
        "skill" => "a skill object".to_owned(),
        "array" | "object" | "error" => format!("an {kind}"),
        kind => format!("a {kind}"),
    }
}

/// A name of another place where JavaScript runs, or of another language, which people reach for; with what there is
/// instead, if one word says it.
pub(super) fn elsewhere(name: &str) -> Option<Option<&'static str>> {
    Some(match name {
        "require" | "module" | "exports" | "process" | "Buffer" | "fetch" | "window" | "document" | "fs" | "axios"
        | "global" | "XMLHttpRequest" | "localStorage" | "__dirname" => None,
        "print" | "println" | "puts" | "echo" => Some("what `console.log` prints is shown to you"),
        "True" => Some("JavaScript writes `true`"),
        "False" => Some("JavaScript writes `false`"),
        "None" | "nil" | "NULL" => Some("JavaScript writes `null`"),
        "js" | "javascript" | "ts" | "typescript" => {
            Some("the word behind a fence was left in the script; begin with the code")
        }
        _ => return None,
    })
}

/// The name most like another, if one is like it.
pub(super) fn nearest<'n>(name: &str, names: &'n [String]) -> Option<&'n str> {
    // Of one letter or a number everything is near.
    if name.chars().count() < 2 || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let most = (name.chars().count() / 3).clamp(1, 3);
    let others = names.iter().filter(|known| known.as_str() != name);
    let near = others.filter_map(|known| Some((slips(known, name, most)?, known.as_str())));
    near.min().map(|(_, known)| known)
}
