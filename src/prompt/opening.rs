//! The fresh part of a prompt: what is known of the people here, what was said, and why we were woken.

use std::fmt::Write as _;

use crate::attention::gate::Reason;
use crate::chat::ids::MessageId;
use crate::memory::fact::{Fact, Subject};
use crate::memory::person::Person;
use crate::prompt::line;
use crate::time::{Timestamp, Zone};

/// What the fresh part is made of.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a> {
    /// The present.
    pub now: Timestamp,
    /// The zone of the room.
    pub zone: &'a Zone,
    /// Why we were woken.
    pub reason: Reason,
    /// Whether an operator decided about a call later than any reminder rang.
    pub is_decided: bool,
    /// The messages that wait for an answer.
    pub waiting: &'a [MessageId],
    /// People who spoke lately.
    pub people: &'a [Person],
    /// What is remembered of them and of this place.
    pub facts: &'a [Fact],
    /// Reminders of this room, as lines.
    pub agenda: &'a [String],
    /// What acts may or may not have been sent before a crash, as lines.
    pub unsure: &'a [String],
    /// What lies open of guides, as it stands on their shelf; may be empty.
    pub guides: &'a str,
    /// `ctx`, if a script kept something.
    pub ctx: Option<&'a str>,
    /// Lines of what waits for an answer and is older than the transcript.
    pub older: &'a [String],
    /// The transcript's lines, oldest first.
    pub lines: &'a [String],
    /// Bytes that the transcript may take; the newest lines win.
    pub most: usize,
}

/// Writes the fresh part.
pub fn write(o: &Opening<'_>) -> String {
    let mut text = String::new();
    if !o.people.is_empty() {
        text.push_str("# People here, and what you remember of them; all of it may be spoken of in this chat\n");
        for person in o.people {
            let _ = writeln!(text, "- {}", person_line(person));
            for fact in o.facts.iter().filter(|fact| fact.told.subject == Subject::Person(person.id)) {
                let _ = writeln!(text, "  - {}", of_known(fact, o.zone));
            }
        }
    }
    let others: Vec<_> = o.facts.iter().filter(|fact| !is_of_one(fact, o.people)).collect();
    if !others.is_empty() {
        text.push_str("# Remembered besides\n");
        for fact in others {
            let _ = writeln!(text, "- {}", fact_line(fact, o.zone));
        }
    }
    section(&mut text, "# Reminders set here", o.agenda);
    section(&mut text, "# May have been sent already, before a crash; do not repeat it", o.unsure);
    if !o.guides.is_empty() {
        let _ = writeln!(text, "# Guides that you loaded\n{}", o.guides.trim_end());
    }
    if let Some(ctx) = o.ctx {
        let _ = writeln!(text, "# ctx\n{ctx}");
    }
    text.push_str("# The chat\n");
    for line in o.older {
        let _ = writeln!(text, "{line}");
    }
    if !o.older.is_empty() {
        text.push_str("(…)\n");
    }
    let from = first_that_fits(o.lines, o.most);
    if from > 0 {
        let _ = writeln!(text, "({from} earlier entries are left out; memory.history finds them)");
    }
    for line in &o.lines[from..] {
        let _ = writeln!(text, "{line}");
    }
    let _ = write!(
        text,
        "\n# Now\nIt is {} ({}). {}",
        o.zone.with_weekday(o.now),
        o.zone.name(),
        why(o.reason, o.waiting, o.is_decided)
    );
    text
}

fn section(text: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(text, "{title}");
    for line in lines {
        let _ = writeln!(text, "- {line}");
    }
}

fn is_of_one(fact: &Fact, people: &[Person]) -> bool {
    people.iter().any(|person| fact.told.subject == Subject::Person(person.id))
}

/// A person on one line.
pub fn person_line(person: &Person) -> String {
    let mut text = format!("{} (id {})", line::name(&person.name), person.id);
    if let Some(username) = &person.username {
        let _ = write!(text, " @{}", line::name(username));
    }
    if person.is_bot {
        text.push_str(", a bot");
    }
    if !person.former_names.is_empty() {
        let names: Vec<_> = person.former_names.iter().take(3).map(|name| line::name(name)).collect();
        let _ = write!(text, ", formerly {}", names.join(", "));
    }
    text
}

/// A fact on one line, under the person whom it is about.
fn of_known(fact: &Fact, zone: &Zone) -> String {
    let day = zone.minute(fact.told.seen);
    format!("{} ({})", line::one_line(&fact.told.text, 300), day.get(..10).unwrap_or(&day))
}

/// A fact on one line.
pub fn fact_line(fact: &Fact, zone: &Zone) -> String {
    let about = match &fact.told.subject {
        Subject::Person(id) => format!("of id {id}: "),
        Subject::Us => "of you: ".to_owned(),
        Subject::Chat(_) | Subject::World => String::new(),
    };
    format!("{about}{}", of_known(fact, zone))
}

fn first_that_fits(lines: &[String], most: usize) -> usize {
    let mut left = most;
    for (index, line) in lines.iter().enumerate().rev() {
        match left.checked_sub(line.len() + 1) {
            Some(rest) => left = rest,
            // The newest line always stays.
            None => return (index + 1).min(lines.len().saturating_sub(1)),
        }
    }
    0
}

fn why(reason: Reason, waiting: &[MessageId], is_decided: bool) -> String {
    let ids = waiting.iter().map(|id| format!("#{id}")).collect::<Vec<_>>().join(", ");
    match reason {
        Reason::Direct => format!("You were spoken to: {ids}. Answer these once, with what covers all of them."),
        Reason::FollowUp if ids.is_empty() => {
            "The talk you took part in goes on. Join in only if you have something to say.".to_owned()
        }
        Reason::FollowUp => {
            format!("The talk you took part in goes on: {ids}. Answer if it is meant for you, otherwise turn.pass.")
        }
        Reason::Ambient => {
            "Nobody spoke to you. Say something only if it helps or delights; otherwise turn.pass.".to_owned()
        }
        Reason::Agenda if is_decided => {
            "An operator decided (the last lines with *): tell whoever waits what came of it, in this chat, and do what \
             a reminder asks that is due."
                .to_owned()
        }
        Reason::Agenda => "A reminder is due: do what it asks, in this chat.".to_owned(),
        Reason::Idle => "It has been silent for long. Say something only if there is a reason to.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lines_are_kept() {
        let lines: Vec<String> = (0..10).map(|n| format!("#{n} {}", "x".repeat(7))).collect();
        assert_eq!(first_that_fits(&lines, 1000), 0);
        assert_eq!(first_that_fits(&lines, 33), 7);
        assert_eq!(first_that_fits(&lines, 0), 9);
        assert_eq!(first_that_fits(&[], 0), 0);
    }
}
