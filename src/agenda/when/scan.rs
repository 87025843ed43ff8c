//! Reads a text into a [`Wish`], piece by piece from the left; a piece that means nothing refuses the whole.

mod chinese;
mod dates;
mod english;

use super::MORNING;
use super::wish::{Clock, MonthDay, Period, Wish};
use crate::time::Span;

/// Smaller numbers before 年 count years, greater ones name one.
const FIRST_YEAR: i64 = 1970;

/// Why a text is refused.
pub(super) enum Refused {
    Unreadable,
    Repeats,
}

/// What may be counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Second,
    Minute,
    Quarter,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// Reads the whole text.
pub(super) fn read(text: &str) -> Result<Wish, Refused> {
    let text = normal(text);
    let mut scan = Scan { rest: &text, wish: Wish::default(), counted: None, morning: false };
    while !scan.rest.is_empty() {
        let before = scan.rest.len();
        scan.piece()?;
        if scan.rest.len() == before {
            return Err(Refused::Unreadable);
        }
    }
    scan.finish()
}

/// Lower case, half width, simplified where only the shape differs, `p.m.` as `pm`.
fn normal(text: &str) -> String {
    let plain = |c: char| match c {
        '，' | '（' | '）' => ' ',
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{3000}' => ' ',
        '點' => '点',
        '鐘' | '鍾' => '钟',
        '後' => '后',
        '時' => '时',
        '週' => '周',
        '禮' => '礼',
        '兩' => '两',
        '號' => '号',
        '個' => '个',
        '頭' => '头',
        '這' => '这',
        '過' => '过',
        '淩' => '凌',
        '’' => '\'',
        _ => c,
    };
    let text: String = text.trim().chars().map(plain).flat_map(char::to_lowercase).collect();
    text.replace("a.m.", "am").replace("p.m.", "pm").replace("o'clock", " ")
}

struct Scan<'t> {
    rest: &'t str,
    wish: Wish,
    /// The last unit that was counted, for `and a half`.
    counted: Option<Unit>,
    /// A day was named by a word, so that without a time its morning is meant.
    morning: bool,
}

impl<'t> Scan<'t> {
    fn piece(&mut self) -> Result<(), Refused> {
        self.rest = self.rest.trim_start();
        if self.rest.is_empty() || self.week()? || self.in_month() {
            return Ok(());
        }
        if let Some(count) = self.number() {
            return self.counted(count);
        }
        if let Some(word) = self.chinese() {
            return self.word(word);
        }
        if self.rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return self.english();
        }
        let filler = |c: char| matches!(c, ',' | '.' | '(' | ')' | '!' | '~' | ';');
        match self.rest.strip_prefix(filler) {
            Some(rest) => self.rest = rest,
            None => return Err(Refused::Unreadable),
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Wish, Refused> {
        let wish = &mut self.wish;
        let timed = wish.clock.is_some() || wish.period.is_some();
        let only_today = wish.days == Some(0) && !timed;
        if wish.is_blank() || only_today || (self.morning && wish.span.is_some()) {
            return Err(Refused::Unreadable);
        }
        if self.morning && !timed {
            wish.clock = Some(Clock { hour: MORNING, minute: 0, second: 0, exact: true });
        }
        Ok(self.wish)
    }

    fn eat(&mut self, word: &str) -> bool {
        match self.rest.strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn eat_any(&mut self, words: &[&str]) -> bool {
        words.iter().any(|word| self.eat(word))
    }

    /// A number in digits or Chinese numerals, or 半.
    fn number(&mut self) -> Option<f64> {
        if self.half() {
            return Some(0.5);
        }
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let mut end = digits;
            let fraction = self.rest[digits..]
                .strip_prefix('.')
                .map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
            if fraction > 0 {
                end += 1 + fraction;
            }
            let number = self.rest[..end].parse().ok()?;
            self.rest = &self.rest[end..];
            return Some(number);
        }
        let numeral: String = self.rest.chars().take_while(|c| chinese::numeral(*c).is_some()).collect();
        let number = chinese::number(&numeral)?;
        self.rest = &self.rest[numeral.len()..];
        Some(number as f64)
    }

    fn whole_number(&mut self) -> Option<i64> {
        let start = self.rest;
        match self.number() {
            Some(n) if n.fract() == 0.0 => Some(n as i64),
            Some(_) | None => {
                self.rest = start;
                None
            }
        }
    }

    /// What stands behind a number says what it is.
    fn counted(&mut self, count: f64) -> Result<(), Refused> {
        let spaced = self.rest;
        self.rest = self.rest.trim_start();
        if let Some((unit, half)) = self.unit() {
            return self.add(count + if half { 0.5 } else { 0.0 }, unit);
        }
        self.rest = spaced;
        if count < FIRST_YEAR as f64 && self.eat("年") {
            let half = if self.half() { 0.5 } else { 0.0 };
            return self.add(count + half, Unit::Year);
        }
        if count.fract() != 0.0 {
            return Err(Refused::Unreadable);
        }
        let whole = count as i64;
        if self.eat(":") {
            return self.colon(whole);
        }
        if self.eat_any(&["点", "时"]) {
            return self.oclock(whole);
        }
        if self.eat("年") {
            return self.year(whole);
        }
        if self.eat("月") {
            if ["后", "之后", "以后"].iter().any(|later| self.rest.starts_with(later)) {
                return self.add(count, Unit::Month);
            }
            self.month(whole)?;
            self.rest = self.rest.trim_start();
            if self.eat_any(&["底", "末"]) {
                self.wish.month_day = Some(MonthDay::Last);
            } else if let Some(day) = self.whole_number() {
                self.eat_any(&["日", "号"]);
                self.month_day(day)?;
            }
            return Ok(());
        }
        if self.eat_any(&["号", "日"]) {
            return self.month_day(whole);
        }
        if self.rest.starts_with(['/', '-']) && self.slashes(whole)? {
            return Ok(());
        }
        self.rest = self.rest.trim_start();
        let word = self.peek_word();
        match word {
            "am" | "pm" => {
                self.eat(word);
                self.meridiem(whole, 0, 0, word == "pm")
            }
            "st" | "nd" | "rd" | "th" => {
                self.eat(word);
                self.month_day(whole)
            }
            _ if self.wish.month.is_some() && self.wish.month_day.is_none() => self.month_day(whole),
            _ if english::month(word).is_some() => self.month_day(whole),
            _ if self.wish.month_day.is_some() && self.wish.year.is_none() && whole >= FIRST_YEAR => self.year(whole),
            // A bare hour, as in "tomorrow at 9".
            _ if self.wish.clock.is_none() && (0..=24).contains(&whole) => self.clock(whole, 0, 0, false),
            _ => Err(Refused::Unreadable),
        }
    }

    /// A unit behind a number, and whether a half stood before it (一个半小时) or behind it (一天半).
    fn unit(&mut self) -> Option<(Unit, bool)> {
        let start = self.rest;
        if let Some(found) = self.chinese_unit() {
            return Some(found);
        }
        self.rest = start;
        let word = self.peek_word();
        let unit = english::unit(word)?;
        self.eat(word);
        Some((unit, false))
    }

    /// 半, but not the beginning of 半夜.
    fn half(&mut self) -> bool {
        !self.rest.starts_with("半夜") && self.eat("半")
    }

    fn add(&mut self, count: f64, unit: Unit) -> Result<(), Refused> {
        self.counted = Some(unit);
        let wish = &mut self.wish;
        let whole = count.fract() == 0.0;
        let (days, months, millis) = match unit {
            Unit::Second => (0.0, 0.0, count * 1e3),
            Unit::Minute => (0.0, 0.0, count * 60e3),
            Unit::Quarter => (0.0, 0.0, count * 900e3),
            Unit::Hour => (0.0, 0.0, count * 3600e3),
            Unit::Day if whole => (count, 0.0, 0.0),
            Unit::Day => (0.0, 0.0, count * 86_400e3),
            Unit::Week if whole => (count * 7.0, 0.0, 0.0),
            Unit::Week => (0.0, 0.0, count * 7.0 * 86_400e3),
            Unit::Month if whole => (0.0, count, 0.0),
            Unit::Month => ((count.fract() * 30.0).round(), count.trunc(), 0.0),
            Unit::Year => (0.0, (count * 12.0).round(), 0.0),
        };
        // Far beyond every calendar; also keeps the sums below from overflowing.
        if count > 1e7 {
            return Err(Refused::Unreadable);
        }
        if days != 0.0 {
            wish.days = Some(wish.days.unwrap_or(0) + days as i64);
        }
        if months != 0.0 {
            wish.months = Some(wish.months.unwrap_or(0) + months as i64);
        }
        if days == 0.0 && months == 0.0 {
            wish.span = Some(Span(wish.span.unwrap_or(Span::ZERO).0 + millis as i64));
        }
        Ok(())
    }

    /// Behind `9:`.
    fn colon(&mut self, hour: i64) -> Result<(), Refused> {
        let minute = self.whole_number().ok_or(Refused::Unreadable)?;
        let second = if self.eat(":") { self.whole_number().ok_or(Refused::Unreadable)? } else { 0 };
        let spaced = self.rest;
        self.rest = self.rest.trim_start();
        let word = self.peek_word();
        if matches!(word, "am" | "pm") {
            self.eat(word);
            return self.meridiem(hour, minute, second, word == "pm");
        }
        self.rest = spaced;
        self.clock(hour, minute, second, true)
    }

    /// Behind `9点`: 半, 一刻, 45, 45分, 整.
    fn oclock(&mut self, hour: i64) -> Result<(), Refused> {
        self.eat("钟");
        if self.eat("整") {
            return self.clock(hour, 0, 0, hour > 12);
        }
        if self.half() {
            return self.clock(hour, 30, 0, hour > 12);
        }
        let minute = match self.whole_number() {
            Some(quarters) if self.eat("刻") => quarters * 15,
            Some(minute) => {
                self.eat("分");
                minute
            }
            None => 0,
        };
        self.clock(hour, minute, 0, hour > 12)
    }

    fn meridiem(&mut self, hour: i64, minute: i64, second: i64, pm: bool) -> Result<(), Refused> {
        if !(1..=12).contains(&hour) {
            return Err(Refused::Unreadable);
        }
        self.wish.period = None;
        self.clock(hour % 12 + if pm { 12 } else { 0 }, minute, second, true)
    }

    fn clock(&mut self, hour: i64, minute: i64, second: i64, exact: bool) -> Result<(), Refused> {
        let stands = (0..=24).contains(&hour) && (0..60).contains(&minute) && (0..60).contains(&second);
        if !stands || self.wish.clock.is_some() || hour == 24 && minute + second > 0 {
            return Err(Refused::Unreadable);
        }
        self.wish.clock = Some(Clock { hour, minute, second, exact: exact || hour == 0 });
        Ok(())
    }

    fn set_weekday(&mut self, weekday: i8, weeks: Option<i64>) -> Result<(), Refused> {
        if self.wish.weekday.is_some() {
            return Err(Refused::Unreadable);
        }
        self.wish.weekday = Some(weekday);
        self.wish.weeks = self.wish.weeks.or(weeks);
        self.morning = true;
        Ok(())
    }

    fn day(&mut self, days: i64) -> Result<(), Refused> {
        if self.wish.days.is_some() {
            return Err(Refused::Unreadable);
        }
        self.wish.days = Some(days);
        self.morning = true;
        Ok(())
    }

    fn part(&mut self, part: Period) {
        let night = matches!(self.wish.period, Some(Period::Evening | Period::Midnight));
        if night && part == Period::Dawn {
            // 今晚凌晨一点 is tomorrow by the calendar.
            self.wish.days = self.wish.days.map(|days| days + 1);
        }
        self.wish.period = Some(part);
    }

    /// The Latin word that comes next, if one does.
    fn peek_word(&self) -> &'t str {
        let end = self.rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        &self.rest[..end]
    }
}
