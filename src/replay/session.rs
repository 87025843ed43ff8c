//! A recorded session once more: the same rooms, scripts and store, with the journal in place of the world.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::Scratch;
use crate::app::parts::{self, Plan, Reach, StartError};
use crate::app::{App, agenda, intake, leave};
use crate::calls::house::House;
use crate::chat::event::Event;
use crate::clock::Clock;
use crate::config::Config;
use crate::journal::file::{self, JournalError, Reader};
use crate::journal::player::Reworded;
use crate::journal::stop::{Divergence, Stop};
use crate::journal::tape::Tape;
use crate::journal::{Base, Header, Kind, Line};
use crate::skills::registry::Registry;
use crate::store::{Store, StoreError};
use crate::time::Zone;

/// How long a replay may stand still before it counts as having left its recording. Longer than any script may run.
const STALL: Duration = Duration::from_secs(45);
/// How long after the last line a further step would show.
const AFTERMATH: Duration = Duration::from_millis(300);

/// Why a session cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The journal does not read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The parts cannot be built.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder for the replay's store cannot be made.
    #[error("a folder beside the journal for the replay's store: {0}; replay a copy that stands where you may write")]
    Scratch(std::io::Error),
    /// The recording cannot be replayed as it is.
    #[error("{0}")]
    Unfit(String),
}

/// What a replay came to.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Lines that happened again.
    pub lines: u64,
    /// Turns that ended.
    pub turns: u64,
    /// Model calls.
    pub asks: u64,
    /// Acts in Telegram.
    pub acts: u64,
    /// Where it left the recording.
    pub divergence: Option<Divergence>,
    /// Prompts that differ from the recorded ones, in a lenient replay.
    pub prompts: Vec<Reworded>,
    /// What shapes a session and differs from then: `config`, `persona`, `skills`.
    pub changed: Vec<&'static str>,
}

/// Replays a recording. If `lenient`, prompts may differ and are reported.
pub async fn replay(
    path: &Path,
    config: Config,
    registry: Registry,
    lenient: bool,
    mut tell: impl FnMut(&Line),
) -> Result<Replayed, ReplayError> {
    let reader = Reader::open(path)?;
    let header = reader.header().clone();
    fit(&header)?;
    let lines = reader.collect::<Result<Vec<Line>, JournalError>>()?;
    let scratch = Scratch::beside(path).map_err(ReplayError::Scratch)?;
    let mut config = config;
    config.zone = Zone::named(&header.zone).map_err(ReplayError::Unfit)?;
    config.circles.clone_from(&header.circles);
    let changed = changed(&header, &config, &registry);
    let registry = registry.lacking(header.lacking);
    let tape = Tape::replay(Clock::manual(header.at), lines, lenient);
    let mut observed = tape.subscribe();
    let store = Arc::new(Store::open(scratch.path(), config.cache)?);
    let plan =
        Plan { config, me: header.me, tape: tape.clone(), seed: header.seed, store, registry, reach: Reach::Nothing };
    let (house, post) = parts::house(plan).await?;
    let app = App::start(house, post)?;
    let mut done = Replayed { lines: 0, turns: 0, asks: 0, acts: 0, divergence: None, prompts: Vec::new(), changed };
    let mut note = |done: &mut Replayed, line: &Line| {
        done.lines += 1;
        match line.kind {
            Kind::Settled if line.question["of"].get("turn").is_some() => done.turns += 1,
            Kind::Asked => done.asks += 1,
            Kind::Acted => done.acts += 1,
            _ => {}
        }
        tell(line);
    };
    let stop = {
        let mut driving = std::pin::pin!(drive(&tape, app.house()));
        loop {
            tokio::select! {
                biased;
                Ok(line) = observed.recv() => note(&mut done, &line),
                stop = &mut driving => break stop,
            }
        }
    };
    while let Ok(line) = observed.try_recv() {
        note(&mut done, &line);
    }
    done.prompts = tape.differing_prompts();
    done.divergence = match stop {
        None => None,
        Some(Stop::Diverged(divergence)) => Some(*divergence),
        Some(Stop::Journal(what)) => return Err(ReplayError::Unfit(what)),
    };
    // Rooms may wait for lines that a cut recording does not hold, and there is nothing of theirs to save.
    app.abandon();
    Ok(done)
}

fn fit(header: &Header) -> Result<(), ReplayError> {
    if !header.recorded {
        return Err(ReplayError::Unfit("the journal holds events only; it is heard, not replayed".to_owned()));
    }
    match header.store {
        Base::Empty => Ok(()),
        Base::Absent => Err(ReplayError::Unfit(
            "the recording began on a store that already held memory and that the journal does not hold, so it cannot \
             be replayed; record with an empty data folder"
                .to_owned(),
        )),
    }
}

fn changed(header: &Header, config: &Config, registry: &Registry) -> Vec<&'static str> {
    let now = parts::digests(config, registry);
    let pairs = [
        ("config", &header.digests.config, &now.config),
        ("persona", &header.digests.persona, &now.persona),
        ("skills", &header.digests.skills, &now.skills),
    ];
    pairs.into_iter().filter(|(_, then, now)| then != now).map(|(what, ..)| what).collect()
}

/// Writes the prompts that a lenient replay found into its recording; nothing else in it changes.
pub fn accept(path: &Path, prompts: &[Reworded]) -> Result<(), JournalError> {
    if prompts.is_empty() {
        return Ok(());
    }
    file::replace(path, |line| prompts.iter().find(|reworded| reworded.seq == line).map(|reworded| &reworded.prompt))
}

/// Makes the recorded inputs happen, until the end or a divergence.
async fn drive(tape: &Tape, house: &Arc<House>) -> Option<Stop> {
    loop {
        let (seen, ended) = tape.progress();
        if ended {
            return tokio::time::timeout(AFTERMATH, tape.stopped()).await.ok();
        }
        if let Some(line) = tape.input() {
            tokio::select! {
                taken = input(house, &line) => match taken {
                    Ok(()) => continue,
                    Err(what) => return Some(Stop::Journal(what)),
                },
                stop = tape.stopped() => return Some(stop),
            }
        }
        tokio::select! {
            stop = tape.stopped() => return Some(stop),
            moved = tokio::time::timeout(STALL, tape.head_moved(seen)) => if moved.is_err() { tape.stall() },
        }
    }
}

async fn input(house: &Arc<House>, line: &Line) -> Result<(), String> {
    #[derive(Deserialize)]
    struct Ring {
        id: u64,
        event: Event,
    }
    #[derive(Deserialize)]
    struct Decided {
        event: Event,
    }
    let unreadable = |e: serde_json::Error| format!("line {}: the input does not read: {e}", line.seq);
    match line.kind {
        Kind::Update => {
            let updates: Vec<(i64, Value)> = serde_json::from_value(line.question.clone()).map_err(unreadable)?;
            intake::take_in(house, &updates).await
        }
        Kind::Alarm => {
            let Ring { id, event } = serde_json::from_value(line.question.clone()).map_err(unreadable)?;
            agenda::ring(house, id, event).await
        }
        Kind::Decided => {
            let Decided { event } = serde_json::from_value(line.question.clone()).map_err(unreadable)?;
            leave::decide(house, event).await.map(drop)
        }
        other => Err(format!("line {}: {other:?} is no input of a recorded session", line.seq)),
    }
}
