//! `groupmate init`: a first configuration, with every key explained.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// The commented example, as it stands in the repository.
const EXAMPLE: &str = include_str!("../../config.example.toml");

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The file to write
    #[arg(default_value = "config.toml")]
    file: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let file = &arguments.file;
    let opened = std::fs::OpenOptions::new().write(true).create_new(true).open(file);
    let mut out = opened.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => anyhow::anyhow!("{} exists already; it is left as it is", file.display()),
        _ => anyhow::anyhow!("{}: {error}", file.display()),
    })?;
    out.write_all(EXAMPLE.as_bytes())?;
    say!("{} is written: fill in the token and the model, then `groupmate check`", file.display());
    Ok(ExitCode::SUCCESS)
}
