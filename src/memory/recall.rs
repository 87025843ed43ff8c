//! Words of a text, and the ranking of what is remembered for a query.
//!
//! Spaced languages give words (lower case, common endings taken off), Chinese, Japanese and Korean give single
//! characters and pairs of neighbours, so that any part of a sentence finds it without a dictionary.
//!
//! Invariants: every term of a query stands letter for letter in each text that holds it (endings are cut, never
//! changed; case and full width aside), so a scan may look for terms as substrings first. Statistics come from the rows
//! given and from nothing else: what a reader may not see cannot move what they see.

use std::collections::HashMap;

use super::fact::Fact;
use crate::time::{Span, Timestamp, Zone};

/// More terms than any sensible query has; a bit each in [`Terms::matches`].
const MAX_TERMS: usize = 64;

/// The two usual constants of BM25: how soon repetition stops counting, and how much long texts pay. Remembered
/// statements are short, so length says little.
const REPEAT: f64 = 1.2;
const LENGTH: f64 = 0.4;

/// What the day that a query names weighs, against a word as rare as that day.
const DAY: f64 = 2.0;

/// What freshness adds at most, and after how long half of it is left.
const FRESH: f64 = 0.3;
const FRESH_HALF: Span = Span::hours(24 * 30);

/// Words that say nothing about what is asked.
const STOP: [&str; 68] = [
    "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do",
    "does", "for", "from", "had", "has", "have", "he", "her", "his", "how", "i", "if", "in", "is", "it", "its", "me",
    "my", "no", "not", "of", "on", "or", "our", "she", "so", "some", "that", "the", "their", "them", "there", "they",
    "this", "to", "us", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will", "with", "would",
    "you", "your", "been",
];

/// Particles at which a run of Chinese is cut.
const PARTICLES: [char; 10] = ['的', '了', '吗', '呢', '吧', '啊', '呀', '嘛', '哦', '嗯'];

/// Chinese pairs that ask instead of telling.
const STOP_PAIRS: [&str; 20] = [
    "什么", "么时", "时候", "怎么", "么样", "这个", "那个", "哪个", "一个", "是不", "不是", "有没", "没有", "是谁",
    "我们", "你们", "他们", "她们", "哪里", "多少",
];

/// What a query looks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    terms: Vec<String>,
    /// Days of the calendar that the query names, as month and day.
    days: Vec<(i8, i8)>,
    /// The query as one piece, for texts that hold it whole.
    whole: String,
}

impl Terms {
    /// The terms of a query; those that only ask are left out unless there are no others.
    pub fn of(query: &str) -> Self {
        let (mut telling, mut asking) = (Vec::new(), Vec::new());
        for_each_run(query, |run| match run {
            Run::Word(word) => {
                let list = if STOP.contains(&word.as_str()) { &mut asking } else { &mut telling };
                push_new(list, stem(&word).to_owned());
            }
            Run::Cjk(chars) => {
                if let [one] = chars {
                    push_new(&mut telling, one.to_string());
                }
                for pair in chars.windows(2) {
                    let pair: String = pair.iter().collect();
                    let list = if STOP_PAIRS.contains(&pair.as_str()) { &mut asking } else { &mut telling };
                    push_new(list, pair);
                }
            }
        });
        let mut terms = if telling.is_empty() { asking } else { telling };
        terms.truncate(MAX_TERMS);
        let whole = folded(query.trim());
        Self { terms, days: days(&whole), whole }
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// How many terms there are, 64 at most.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// The terms, in the order of the query.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(String::as_str)
    }

    /// The terms that a text holds, as bits: bit `n` for the term `n`.
    pub fn matches(&self, text: &str) -> u64 {
        let mut bits = 0;
        for_each_run(text, |run| match run {
            Run::Word(word) => bits |= self.bit(stem(&word)),
            Run::Cjk(chars) => for_each_part(chars, |part| bits |= self.bit(part)),
        });
        bits
    }

    /// Whether a text holds the whole query in one piece.
    pub fn stands_whole_in(&self, text: &str) -> bool {
        !self.whole.is_empty() && folded(text).contains(&self.whole)
    }

    /// Whether the query names the day on which this was, in whichever zone: 14 hours before Greenwich to 12 behind it.
    fn names_the_day_of(&self, at: Timestamp) -> bool {
        let on = |at: Timestamp| {
            let civil = Zone::utc().civil(at);
            self.days.contains(&(civil.month, civil.day))
        };
        !self.days.is_empty() && (on(at) || on(at + Span::hours(14)) || on(at - Span::hours(12)))
    }

    fn bit(&self, term: &str) -> u64 {
        match self.terms.iter().position(|t| t == term) {
            Some(n) => 1 << n,
            None => 0,
        }
    }
}

/// Days as `5月2日`, `5月2号` and `2023-05-02` name them.
fn days(query: &str) -> Vec<(i8, i8)> {
    let mut days = Vec::new();
    let mut numbers: Vec<(i8, char)> = Vec::new();
    let mut number = String::new();
    for c in query.chars().chain([' ']) {
        if c.is_ascii_digit() {
            number.push(c);
            continue;
        }
        match std::mem::take(&mut number).parse::<i8>() {
            Ok(n) => numbers.push((n, c)),
            // A year, or no number: what follows it is another date.
            Err(_) if c != '-' => numbers.clear(),
            Err(_) => {}
        }
        if let [.., (month @ 1..=12, '月' | '-'), (day @ 1..=31, _)] = numbers[..] {
            days.push((month, day));
            numbers.clear();
        }
    }
    days
}

/// How much a term says that `holders` of `all` texts hold: rare ones say more.
pub fn rarity(all: usize, holders: usize) -> f64 {
    let (all, holders) = (all as f64, holders as f64);
    ((all - holders + 0.5) / (holders + 0.5)).ln_1p()
}

/// The facts that speak to a query, best first, as places in `facts`. An empty query takes all, newest first.
pub fn rank(query: &str, facts: &[Fact], now: Timestamp) -> Vec<usize> {
    let terms = Terms::of(query);
    if terms.is_empty() {
        let mut all: Vec<usize> = (0..facts.len()).collect();
        all.sort_by_key(|n| (std::cmp::Reverse(facts[*n].told.seen), std::cmp::Reverse(facts[*n].id)));
        return all;
    }
    let counted: Vec<(HashMap<usize, u32>, u32)> = facts.iter().map(|fact| count(&terms, &fact.told.text)).collect();
    let mean = counted.iter().map(|(_, length)| f64::from(*length)).sum::<f64>() / counted.len().max(1) as f64;
    let weights: Vec<f64> = (0..terms.len())
        .map(|term| rarity(facts.len(), counted.iter().filter(|(has, _)| has.contains_key(&term)).count()))
        .collect();
    let then: Vec<bool> = facts.iter().map(|fact| terms.names_the_day_of(fact.told.seen)).collect();
    let day = DAY * rarity(facts.len(), then.iter().filter(|then| **then).count());
    let mut scored: Vec<(f64, usize)> = Vec::new();
    for (n, (has, length)) in counted.iter().enumerate() {
        let stretch = 1.0 - LENGTH + LENGTH * f64::from(*length) / mean.max(1.0);
        let mut score: f64 = if then[n] { day } else { 0.0 };
        // In the order of the terms: sums of floats depend on it, and a replay must rank alike.
        for (term, weight) in weights.iter().enumerate() {
            if let Some(times) = has.get(&term).copied().map(f64::from) {
                score += weight * times * (REPEAT + 1.0) / (times + REPEAT * stretch);
            }
        }
        if score > 0.0 {
            let told = &facts[n].told;
            if terms.stands_whole_in(&told.text) {
                score *= 1.5;
            }
            let sure = 0.7 + 0.3 * f64::from(told.confidence.min(100)) / 100.0;
            scored.push((score * sure * (1.0 + FRESH * freshness(now.since(told.seen))), n));
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| facts[b.1].id.cmp(&facts[a.1].id)));
    scored.into_iter().map(|(_, n)| n).collect()
}

/// 1 for what was said now, half after [`FRESH_HALF`].
fn freshness(age: Span) -> f64 {
    let halves = age.0.max(0) as f64 / FRESH_HALF.0 as f64;
    (-halves * std::f64::consts::LN_2).exp()
}

/// How often each term stands in a text, and how many words and pairs the text has.
fn count(terms: &Terms, text: &str) -> (HashMap<usize, u32>, u32) {
    let mut has: HashMap<usize, u32> = HashMap::new();
    let mut length = 0;
    let mut see = |term: &str| {
        if let Some(n) = terms.terms.iter().position(|t| t == term) {
            *has.entry(n).or_default() += 1;
        }
    };
    for_each_run(text, |run| match run {
        Run::Word(word) => {
            length += 1;
            see(stem(&word));
        }
        Run::Cjk(chars) => {
            length += u32::try_from(chars.len()).unwrap_or(u32::MAX);
            for_each_part(chars, &mut see);
        }
    });
    (has, length)
}

enum Run<'a> {
    Word(String),
    Cjk(&'a [char]),
}

/// Cuts a text into words and runs of CJK characters.
fn for_each_run(text: &str, mut see: impl FnMut(Run<'_>)) {
    let mut word = String::new();
    let mut run: Vec<char> = Vec::new();
    for c in text.chars().map(narrow) {
        let cjk = is_cjk(c) && !PARTICLES.contains(&c);
        let letter = !is_cjk(c) && c.is_alphanumeric();
        if !cjk && !run.is_empty() {
            see(Run::Cjk(&run));
            run.clear();
        }
        if !letter && !word.is_empty() {
            see(Run::Word(std::mem::take(&mut word)));
        }
        if cjk {
            run.push(c);
        } else if letter {
            word.extend(c.to_lowercase());
        }
    }
    if !run.is_empty() {
        see(Run::Cjk(&run));
    }
    if !word.is_empty() {
        see(Run::Word(word));
    }
}

/// The single characters and the pairs of a run. A query's text is short and a scan's long: no allocation here.
fn for_each_part(chars: &[char], mut see: impl FnMut(&str)) {
    let mut bytes = [0; 8];
    for (n, one) in chars.iter().enumerate() {
        see(one.encode_utf8(&mut bytes));
        if let Some(next) = chars.get(n + 1) {
            let first = one.encode_utf8(&mut bytes).len();
            let length = first + next.encode_utf8(&mut bytes[first..]).len();
            see(std::str::from_utf8(&bytes[..length]).unwrap_or_default());
        }
    }
}

/// Whether words of this script are written without spaces, or Korean, whose endings stick to its words.
pub fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3134F)
        || c == '々'
}

/// Full-width letters and digits are the same letters.
fn narrow(c: char) -> char {
    match u32::from(c) {
        code @ 0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0).unwrap_or(c),
        0x3000 => ' ',
        _ => c,
    }
}

fn folded(text: &str) -> String {
    text.chars().map(narrow).flat_map(char::to_lowercase).collect()
}

fn push_new(list: &mut Vec<String>, term: String) {
    if !list.contains(&term) {
        list.push(term);
    }
}

/// A word without its common English endings. Only cuts, never changes letters (see the module's invariants).
fn stem(word: &str) -> &str {
    if !word.is_ascii() {
        return word;
    }
    for ending in ["ies", "ie", "y", "ing", "ed", "es", "e"] {
        if let Some(rest) = word.strip_suffix(ending).filter(|rest| rest.len() >= 3) {
            return undoubled(rest, ending);
        }
    }
    match word.strip_suffix('s').filter(|rest| rest.len() >= 3 && !rest.ends_with('s')) {
        Some(rest) => rest,
        None => word,
    }
}

/// `running` → `run`: the consonant was doubled for the ending.
fn undoubled<'a>(rest: &'a str, ending: &str) -> &'a str {
    let bytes = rest.as_bytes();
    match bytes {
        [.., a, b]
            if matches!(ending, "ing" | "ed") && a == b && rest.len() > 3 && !matches!(b, b'l' | b's' | b'z') =>
        {
            &rest[..rest.len() - 1]
        }
        _ => rest,
    }
}

#[cfg(test)]
mod tests;
