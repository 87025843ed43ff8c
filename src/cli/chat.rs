//! `groupmate chat`: talk to it in the terminal as several people, through the embedded Bot API server.

use std::io::{BufRead as _, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use tokio::sync::mpsc;

use super::ConfigFile;
use super::tell::{Detail, Teller};
use crate::app::App;
use crate::app::parts::{self, Plan, Reach};
use crate::calls::fetch::Web;
use crate::calls::loading;
use crate::chat::ids::{ChatId, MessageId, PersonId};
use crate::chat::person::Profile;
use crate::clock::{Clock, Dice};
use crate::journal::stop::Stop;
use crate::journal::tape::Tape;
use crate::playground::Server;
use crate::store::Store;
use crate::telegram::poll::Poller;

/// What can be typed.
const HELP: &str = "\
alice: hi          alice says it in the group (people join by speaking); it is meant when named or @groupmate_bot
hi                 the last speaker says it
/dm alice          from now on alice talks to it alone; /group (or `name: …`) goes back
/reply 3 text      answers message #3
/quit              ends (so does Ctrl-D)";
/// How long to wait for an answer still in the making when the input ends.
const LAST_WORDS: std::time::Duration = std::time::Duration::from_secs(90);

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    config: ConfigFile,
    /// Keep memory in this folder (default: the configured data folder's `chat`)
    #[arg(long)]
    data: Option<PathBuf>,
    /// Show thoughts, scripts and calls as well
    #[arg(long)]
    inside: bool,
}

/// A message that was typed.
struct Said {
    id: MessageId,
    who: String,
    reply_to: Option<MessageId>,
    text: String,
}

/// Who speaks where, as typed lines change it.
struct Table<'a> {
    server: &'a Server,
    group: ChatId,
    people: Vec<(String, PersonId)>,
    speaker: Option<usize>,
    in_dm: bool,
}

pub(super) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let mut config = super::load(&arguments.config)?;
    config.model("turn")?;
    let clock = Clock::real();
    let name = config.persona.name.clone();
    let bot = Profile {
        id: PersonId(1),
        name: name.clone(),
        username: Some("groupmate_bot".into()),
        is_bot: true,
        language: None,
    };
    let server = Server::start(bot, clock.clone()).await?;
    let group = server.add_group("terminal");
    config.telegram.api = server.url();
    config.telegram.typing.speed = 0;
    config.set_token(crate::config::Secret::new(server.token()));
    config.data = arguments.data.clone().unwrap_or_else(|| config.data.join("chat"));
    let (registry, problems) = loading::skills(&config);
    for problem in &problems {
        eprintln!("{} ({}): {}", problem.skill, problem.place, problem.message);
    }
    let store = Arc::new(Store::open(&config.data, config.cache)?);
    // The archive knows the numbers of earlier servers; a message that carried one of them would count as heard.
    let heard = i64::try_from(store.counts()?.messages).unwrap_or(0);
    server.count_from(heard + store.last_update()?.unwrap_or(0));
    let (me, _) = parts::who_we_are(&config).await?;
    let tape = Tape::live(clock, None)?;
    let mut lines = tape.subscribe();
    let poller = Poller::new(&server.url(), server.token(), None);
    let web = Web { allowed: config.network_allow.iter().copied().collect(), stand_ins: Vec::new() };
    let detail = if arguments.inside { Detail::Everything } else { Detail::Chat };
    let mut teller = Teller::new(&name, &config.zone, detail);
    let plan = Plan { config, me, tape, seed: Dice::fresh().seed(), store, registry, reach: Reach::World { web } };
    let (house, post) = parts::house(plan).await?;
    let mut app = App::start(house.clone(), post)?;
    app.listen(poller);
    if std::io::stdin().is_terminal() {
        say!("{HELP}\n");
    }
    let mut table = Table { server: &server, group, people: Vec::new(), speaker: None, in_dm: false };
    let mut typed = typed_lines();
    let mut is_open = true;
    let ended = tokio::sync::Notify::new();
    let mut waiting = false;
    // Begins when the input ends, whatever else happens then.
    let mut last_words = std::pin::pin!(async {
        ended.notified().await;
        tokio::time::sleep(LAST_WORDS).await;
    });
    loop {
        if !is_open {
            ended.notify_one();
        }
        tokio::select! {
            line = typed.recv(), if is_open => match line {
                Some(line) if line.trim() == "/quit" => is_open = false,
                Some(line) => match table.typed(line.trim()) {
                    Ok(Some(said)) => {
                        let now = house.tape.clock().now();
                        teller.said(now, &said.who, said.id.0, said.reply_to.map(|id| id.0), &said.text);
                        waiting = true;
                    }
                    Ok(None) => {}
                    Err(what) => say!("{what}"),
                },
                None => is_open = false,
            },
            line = lines.recv() => if let Ok(line) = line {
                teller.line(&line);
                if super::demo::is_end_of_turn(&line) { waiting = false; }
            },
            stop = app.broken() => match stop {
                Stop::Journal(what) => anyhow::bail!("{what}"),
                Stop::Diverged(_) => anyhow::bail!("a live session cannot diverge"),
            },
            () = &mut last_words, if !is_open => break,
        }
        if !is_open && !waiting {
            break;
        }
    }
    app.close().await?;
    Ok(ExitCode::SUCCESS)
}

/// What is typed, line by line. A thread of its own, because a blocked read cannot be cancelled.
fn typed_lines() -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(16);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

impl Table<'_> {
    /// Takes a typed line, and gives what was said if something was.
    fn typed(&mut self, line: &str) -> Result<Option<Said>, String> {
        if line.is_empty() {
            return Ok(None);
        }
        if let Some(name) = line.strip_prefix("/dm") {
            let name = name.trim();
            if name.contains([':', '：', ' ']) {
                return Err("/dm NAME alone; what NAME says comes on the next line".to_owned());
            }
            if !name.is_empty() {
                self.speaker = Some(self.person(name));
            }
            self.in_dm = true;
            return match self.speaker {
                Some(_) => Ok(None),
                None => Err("/dm NAME: say who talks to it alone".to_owned()),
            };
        }
        if line == "/group" {
            self.in_dm = false;
            return Ok(None);
        }
        if line == "/help" {
            return Err(HELP.to_owned());
        }
        let mut reply_to = None;
        let mut text = line;
        if let Some(rest) = line.strip_prefix("/reply ") {
            let (number, said) = rest.trim().split_once(' ').ok_or("/reply NUMBER TEXT")?;
            let number =
                number.trim_start_matches('#').parse().map_err(|_| format!("{number:?} is no message number"))?;
            reply_to = Some(MessageId(number));
            text = said;
        } else if line.starts_with('/') {
            return Err(format!("there is no such command; /help tells which there are ({line})"));
        } else if let Some((name, said)) = named(line) {
            self.speaker = Some(self.person(name));
            self.in_dm = false;
            text = said;
        }
        let Some(speaker) = self.speaker else {
            return Err("say who speaks first: alice: hi".to_owned());
        };
        let (who, person) = self.people[speaker].clone();
        let chat = if self.in_dm { person.dm() } else { self.group };
        let text = text.trim().to_owned();
        let id = self.server.say(chat, person, &text, reply_to);
        Ok(Some(Said { id, who, reply_to, text }))
    }

    fn person(&mut self, name: &str) -> usize {
        if let Some(known) = self.people.iter().position(|(known, _)| known == name) {
            return known;
        }
        let id = person_called(name);
        self.server.add_person(id, name, None, None);
        self.server.join(self.group, id);
        self.people.push((name.to_owned(), id));
        self.people.len() - 1
    }
}

/// The account of a name: always the same, so that a person is known again in the next chat.
fn person_called(name: &str) -> PersonId {
    let digest = Sha256::digest(name.to_lowercase().as_bytes());
    let bytes = digest.iter().take(4).fold(0_i64, |number, byte| number << 8 | i64::from(*byte));
    PersonId(1_000_000_000 + bytes)
}

/// `alice: hi` → alice, hi. A name is one word, so that times and addresses stay text.
fn named(line: &str) -> Option<(&str, &str)> {
    let (name, text) = line.split_once([':', '：'])?;
    let is_name =
        !name.is_empty() && !name.contains(char::is_whitespace) && !name.starts_with('/') && !text.starts_with("//");
    let is_time = name.chars().all(|c| c.is_ascii_digit());
    (is_name && !is_time).then(|| (name.trim(), text.trim()))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_speaker_is_one_word_before_a_colon() {
        assert_eq!(named("alice: hi"), Some(("alice", "hi")));
        assert_eq!(named("小明：在吗"), Some(("小明", "在吗")));
        assert_eq!(named("see you at 8:30"), None);
        assert_eq!(named("8:30 ok"), None);
        assert_eq!(named("https://example.org"), None);
        assert_eq!(named("hi"), None);
    }
}
