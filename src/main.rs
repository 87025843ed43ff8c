//! Parse the command line, run it, exit.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Children of the sandbox are this same binary; they must not do anything else first.
    if std::env::args().nth(1).as_deref() == Some(groupmate::sandbox::CHILD) {
        groupmate::sandbox::worker::main();
        return ExitCode::SUCCESS;
    }
    groupmate::cli::main()
}
