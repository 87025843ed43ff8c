//! `groupmate run`: joins Telegram and stays until told to stop.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use tokio::signal::unix::{SignalKind, signal};

use super::ConfigFile;
use crate::app::App;
use crate::app::parts::{self, Plan, Reach};
use crate::calls::fetch::Web;
use crate::calls::loading;
use crate::clock::{Clock, Dice};
use crate::journal::stop::Stop;
use crate::journal::tape::Tape;
use crate::store::Store;
use crate::telegram::poll::Poller;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    config: ConfigFile,
    /// Record the session to this journal (over `[journal] record`)
    #[arg(long)]
    record: Option<PathBuf>,
}

pub(super) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let mut config = super::load(&arguments.config)?;
    // What is missing is said before anything is opened.
    config.token()?;
    config.model("turn")?;
    let clock = Clock::real();
    let (registry, problems) = loading::skills(&config);
    for problem in &problems {
        tracing::error!(skill = problem.skill, place = problem.place, "{}", problem.message);
    }
    for warning in registry.guides().flat_map(|guide| &guide.warnings) {
        tracing::warn!(skill = warning.skill, place = warning.place, "{}", warning.message);
    }
    let store = Arc::new(Store::open(&config.data, config.cache)?);
    parts::follow_moves(&mut config, &store)?;
    let (me, telegram) = parts::who_we_are(&config).await?;
    if !telegram.can_read_all_group_messages {
        tracing::warn!("{}", parts::PRIVACY_MODE);
    }
    let mut header = parts::header(&config, &registry, &me, &clock, &store);
    let record = arguments.record.or_else(|| config.record.clone());
    let seed = if record.is_some() { header.seed } else { Dice::fresh().seed() };
    header.seed = seed;
    let tape = Tape::live(clock, record.as_deref().map(|path| (path, &header)))?;
    let poller =
        Poller::new(&config.telegram.api, config.token()?.expose(), store.last_update()?).holding(config.telegram.poll);
    let web = Web { allowed: config.network_allow.iter().copied().collect(), stand_ins: Vec::new() };
    let reach = Reach::World { web };
    let plan = Plan { config, me, tape, seed, store, registry, reach };
    let (house, post) = parts::house(plan).await?;
    tracing::info!(username = house.me.username, isolation = house.pool.isolation(), "listening");
    let introducing = house.clone();
    tokio::spawn(async move { parts::show_commands(&introducing).await });
    let mut app = App::start(house, post)?;
    app.listen(poller);
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let stop = tokio::select! {
        _ = terminate.recv() => None,
        _ = interrupt.recv() => None,
        stop = app.broken() => Some(stop),
    };
    tracing::info!("closing");
    app.close().await?;
    match stop {
        None => Ok(ExitCode::SUCCESS),
        Some(Stop::Journal(what)) => anyhow::bail!("the recording cannot go on: {what}"),
        Some(Stop::Diverged(_)) => anyhow::bail!("a live session cannot diverge"),
    }
}
