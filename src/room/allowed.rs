//! What an operator allowed is done here, once, and the room hears what came of it.

use serde::Serialize;
use serde_json::json;

use super::Room;
use super::hearing::room_bits;
use crate::attention::gate::Reason;
use crate::call::{Outcome, Parked, Settled, Stage};
use crate::calls::house::Delivery;
use crate::calls::{Desk, leave};
use crate::chat::event::{Decision, Event};
use crate::journal::{Key, Kind};
use crate::store::Filed;
use crate::time::Timestamp;

/// How many characters of a result are told.
const RESULT_CHARS: usize = 1000;

/// What is to be done about an allowed call.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Begun {
    /// It was done before.
    Gone,
    /// It is made now.
    Make(Parked),
    /// It is not made, for this reason.
    Told(Parked, &'static str),
}

impl Room {
    /// Makes the call that a decision allows. Gives the event that tells what came of it, already heard.
    pub(super) async fn carry_out(&mut self, decision: &Decision, event: &Event, seq: u64) -> Option<Event> {
        let (room, house) = (self.hearing.room(), self.house.clone());
        let stale = house.config.attention.stale;
        let mut at = event.time;
        let begin = |now: Timestamp| {
            at = now;
            let row = house.store.begin(decision.id).unwrap_or_else(|error| {
                tracing::error!(%error, "an allowed call cannot be begun");
                None
            });
            match row {
                None => Begun::Gone,
                Some(row) if row.stage == Stage::Begun => {
                    Begun::Told(row, "it may or may not have been done before a crash, so it is not repeated")
                }
                Some(row) if now.since(event.time) > stale => {
                    Begun::Told(row, "nothing was done, since the leave came long before a restart")
                }
                Some(row) => Begun::Make(row),
            }
        };
        let key = Key::of(room, Kind::Obeyed).number(seq);
        let (row, came_of) = match house.tape.inside(key, &json!({ "allowed": decision.id }), begin).await {
            Begun::Gone => return None,
            Begun::Told(row, why) => (row, why.to_owned()),
            Begun::Make(row) => {
                let seed = house.seed ^ room_bits(room) ^ decision.id.rotate_left(33);
                let desk = Desk::new(house.clone(), room, Reason::Agenda, self.reader().await, Vec::new(), seed);
                let settled = desk.allowed(&row.call, at).await;
                for delivery in desk.take_own() {
                    self.hear(delivery).await;
                }
                let changes = desk.take_pending().changes;
                if !changes.is_empty() {
                    self.commit("allowed", &changes).await;
                }
                (row, result(&settled))
            }
        };
        let told = leave::came_of(&row, decision, came_of, at);
        let key = Key::of(room, Kind::Filed).number(seq);
        let file = |_: Timestamp| house.file(std::slice::from_ref(&told), None);
        match house.tape.inside(key, std::slice::from_ref(&told), file).await {
            Ok(filed) => {
                if let Some(Filed::New { seq }) = filed.first().copied() {
                    self.hear(Delivery { event: told.clone(), seq }).await;
                }
                Some(told)
            }
            Err(error) => {
                tracing::error!(%error, "what came of an allowed call could not be filed");
                None
            }
        }
    }
}

fn result(settled: &Settled) -> String {
    let text = match &settled.outcome {
        Outcome::Done(_) if !settled.did.is_empty() => format!("done: {}", settled.did),
        Outcome::Done(value) if value.is_null() => "done".to_owned(),
        Outcome::Done(value) => format!("done, and gave {value}"),
        Outcome::Failed(e) | Outcome::Denied(e) | Outcome::Parked(e) | Outcome::Unknown(e) => {
            format!("{}: {}: {}", settled.outcome.word(), e.name, e.message)
        }
    };
    crate::prompt::line::one_line(&text, RESULT_CHARS)
}
