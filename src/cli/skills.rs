//! `groupmate skills`: what scripts can use, and what the model would be shown of it.

mod list;
mod read;
mod trial;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;

use super::ConfigFile;
use crate::calls::loading;
use crate::config::Config;
use crate::skills::registry::{Problem, Registry};

/// Where a configuration is looked for if none is named.
const DEFAULT: &str = "config.toml";

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The configuration file
    #[arg(short, long, default_value = DEFAULT, global = true)]
    config: PathBuf,
    /// A folder with skills beside those of the configuration; may be given several times
    #[arg(long, global = true)]
    dir: Vec<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// What the model reads of them before anything goes wrong
    Brief,
    /// Everything that declaration files say, with their problems
    Parse(read::Parse),
    /// The paths that a script would have documented if it failed
    Intents(read::Intents),
    /// What the model would get as documentation of a method or skill
    Docs(read::Docs),
    /// Run a script as a turn would, in an empty chat of its own, and show the report
    Try(trial::Arguments),
}

pub(super) async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let json = arguments.json;
    if let Some(What::Parse(parse)) = &arguments.what {
        return parse.run(json);
    }
    let mut config = configured(&arguments.config)?;
    for folder in arguments.dir {
        anyhow::ensure!(folder.is_dir(), "{} is no folder; --dir wants one that holds skill folders", folder.display());
        config.skill_folders.push(folder);
    }
    let (registry, problems) = loading::skills(&config);
    match arguments.what {
        None => {
            list::all(&config, &registry, &problems, json)?;
            if !json {
                tell(&problems);
            }
            Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
        }
        Some(What::Brief) => {
            let guides = registry.catalogue(usize::MAX);
            let gap = if guides.is_empty() { "" } else { "\n\n" };
            say!("{}{gap}{}", registry.briefs(usize::MAX).trim_end(), guides.trim_end());
            for name in registry.unavailable() {
                eprintln!("{name} is left out: it lacks a key (groupmate skills says which)");
            }
            tell(&problems);
            Ok(ExitCode::SUCCESS)
        }
        Some(What::Parse(parse)) => parse.run(json),
        Some(What::Intents(intents)) => intents.run(&registry, json),
        Some(What::Docs(docs)) => docs.run(&registry, json),
        Some(What::Try(trial)) => {
            tell(&problems);
            trial.run(config, registry, json).await
        }
    }
}

/// The configuration of this file. Without one there are the bundled skills; a file that was named must be there.
fn configured(file: &Path) -> anyhow::Result<Config> {
    if file.exists() || file.as_os_str() != DEFAULT {
        return super::load(&ConfigFile { config: file.to_owned() });
    }
    Ok(Config::offline(Path::new("data"), "http://127.0.0.1:9")?)
}

fn tell(problems: &[Problem]) {
    for problem in problems {
        eprintln!("{} ({}): {}", problem.skill, problem.place, problem.message);
    }
}

/// The error for a path that nothing is called, with what it may have meant.
fn unknown(registry: &Registry, path: &str) -> anyhow::Error {
    let near = registry.nearest(path);
    let hint = if near.is_empty() {
        format!("there are the skills {}", registry.globals().join(", "))
    } else {
        format!("did you mean {}?", near.join(", "))
    };
    anyhow::anyhow!("nothing is called {path:?}; {hint}")
}
