//! The commands: one file each, and the only place that prints.
//!
//! Exit codes: 0 fine, 1 fault, 64 usage or configuration.
#![allow(clippy::print_stdout, clippy::print_stderr)]

/// Prints a line. Output that nobody can take any more ends the command, without a panic.
macro_rules! say {
    ($($arg:tt)*) => { $crate::cli::put(format_args!($($arg)*)) };
}

mod chat;
mod check;
mod demo;
mod import;
mod init;
mod replay;
mod run;
mod skills;
mod story;
mod tell;

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::filter::LevelFilter;

use crate::app::parts::StartError;
use crate::config::{Config, ConfigError, RealEnv};

/// The exit code for usage and configuration, as BSD's sysexits has it.
const USAGE: u8 = 64;

/// A member of your Telegram group that reads along, remembers, and acts by writing JavaScript.
#[derive(Debug, Parser)]
#[command(name = "groupmate", version, about, max_term_width = 100)]
struct Arguments {
    /// Say more; twice for everything
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// A recorded session in the terminal: offline, no account, no key
    Demo(demo::Arguments),
    /// Join Telegram
    Run(run::Arguments),
    /// Talk to it here, as several people, with the configured model
    Chat(chat::Arguments),
    /// Run a journal through the same rooms again
    Replay(replay::Arguments),
    /// Turn an export, raw updates or a labelled day into a journal
    Import(import::Arguments),
    /// Check configuration, token, model and skills
    Check(check::Arguments),
    /// Show what scripts can use
    Skills(skills::Arguments),
    /// Write a first configuration
    Init(init::Arguments),
}

/// Where the configuration is, for commands that take one.
#[derive(Debug, clap::Args)]
struct ConfigFile {
    /// The configuration file
    #[arg(short, long, default_value = "config.toml")]
    config: PathBuf,
}

/// Reads the command line, runs the command and gives the exit code.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // A terminal that is gone cannot be told.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(USAGE) } else { ExitCode::SUCCESS };
        }
    };
    log(&arguments);
    match run(arguments.command) {
        Ok(code) => code,
        // Whoever read our output has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("groupmate: {}", told(&error));
            ExitCode::from(if is_usage(&error) { USAGE } else { 1 })
        }
    }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    if let Some((point, pass)) = crate::config::crash_from(&RealEnv)? {
        crate::clock::arm_crash(&point, pass);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        match command {
            Command::Demo(arguments) => demo::run(arguments).await,
            Command::Run(arguments) => run::run(arguments).await,
            Command::Chat(arguments) => chat::run(arguments).await,
            Command::Replay(arguments) => replay::run(arguments).await,
            Command::Import(arguments) => import::run(&arguments),
            Command::Check(arguments) => check::run(&arguments).await,
            Command::Skills(arguments) => skills::run(arguments).await,
            Command::Init(arguments) => init::run(&arguments),
        }
    })
}

/// A fault of what was asked for, not of what happened.
fn is_usage(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.is::<ConfigError>() || matches!(cause.downcast_ref::<StartError>(), Some(StartError::Config(_)))
    })
}

/// An error with its causes, each said once: many of ours quote their cause already.
fn told(error: &anyhow::Error) -> String {
    let mut told = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !told.contains(&cause) {
            told.push_str(": ");
            told.push_str(&cause);
        }
    }
    told
}

fn put(line: std::fmt::Arguments<'_>) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = writeln!(out, "{line}") {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            // Whoever read our output has seen enough.
            std::process::exit(0);
        }
        eprintln!("groupmate: standard output: {error}");
        std::process::exit(1);
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}

fn log(arguments: &Arguments) {
    let quiet = match arguments.command {
        Command::Run(_) => LevelFilter::INFO,
        _ => LevelFilter::WARN,
    };
    let level = match arguments.verbose {
        0 => quiet,
        1 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    // Colours are for terminals; a log file is read by other programs.
    let colours = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr);
    log.with_target(false).with_ansi(colours).init();
}

fn load(file: &ConfigFile) -> anyhow::Result<Config> {
    Ok(Config::load(&file.config, &RealEnv)?)
}
