//! What a failed call was given.

use super::{Explained, Explainer, is_nothing};
use crate::sandbox::notebook::{offset, position};

impl Explainer<'_> {
    /// A call failed: the place of the argument that was nothing, or else of the name that was called.
    pub(super) fn failed(&mut self, at: u32, path: &str, message: &str) -> Option<Explained> {
        let calls = self.tree.calls.iter().filter(|call| call.callee.span.end <= at && at < call.span.end);
        let call = calls.max_by_key(|call| call.callee.span.end)?;
        let (name, given) = (call.name, call.given.clone());
        let last = path.rsplit('.').next().unwrap_or(path);
        let is_this = self.source.get(offset(name)..).is_some_and(|rest| rest.starts_with(last));
        let place = |start: u32| Some(position(self.source, offset(start)));
        // Only where what it was given is what it complains of.
        if message.contains("got null") || message.contains("got nothing") || message.contains("is a promise") {
            for subject in given {
                let awaited = match &subject.object {
                    Some(object) if subject.callee.is_none() => self.awaiting(object),
                    _ => None,
                };
                let start = subject.span.start;
                if message.contains("is a promise")
                    && let Some(hint) = self.awaiting(&subject)
                {
                    let hint = hint.trim_start_matches("; it is a promise: ");
                    let hint = if hint.starts_with("; ") { "" } else { hint };
                    let separator = if hint.is_empty() { "" } else { ": " };
                    return Some(Explained { message: format!("{message}{separator}{hint}"), position: place(start) });
                }
                let seen = self.seen(&subject);
                let kind = seen.as_ref().and_then(|(seen, is_whole)| is_whole.then(|| seen.kinds.last()).flatten());
                let Some(kind) = kind.filter(|kind| is_nothing(kind)).cloned() else { continue };
                let hint = awaited.or_else(|| self.offer(&subject, seen.as_ref())).unwrap_or_default();
                let text = self.quote(subject.span);
                let message = format!("{message}; `{text}` is {kind}{hint}");
                return Some(Explained { message, position: place(start) });
            }
        }
        is_this.then(|| Explained { message: message.to_owned(), position: place(name) })
    }
}
