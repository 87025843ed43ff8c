//! The child's side: a loop over frames around one engine.

use std::io::{BufReader, Stdin, stdin};

use super::engine::Engine;
use super::limits;
pub use super::limits::Isolation;
use super::wire::{self, FromChild, ToChild};

/// Runs as a child of the sandbox until the host closes the pipe.
pub fn main() {
    let mut from = BufReader::new(stdin());
    let Ok(Some(ToChild::Begin { memory, weak: _ })) = wire::hear(&mut from) else { return };
    // The engine is built first: it reads what seccomp would refuse later.
    let served = confined(memory, Engine::new, move |engine, isolation| {
        if let Ok(engine) = engine {
            serve(from, engine, isolation);
        }
    });
    // A panic has said on standard error what it was; the host reads it there.
    std::process::exit(i32::from(served.is_err()));
}

/// Confines this process for good and goes on in a thread with a large stack, until that ends. `prepare` runs under the
/// limits of the kernel and without files, `within` with nothing but memory and the three pipes.
///
/// An error if the thread cannot be made or panics.
pub fn confined<T>(
    memory: u64,
    prepare: impl FnOnce() -> T + Send + 'static,
    within: impl FnOnce(T, Isolation) + Send + 'static,
) -> Result<(), String> {
    let mut isolation = limits::before(memory);
    let inner = std::thread::Builder::new().stack_size(limits::STACK).spawn(move || {
        let prepared = prepare();
        let inner = limits::within();
        isolation.holds.extend(inner.holds);
        isolation.missing.extend(inner.missing);
        within(prepared, isolation);
    });
    inner.map_err(|e| e.to_string())?.join().map_err(|_| "it panicked".to_owned())
}

fn serve(mut from: BufReader<Stdin>, mut engine: Engine, isolation: Isolation) {
    let ready = FromChild::Ready { holds: isolation.holds, missing: isolation.missing };
    if wire::say(&ready).is_err() {
        return;
    }
    loop {
        let frame = match wire::hear::<ToChild>(&mut from) {
            Ok(Some(frame)) => frame,
            // The host is gone or has no more use for us.
            Ok(None) | Err(_) => return,
        };
        let done = match frame {
            ToChild::Run(script) => {
                let ended = engine.run(*script, &mut from);
                wire::say(&FromChild::Done(Box::new(ended)))
            }
            ToChild::Load(code) => {
                let loaded = engine.load(code, &mut from);
                wire::say(&FromChild::Loaded(loaded))
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
