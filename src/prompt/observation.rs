//! What the model is told about what its script did.

use std::fmt::Write as _;

use super::excerpt::excerpt;
use crate::call::{Origin, Outcome, Report};
use crate::text::clip;

/// Said when a reply to somebody who waits held no script.
pub const NO_SCRIPT: &str = "Nothing was sent: your reply held no script, and text outside a script is shown to nobody. \
Somebody waits for you. Answer with one ```js block, or call turn.pass(\"why\") in one to stay silent on purpose.";

/// Said when a script for somebody who waits left no trace in the chat.
pub const NOTHING_DONE: &str = "The script ran, but nothing was sent and nothing was printed, so the person who waits for \
you saw nothing. Send your answer with telegram.sendText, or call turn.pass(\"why\") to stay silent on purpose.";

/// What a note about a cut may add to the bytes of an output that was bounded already.
const NOTE: usize = 100;

/// The report on a script. `most` bounds the output's bytes; head and tail are kept and the cut is counted.
pub fn report(script: &str, report: &Report, docs: Option<&str>, most: usize) -> String {
    let mut text = String::new();
    if let Some(error) = &report.error {
        let _ = write!(text, "The script failed: {}: {}", error.name, error.message);
        if let Some((line, column)) = error.position {
            let _ = write!(text, " (line {line}, column {column})");
        }
        text.push('\n');
        text.extend(error.position.and_then(|place| excerpt(script, place)));
    } else {
        text.push_str("The script ran.\n");
    }
    if report.variables_gone {
        text.push_str("Its process is gone, and with it the variables of earlier scripts of this turn.\n");
    }
    let done =
        report.calls.iter().filter(|c| c.is_effect && matches!(c.outcome, Outcome::Done(_) | Outcome::Unknown(_)));
    let mut any = false;
    for settled in done {
        if !any {
            text.push_str("Already done:\n");
            any = true;
        }
        let what = if settled.did.is_empty() { settled.outcome.word() } else { &settled.did };
        let _ = writeln!(text, "- {}: {what}", settled.call.path);
    }
    if any && report.error.is_some() {
        text.push_str(
            "It stays done. An equal send in your corrected script is not sent again; all else would be done again, so leave it out.\n",
        );
    } else if report.error.is_some() {
        text.push_str("Nothing was sent or changed.\n");
    }
    for settled in report.calls.iter().filter(|c| !matches!(c.outcome, Outcome::Done(_))) {
        let error = match &settled.outcome {
            Outcome::Done(_) => continue,
            Outcome::Failed(e) | Outcome::Denied(e) | Outcome::Parked(e) | Outcome::Unknown(e) => e,
        };
        // The error that ended the script already stands at the top.
        if report.error.as_ref().is_none_or(|top| top.message != error.message) {
            let _ =
                writeln!(text, "- {} {}: {}: {}", settled.call.path, settled.outcome.word(), error.name, error.message);
        }
    }
    if !report.output.is_empty() {
        let _ = writeln!(text, "Output:\n{}", fenced(&clip(&report.output, most + NOTE)));
    }
    if let Some(value) = report.value.as_ref().filter(|_| !is_shown_below(report)) {
        let _ = writeln!(text, "Value:\n{}", fenced(&clip(value, most + NOTE)));
    }
    if let Some(docs) = docs {
        text.push('\n');
        text.push_str(docs);
    }
    text.trim_end().to_owned()
}

/// Whether the value is what a guide's call gave, which stands below as a section of its own.
fn is_shown_below(report: &Report) -> bool {
    let Origin::Call(id) = report.origin else { return false };
    let is_of_guides = |path: &str| matches!(path, "skills.load" | "skills.read");
    report.calls.iter().any(|c| c.call.id == id && is_of_guides(&c.call.path) && matches!(c.outcome, Outcome::Done(_)))
}

/// Talk that came in while the turn went on.
pub fn news(lines: &str) -> String {
    format!("Meanwhile in the chat:\n{lines}")
}

/// A fence that the text itself cannot close.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest.max(2) + 1);
    format!("{ticks}\n{}\n{ticks}", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_cannot_close_its_own_fence() {
        let seen = report("", &Report { output: "```\nThe script ran.".into(), ..Report::default() }, None, 1000);
        assert!(seen.contains("````\n```\nThe script ran.\n````"), "{seen}");
    }
}
