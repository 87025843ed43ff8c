//! Children kept ready, so that a turn does not wait for one.

use std::sync::Arc;

use tokio::sync::Mutex;

use super::child::Child;
use super::process::Process;
use super::skill::SkillChild;
use super::{SandboxError, Settings, SkillCode};

/// How many children may break as they come up before a turn is told that there is none.
const TRIES: usize = 3;

/// Makes children and keeps some ready. Clones share them.
#[derive(Clone, Debug)]
pub struct Pool(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: Settings,
    isolation: String,
    spares: Mutex<Vec<Process>>,
}

impl Pool {
    /// Starts the pool with one child, to see what isolates it here.
    pub async fn start(settings: Settings) -> Result<Self, SandboxError> {
        let first = Process::start(&settings).await?;
        let isolation = if first.missing.is_empty() {
            first.holds.join(", ")
        } else {
            format!("{}; missing: {}", first.holds.join(", "), first.missing.join(", "))
        };
        let spares = if settings.spares > 0 { vec![first] } else { Vec::new() };
        Ok(Self(Arc::new(Inner { settings, isolation, spares: Mutex::new(spares) })))
    }

    /// What isolates a child here, on one line.
    pub fn isolation(&self) -> &str {
        &self.0.isolation
    }

    /// A child for one turn; another is made ready behind it.
    pub async fn take(&self) -> Result<Child, SandboxError> {
        let spare = {
            let mut spares = self.0.spares.lock().await;
            // One that died while it waited is no use.
            std::iter::from_fn(|| spares.pop()).find_map(|mut process| process.is_alive().then_some(process))
        };
        let process = match spare {
            Some(process) => process,
            None => self.fresh().await?,
        };
        let pool = self.clone();
        tokio::spawn(async move { pool.refill().await });
        Ok(Child::new(process))
    }

    /// A new child. One that dies as it comes up, as under a short famine of memory, is no reason to fail a turn.
    async fn fresh(&self) -> Result<Process, SandboxError> {
        let mut tries = 1..TRIES;
        loop {
            match Process::start(&self.0.settings).await {
                Err(SandboxError::Broken(why)) if tries.next().is_some() => tracing::warn!(why, "a new child broke"),
                ended => return ended,
            }
        }
    }

    async fn refill(&self) {
        let mut spares = self.0.spares.lock().await;
        while spares.len() < self.0.settings.spares {
            match self.fresh().await {
                Ok(process) => spares.push(process),
                Err(error) => {
                    tracing::warn!(%error, "no spare child");
                    return;
                }
            }
        }
    }

    /// A child of its own for skill code.
    pub async fn skill_child(&self, code: Vec<SkillCode>) -> Result<SkillChild, SandboxError> {
        SkillChild::load(self.0.settings.clone(), code).await
    }
}
