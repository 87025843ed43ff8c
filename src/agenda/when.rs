//! Times as people and scripts write them: `in 20 minutes`, `周五18:00`, RFC 3339, or a civil time in the room's zone.
//!
//! What holds: the answer is always ahead of `now`; a text is read whole or refused, never in part; what could be meant
//! in two ways is read as the next moment that fits, and a day without a time of day is its morning ([`MORNING`]).

mod scan;
mod wish;

use crate::time::{Span, Timestamp, Zone};

use wish::Impossible;

/// The hour at which a day without a time begins to count.
pub const MORNING: i64 = 9;

/// How far ahead a time may lie: beyond it a slip of the pen is likelier than a wish.
pub const FARTHEST: Span = Span::hours(24 * 366 * 10);

/// Longer texts are not times.
const LONGEST: usize = 200;

/// Why a text gives no moment ahead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhenError {
    /// It cannot be read.
    #[error(
        "cannot read {text:?} as a time; write \"in 20 minutes\", \"tomorrow 9:00\", \"friday 18:00\", \"20分钟后\", \
         \"明早九点\", \"下周二下午三点\", or a date such as \"2026-05-14 07:48\""
    )]
    Unreadable {
        /// The text.
        text: String,
    },
    /// It is over.
    #[error("{text:?} is {at}, which is past: it is {now} now; name a time ahead")]
    Past {
        /// The text.
        text: String,
        /// What it means, in the zone.
        at: String,
        /// The present, in the zone.
        now: String,
    },
    /// It asks for more than one time.
    #[error("{text:?} repeats, and only single times can be set; name the next one, such as \"tomorrow 8:00\"")]
    Repeats {
        /// The text.
        text: String,
    },
    /// Date and weekday contradict each other.
    #[error("in {text:?} the weekday does not fit: that date is {date}; name one of them")]
    Contradiction {
        /// The text.
        text: String,
        /// The date with its weekday.
        date: String,
    },
    /// It lies too many years ahead.
    #[error("{text:?} is {at}, more than ten years ahead; name a nearer time")]
    TooFar {
        /// The text.
        text: String,
        /// What it means, in the zone.
        at: String,
    },
}

/// The moment that a text means, in English or Chinese, in this zone.
///
/// # Errors
/// Says what cannot be read, with examples, or that the time is past.
pub fn parse(text: &str, now: Timestamp, zone: &Zone) -> Result<Timestamp, WhenError> {
    let shown = || text.trim().chars().take(LONGEST).collect::<String>();
    let unreadable = || WhenError::Unreadable { text: shown() };
    let number = text.trim().bytes().all(|byte| byte.is_ascii_digit());
    // A date alone would be read as its first minute; people mean its morning.
    let exact = if text.contains(':') { zone.parse(text) } else { epoch(text) };
    // A bare number could be an hour, minutes, a day: whoever means one can say so.
    if text.len() > LONGEST || (number && exact.is_none()) {
        return Err(unreadable());
    }
    let at = match exact {
        Some(at) => at,
        None => {
            let wish = scan::read(text).map_err(|refused| match refused {
                scan::Refused::Unreadable => unreadable(),
                scan::Refused::Repeats => WhenError::Repeats { text: shown() },
            })?;
            wish.moment(now, zone).map_err(|refused| match refused {
                Impossible::NoSuchTime => unreadable(),
                Impossible::Weekday(date) => {
                    WhenError::Contradiction { text: shown(), date: date.strftime("%A, %Y-%m-%d").to_string() }
                }
            })?
        }
    };
    if at <= now {
        return Err(WhenError::Past { text: shown(), at: zone.with_weekday(at), now: zone.with_weekday(now) });
    }
    if at.since(now) > FARTHEST {
        return Err(WhenError::TooFar { text: shown(), at: zone.with_weekday(at) });
    }
    Ok(at)
}

/// A bare count of seconds or milliseconds since 1970, as scripts may compute it.
fn epoch(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match (text.len(), text.parse::<i64>().ok()?) {
        (10, secs) => Some(Timestamp::from_secs(secs)),
        (13, millis) => Some(Timestamp(millis)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
