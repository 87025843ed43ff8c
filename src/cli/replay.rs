//! `groupmate replay`: a journal once more.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::calls::loading;
use crate::config::{Config, RealEnv};
use crate::journal::file::Reader;
use crate::replay::{Scratch, events, session};
use crate::store::Store;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The journal
    journal: PathBuf,
    /// The configuration that the session had; defaults without one
    #[arg(short, long)]
    config: Option<PathBuf>,
    /// Print one JSON line for each event, or for each line of a recording
    #[arg(long)]
    json: bool,
    /// Let prompts differ from the recorded ones, show how, and write the new ones into the recording
    #[arg(long)]
    accept_prompts: bool,
}

pub(super) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let config = match &arguments.config {
        Some(path) => Config::load(path, &RealEnv)?,
        None => Config::offline(&PathBuf::new(), "http://127.0.0.1:9")?,
    };
    let reader = Reader::open(&arguments.journal)?;
    if reader.header().recorded {
        drop(reader);
        return session(&arguments, config).await;
    }
    let scratch = Scratch::beside(&arguments.journal)?;
    let store = Store::open(scratch.path(), config.cache)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut broken = None;
    let heard = events::hear(&config, &store, reader, |told| {
        if arguments.json && broken.is_none() {
            broken = writeln!(out, "{}", told.json()).err();
        }
    })?;
    if !arguments.json {
        writeln!(
            out,
            "{} events heard ({} repeated), {} messages, {} people, {} rooms",
            heard.events, heard.repeated, heard.counts.messages, heard.counts.people, heard.counts.rooms
        )?;
        if heard.wakes.is_empty() {
            writeln!(out, "no wakes")?;
        }
        for (reason, count) in &heard.wakes {
            writeln!(out, "{count} wakes: {reason:?}")?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

async fn session(arguments: &Arguments, config: Config) -> anyhow::Result<ExitCode> {
    let (registry, _) = loading::skills(&config);
    let replayed = session::replay(&arguments.journal, config, registry, arguments.accept_prompts, |line| {
        if arguments.json
            && let Ok(text) = serde_json::to_string(line)
        {
            say!("{text}");
        }
    })
    .await?;
    for what in &replayed.changed {
        eprintln!("note: {what} is not as it was when this was recorded");
    }
    if let Some(d) = &replayed.divergence {
        eprintln!("line {}: the replay left the recording at: {}", d.seq, d.step);
        eprintln!("--- recorded\n{}\n--- now\n{}", d.recorded, d.now);
        return Ok(ExitCode::from(1));
    }
    if !arguments.json {
        say!(
            "replayed exactly: {} lines, {} turns, {} model calls, {} acts",
            replayed.lines,
            replayed.turns,
            replayed.asks,
            replayed.acts
        );
    }
    for reworded in &replayed.prompts {
        let (recorded, now) = &reworded.shown;
        say!("--- line {}: recorded prompt\n{recorded}\n--- prompt now\n{now}", reworded.seq);
    }
    session::accept(&arguments.journal, &replayed.prompts)?;
    if !replayed.prompts.is_empty() {
        say!("{} prompts accepted: the recording holds them now", replayed.prompts.len());
    }
    Ok(ExitCode::SUCCESS)
}
