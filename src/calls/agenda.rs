//! `agenda.*`: reminders of this room.

use serde_json::{Value, json};

use super::args::{Args, Options, as_id};
use super::{Answer, Desk, store_error};
use crate::agenda::{NewReminder, when};
use crate::call::{Call, CallError};
use crate::memory::change::Change;
use crate::time::{Span, Timestamp, Zone};

/// How many reminders one room may have: a bound against loops, far above what people set.
const MOST_REMINDERS: usize = 100;
/// How many characters a reminder may have.
const LONGEST: usize = 500;
/// How far ahead one may be set.
const FARTHEST: Span = Span::hours(24 * 366 * 5);

/// The answer to `agenda.NAME`.
pub(super) fn method(name: &str) -> Option<Answer> {
    Some(match name {
        "remind" => |desk, call, now| desk.written(call, desk.remind(call, now)),
        "list" => |desk, call, _| desk.read(call, desk.reminders()),
        "cancel" => |desk, call, _| desk.written(call, desk.cancel(call)),
        _ => return None,
    })
}

impl Desk {
    fn remind(&self, call: &Call, now: Timestamp) -> Result<(Value, String), CallError> {
        let args = Args::of(call);
        let missing = || args.wrong("when", "a time, such as \"in 20 minutes\" or \"2026-05-14 20:00\"", None);
        let when = args.value(0).ok_or_else(missing)?;
        let options = args.options(2, &[])?;
        let due = moment(&options, "when", when, now, &self.house.config.zone)?;
        let what = args.text(1, "what")?;
        if what.chars().count() > LONGEST {
            return Err(CallError::new("RangeError", format!("{}: what may have {LONGEST} characters", call.path)));
        }
        if due.since(now) > FARTHEST {
            return Err(CallError::new("RangeError", format!("{}: that is more than five years away", call.path)));
        }
        let set_here = self.house.store.reminders(Some(self.room)).map_err(|e| store_error(&e))?.len();
        let mut state = self.lock();
        let pending = state.pending.changes.iter().filter(|c| matches!(c, Change::AddReminder(_))).count();
        if set_here + pending >= MOST_REMINDERS {
            let message = format!("{}: {MOST_REMINDERS} reminders are set here; cancel some first", call.path);
            return Err(CallError::new("RangeError", message));
        }
        let asked_by = self.waiting.last().and_then(|m| m.from.profile()).cloned();
        state.pending.changes.push(Change::AddReminder(NewReminder { room: self.room, what, due, set: now, asked_by }));
        let at = self.house.config.zone.with_weekday(due);
        Ok((json!({ "at": at }), format!("a reminder is set for {at}")))
    }

    fn reminders(&self) -> Result<Value, CallError> {
        let stored = self.house.store.reminders(Some(self.room)).map_err(|e| store_error(&e))?;
        let state = self.lock();
        let is_cancelled = |id: u64| {
            state.pending.changes.iter().any(|c| matches!(c, Change::CancelReminder { id: gone, .. } if *gone == id))
        };
        let pending = state.pending.changes.iter().filter_map(|change| match change {
            Change::AddReminder(new) => Some((None, new)),
            _ => None,
        });
        Ok(stored
            .iter()
            .filter(|reminder| !is_cancelled(reminder.id))
            .map(|reminder| (Some(reminder.id), &reminder.set))
            .chain(pending)
            .map(|(id, set)| json!({ "id": id, "what": set.what, "at": self.house.config.zone.with_weekday(set.due) }))
            .collect())
    }

    fn cancel(&self, call: &Call) -> Result<(Value, String), CallError> {
        let args = Args::of(call);
        let id = args.id(0, "id")?;
        let stored = self.house.store.reminders(Some(self.room)).map_err(|e| store_error(&e))?;
        match stored.iter().find(|reminder| i64::try_from(reminder.id) == Ok(id)) {
            Some(reminder) => {
                let change = Change::CancelReminder { room: self.room, id: reminder.id };
                self.lock().pending.changes.push(change);
                Ok((json!(true), format!("cancelled reminder {id}")))
            }
            None => Err(CallError::new(
                "RangeError",
                format!("{}: no reminder {id} is set here; see agenda.list()", call.path),
            )),
        }
    }
}

/// A moment as scripts write it: a text, milliseconds, or a Date (which crosses as its ISO text).
pub(super) fn moment(
    options: &Options<'_>,
    name: &str,
    value: &Value,
    now: Timestamp,
    zone: &Zone,
) -> Result<Timestamp, CallError> {
    let at = match value {
        Value::String(text) => {
            when::parse(text, now, zone).map_err(|e| CallError::new("RangeError", format!("{name}: {e}")))?
        }
        Value::Number(_) => as_id(value).map(Timestamp).ok_or_else(|| options.wrong(name, "a time", Some(value)))?,
        other => {
            return Err(options.wrong(name, "a time, such as \"in 20 minutes\" or \"2026-05-14 20:00\"", Some(other)));
        }
    };
    if at <= now {
        let message = format!("{name}: {} is past; it is {}", zone.minute(at), zone.with_weekday(now));
        return Err(CallError::new("RangeError", message));
    }
    Ok(at)
}
