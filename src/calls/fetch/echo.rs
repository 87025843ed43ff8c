//! Takes a secret out of what comes back: as it is, and in the forms that servers and proxies write it in.
//!
//! A form is looked for by its letters alone. What a server hides on purpose (reversed, enciphered) is not found; but
//! such a server was given the secret in the request already.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// What stands where a secret came back.
pub(super) const HIDDEN: &str = "[secret]";
/// Below this many bytes an encoded form is so short that ordinary text holds it by chance.
const ENCODED_FROM: usize = 6;

/// The text without any form of the secret.
pub(super) fn without(text: &str, secret: &str) -> String {
    forms(secret).iter().fold(text.to_owned(), |text, form| text.replace(form.as_str(), HIDDEN))
}

/// The forms, longest first, so that none is cut by a shorter one within it.
fn forms(secret: &str) -> Vec<String> {
    if secret.is_empty() {
        return Vec::new();
    }
    let json = serde_json::Value::from(secret).to_string();
    let mut forms = vec![
        secret.to_owned(),
        url::form_urlencoded::byte_serialize(secret.as_bytes()).collect(),
        json.trim_matches('"').to_owned(),
    ];
    if secret.len() >= ENCODED_FROM {
        let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
        let percent: String = secret.bytes().map(|byte| percent(byte, false)).collect();
        forms.extend([hex.to_ascii_uppercase(), hex, percent]);
        forms.push(secret.bytes().map(percent_lower).collect());
        forms.extend((0..3).flat_map(|offset| base64(secret, offset)));
    }
    forms.retain(|form| !form.is_empty());
    forms.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    forms.dedup();
    forms
}

/// As encodeURIComponent writes it: a space is `%20`, where forms write `+`.
fn percent(byte: u8, lower: bool) -> String {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ if lower => format!("%{byte:02x}"),
        _ => format!("%{byte:02X}"),
    }
}

fn percent_lower(byte: u8) -> String {
    percent(byte, true)
}

/// The letters that the secret alone decides when `offset` other bytes stand before it in a group of three.
fn base64(secret: &str, offset: usize) -> [String; 2] {
    let mut bytes = vec![0; offset];
    bytes.extend_from_slice(secret.as_bytes());
    // The letters before this one, and the last where a group is not full, also depend on the neighbours.
    let first = (offset * 8).div_ceil(6);
    let last = bytes.len() * 8 / 6;
    [STANDARD_NO_PAD.encode(&bytes), URL_SAFE_NO_PAD.encode(&bytes)]
        .map(|text| text.get(first..last).unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_form_of_a_secret_is_taken_out() {
        let secret = "tvly-k3y/+?\"雨 z";
        let hex: String = secret.bytes().map(|b| format!("{b:02x}")).collect();
        let mut rows = vec![
            secret.to_owned(),
            serde_json::json!({ "sent": secret }).to_string(),
            hex.to_uppercase(),
            hex,
            url::form_urlencoded::byte_serialize(secret.as_bytes()).collect(),
            secret.bytes().map(|b| percent(b, false)).collect(),
            secret.bytes().map(percent_lower).collect(),
        ];
        for before in ["", "a", "ab", "user:"] {
            let whole = format!("{before}{secret}{before}tail");
            rows.extend([STANDARD_NO_PAD.encode(&whole), URL_SAFE_NO_PAD.encode(&whole)]);
        }
        for row in rows {
            let text = format!("<{row}>");
            let clean = without(&text, secret);
            assert!(clean.contains(HIDDEN), "{text} came through as {clean}");
            assert!(clean.len() < text.len(), "{clean}");
        }
    }

    #[test]
    fn other_text_stays_and_a_short_secret_hides_nothing_by_chance() {
        assert_eq!(without("nothing here 6162", "ab"), "nothing here 6162");
        assert_eq!(without("anything", ""), "anything");
    }
}
