//! Ranking by example, and measured on the data beside the repository where it is there.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;

use super::*;
use crate::chat::audience::Audience;
use crate::memory::fact::{FactId, FactKind, NewFact, Subject};

fn facts(texts: &[&str]) -> Vec<Fact> {
    let fact = |(n, text): (usize, &&str)| Fact {
        id: FactId(n as u64 + 1),
        told: NewFact {
            subject: Subject::World,
            text: (*text).to_owned(),
            kind: FactKind::Trait,
            confidence: 80,
            sources: Vec::new(),
            audience: Audience::Everyone,
            seen: Timestamp(0),
            expires: None,
        },
        first_seen: Timestamp(0),
        superseded_by: None,
    };
    texts.iter().enumerate().map(fact).collect()
}

#[test]
fn the_best_fact_comes_first() {
    let all = facts(&[
        "小林喜欢看科幻片，尤其是诺兰的",
        "阿杰对花生过敏",
        "周五晚上一起去看《奥本海默》",
        "Marta moved to Berlin and runs a bakery",
        "The bakery closes on Mondays",
        "カレーが好きです",
        "小林下周要去日本出差",
    ]);
    let rows: &[(&str, Option<usize>)] = &[
        ("花生", Some(1)),
        ("谁对花生过敏？", Some(1)),
        ("奥本海默", Some(2)),
        ("奥本海默什么时候上映", Some(2)),
        ("科幻", Some(0)),
        ("诺兰的电影", Some(0)),
        ("出差", Some(6)),
        ("小林 日本", Some(6)),
        ("Who runs the bakery?", Some(3)),
        ("running bakeries", Some(3)),
        ("ＢＥＲＬＩＮ", Some(3)),
        ("when does it close", Some(4)),
        ("カレー", Some(5)),
        ("天气", None),
        ("quantum", None),
    ];
    for (query, expected) in rows {
        assert_eq!(rank(query, &all, Timestamp(0)).first().copied(), *expected, "{query}");
    }
}

#[test]
fn newer_wins_between_equals_and_an_empty_query_takes_all() {
    let mut all = facts(&["likes tea", "likes tea", "plays go"]);
    all[0].told.seen = Timestamp(0) + Span::hours(24 * 60);
    let now = Timestamp(0) + Span::hours(24 * 61);
    assert_eq!(rank("tea", &all, now), [0, 1]);
    assert_eq!(rank("  ", &all, now), [0, 2, 1]);
    assert_eq!(rank("the", &facts(&["the cat", "a dog"]), now), [0]);
}

#[test]
fn endings_are_cut_alike() {
    for family in [
        &["movie", "movies"][..],
        &["like", "likes", "liked", "liking"],
        &["run", "running"],
        &["city", "cities"],
        &["house", "houses"],
        &["bakery", "bakeries"],
        &["dress", "dresses"],
        &["call", "calls", "called", "calling"],
    ] {
        for word in family {
            assert_eq!(stem(word), stem(family[0]), "{word}");
            assert!(word.starts_with(stem(word)));
        }
    }
    assert_eq!(stem("bus"), "bus");
}

proptest::proptest! {
    #[test]
    fn any_text_is_cut_and_found_again(text in ".{0,60}") {
        let terms = Terms::of(&text);
        let held = terms.matches(&text);
        proptest::prop_assert_eq!(held.count_ones() as usize, terms.len());
        let folded = folded(&text);
        for term in terms.iter() {
            proptest::prop_assert!(folded.contains(term), "{} in {}", term, folded);
        }
    }
}

fn rows(file: &str) -> Option<Vec<Value>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(file);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED: {} is not there, recall is not measured", path.display());
        return None;
    };
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn strings(value: &Value) -> BTreeSet<String> {
    value.as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

/// The share of the evidence among the first 5 and 10, summed over the questions.
fn found(questions: &[(String, BTreeSet<String>)], ids: &[String], all: &[Fact]) -> (f64, f64) {
    let mut sums = (0.0, 0.0);
    for (question, evidence) in questions {
        let ranked: Vec<&String> = rank(question, all, Timestamp(0)).into_iter().map(|n| &ids[n]).collect();
        let share = |k: usize| {
            let hits = ranked.iter().take(k).filter(|id| evidence.contains(**id)).count();
            hits as f64 / evidence.len() as f64
        };
        sums = (sums.0 + share(5), sums.1 + share(10));
    }
    sums
}

#[test]
fn english_recall_beats_plain_bm25() {
    let mut sums = (0.0, 0.0);
    let mut asked = 0;
    for conversation in ["conv-26", "conv-30", "conv-41"] {
        let Some(turns) = rows(&format!("locomo/{conversation}.turns.jsonl")) else { return };
        let Some(questions) = rows(&format!("locomo/{conversation}.questions.jsonl")) else { return };
        let ids: Vec<String> = turns.iter().map(|t| t["id"].as_str().unwrap().to_owned()).collect();
        let spoken = |t: &Value| format!("{} {}", t["speaker"].as_str().unwrap(), t["text"].as_str().unwrap());
        let texts: Vec<String> = turns.iter().map(spoken).collect();
        let ask = |q: &Value| (q["question"].as_str().unwrap().to_owned(), strings(&q["evidence"]));
        let questions: Vec<_> = questions.iter().map(ask).collect();
        let (five, ten) = found(&questions, &ids, &facts(&texts.iter().map(String::as_str).collect::<Vec<_>>()));
        sums = (sums.0 + five, sums.1 + ten);
        asked += questions.len();
    }
    let (five, ten) = (sums.0 / asked as f64, sums.1 / asked as f64);
    eprintln!("English recall: R@5 {five:.3}, R@10 {ten:.3} over {asked} questions (BM25 .433, .506)");
    assert!(five > 0.45 && ten > 0.52, "R@5 {five:.3}, R@10 {ten:.3}");
}

#[test]
fn chinese_recall_is_no_worse_than_plain_bigrams() {
    let Some(turns) = rows("memorybank-zh/turns.jsonl") else { return };
    let Some(questions) = rows("memorybank-zh/questions.jsonl") else { return };
    let mut sums = (0.0, 0.0);
    for question in &questions {
        let own: Vec<&Value> = turns.iter().filter(|turn| turn["user"] == question["user"]).collect();
        let ids: Vec<String> = own.iter().map(|turn| turn["id"].as_str().unwrap().to_owned()).collect();
        let spoken = |t: &&Value| format!("{}\n{}", t["query"].as_str().unwrap(), t["response"].as_str().unwrap());
        let texts: Vec<String> = own.iter().map(spoken).collect();
        let mut all = facts(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        for (fact, turn) in all.iter_mut().zip(&own) {
            fact.told.seen = Zone::utc().parse(&format!("{} 10:00", turn["date"].as_str().unwrap())).unwrap();
        }
        let asked = [(question["question"].as_str().unwrap().to_owned(), strings(&question["evidence"]))];
        let (five, ten) = found(&asked, &ids, &all);
        sums = (sums.0 + five, sums.1 + ten);
    }
    let asked = questions.len() as f64;
    let (five, ten) = (sums.0 / asked, sums.1 / asked);
    eprintln!("Chinese recall: R@5 {five:.3}, R@10 {ten:.3} over {asked} questions (bigrams .783, .832)");
    assert!(five >= 0.783 && ten >= 0.832, "R@5 {five:.3}, R@10 {ten:.3}");
}

#[test]
fn a_query_may_name_days() {
    assert_eq!(days("在5月2号和5月12日我们说了什么"), [(5, 2), (5, 12)]);
    assert_eq!(days("2023-05-02 谁来了"), [(5, 2)]);
    assert_eq!(days("买了2个, 13月5日, 5月, 100-3"), []);
    let at = Zone::utc().parse("2023-05-02 10:00").unwrap();
    assert!(Terms::of("5月2日").names_the_day_of(at));
    assert!(!Terms::of("5月4日").names_the_day_of(at));
}
