//! What an operator decides about when a room thinks.

use crate::time::{Span, Zone};

/// When a room thinks.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How long a group's speaker must be silent after addressing us.
    pub finish_group: Span,
    /// The same in a DM.
    pub finish_dm: Span,
    /// How long after an answer the other side's next words count as meant for us.
    pub follow_up: Span,
    /// Whether we may speak unasked.
    pub ambient: bool,
    /// How much must speak for it, 0 to 1.
    pub ambient_threshold: f32,
    /// How often an hour.
    pub ambient_per_hour: u32,
    /// The most of the recent talk that may be ours, 0 to 1, for us to speak unasked.
    pub share_of_talk: f32,
    /// From which hour to which we do not speak unasked.
    pub quiet: Option<(u8, u8)>,
    /// How often in a row another bot's replies may wake us.
    pub bot_cap: u32,
    /// The zone of the quiet hours.
    pub zone: Zone,
    /// From which age on a message is backlog.
    pub stale: Span,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            finish_group: Span::secs(4),
            finish_dm: Span::secs(2),
            follow_up: Span::secs(90),
            ambient: true,
            ambient_threshold: 0.75,
            ambient_per_hour: 2,
            share_of_talk: 0.15,
            quiet: None,
            bot_cap: 2,
            zone: Zone::utc(),
            stale: Span::minutes(10),
        }
    }
}
