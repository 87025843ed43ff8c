//! What a text asks for, and the moment ahead that this is.

use jiff::civil::Date;

use super::MORNING;
use crate::time::{Span, Timestamp, Zone};

/// What a text asks for, before it is put on a calendar.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Wish {
    /// Hours, minutes and seconds from now.
    pub(super) span: Option<Span>,
    /// Whole days from today.
    pub(super) days: Option<i64>,
    /// Whole months from today; with [`Wish::month_day`] the month it is in.
    pub(super) months: Option<i64>,
    /// Whether the above lie behind us.
    pub(super) back: bool,
    /// Years from this one.
    pub(super) years: Option<i64>,
    pub(super) year: Option<i16>,
    pub(super) month: Option<i8>,
    pub(super) month_day: Option<MonthDay>,
    /// Monday is 1.
    pub(super) weekday: Option<i8>,
    /// Weeks from this one, which begins on Monday; without it the next such weekday is meant.
    pub(super) weeks: Option<i64>,
    pub(super) clock: Option<Clock>,
    pub(super) period: Option<Period>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MonthDay {
    Number(i8),
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) hour: i64,
    pub(super) minute: i64,
    pub(super) second: i64,
    /// Written so that no half of the day is left open: `09:00`, `9pm`.
    pub(super) exact: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Period {
    Dawn,
    Morning,
    Forenoon,
    Noon,
    Afternoon,
    Dusk,
    Evening,
    Midnight,
}

pub(super) enum Impossible {
    NoSuchTime,
    Weekday(Date),
}

impl Period {
    /// The hour that is meant when none is named; 24 is the midnight that ends the day.
    const fn hour(self) -> i64 {
        match self {
            Period::Dawn => 5,
            Period::Morning => 8,
            Period::Forenoon => 10,
            Period::Noon => 12,
            Period::Afternoon => 15,
            Period::Dusk => 18,
            Period::Evening => 20,
            Period::Midnight => 24,
        }
    }

    /// The hour of the day that `hour` on a clock's face means in this part of it; beyond 24 it is the night's end.
    const fn reading(self, hour: i64) -> i64 {
        match (self, hour) {
            (Period::Dawn, 12) => 0,
            (Period::Noon, 1..=3) | (Period::Afternoon, 1..=11) | (Period::Dusk, 1..=11) => hour + 12,
            (Period::Evening, 5..=11) | (Period::Midnight, 9..=11) => hour + 12,
            (Period::Evening | Period::Midnight, 12) => 24,
            (Period::Evening | Period::Midnight, 0..=4) => hour + 24,
            (
                Period::Dawn
                | Period::Morning
                | Period::Forenoon
                | Period::Noon
                | Period::Afternoon
                | Period::Dusk
                | Period::Evening
                | Period::Midnight,
                _,
            ) => hour,
        }
    }
}

impl Wish {
    /// Whether it asks for nothing at all.
    pub(super) fn is_blank(&self) -> bool {
        *self == Wish { back: self.back, ..Wish::default() }
    }

    pub(super) fn moment(&self, now: Timestamp, zone: &Zone) -> Result<Timestamp, Impossible> {
        let civil = zone.civil(now);
        let today = Date::new(civil.year, civil.month, civil.day).map_err(|_| Impossible::NoSuchTime)?;
        if let Some(span) = self.span {
            return self.spanned(span, today, now);
        }
        let (date, named) = self.date(today)?;
        let readings = self.readings(named, date == today);
        if let Some(weekday) = self.weekday
            && self.is_dated()
            && date.weekday().to_monday_one_offset() != weekday
        {
            return Err(Impossible::Weekday(date));
        }
        // `in 3 days`, `下个月` spoken as an offset: the same time of day as now.
        if readings.is_empty() {
            let at = zone.moment(date.year(), date.month(), date.day(), civil.hour, civil.minute, civil.second);
            return at.ok_or(Impossible::NoSuchTime);
        }
        let on = |date: Date, (hour, minute, second): (i64, i64, i64)| -> Option<Timestamp> {
            let date = shifted(date, hour.div_euclid(24))?;
            let part = |n: i64| i8::try_from(n).ok();
            zone.moment(date.year(), date.month(), date.day(), part(hour.rem_euclid(24))?, part(minute)?, part(second)?)
        };
        // Which day is meant may be left open: then the first moment ahead is.
        let step = match (named, self.weekday) {
            (None, _) => Some(1),
            (Some(Named::Weekday), _) => Some(7),
            (Some(Named::Fixed), _) => None,
        };
        let mut first = None;
        for days in std::iter::once(0).chain(step) {
            for reading in &readings {
                let day = shifted(date, days).ok_or(Impossible::NoSuchTime)?;
                let mut reading = *reading;
                if named.is_none() && reading.0 >= 24 {
                    reading.0 -= 24;
                }
                let at = on(day, reading).ok_or(Impossible::NoSuchTime)?;
                if at > now {
                    return Ok(at);
                }
                first.get_or_insert(at);
            }
        }
        first.ok_or(Impossible::NoSuchTime)
    }

    /// `in 1 day 2 hours`; with a date or a time of day beside it nothing is meant that could be read.
    fn spanned(&self, span: Span, today: Date, now: Timestamp) -> Result<Timestamp, Impossible> {
        if self.is_dated() || self.weekday.is_some() || self.clock.is_some() || self.period.is_some() {
            return Err(Impossible::NoSuchTime);
        }
        let mut days = self.days.unwrap_or(0);
        if self.months.is_some() {
            let (date, _) = Wish { span: None, days: None, ..self.clone() }.date(today)?;
            days += i64::from((date - today).get_days());
        }
        let total = Span(span.0.saturating_add(Span::hours(24).0.saturating_mul(days)));
        Ok(if self.back { now - total } else { now + total })
    }

    /// Whether a day of the calendar is named.
    const fn is_dated(&self) -> bool {
        self.month_day.is_some() || self.month.is_some() || self.year.is_some() || self.years.is_some()
    }

    /// The day, and in which way it was named.
    fn date(&self, today: Date) -> Result<(Date, Option<Named>), Impossible> {
        let fixed = |date: Option<Date>| date.map(|d| (d, Some(Named::Fixed))).ok_or(Impossible::NoSuchTime);
        if self.is_dated() {
            return fixed(self.calendar_date(today));
        }
        if let Some(weeks) = self.weeks {
            let monday = i64::from(today.weekday().to_monday_zero_offset());
            let day = i64::from(self.weekday.unwrap_or(1)) - 1;
            return fixed(shifted(today, weeks * 7 + day - monday));
        }
        let sign = if self.back { -1 } else { 1 };
        match (self.days, self.months, self.weekday) {
            (None, None, None) => Ok((today, None)),
            (None, None, Some(weekday)) => {
                let ahead = i64::from(weekday - today.weekday().to_monday_one_offset()).rem_euclid(7);
                shifted(today, ahead).map(|d| (d, Some(Named::Weekday))).ok_or(Impossible::NoSuchTime)
            }
            (days, months, weekday) => {
                let date = in_months(today, sign * months.unwrap_or(0), MonthDay::Number(today.day()));
                let date = date.and_then(|date| shifted(date, sign * days.unwrap_or(0)));
                match (date, weekday) {
                    (Some(date), Some(day)) if date.weekday().to_monday_one_offset() != day => {
                        Err(Impossible::Weekday(date))
                    }
                    (date, _) => fixed(date),
                }
            }
        }
    }

    /// A day of the calendar. What is left out is filled so that the day lies ahead: `5月14日`, `14号`, `May 2027`.
    fn calendar_date(&self, today: Date) -> Option<Date> {
        let day = self.month_day.unwrap_or(MonthDay::Number(1));
        if let Some(months) = self.months {
            return in_months(today, months, day);
        }
        let on = |year: i16, month: i8| match day {
            MonthDay::Number(day) => Date::new(year, month, day).ok(),
            MonthDay::Last => Some(Date::new(year, month, 1).ok()?.last_of_month()),
        };
        let year = match (self.year, self.years) {
            (None, Some(years)) => Some(today.year().checked_add(i16::try_from(years).ok()?)?),
            (year, _) => year,
        };
        match (year, self.month) {
            (Some(year), month) => on(year, month.unwrap_or(1)),
            // A leap day may be up to eight years away.
            (None, Some(month)) => (0..=8).find_map(|n| on(today.year() + n, month).filter(|date| *date >= today)),
            (None, None) => (0..=12).find_map(|n| {
                let month = in_months(today.first_of_month(), n, MonthDay::Number(1))?;
                on(month.year(), month.month()).filter(|date| *date >= today)
            }),
        }
    }

    /// The times of day that may be meant, the likeliest order first; none if only days are counted.
    fn readings(&self, named: Option<Named>, is_today: bool) -> Vec<(i64, i64, i64)> {
        let Some(Clock { hour, minute, second, exact }) = self.clock else {
            let counted = (self.days.is_some() || self.months.is_some()) && self.weekday.is_none() && !self.is_dated();
            return match self.period {
                Some(period) => vec![(period.hour(), 0, 0)],
                // "today" alone or a count of days says no time; 明天 and 下周 are read by their scanner as mornings.
                None if counted => Vec::new(),
                None => vec![(MORNING, 0, 0)],
            };
        };
        let at = |hour| (hour, minute, second);
        match self.period {
            _ if exact && self.period.is_none() => vec![at(hour)],
            Some(period) => vec![at(period.reading(hour))],
            // Half past three, on no day or today: whichever comes first.
            None if (1..=12).contains(&hour) && (named.is_none() || is_today) => vec![at(hour), at(hour + 12)],
            // On another day nobody means the small hours without saying so.
            None if (1..=5).contains(&hour) => vec![at(hour + 12)],
            None => vec![at(hour)],
        }
    }
}

/// How the day was named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    /// One day and no other.
    Fixed,
    /// The next such weekday with that time ahead.
    Weekday,
}

fn shifted(date: Date, days: i64) -> Option<Date> {
    // The calendar ends in the year 9999; so must the count of days.
    if days.abs() > 3_000_000 {
        return None;
    }
    date.checked_add(jiff::Span::new().days(days)).ok()
}

/// A day so many months on; the last of the month if it has no such day.
fn in_months(date: Date, months: i64, day: MonthDay) -> Option<Date> {
    if months.abs() > 12 * 8000 {
        return None;
    }
    let first = date.first_of_month().checked_add(jiff::Span::new().months(months)).ok()?;
    let last = first.last_of_month();
    match day {
        MonthDay::Number(day) => Date::new(first.year(), first.month(), day.min(last.day())).ok(),
        MonthDay::Last => Some(last),
    }
}
