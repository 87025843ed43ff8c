//! What a script with a typical mistake is answered, to the letter: the table is `tests/scripts/letters.md`, the program
//! is the real one, and what is compared is what the model reads.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::support::{ALICE, Home, Model, group_of_two, telegram, until};

const FENCE: &str = "`````";
/// Rooms that think at the same time: each has a child.
const AT_ONCE: usize = 12;

/// A skill with results of its own shapes.
const BOOKS: [(&str, &str); 2] = [
    (
        "books.d.ts",
        "/** Books. */\ndeclare const books: {\n  /**\n   * Searches for books.\n   * @param query words\n   * @effect read\n   */\n  \
         search(query: string): Promise<Found>;\n  /**\n   * One book; null if there is none.\n   * @param id its number\n   * @effect read\n   */\n  \
         get(id: number): Promise<Book | null>;\n};\n/** What was found. */\ninterface Found { total: number; items: Book[] }\n\
         /** A book. */\ninterface Book { id: number; title: string; year: number; tags: string[]; author: { name: string } }\n",
    ),
    (
        "index.js",
        "const book = id => ({ id, title: '三体', year: 2008, tags: ['sf'], author: { name: '刘慈欣' } });\n\
         export default {\n  search(query) {\n    if (typeof query !== 'string') throw new TypeError(`query must be a text, got ${typeof query}`);\n    \
         const items = query === '没有' ? [] : [book(1)];\n    return { total: items.length, items };\n  },\n  \
         get(id) {\n    if (typeof id !== 'number') throw new TypeError(`id must be a number, got ${typeof id}`);\n    return id === 404 ? null : book(id);\n  },\n};\n",
    ),
];

struct Row {
    source: String,
    letter: String,
}

/// A piece of the table: what stands between, or a row.
enum Piece {
    Prose(String),
    Row(Row),
}

fn table() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts/letters.md")
}

fn read(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut lines = text.lines().peekable();
    let block = |lines: &mut std::iter::Peekable<std::str::Lines<'_>>| {
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != FENCE).collect();
        body.join("\n")
    };
    while let Some(line) = lines.next() {
        if line == format!("{FENCE}js") {
            let source = block(&mut lines);
            assert_eq!(lines.next(), Some(format!("{FENCE}text").as_str()), "after {source}");
            pieces.push(Piece::Row(Row { source, letter: block(&mut lines) }));
        } else {
            pieces.push(Piece::Prose(line.to_owned()));
        }
    }
    pieces
}

fn written(pieces: &[Piece], letters: &BTreeMap<usize, String>) -> String {
    let mut text = String::new();
    let mut row = 0;
    for piece in pieces {
        match piece {
            Piece::Prose(line) => writeln!(text, "{line}").unwrap(),
            Piece::Row(Row { source, letter }) => {
                let letter = letters.get(&row).unwrap_or(letter);
                let letter = if letter.is_empty() { String::new() } else { format!("{letter}\n") };
                write!(text, "{FENCE}js\n{source}\n{FENCE}\n{FENCE}text\n{letter}{FENCE}\n").unwrap();
                row += 1;
            }
        }
    }
    text
}

/// The letter without the documentation that follows it, and with the names of bundled skills left out of its list.
fn letter(observation: &str) -> String {
    let ends = ["\n\nThe failed script used", "\n\nThere is no `", "\n\n`"];
    let end = ends.iter().filter_map(|end| observation.find(end)).min().unwrap_or(observation.len());
    let letter = &observation[..end];
    match (letter.find("skill objects telegram, "), letter.find(", books (line")) {
        (Some(from), Some(to)) if from < to => {
            format!("{}skill objects telegram, …{}", &letter[..from], &letter[to..])
        }
        _ => letter.to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn typical_mistakes_are_answered_to_the_letter() {
    let text = std::fs::read_to_string(table()).unwrap();
    let pieces = read(&text);
    let rows = || pieces.iter().filter_map(|piece| if let Piece::Row(row) = piece { Some(row) } else { None });
    let sources: Vec<String> = rows().map(|row| row.source.clone()).collect();
    assert!(sources.len() >= 60, "{}", sources.len());

    let letters: Arc<Mutex<BTreeMap<usize, String>>> = Arc::default();
    let (given, scripts) = (letters.clone(), sources.clone());
    let server = telegram().await;
    let model = Model::start(move |_, p| {
        let opening = p.messages.first().map_or("", String::as_str);
        let number = opening.split("mistake ").nth(1).and_then(|rest| rest.split_whitespace().next());
        let number: usize = number.and_then(|number| number.parse().ok()).unwrap();
        if p.messages.len() == 1 {
            return format!("```js\n{}\n```", scripts[number]);
        }
        given.lock().unwrap().insert(number, letter(p.last()));
        "```js\nturn.pass('read')\n```".to_owned()
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let config = std::fs::read_to_string(&home.config).unwrap();
    std::fs::write(&home.config, format!("{config}[skills]\nfolders = [\"mine\"]\n")).unwrap();
    let folder = home.folder.path().join("mine/books");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in BOOKS {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let running = home.run(&[]);
    for begin in (0..sources.len()).step_by(AT_ONCE) {
        let end = (begin + AT_ONCE).min(sources.len());
        for number in begin..end {
            let group = group_of_two(&server, "g");
            server.say(group, ALICE, &format!("@xiaxia_bot mistake {number} "), None);
        }
        until("the ends of these turns", || home.log().matches("the turn ended").count() >= end).await;
    }
    assert!(running.terminate().success(), "{}", home.log());

    let letters = letters.lock().unwrap();
    let now = written(&pieces, &letters);
    #[expect(clippy::disallowed_methods, reason = "the one variable that accepts changed texts")]
    if std::env::var("GROUPMATE_ACCEPT").is_ok() {
        std::fs::write(table(), now).unwrap();
        return;
    }
    let wrong: Vec<String> = rows()
        .enumerate()
        .filter(|(number, row)| letters.get(number).map_or("", String::as_str) != row.letter)
        .map(|(number, row)| {
            let now = letters.get(&number).map_or("(no letter)", String::as_str);
            format!("{}\n--- expected\n{}\n--- now\n{now}\n", row.source, row.letter)
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} letters:\n{}", wrong.len(), sources.len(), wrong.join("\n"));
}
