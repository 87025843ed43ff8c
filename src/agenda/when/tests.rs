//! One table: what is said on Thursday 2026-05-14 at 14:07:30 in Shanghai, and what it means.

use super::*;

fn shanghai() -> (Zone, Timestamp) {
    let zone = Zone::named("Asia/Shanghai").unwrap();
    let now = zone.moment(2026, 5, 14, 14, 7, 30).unwrap();
    (zone, now)
}

#[test]
fn what_people_write_is_read() {
    let (zone, now) = shanghai();
    let rows = [
        // exact
        ("2026-05-14 15:48", "Thu 2026-05-14 15:48"),
        ("2026-05-14T15:48:00+08:00", "Thu 2026-05-14 15:48"),
        ("2026-05-14T15:48:00Z", "Thu 2026-05-14 23:48"),
        ("2026-05-14T15:48", "Thu 2026-05-14 15:48"),
        ("2026/05/20 07:48", "Wed 2026-05-20 07:48"),
        ("2026-5-20 7:48", "Wed 2026-05-20 07:48"),
        ("2026-05-20", "Wed 2026-05-20 09:00"),
        ("5/20 18:30", "Wed 2026-05-20 18:30"),
        ("1779000000", "Sun 2026-05-17 14:40"),
        ("1779000000000", "Sun 2026-05-17 14:40"),
        // from now, English
        ("in 20 minutes", "Thu 2026-05-14 14:27"),
        ("In 20 mins.", "Thu 2026-05-14 14:27"),
        ("20m", "Thu 2026-05-14 14:27"),
        ("20min later", "Thu 2026-05-14 14:27"),
        ("20 minutes from now", "Thu 2026-05-14 14:27"),
        ("after 20 minutes", "Thu 2026-05-14 14:27"),
        ("in twenty-five minutes", "Thu 2026-05-14 14:32"),
        ("in 2 hours", "Thu 2026-05-14 16:07"),
        ("in two hours", "Thu 2026-05-14 16:07"),
        ("in a couple of hours", "Thu 2026-05-14 16:07"),
        ("in an hour", "Thu 2026-05-14 15:07"),
        ("in half an hour", "Thu 2026-05-14 14:37"),
        ("in a quarter of an hour", "Thu 2026-05-14 14:22"),
        ("in an hour and a half", "Thu 2026-05-14 15:37"),
        ("in 1.5 hours", "Thu 2026-05-14 15:37"),
        ("in 1 hour and 20 minutes", "Thu 2026-05-14 15:27"),
        ("1h30m", "Thu 2026-05-14 15:37"),
        ("in 3 days", "Sun 2026-05-17 14:07"),
        ("in 3 days at 18:00", "Sun 2026-05-17 18:00"),
        ("in a week", "Thu 2026-05-21 14:07"),
        ("in 2 months", "Tue 2026-07-14 14:07"),
        ("in 1 day and 2 hours", "Fri 2026-05-15 16:07"),
        // days, English
        ("tomorrow 9:00", "Fri 2026-05-15 09:00"),
        ("tomorrow at 9", "Fri 2026-05-15 09:00"),
        ("tomorrow at 3", "Fri 2026-05-15 15:00"),
        ("tomorrow", "Fri 2026-05-15 09:00"),
        ("tomorrow morning", "Fri 2026-05-15 08:00"),
        ("tomorrow at noon", "Fri 2026-05-15 12:00"),
        ("tomorrow evening at 8", "Fri 2026-05-15 20:00"),
        ("9am tomorrow", "Fri 2026-05-15 09:00"),
        ("the day after tomorrow at 9:30 p.m.", "Sat 2026-05-16 21:30"),
        ("tonight", "Thu 2026-05-14 20:00"),
        ("tonight at 11:30", "Thu 2026-05-14 23:30"),
        ("tonight at 12", "Fri 2026-05-15 00:00"),
        ("this evening", "Thu 2026-05-14 20:00"),
        ("midnight", "Fri 2026-05-15 00:00"),
        ("noon", "Fri 2026-05-15 12:00"),
        ("at 9", "Thu 2026-05-14 21:00"),
        ("at 3", "Thu 2026-05-14 15:00"),
        ("at 2", "Fri 2026-05-15 02:00"),
        ("9:00", "Fri 2026-05-15 09:00"),
        ("15:00", "Thu 2026-05-14 15:00"),
        ("9 pm", "Thu 2026-05-14 21:00"),
        ("12am", "Fri 2026-05-15 00:00"),
        ("half past nine", "Thu 2026-05-14 21:30"),
        ("quarter to 4", "Thu 2026-05-14 15:45"),
        ("today 18:00", "Thu 2026-05-14 18:00"),
        // weekdays, English
        ("friday 18:00", "Fri 2026-05-15 18:00"),
        ("Friday at 6pm", "Fri 2026-05-15 18:00"),
        ("on friday", "Fri 2026-05-15 09:00"),
        ("thursday 18:00", "Thu 2026-05-14 18:00"),
        ("thursday 9:00", "Thu 2026-05-21 09:00"),
        ("monday", "Mon 2026-05-18 09:00"),
        ("next tuesday", "Tue 2026-05-19 09:00"),
        ("next friday 18:00", "Fri 2026-05-22 18:00"),
        ("this friday 18:00", "Fri 2026-05-15 18:00"),
        ("next week", "Mon 2026-05-18 09:00"),
        ("this weekend", "Sat 2026-05-16 09:00"),
        ("fri, may 15, 18:00", "Fri 2026-05-15 18:00"),
        // dates, English
        ("May 20 at 7:48", "Wed 2026-05-20 07:48"),
        ("20 May 2027", "Thu 2027-05-20 09:00"),
        ("May 20th, 2027 at 9pm", "Thu 2027-05-20 21:00"),
        ("the 20th at noon", "Wed 2026-05-20 12:00"),
        ("the 3rd", "Wed 2026-06-03 09:00"),
        ("jan 2", "Sat 2027-01-02 09:00"),
        ("next month", "Mon 2026-06-01 09:00"),
        // from now, Chinese
        ("20分钟后", "Thu 2026-05-14 14:27"),
        ("20 分钟之后", "Thu 2026-05-14 14:27"),
        ("二十分钟以后", "Thu 2026-05-14 14:27"),
        ("过20分钟", "Thu 2026-05-14 14:27"),
        ("５分钟后", "Thu 2026-05-14 14:12"),
        ("30秒后", "Thu 2026-05-14 14:08"),
        ("半小时后", "Thu 2026-05-14 14:37"),
        ("半个小时后", "Thu 2026-05-14 14:37"),
        ("半個鐘頭後", "Thu 2026-05-14 14:37"),
        ("一刻钟后", "Thu 2026-05-14 14:22"),
        ("两个小时后", "Thu 2026-05-14 16:07"),
        ("俩小时后", "Thu 2026-05-14 16:07"),
        ("一个半小时后", "Thu 2026-05-14 15:37"),
        ("1小时30分钟后", "Thu 2026-05-14 15:37"),
        ("1小时30分后", "Thu 2026-05-14 15:37"),
        ("半天后", "Fri 2026-05-15 02:07"),
        ("三天后", "Sun 2026-05-17 14:07"),
        ("三天后下午三点", "Sun 2026-05-17 15:00"),
        ("两周后", "Thu 2026-05-28 14:07"),
        ("一个星期后", "Thu 2026-05-21 14:07"),
        ("一个月后", "Sun 2026-06-14 14:07"),
        ("一个半月后", "Mon 2026-06-29 14:07"),
        ("三个月后", "Fri 2026-08-14 14:07"),
        ("半年后", "Sat 2026-11-14 14:07"),
        ("两年后", "Sun 2028-05-14 14:07"),
        // days, Chinese
        ("明早九点", "Fri 2026-05-15 09:00"),
        ("明早", "Fri 2026-05-15 08:00"),
        ("明天", "Fri 2026-05-15 09:00"),
        ("明天早上8点", "Fri 2026-05-15 08:00"),
        ("明天三点", "Fri 2026-05-15 15:00"),
        ("明天上午十点一刻", "Fri 2026-05-15 10:15"),
        ("明天凌晨两点", "Fri 2026-05-15 02:00"),
        ("明晚十一点四十五", "Fri 2026-05-15 23:45"),
        ("今晚8点半", "Thu 2026-05-14 20:30"),
        ("今晚八点半的时候", "Thu 2026-05-14 20:30"),
        ("今晚", "Thu 2026-05-14 20:00"),
        ("今晚12点", "Fri 2026-05-15 00:00"),
        ("今晚一点", "Fri 2026-05-15 01:00"),
        ("今晚凌晨一点", "Fri 2026-05-15 01:00"),
        ("今天下午五点", "Thu 2026-05-14 17:00"),
        ("今天三点", "Thu 2026-05-14 15:00"),
        ("今天18:30", "Thu 2026-05-14 18:30"),
        ("后天下午三点", "Sat 2026-05-16 15:00"),
        ("大后天中午", "Sun 2026-05-17 12:00"),
        ("大后天中午12点半", "Sun 2026-05-17 12:30"),
        ("下午三点", "Thu 2026-05-14 15:00"),
        ("下午一点", "Fri 2026-05-15 13:00"),
        ("三点", "Thu 2026-05-14 15:00"),
        ("两点", "Fri 2026-05-15 02:00"),
        ("晚上8:00", "Thu 2026-05-14 20:00"),
        ("晚上十二点", "Fri 2026-05-15 00:00"),
        ("半夜两点", "Fri 2026-05-15 02:00"),
        ("傍晚", "Thu 2026-05-14 18:00"),
        ("20点", "Thu 2026-05-14 20:00"),
        ("二十点零五分", "Thu 2026-05-14 20:05"),
        ("零点", "Fri 2026-05-15 00:00"),
        ("八点整", "Thu 2026-05-14 20:00"),
        ("八點鐘", "Thu 2026-05-14 20:00"),
        // weekdays, Chinese
        ("周五18:00", "Fri 2026-05-15 18:00"),
        ("週五晚上七點", "Fri 2026-05-15 19:00"),
        ("周五晚七点", "Fri 2026-05-15 19:00"),
        ("星期五", "Fri 2026-05-15 09:00"),
        ("礼拜天下午两点", "Sun 2026-05-17 14:00"),
        ("周四下午一点", "Thu 2026-05-21 13:00"),
        ("周四下午五点", "Thu 2026-05-14 17:00"),
        ("这周六", "Sat 2026-05-16 09:00"),
        ("下周二", "Tue 2026-05-19 09:00"),
        ("下周二下午三点", "Tue 2026-05-19 15:00"),
        ("下个星期三", "Wed 2026-05-20 09:00"),
        ("下下周二", "Tue 2026-05-26 09:00"),
        ("下周", "Mon 2026-05-18 09:00"),
        ("下周末", "Sat 2026-05-23 09:00"),
        ("周末", "Sat 2026-05-16 09:00"),
        ("周一一点", "Mon 2026-05-18 13:00"),
        ("周二十点", "Tue 2026-05-19 10:00"),
        ("星期二十二点", "Tue 2026-05-19 12:00"),
        ("明天（周五）18:00", "Fri 2026-05-15 18:00"),
        // dates, Chinese
        ("5月20日", "Wed 2026-05-20 09:00"),
        ("5月20号早上七点", "Wed 2026-05-20 07:00"),
        ("五月二十号 19:30", "Wed 2026-05-20 19:30"),
        ("十二月二十五日", "Fri 2026-12-25 09:00"),
        ("2026年6月1日8点", "Mon 2026-06-01 08:00"),
        ("二〇二六年六月一日", "Mon 2026-06-01 09:00"),
        ("1月2日", "Sat 2027-01-02 09:00"),
        ("20号", "Wed 2026-05-20 09:00"),
        ("3号下午四点", "Wed 2026-06-03 16:00"),
        ("下个月5号", "Fri 2026-06-05 09:00"),
        ("下月一号上午十点", "Mon 2026-06-01 10:00"),
        ("月底", "Sun 2026-05-31 09:00"),
        ("下个月底", "Tue 2026-06-30 09:00"),
        ("明年3月5日", "Fri 2027-03-05 09:00"),
        ("2月29日", "Tue 2028-02-29 09:00"),
    ];
    let mut wrong = Vec::new();
    for (text, expected) in rows {
        let got = parse(text, now, &zone).map(|at| zone.with_weekday(at)).unwrap_or_else(|e| e.to_string());
        if got != expected {
            wrong.push(format!("{text}: {got}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn what_is_past_or_no_time_is_refused_with_the_reason() {
    let (zone, now) = shanghai();
    let word = |text: &str| match parse(text, now, &zone) {
        Ok(at) => zone.with_weekday(at),
        Err(WhenError::Unreadable { .. }) => "unreadable".into(),
        Err(WhenError::Past { .. }) => "past".into(),
        Err(WhenError::Repeats { .. }) => "repeats".into(),
        Err(WhenError::Contradiction { .. }) => "contradiction".into(),
        Err(WhenError::TooFar { .. }) => "too far".into(),
    };
    let rows = [
        ("2026-05-14 07:48", "past"),
        ("today 9:00", "past"),
        ("今天早上八点", "past"),
        ("昨天", "past"),
        ("20分钟前", "past"),
        ("20 minutes ago", "past"),
        ("上周五", "past"),
        ("这周二", "past"),
        ("in 0 minutes", "past"),
        ("5月14日下午一点", "past"),
        ("1979-01-01 00:00", "past"),
        ("每天早上八点", "repeats"),
        ("every day at 8", "repeats"),
        ("saturday, may 15", "contradiction"),
        ("明天周六", "contradiction"),
        ("in 30 years", "too far"),
        ("2126-01-01 00:00", "too far"),
        ("", "unreadable"),
        ("  ", "unreadable"),
        ("later", "unreadable"),
        ("一会儿", "unreadable"),
        ("soon", "unreadable"),
        ("20", "unreadable"),
        ("today", "unreadable"),
        ("今天", "unreadable"),
        ("before", "unreadable"),
        ("前", "unreadable"),
        ("的", "unreadable"),
        ("25:00", "unreadable"),
        ("9:75", "unreadable"),
        ("13pm", "unreadable"),
        ("2026-02-30 07:48", "unreadable"),
        ("2月30日", "unreadable"),
        ("13月1日", "unreadable"),
        ("friday monday", "unreadable"),
        ("tomorrow in 20 minutes", "unreadable"),
        ("9:00 10:00", "unreadable"),
        ("tomorrow 9:00 PST", "unreadable"),
        ("remind me", "unreadable"),
        ("吃饭的时候", "unreadable"),
        ("in 99999999999 minutes", "unreadable"),
        ("一一一一一一一一一一一一分钟后", "unreadable"),
    ];
    let wrong: Vec<_> = rows.iter().filter(|(text, expected)| word(text) != *expected).collect();
    let wrong: Vec<_> =
        wrong.iter().map(|(text, expected)| format!("{text}: {}, expected {expected}", word(text))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn errors_say_what_to_write() {
    let (zone, now) = shanghai();
    let said = |text| parse(text, now, &zone).unwrap_err().to_string();
    assert!(said("soon").contains("in 20 minutes"));
    let past = said("today 9:00");
    assert!(past.contains("Thu 2026-05-14 09:00") && past.contains("Thu 2026-05-14 14:07"), "{past}");
    assert!(said("saturday, may 15").contains("Friday, 2026-05-15"));
    assert!(said(&"九".repeat(500)).len() < 1500);
}

#[test]
fn the_zone_decides() {
    let now = Timestamp::from_secs(1_778_745_600);
    for (name, expected) in [("UTC", "2026-05-15T09:00:00Z"), ("America/New_York", "2026-05-15T13:00:00Z")] {
        let zone = Zone::named(name).unwrap();
        assert_eq!(parse("tomorrow 9:00", now, &zone).unwrap().to_string(), expected);
    }
}

proptest::proptest! {
    #[test]
    fn any_text_gives_a_moment_ahead_or_an_error(text in ".{0,40}") {
        let (zone, now) = shanghai();
        if let Ok(at) = parse(&text, now, &zone) {
            proptest::prop_assert!(at > now);
        }
    }

    #[test]
    fn any_mixture_of_known_words_gives_a_moment_ahead_or_an_error(
        words in proptest::collection::vec(proptest::sample::select(vec![
            "in", "20", "半", "个", "小时", "下", "周", "二", "十", "月", "年", "号", "点", "后", "明天", "今晚", "凌晨",
            "friday", "next", "may", "9:00", "pm", "half", "quarter", "to", "past", "an", "hour", "99999", "2028", "-", "/",
            "every", "天", "刻", "29", "2", "底", "and a half", "days", "months", "years", "ago", "前", "百",
        ]), 0..7),
        spaced in proptest::bool::ANY,
    ) {
        let (zone, now) = shanghai();
        let text = words.join(if spaced { " " } else { "" });
        if let Ok(at) = parse(&text, now, &zone) {
            proptest::prop_assert!(at > now && at.since(now) <= FARTHEST, "{}", text);
        }
    }
}
