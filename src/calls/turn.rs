//! `turn.*`: how the turn itself goes on.

use serde_json::Value;

use super::Answer;
use super::args::Args;

/// The answer to `turn.NAME`.
pub(super) fn method(name: &str) -> Option<Answer> {
    Some(match name {
        // That the turn ends is read from the report; here only the reason is asked for.
        "pass" => |desk, call, _| desk.read(call, Args::of(call).text(0, "reason").map(|_| Value::Null)),
        _ => return None,
    })
}
