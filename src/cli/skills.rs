//! `groupmate skills`: what scripts can use, as the model sees it.

use std::process::ExitCode;

use super::ConfigFile;
use crate::app::parts;
use crate::config::Config;
use crate::skills::disclose;

/// As much as anyone wants to read at once.
const ALL: usize = 1024 * 1024;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    config: ConfigFile,
    /// A method or skill to document in full, such as tavily.search
    path: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    // Without a configuration there are the bundled skills; one that was named must be there.
    let is_default = arguments.config.config.as_os_str() == "config.toml";
    let config = if arguments.config.config.exists() || !is_default {
        super::load(&arguments.config)?
    } else {
        Config::offline(std::path::Path::new("data"), "http://127.0.0.1:9")?
    };
    let (registry, problems) = parts::skills(&config);
    match &arguments.path {
        None => say!("{}", registry.briefs(ALL)),
        Some(path) => match disclose::docs(&registry, path, ALL) {
            Some(docs) => say!("{}", docs.text),
            None => {
                let near = registry.nearest(path);
                let hint = if near.is_empty() { String::new() } else { format!("; there is {}", near.join(", ")) };
                anyhow::bail!("nothing is called {path:?}{hint}");
            }
        },
    }
    for problem in &problems {
        eprintln!("{} ({}): {}", problem.skill, problem.place, problem.message);
    }
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
