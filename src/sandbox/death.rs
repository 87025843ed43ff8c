//! How a child died, in plain words for the author of its script.
//!
//! Only what the kernel says (exit code, signal) and the child's last words on standard error are looked at; both may be
//! an attacker's, so they choose among fixed sentences and are never quoted.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use rustix::process::Signal;

use super::limits;
use crate::call::Fault;

/// How a process ended.
#[derive(Debug, Default)]
pub(super) struct Death {
    /// What the kernel says; `None` if it had to be killed because it did not end by itself.
    pub(super) status: Option<ExitStatus>,
    /// The beginning of what it wrote on standard error.
    pub(super) words: String,
}

impl Death {
    /// What a report says of it. `memory` is the limit in bytes.
    pub(super) fn told(&self, memory: u64) -> (Fault, String) {
        let says = |part: &str| self.words.contains(part);
        // Rust aborts on both, and says which it was; the signal alone does not tell.
        if says("memory allocation") || says("capacity overflow") {
            return (Fault::OutOfMemory, format!("it used more than {} MB and was stopped", memory >> 20));
        }
        if says("overflowed its stack") {
            return (Fault::Crashed, "it went too deep (recursion or nesting) and was stopped".to_owned());
        }
        if says("panicked at") {
            return (Fault::Crashed, "the engine crashed on it; write it in another way".to_owned());
        }
        let message = match self.status {
            None => "its process closed its pipes and was stopped".to_owned(),
            Some(status) => match (status.signal(), status.code()) {
                (Some(signal), _) => by_signal(signal),
                (None, Some(0)) => "its process ended before the script did".to_owned(),
                (None, code) => {
                    format!("its process ended with exit code {} before the script did", code.unwrap_or_default())
                }
            },
        };
        (Fault::Crashed, message)
    }
}

fn by_signal(signal: i32) -> String {
    let is = |known: Signal| signal == known.as_raw();
    if is(Signal::XCPU) {
        format!("it used more than {} s of processor time and was stopped", limits::CPU)
    } else if is(Signal::KILL) {
        "its process was killed from outside, as the system does when its memory runs out".to_owned()
    } else if [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT].into_iter().any(is) {
        "its process was stopped from outside".to_owned()
    } else if is(Signal::XFSZ) {
        "it tried to write a file and was stopped".to_owned()
    } else if is(Signal::SYS) {
        "it asked the system for what a script may not have and was stopped".to_owned()
    } else if [Signal::ABORT, Signal::SEGV, Signal::BUS, Signal::ILL, Signal::FPE, Signal::TRAP].into_iter().any(is) {
        "the engine crashed on it; write it in another way".to_owned()
    } else {
        format!("its process was stopped by signal {signal}")
    }
}
