//! Chinese: words, units, weekdays and numerals.

use super::{MonthDay, Period, Refused, Scan, Unit};

/// Chinese words, longer ones before their own beginnings.
const WORDS: [(&str, Word); 62] = [
    ("每", Word::Repeat),
    ("大后天", Word::Day(3)),
    ("后天", Word::Day(2)),
    ("明天", Word::Day(1)),
    ("明日", Word::Day(1)),
    ("今天", Word::Day(0)),
    ("今日", Word::Day(0)),
    ("昨天", Word::Day(-1)),
    ("前天", Word::Day(-2)),
    ("今晚", Word::DayPart(0, Period::Evening)),
    ("今夜", Word::DayPart(0, Period::Evening)),
    ("今早", Word::DayPart(0, Period::Morning)),
    ("明早", Word::DayPart(1, Period::Morning)),
    ("明晨", Word::DayPart(1, Period::Morning)),
    ("明晚", Word::DayPart(1, Period::Evening)),
    ("明午", Word::DayPart(1, Period::Noon)),
    ("后晚", Word::DayPart(2, Period::Evening)),
    ("昨晚", Word::DayPart(-1, Period::Evening)),
    ("凌晨", Word::Part(Period::Dawn)),
    ("清晨", Word::Part(Period::Morning)),
    ("早晨", Word::Part(Period::Morning)),
    ("早上", Word::Part(Period::Morning)),
    ("上午", Word::Part(Period::Forenoon)),
    ("正午", Word::Part(Period::Noon)),
    ("中午", Word::Part(Period::Noon)),
    ("午后", Word::Part(Period::Afternoon)),
    ("下午", Word::Part(Period::Afternoon)),
    ("傍晚", Word::Part(Period::Dusk)),
    ("晚上", Word::Part(Period::Evening)),
    ("晚间", Word::Part(Period::Evening)),
    ("夜里", Word::Part(Period::Evening)),
    ("深夜", Word::Part(Period::Midnight)),
    ("半夜", Word::Part(Period::Midnight)),
    ("午夜", Word::Part(Period::Midnight)),
    ("早", Word::Part(Period::Morning)),
    ("晚", Word::Part(Period::Evening)),
    ("月底", Word::MonthEnd),
    ("月末", Word::MonthEnd),
    ("今年", Word::Years(0)),
    ("明年", Word::Years(1)),
    ("后年", Word::Years(2)),
    ("之后", Word::Later),
    ("以后", Word::Later),
    ("过后", Word::Later),
    ("后", Word::Later),
    ("之前", Word::Back),
    ("以前", Word::Back),
    ("前", Word::Back),
    ("再过", Word::Later),
    ("过", Word::Later),
    ("再等", Word::Later),
    ("等", Word::Later),
    ("的时候", Word::Filler),
    ("的", Word::Filler),
    ("在", Word::Filler),
    ("，", Word::Filler),
    ("。", Word::Filler),
    ("、", Word::Filler),
    ("（", Word::Filler),
    ("）", Word::Filler),
    ("号", Word::Filler),
    ("又", Word::Filler),
];

const UNITS: [(&str, Unit); 11] = [
    ("秒钟", Unit::Second),
    ("秒", Unit::Second),
    ("分钟", Unit::Minute),
    ("刻钟", Unit::Quarter),
    ("小时", Unit::Hour),
    ("钟头", Unit::Hour),
    ("天", Unit::Day),
    ("星期", Unit::Week),
    ("礼拜", Unit::Week),
    ("周", Unit::Week),
    // 30分后; the minutes of 3点30分 were read with their hour.
    ("分", Unit::Minute),
];

#[derive(Clone, Copy)]
pub(super) enum Word {
    Day(i64),
    DayPart(i64, Period),
    Part(Period),
    MonthEnd,
    Years(i64),
    Later,
    Back,
    Filler,
    Repeat,
}

impl Scan<'_> {
    pub(super) fn chinese(&mut self) -> Option<Word> {
        WORDS.iter().find(|(word, _)| self.eat(word)).map(|(_, meaning)| *meaning)
    }

    pub(super) fn word(&mut self, word: Word) -> Result<(), Refused> {
        match word {
            Word::Day(days) => self.day(days)?,
            Word::DayPart(days, part) => {
                self.day(days)?;
                self.part(part);
            }
            Word::Part(part) => self.part(part),
            Word::MonthEnd => self.wish.month_day = Some(MonthDay::Last),
            Word::Years(years) => self.wish.years = Some(years),
            Word::Back => self.wish.back = true,
            Word::Later | Word::Filler => {}
            Word::Repeat => return Err(Refused::Repeats),
        }
        Ok(())
    }

    /// A unit behind a number, and whether a half belongs to it.
    pub(super) fn chinese_unit(&mut self) -> Option<(Unit, bool)> {
        let mut half = false;
        if self.eat("个") {
            half = self.half();
            if self.eat("月") {
                return Some((Unit::Month, half));
            }
        }
        let unit = UNITS.iter().find(|(word, _)| self.eat(word)).map(|(_, unit)| *unit)?;
        let behind = self.half();
        Some((unit, half || behind))
    }

    /// 下周二, 这周末, 周五, 星期天, 下下礼拜.
    pub(super) fn week(&mut self) -> Result<bool, Refused> {
        let start = self.rest;
        let mut weeks = None;
        if self.eat_any(&["这", "本"]) {
            weeks = Some(0);
        } else {
            while self.eat("下") {
                weeks = Some(weeks.unwrap_or(0) + 1);
            }
            if weeks.is_none() && self.eat("上") {
                weeks = Some(-1);
            }
        }
        self.eat("个");
        if !self.eat_any(&["周", "星期", "礼拜"]) {
            self.rest = start;
            return Ok(false);
        }
        let day = self.rest.chars().next();
        let weekday = match day {
            Some('一' | '1') => 1,
            Some('二' | '2') => 2,
            Some('三' | '3') => 3,
            Some('四' | '4') => 4,
            Some('五' | '5') => 5,
            Some('六' | '6' | '末') => 6,
            Some('日' | '天' | '7') => 7,
            Some(_) | None if weeks.is_some() => {
                self.wish.weeks = weeks;
                self.morning = true;
                return Ok(true);
            }
            Some(_) | None => {
                self.rest = start;
                return Ok(false);
            }
        };
        self.rest = &self.rest[day.map_or(0, char::len_utf8)..];
        self.set_weekday(weekday, weeks)?;
        Ok(true)
    }

    /// 下个月, 下下个月, 这个月, 本月: the month; a day or 底 may follow.
    pub(super) fn in_month(&mut self) -> bool {
        let start = self.rest;
        let mut months = None;
        if self.eat_any(&["这", "本"]) {
            months = Some(0);
        } else {
            while self.eat("下") {
                months = Some(months.unwrap_or(0) + 1);
            }
        }
        self.eat("个");
        match months {
            Some(months) if self.eat("月") => {
                self.wish.months = Some(months);
                self.wish.month_day =
                    Some(if self.eat_any(&["底", "末"]) { MonthDay::Last } else { MonthDay::Number(1) });
                true
            }
            Some(_) | None => {
                self.rest = start;
                false
            }
        }
    }
}

/// The value of one numeral; 十 and 百 multiply.
pub(super) const fn numeral(c: char) -> Option<i64> {
    Some(match c {
        '零' | '〇' => 0,
        '一' => 1,
        '二' | '两' | '俩' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        '十' => 10,
        '百' => 100,
        _ => return None,
    })
}

/// 二十五, 一百零五, 二〇二六. `None` if it is empty or longer than any such number.
pub(super) fn number(numerals: &str) -> Option<i64> {
    let values: Vec<i64> = numerals.chars().map(numeral).collect::<Option<_>>()?;
    if values.is_empty() || values.len() > 7 {
        return None;
    }
    if values.iter().all(|value| *value < 10) {
        return Some(values.iter().fold(0, |sum, value| sum * 10 + value));
    }
    let (mut sum, mut digit) = (0, None);
    for value in values {
        if value < 10 {
            digit = Some(value);
        } else {
            sum += digit.take().unwrap_or(1) * value;
        }
    }
    Some(sum + digit.unwrap_or(0))
}
