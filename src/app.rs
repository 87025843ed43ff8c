//! From a configuration to a running member of a group: parts, intake, agenda, rooms; and an orderly end.
//!
//! Invariants:
//! - An update is acknowledged to Telegram only after its journal line and its archive row are where a kill of this
//!   process cannot take them.
//! - Closing drains: intake stops first, rooms finish the turn they are in, and only then is the store closed.

pub mod agenda;
pub mod intake;
pub mod leave;
pub mod parts;
pub mod rooms;

use std::sync::Arc;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::calls::house::{Delivery, House};
use crate::journal::stop::Stop;
use crate::store::StoreError;
use crate::time::Span;

use rooms::Rooms;

/// How long a closing session waits for the turns it is in.
pub const GRACE: Span = Span::secs(20);

/// A session that runs.
#[derive(Debug)]
pub struct App {
    house: Arc<House>,
    closing: watch::Sender<bool>,
    rooms: JoinHandle<()>,
    tasks: Vec<JoinHandle<()>>,
}

impl App {
    /// Lets the rooms live. What comes in is up to the caller: [`App::listen`] live, the journal in a replay.
    pub fn start(house: Arc<House>, post: mpsc::UnboundedReceiver<Delivery>) -> Result<Self, StoreError> {
        let (closing, closed) = watch::channel(false);
        let mut rooms = Rooms::new(house.clone(), closed);
        if !house.tape.is_replay() {
            rooms.resume()?;
        }
        let rooms = tokio::spawn(rooms.serve(post));
        Ok(Self { house, closing, rooms, tasks: Vec::new() })
    }

    /// Listens to Telegram and to the agenda.
    pub fn listen(&mut self, poller: crate::telegram::poll::Poller) {
        self.house.caught_up.send_replace(false);
        let (house, closing) = (self.house.clone(), self.closing.subscribe());
        self.tasks.push(tokio::spawn(async move {
            // Before any press of this life comes in.
            leave::close_left(&house).await;
            intake::listen(house, poller, closing).await;
        }));
        self.tasks.push(tokio::spawn(leave::watch(self.house.clone(), self.closing.subscribe())));
        self.tasks.push(tokio::spawn(agenda::watch(self.house.clone(), self.closing.subscribe())));
    }

    /// What all rooms share.
    pub fn house(&self) -> &Arc<House> {
        &self.house
    }

    /// Waits until the session can no longer go on, and says why.
    pub async fn broken(&self) -> Stop {
        self.house.tape.stopped().await
    }

    /// Ends the session where it stands; for replays, whose store is thrown away.
    pub fn abandon(self) {
        self.rooms.abort();
        for task in self.tasks {
            task.abort();
        }
    }

    /// Ends the session: nothing more is taken in, turns are finished within the grace time.
    pub async fn close(mut self) -> Result<(), StoreError> {
        // Nobody listening any more is what we want.
        let _ = self.closing.send(true);
        for task in self.tasks.drain(..) {
            if let Err(error) = task.await {
                tracing::error!(%error, "a task died");
            }
        }
        if tokio::time::timeout(GRACE.to_duration(), &mut self.rooms).await.is_err() {
            tracing::warn!("the grace time is over; what is unfinished is taken up at the next start");
            self.rooms.abort();
        }
        self.house.tape.sync();
        self.house.store.flush()
    }
}
