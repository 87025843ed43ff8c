//! English: words, units, weekdays, months and numbers.

use super::{MonthDay, Period, Refused, Scan, Unit};

impl Scan<'_> {
    /// One English word and what belongs to it.
    pub(super) fn english(&mut self) -> Result<(), Refused> {
        if self.eat("day after tomorrow") {
            return self.day(2);
        }
        let word = self.peek_word();
        self.eat(word);
        self.rest = self.rest.trim_start();
        if let Some(weekday) = weekday(word) {
            return self.set_weekday(weekday, None);
        }
        if let Some(month) = month(word) {
            return self.month(month);
        }
        if let Some(number) = self.english_number(word) {
            return self.counted(number);
        }
        match word {
            "in" | "at" | "on" | "the" | "of" | "from" | "now" | "by" | "after" | "later" | "around" | "about"
            | "sharp" => {}
            "and" => {
                if self.eat_any(&["a half", "half"]) {
                    let unit = self.counted.ok_or(Refused::Unreadable)?;
                    return self.add(0.5, unit);
                }
            }
            "a" | "an" => {
                if self.eat_any(&["couple of", "couple"]) {
                    return self.counted(2.0);
                }
                if let Some((unit, _)) = self.unit() {
                    return self.add(1.0, unit);
                }
            }
            "couple" => {
                self.eat("of");
                return self.counted(2.0);
            }
            "half" => return self.fraction(0.5, 30),
            "quarter" => return self.fraction(0.25, 15),
            "today" => return self.day(0),
            "tomorrow" | "tmr" | "tmrw" => return self.day(1),
            "yesterday" => return self.day(-1),
            "tonight" => {
                self.day(0)?;
                self.part(Period::Evening);
            }
            "dawn" => self.part(Period::Dawn),
            "morning" => self.part(Period::Morning),
            "noon" | "midday" => self.part(Period::Noon),
            "afternoon" => self.part(Period::Afternoon),
            "evening" | "night" => self.part(Period::Evening),
            "midnight" => self.part(Period::Midnight),
            "weekend" => return self.set_weekday(6, None),
            "next" => return self.next_or_this(1),
            "this" => return self.next_or_this(0),
            "coming" => {}
            "ago" => self.wish.back = true,
            "every" | "daily" | "weekly" | "monthly" | "each" => return Err(Refused::Repeats),
            _ => return Err(Refused::Unreadable),
        }
        Ok(())
    }

    /// Behind `half` or `quarter`: a clock (`past nine`, `to nine`) or a part of a unit (`an hour`).
    fn fraction(&mut self, part: f64, minutes: i64) -> Result<(), Refused> {
        let to = self.eat("to ");
        if to || self.eat("past ") {
            let word = self.peek_word();
            let hour = match self.whole_number() {
                Some(hour) => hour,
                None => {
                    self.eat(word);
                    self.english_number(word).ok_or(Refused::Unreadable)? as i64
                }
            };
            return if to {
                self.clock((hour + 11) % 12, 60 - minutes, 0, false)
            } else {
                self.clock(hour, minutes, 0, false)
            };
        }
        self.eat("of ");
        self.eat_any(&["an ", "a "]);
        self.rest = self.rest.trim_start();
        let (unit, _) = self.unit().ok_or(Refused::Unreadable)?;
        self.add(part, unit)
    }

    /// Behind `next` (one week, month or year on) and `this`.
    fn next_or_this(&mut self, ahead: i64) -> Result<(), Refused> {
        let word = self.peek_word();
        if let Some(day) = weekday(word) {
            self.eat(word);
            return self.set_weekday(day, Some(ahead));
        }
        match word {
            "weekend" => {
                self.eat(word);
                return self.set_weekday(6, Some(ahead));
            }
            "week" => {
                self.wish.weeks = Some(ahead);
                self.morning = true;
            }
            "month" => {
                self.wish.months = Some(ahead);
                self.wish.month_day = Some(MonthDay::Number(1));
            }
            "year" => self.wish.years = Some(ahead),
            "hour" if ahead == 1 => {
                self.eat(word);
                return self.add(1.0, Unit::Hour);
            }
            "morning" | "afternoon" | "evening" | "noon" if ahead == 0 => return self.day(0),
            _ => return Err(Refused::Unreadable),
        }
        self.eat(word);
        Ok(())
    }

    /// A number that begins with this word, such as `twenty-five`.
    fn english_number(&mut self, word: &str) -> Option<f64> {
        let tens = number(word)?;
        if tens >= 20 {
            let start = self.rest;
            self.eat("-");
            let ones = self.peek_word();
            match number(ones) {
                Some(one) if one < 10 => {
                    self.eat(ones);
                    self.rest = self.rest.trim_start();
                    return Some((tens + one) as f64);
                }
                Some(_) | None => self.rest = start,
            }
        }
        Some(tens as f64)
    }
}

/// The unit that a word names.
pub(super) fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "s" | "sec" | "secs" | "second" | "seconds" => Unit::Second,
        "m" | "min" | "mins" | "minute" | "minutes" => Unit::Minute,
        "h" | "hr" | "hrs" | "hour" | "hours" => Unit::Hour,
        "d" | "day" | "days" => Unit::Day,
        "w" | "wk" | "wks" | "week" | "weeks" => Unit::Week,
        "month" | "months" => Unit::Month,
        "y" | "year" | "years" => Unit::Year,
        _ => return None,
    })
}

/// The month that a word names, 1 to 12.
pub(super) fn month(word: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let at = MONTHS
        .iter()
        .position(|month| *month == word || word == &month[..3] || (word == "sept" && *month == "september"));
    at.and_then(|n| i64::try_from(n + 1).ok())
}

/// The weekday that a word names, Monday as 1.
fn weekday(word: &str) -> Option<i8> {
    Some(match word {
        "monday" | "mon" => 1,
        "tuesday" | "tue" | "tues" => 2,
        "wednesday" | "wed" => 3,
        "thursday" | "thu" | "thur" | "thurs" => 4,
        "friday" | "fri" => 5,
        "saturday" | "sat" => 6,
        "sunday" | "sun" => 7,
        _ => return None,
    })
}

fn number(word: &str) -> Option<i64> {
    const SMALL: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let small = SMALL.iter().position(|name| *name == word).and_then(|n| i64::try_from(n).ok());
    small.or(match word {
        "thirty" => Some(30),
        "forty" => Some(40),
        "fifty" => Some(50),
        "sixty" => Some(60),
        "ninety" => Some(90),
        _ => None,
    })
}
