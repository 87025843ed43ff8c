//! Commands that people give with a slash: obeyed by code, at once, without a model.
//!
//! What they do is in `room::obey`; here is how they are read, who may give them, and every word that is said about
//! them ([`words`]).

pub mod words;
#[cfg(test)]
mod tests;

use crate::chat::message::Message;
use crate::chat::person::Sender;

/// A command of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Command {
    /// Who we are and how to begin.
    Start,
    /// What can be asked of us.
    Help,
    /// What is remembered of whoever asks.
    Whoami,
    /// Forget whoever asks, everywhere.
    Forget,
    /// Nothing unasked here for a while, or again as before.
    Quiet,
    /// Why we spoke just now, or did not.
    Why,
    /// How we are.
    Status,
    /// No turns here until further notice.
    Mute,
    /// Turns again.
    Unmute,
    /// Skills read anew.
    Reload,
}

impl Command {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 10] = [
        Self::Start,
        Self::Help,
        Self::Whoami,
        Self::Why,
        Self::Quiet,
        Self::Forget,
        Self::Status,
        Self::Mute,
        Self::Unmute,
        Self::Reload,
    ];

    /// As it is written, without the slash.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Help => "help",
            Self::Whoami => "whoami",
            Self::Forget => "forget",
            Self::Quiet => "quiet",
            Self::Why => "why",
            Self::Status => "status",
            Self::Mute => "mute",
            Self::Unmute => "unmute",
            Self::Reload => "reload",
        }
    }

    /// The command that a message gives us: one of these names, for us or for nobody in particular, from whoever may be
    /// answered. Any other command is an ordinary message.
    pub fn of(message: &Message, username: &str) -> Option<Self> {
        let command = message.command.as_ref()?;
        let is_for_us = command.to.as_ref().is_none_or(|to| to.eq_ignore_ascii_case(username));
        // What somebody passes on was not said to us, and two bots must not talk commands for ever.
        let is_meant = message.forwarded_from.is_none() && message.from != Sender::Us && !message.from.is_other_bot();
        if !is_for_us || !is_meant {
            return None;
        }
        Self::ALL.into_iter().find(|known| known.name() == command.name)
    }

    /// Whether only operators may give it.
    pub const fn is_for_operators(self) -> bool {
        match self {
            Self::Status | Self::Mute | Self::Unmute | Self::Reload => true,
            Self::Start | Self::Help | Self::Whoami | Self::Forget | Self::Quiet | Self::Why => false,
        }
    }
}
