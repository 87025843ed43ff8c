//! `groupmate import`: what others recorded becomes a journal of events.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::journal::file::Writer;
use crate::journal::{Base, Digests, FORMAT, Header, Kind, Line};
use crate::replay::import;
use crate::time::Timestamp;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A Telegram Desktop export (result.json), raw updates (one JSON a line), or a labelled day
    file: PathBuf,
    /// The journal to write
    #[arg(short, long)]
    output: PathBuf,
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let imported = import::read(&arguments.file, None)?;
    let header = Header {
        groupmate: FORMAT,
        build: env!("CARGO_PKG_VERSION").to_owned(),
        at: imported.events.first().map_or(Timestamp(0), |event| event.time),
        me: imported.me,
        zone: imported.zone.name().to_owned(),
        circles: imported.circles,
        seed: 1,
        store: Base::Empty,
        recorded: false,
        digests: Digests::default(),
        lacking: Vec::new(),
    };
    // Written beside and put in place when it is whole, so that nothing half-written is left.
    let beside = arguments.output.with_extension("part");
    let write = || -> anyhow::Result<u64> {
        let mut writer = Writer::create(&beside, &header)?;
        let mut seq = 0;
        for event in &imported.events {
            seq += 1;
            let question = serde_json::to_value(event)?;
            let (at, kind) = (event.time, Kind::Event);
            writer.line(&Line { seq, at, room: None, kind, n: 0, question, answer: serde_json::Value::Null })?;
        }
        writer.sync()?;
        Ok(seq)
    };
    let written = if arguments.output.exists() {
        Err(anyhow::anyhow!("{} exists already; give another name or remove it", arguments.output.display()))
    } else {
        write().map(|count| (std::fs::rename(&beside, &arguments.output), count))
    };
    let count = match written {
        Ok((Ok(()), count)) => count,
        Ok((Err(error), _)) => anyhow::bail!("{}: {error}", arguments.output.display()),
        Err(error) => {
            // What is left of the attempt is of no use; if it cannot be removed, the error that matters is the first.
            if !arguments.output.exists() {
                let _ = std::fs::remove_file(&beside);
            }
            return Err(error);
        }
    };
    if arguments.json {
        let skipped = imported.skipped.len();
        say!("{}", serde_json::json!({ "source": imported.source, "events": count, "skipped": skipped }));
    } else {
        say!("{}: {count} events → {}", imported.source, arguments.output.display());
        for what in imported.skipped.iter().take(5) {
            say!("  left out: {what}");
        }
        if imported.skipped.len() > 5 {
            say!("  … and {} more", imported.skipped.len() - 5);
        }
    }
    Ok(ExitCode::SUCCESS)
}
