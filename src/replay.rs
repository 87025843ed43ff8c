//! The same rooms, driven by a journal: recorded sessions exactly, imports of events fast.

pub mod events;
pub mod import;
pub mod session;

use std::path::{Path, PathBuf};

/// A folder beside a file, for the store of a replay; it is removed when the replay ends.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes the folder; it carries this process's number, so that two replays do not meet.
    pub fn beside(file: &Path) -> std::io::Result<Self> {
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(format!(".replay-{}", std::process::id()));
        let folder = file.with_file_name(name);
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(%error, folder = %self.0.display(), "the replay's folder stays behind");
        }
    }
}
