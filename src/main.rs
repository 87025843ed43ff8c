//! Parse the command line, run it, exit.

fn main() {}
