//! Calls of skills that are written in JavaScript or TypeScript and live in children of their own.

use super::fetch::Errand;
use super::{Desk, settled};
use crate::call::{Call, CallError, Outcome, Settled};
use crate::journal::{Key, Kind};
use crate::time::Span;

/// How long one skill call may take, its network included: two thirds of what its script may, so that the script lives
/// to hear of it and to do something about it.
fn deadline(script: Span) -> Span {
    Span::millis(script.0 * 2 / 3)
}

impl Desk {
    pub(super) async fn code(&self, n: u64, call: &Call) -> Settled {
        let is_effect = self.is_effect(&call.path);
        let skill = call.path.split('.').next().unwrap_or_default();
        if let Some(error) = self.slip(&call.path) {
            return settled(call, Outcome::Failed(error), false, String::new());
        }
        let key = Key::of(self.room, Kind::Invoked).number(n);
        let live = async {
            let child = self.skills.code.get(skill);
            let Some(child) = child else {
                let message = format!("{skill} is not loaded; the operator's log says why");
                return Outcome::Failed(CallError::new("Error", message));
            };
            let errand = Errand { house: &self.house, skills: &self.skills, room: self.room, n, skill };
            let now = self.house.tape.clock().now();
            let (seed, deadline) = (self.seed.wrapping_add(n), deadline(self.house.config.sandbox.deadline));
            child.invoke(&call.path, call.args.clone(), now, seed, deadline, &errand).await
        };
        // Before the journal sees it: what a hook takes out shall not stand there either.
        let hooked = async {
            let answer = settled(call, live.await, is_effect, String::new());
            self.house.config.hooks.after(&self.scene(call), answer).outcome
        };
        let outcome = self.house.tape.outside(key, call, hooked).await.answer;
        settled(call, outcome, is_effect, String::new())
    }
}
