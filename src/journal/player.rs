//! The recorded side of a replay: what stands at the head, and whether a step is the recorded one.

use std::collections::VecDeque;

use serde_json::Value;

use super::stop::Divergence;
use super::{Key, Kind, Line};
use crate::time::Timestamp;

/// How many characters of each side a divergence shows around the first difference.
const SHOWN: usize = 600;

/// A prompt that is worded otherwise than when it was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Reworded {
    /// The recording's line.
    pub seq: u64,
    /// The whole request as it is now, in the shape of the line's answer.
    pub prompt: Value,
    /// Recorded and now, around their first difference, for a reader.
    pub shown: (String, String),
}

#[derive(Debug)]
pub(super) struct Player {
    lines: VecDeque<Line>,
    lenient: bool,
    waiting: Vec<Key>,
    prompts: Vec<Reworded>,
}

/// A step that began or ceased to wait for its line.
pub(super) enum Match {
    Arrived(Key),
    Gone(Key),
}

impl Player {
    pub(super) fn new(lines: Vec<Line>, lenient: bool) -> Self {
        // What the network said concerns only a cassette: in a replay the skill's whole answer is taken.
        let lines = lines.into_iter().filter(|line| line.kind != Kind::Fetched).collect();
        Self { lines, lenient, waiting: Vec::new(), prompts: Vec::new() }
    }

    pub(super) fn head(&self) -> Option<&Line> {
        self.lines.front()
    }

    pub(super) fn head_time(&self) -> Option<Timestamp> {
        self.head().map(|line| line.at)
    }

    pub(super) fn foresee(&self, key: Key) -> Option<&Line> {
        self.lines.iter().find(|line| line.key() == key)
    }

    /// The questions of a kind that a room's recorded steps ask before that step.
    pub(super) fn before(&self, key: Key, kind: Kind) -> Vec<Value> {
        let lines = self.lines.iter().take_while(|line| line.key() != key);
        lines.filter(|line| line.kind == kind && line.room == key.room).map(|line| line.question.clone()).collect()
    }

    pub(super) fn differing_prompts(&self) -> &[Reworded] {
        &self.prompts
    }

    pub(super) fn waiters(&mut self, change: Match) {
        match change {
            Match::Arrived(key) => self.waiting.push(key),
            Match::Gone(key) => {
                if let Some(at) = self.waiting.iter().position(|waiting| *waiting == key) {
                    self.waiting.swap_remove(at);
                }
            }
        }
    }

    /// Takes the head for a step, if question (and answer, where the step computed one) are the recorded ones.
    pub(super) fn take(&mut self, key: Key, question: &Value, answer: Option<&Value>) -> Result<Line, Divergence> {
        let Some(line) = self.lines.pop_front() else {
            return Err(Divergence {
                seq: 0,
                step: key.to_string(),
                recorded: "nothing more".to_owned(),
                now: question.to_string(),
            });
        };
        debug_assert_eq!(line.key(), key, "a step takes only its own line");
        let (mut recorded, mut now) = (&line.question, question);
        if same(recorded, now)
            && let Some(answer) = answer
        {
            (recorded, now) = (&line.answer, answer);
        }
        if same(recorded, now) {
            return Ok(line);
        }
        let shown = around_difference(&readable(recorded), &readable(now));
        if self.lenient
            && line.kind == Kind::Asking
            && same(&line.question, question)
            && let Some(prompt) = answer
        {
            self.prompts.push(Reworded { seq: line.seq, prompt: prompt.clone(), shown });
            return Ok(line);
        }
        let (recorded, now) = shown;
        Err(Divergence { seq: line.seq, step: key.to_string(), recorded, now })
    }

    /// What to say when nothing moves: the head waits for a step that nobody takes.
    pub(super) fn stalled(&self) -> Divergence {
        let waiting = self.waiting.iter().map(Key::to_string).collect::<Vec<_>>().join(", ");
        let now = if waiting.is_empty() { "nothing waits to happen".to_owned() } else { format!("waiting: {waiting}") };
        match self.head() {
            Some(line) => Divergence {
                seq: line.seq,
                step: line.key().to_string(),
                recorded: clip(&readable(&line.question), SHOWN),
                now,
            },
            None => Divergence { seq: 0, step: "the end".to_owned(), recorded: "nothing more".to_owned(), now },
        }
    }
}

/// Whether two values are one. The last bit of a long number is lost in reading it back, and nothing depends on that.
fn same(recorded: &Value, now: &Value) -> bool {
    match (recorded, now) {
        (Value::Number(a), Value::Number(b)) if a.is_f64() && b.is_f64() => {
            let (a, b) = (a.as_f64().unwrap_or(f64::NAN), b.as_f64().unwrap_or(f64::NAN));
            (a - b).abs() <= a.abs() * 4.0 * f64::EPSILON
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => recorded == now,
    }
}

/// JSON as a reader wants it: with line breaks, and with those inside strings shown as such.
fn readable(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default().replace("\\n", "\n")
}

/// Both texts from a little before their first difference on.
fn around_difference(a: &str, b: &str) -> (String, String) {
    let same = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let from = same.saturating_sub(SHOWN / 4);
    let part = |text: &str| {
        let rest: String = text.chars().skip(from).collect();
        let lead = if from > 0 { "…" } else { "" };
        format!("{lead}{}", clip(&rest, SHOWN))
    };
    (part(a), part(b))
}

fn clip(text: &str, most: usize) -> String {
    let mut kept: String = text.chars().take(most).collect();
    if kept.len() < text.len() {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_long_number_reads_back_as_itself_and_another_one_does_not() {
        let score = json!({"score": [0.119_999_997_317_790_99], "n": 1});
        let read: Value = serde_json::from_str(&score.to_string()).unwrap();
        assert!(same(&read, &score), "{read} {score}");
        for other in [json!({"score": [0.12], "n": 1}), json!({"score": [], "n": 1}), json!({"n": 1}), json!(null)] {
            assert!(!same(&other, &score), "{other}");
        }
        assert!(!same(&json!(1), &json!(2)));
    }
}
