//! Timestamps, spans and civil time in a zone.
//!
//! Nothing here reads a clock: time enters from `clock.rs` and is passed along as an argument.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

use serde::{Deserialize, Serialize};

/// A moment: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

/// A length of time in milliseconds; may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(pub i64);

impl Timestamp {
    /// From whole seconds, as Telegram counts them.
    pub const fn from_secs(secs: i64) -> Self {
        Self(secs.saturating_mul(1000))
    }

    /// Whole seconds, rounded down.
    pub const fn secs(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// The span from `earlier` to this moment.
    pub const fn since(self, earlier: Timestamp) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);

    /// From milliseconds.
    pub const fn millis(n: i64) -> Self {
        Self(n)
    }

    /// From seconds.
    pub const fn secs(n: i64) -> Self {
        Self(n.saturating_mul(1000))
    }

    /// From minutes.
    pub const fn minutes(n: i64) -> Self {
        Self(n.saturating_mul(60_000))
    }

    /// From hours.
    pub const fn hours(n: i64) -> Self {
        Self(n.saturating_mul(3_600_000))
    }

    /// As a standard duration; a negative span is no time.
    pub fn to_duration(self) -> std::time::Duration {
        std::time::Duration::from_millis(u64::try_from(self.0).unwrap_or(0))
    }
}

impl Add<Span> for Timestamp {
    type Output = Timestamp;
    fn add(self, span: Span) -> Timestamp {
        Timestamp(self.0.saturating_add(span.0))
    }
}

impl AddAssign<Span> for Timestamp {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Sub<Span> for Timestamp {
    type Output = Timestamp;
    fn sub(self, span: Span) -> Timestamp {
        Timestamp(self.0.saturating_sub(span.0))
    }
}

impl fmt::Display for Timestamp {
    /// RFC 3339 in UTC.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => write!(f, "{moment}"),
            Err(_) => write!(f, "{}ms", self.0),
        }
    }
}

/// A time zone by its IANA name; the database is inside the binary.
#[derive(Clone, Debug)]
pub struct Zone(jiff::tz::TimeZone);

/// A civil date and time in a zone, broken down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    /// Calendar year.
    pub year: i16,
    /// 1 to 12.
    pub month: i8,
    /// 1 to 31.
    pub day: i8,
    /// 0 to 23.
    pub hour: i8,
    /// 0 to 59.
    pub minute: i8,
    /// 0 to 59.
    pub second: i8,
    /// Monday is 1, Sunday 7.
    pub weekday: i8,
}

impl Zone {
    /// Universal time.
    pub fn utc() -> Self {
        Self(jiff::tz::TimeZone::UTC)
    }

    /// Looks a zone up by name, such as `Asia/Shanghai`.
    pub fn named(name: &str) -> Result<Self, String> {
        jiff::tz::TimeZone::get(name)
            .map(Self)
            .map_err(|_| format!("{name:?} is not a time zone; expected a name such as \"Asia/Shanghai\" or \"UTC\""))
    }

    /// The zone's name; `UTC` if it has none.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The civil time of a moment here. A moment outside the calendar is the epoch.
    pub fn civil(&self, at: Timestamp) -> Civil {
        let moment = jiff::Timestamp::from_millisecond(at.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        let z = moment.to_zoned_datetime(self.0.clone());
        Civil {
            year: z.year(),
            month: z.month(),
            day: z.day(),
            hour: z.hour(),
            minute: z.minute(),
            second: z.second(),
            weekday: z.weekday().to_monday_one_offset(),
        }
    }

    /// The moment of a civil time here. In a gap the later reading is taken, in a fold the earlier;
    /// a date that does not exist is `None`.
    pub fn moment(&self, year: i16, month: i8, day: i8, hour: i8, minute: i8, second: i8) -> Option<Timestamp> {
        let civil = jiff::civil::DateTime::new(year, month, day, hour, minute, second, 0).ok()?;
        let zoned = civil.to_zoned_datetime(self.0.clone()).ok()?;
        Some(Timestamp(zoned.timestamp().as_millisecond()))
    }

    /// Seconds east of Greenwich at a moment, and whether it is summer time. Beyond the calendar, as at its end.
    pub fn offset(&self, at: Timestamp) -> (i32, bool) {
        let end = if at.0 < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
        let info = self.0.to_offset_info(jiff::Timestamp::from_millisecond(at.0).unwrap_or(end));
        (info.offset().seconds(), info.dst().is_dst())
    }

    /// The moment of a local time, told as the milliseconds that it would be at Greenwich. In a gap the later reading
    /// is taken, in a fold the earlier.
    pub fn moment_of_local(&self, local: i64) -> Timestamp {
        const DAY: i64 = 86_400_000;
        let offset = |at: i64| i64::from(self.offset(Timestamp(at)).0) * 1000;
        // What holds well before and well after frames any change between them.
        let (before, after) = (offset(local.saturating_sub(DAY)), offset(local.saturating_add(DAY)));
        let fits = |by: i64| offset(local.saturating_sub(by)) == by;
        let by = if fits(before) || !fits(after) { before } else { after };
        Timestamp(local.saturating_sub(by))
    }

    /// `2026-05-14 07:48` here.
    pub fn minute(&self, at: Timestamp) -> String {
        let c = self.civil(at);
        format!("{:04}-{:02}-{:02} {:02}:{:02}", c.year, c.month, c.day, c.hour, c.minute)
    }

    /// `2026-05-14 07:48:05` here.
    pub fn second(&self, at: Timestamp) -> String {
        format!("{}:{:02}", self.minute(at), self.civil(at).second)
    }

    /// `Thu 2026-05-14 07:48` here: what a prompt shows as the present.
    pub fn with_weekday(&self, at: Timestamp) -> String {
        const NAMES: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
        let index = usize::try_from(self.civil(at).weekday - 1).unwrap_or(0).min(6);
        format!("{} {}", NAMES[index], self.minute(at))
    }

    /// A moment given as RFC 3339, or as a civil `2026-05-14 07:48[:30]` in this zone.
    pub fn parse(&self, text: &str) -> Option<Timestamp> {
        let text = text.trim();
        if let Ok(moment) = text.parse::<jiff::Timestamp>() {
            return Some(Timestamp(moment.as_millisecond()));
        }
        let civil = text.replace('/', "-").parse::<jiff::civil::DateTime>().ok()?;
        let zoned = civil.to_zoned_datetime(self.0.clone()).ok()?;
        Some(Timestamp(zoned.timestamp().as_millisecond()))
    }
}

impl PartialEq for Zone {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn civil_time_round_trips_in_a_zone() {
        let zone = Zone::named("Asia/Shanghai").unwrap();
        let at = zone.moment(2026, 5, 14, 7, 48, 12).unwrap();
        assert_eq!(at.to_string(), "2026-05-13T23:48:12Z");
        assert_eq!(zone.with_weekday(at), "Thu 2026-05-14 07:48");
        assert_eq!(zone.parse("2026-05-14 07:48:12"), Some(at));
        assert_eq!(zone.parse("2026-05-14T07:48:12+08:00"), Some(at));
        assert_eq!(zone.parse("2026-02-30 07:48"), None);
    }

    #[test]
    fn local_time_becomes_a_moment_across_changes_of_the_clock() {
        let zone = Zone::named("America/New_York").unwrap();
        let at = |text: &str| {
            let local: jiff::Timestamp = format!("{text}Z").parse().unwrap();
            zone.moment_of_local(local.as_millisecond()).to_string()
        };
        assert_eq!(at("2026-03-08T01:59:00"), "2026-03-08T06:59:00Z");
        assert_eq!(at("2026-03-08T02:30:00"), "2026-03-08T07:30:00Z", "a gap: 03:30");
        assert_eq!(at("2026-03-08T05:00:00"), "2026-03-08T09:00:00Z");
        assert_eq!(at("2026-11-01T01:30:00"), "2026-11-01T05:30:00Z", "a fold: the first");
        assert_eq!(at("2026-11-01T02:00:00"), "2026-11-01T07:00:00Z");
    }

    #[test]
    fn an_unknown_zone_says_what_was_expected() {
        assert!(Zone::named("Mars/Olympus").unwrap_err().contains("Asia/Shanghai"));
    }
}
