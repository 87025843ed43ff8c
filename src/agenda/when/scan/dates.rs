//! Days of the calendar: years, months and days, in whichever order they stand.

use super::{FIRST_YEAR, MonthDay, Refused, Scan};

impl Scan<'_> {
    /// Behind `5` in `5/14`, or `2026` in `2026/5/14`. `false` if no number follows.
    pub(super) fn slashes(&mut self, first: i64) -> Result<bool, Refused> {
        let start = self.rest;
        let dash = self.rest.starts_with('-');
        self.eat_any(&["/", "-"]);
        let Some(second) = self.whole_number() else {
            self.rest = start;
            return Ok(false);
        };
        if self.eat(if dash { "-" } else { "/" }) {
            let third = self.whole_number().ok_or(Refused::Unreadable)?;
            self.eat("t");
            self.year(first)?;
            self.month(second)?;
            self.month_day(third)?;
        } else {
            self.month(first)?;
            self.month_day(second)?;
        }
        Ok(true)
    }

    pub(super) fn year(&mut self, year: i64) -> Result<(), Refused> {
        self.wish.year = Some(i16::try_from(year).ok().filter(|_| year >= FIRST_YEAR).ok_or(Refused::Unreadable)?);
        Ok(())
    }

    pub(super) fn month(&mut self, month: i64) -> Result<(), Refused> {
        if !(1..=12).contains(&month) || self.wish.month.is_some() {
            return Err(Refused::Unreadable);
        }
        self.wish.month = i8::try_from(month).ok();
        Ok(())
    }

    pub(super) fn month_day(&mut self, day: i64) -> Result<(), Refused> {
        let new = self.wish.month_day.is_none() || self.wish.months.is_some();
        if !(1..=31).contains(&day) || !new {
            return Err(Refused::Unreadable);
        }
        self.wish.month_day = i8::try_from(day).ok().map(MonthDay::Number);
        Ok(())
    }
}
