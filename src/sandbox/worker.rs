//! The child's side: a loop over frames around one engine.

use std::io::{BufReader, Stdin, stdin, stdout};

use super::engine::Engine;
use super::limits::{self, Isolation};
use super::wire::{self, FromChild, ToChild};

/// Runs as a child of the sandbox until the host closes the pipe.
pub fn main() {
    let mut from = BufReader::new(stdin());
    let Ok(Some(ToChild::Begin { memory, weak: _ })) = wire::read(&mut from) else { return };
    let before = limits::before(memory);
    let engine = std::thread::Builder::new().stack_size(limits::STACK).spawn(move || serve(from, before));
    if let Ok(engine) = engine {
        // A panic has said on standard error what it was; the host reads it there.
        let died = engine.join().is_err();
        std::process::exit(i32::from(died));
    }
}

fn serve(mut from: BufReader<Stdin>, mut isolation: Isolation) {
    // The engine is built first: it reads what seccomp would refuse later.
    let Ok(mut engine) = Engine::new() else { return };
    let within = limits::within();
    isolation.holds.extend(within.holds);
    isolation.missing.extend(within.missing);
    let ready = FromChild::Ready { holds: isolation.holds, missing: isolation.missing };
    if wire::write(&mut stdout(), &ready).is_err() {
        return;
    }
    loop {
        let frame = match wire::read::<ToChild>(&mut from) {
            Ok(Some(frame)) => frame,
            // The host is gone or has no more use for us.
            Ok(None) | Err(_) => return,
        };
        let done = match frame {
            ToChild::Run(script) => {
                let ended = engine.run(*script, &mut from);
                wire::write(&mut stdout(), &FromChild::Done(Box::new(ended)))
            }
            ToChild::Load(code) => {
                let loaded = engine.load(code, &mut from);
                wire::write(&mut stdout(), &FromChild::Loaded(loaded))
            }
            ToChild::Invoke { id, path, args, now, seed } => engine.invoke(id, &path, args, now, seed),
            ToChild::Fetched { id, result } => engine.fetched(id, result),
            ToChild::Answer { .. } | ToChild::Begin { .. } => Ok(()),
        };
        if done.is_err() {
            return;
        }
    }
}
