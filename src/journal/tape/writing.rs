//! What a tape keeps, and when it has to stand still.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::Value;

use super::{State, Tape};
use crate::clock::crash_point;
use crate::journal::file::{JournalError, Writer};
use crate::journal::stop::{Divergence, Stop};
use crate::journal::{Key, Line};
use crate::time::Timestamp;

impl Tape {
    /// Hands what was written to the system, so that killing this process loses none of it.
    pub fn flush(&self) -> bool {
        let flushed = match &mut *self.lock() {
            State::Live(Some(writer)) | State::Cassette(_, Some(writer)) => writer.flush(),
            State::Live(None) | State::Cassette(_, None) | State::Replay(_) => Ok(()),
        };
        self.keep(flushed)
    }

    /// Puts what was written where a power cut cannot take it; for the end of a session.
    pub fn sync(&self) -> bool {
        let synced = match &mut *self.lock() {
            State::Live(Some(writer)) | State::Cassette(_, Some(writer)) => writer.sync(),
            State::Live(None) | State::Cassette(_, None) | State::Replay(_) => Ok(()),
        };
        self.keep(synced)
    }

    pub(super) fn write(
        &self,
        writer: Option<&mut Writer>,
        key: Key,
        at: Timestamp,
        sides: impl FnOnce() -> (Value, Value),
    ) -> Result<(), JournalError> {
        if writer.is_none() && self.0.observers.receiver_count() == 0 {
            return Ok(());
        }
        let (question, answer) = sides();
        let seq = self.0.seq.fetch_add(1, Ordering::Relaxed) + 1;
        let line = Line { seq, at, room: key.room, kind: key.kind, n: key.n, question, answer };
        if let Some(writer) = writer {
            writer.line(&line)?;
            crash_point("journal");
        }
        // Nobody listening is fine.
        let _ = self.0.observers.send(Arc::new(line));
        Ok(())
    }

    pub(super) fn keep(&self, written: Result<(), JournalError>) -> bool {
        match written {
            Ok(()) => true,
            Err(e) => {
                self.0.stopped.send_if_modified(|stop| {
                    let first = stop.is_none();
                    if first {
                        *stop = Some(Stop::Journal(e.to_string()));
                    }
                    first
                });
                false
            }
        }
    }

    pub(super) fn moved(&self, line: Line) {
        let _ = self.0.observers.send(Arc::new(line));
        self.0.head.send_modify(|count| *count += 1);
    }

    pub(super) fn diverge(&self, divergence: Divergence) {
        self.0.stopped.send_if_modified(|stop| {
            let first = stop.is_none();
            if first {
                *stop = Some(Stop::Diverged(Box::new(divergence)));
            }
            first
        });
    }
}
