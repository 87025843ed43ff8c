//! One task for each room, woken by its first event.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tracing::Instrument as _;

use crate::calls::house::{Delivery, House, kind_of};
use crate::chat::ids::RoomId;
use crate::chat::person::Chat;
use crate::room::Room;
use crate::store::StoreError;

/// All rooms that live.
#[derive(Debug)]
pub struct Rooms {
    house: Arc<House>,
    closing: watch::Receiver<bool>,
    inboxes: BTreeMap<RoomId, mpsc::UnboundedSender<Delivery>>,
    tasks: JoinSet<()>,
}

impl Rooms {
    /// No room yet.
    pub fn new(house: Arc<House>, closing: watch::Receiver<bool>) -> Self {
        Self { house, closing, inboxes: BTreeMap::new(), tasks: JoinSet::new() }
    }

    /// Opens every room whose last life left something unheard or owed.
    pub fn resume(&mut self) -> Result<(), StoreError> {
        for room in self.house.store.rooms()? {
            let record = self.house.store.room(room)?;
            let last = self.house.store.last_seq(room)?.unwrap_or(0);
            if last > record.considered || !record.owed.is_empty() {
                let chat = match self.house.store.tail(room, 1)?.pop() {
                    Some((_, event)) => event.chat,
                    None => unknown(room),
                };
                self.open(room, chat, None)?;
            }
        }
        Ok(())
    }

    /// Hands events to their rooms until the senders are gone or the session closes.
    pub async fn serve(mut self, mut post: mpsc::UnboundedReceiver<Delivery>) {
        let mut closing = self.closing.clone();
        loop {
            tokio::select! {
                biased;
                delivery = post.recv() => match delivery {
                    Some(delivery) => self.deliver(delivery),
                    None => break,
                },
                _ = closing.wait_for(|closing| *closing) => break,
            }
        }
        self.inboxes.clear();
        while let Some(ended) = self.tasks.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a room died; it is rebuilt at the next start");
            }
        }
    }

    fn deliver(&mut self, delivery: Delivery) {
        let room = delivery.event.room();
        let is_open = self.inboxes.get(&room).is_some_and(|inbox| !inbox.is_closed());
        if !is_open && let Err(error) = self.open(room, delivery.event.chat.clone(), Some(delivery.seq)) {
            tracing::error!(%error, %room, "the room cannot be opened; its messages are archived");
            return;
        }
        if let Some(inbox) = self.inboxes.get(&room) {
            // A room that died in this moment is rebuilt from the archive with the next event.
            let _ = inbox.send(delivery);
        }
    }

    fn open(&mut self, id: RoomId, chat: Chat, before: Option<u64>) -> Result<(), StoreError> {
        let (inbox, received) = mpsc::unbounded_channel();
        let room = Room::open(self.house.clone(), chat, id, before, received, self.closing.clone())?;
        self.tasks.spawn(room.live().instrument(tracing::info_span!("room", %id)));
        self.inboxes.insert(id, inbox);
        Ok(())
    }
}

fn unknown(room: RoomId) -> Chat {
    Chat { id: room.chat, kind: kind_of(room.chat), title: String::new() }
}
