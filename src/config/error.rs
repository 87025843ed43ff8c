//! What is wrong with a configuration: one line that names file, place, key, what was expected, and an example.

use thiserror::Error;

/// Why a configuration is refused. Every message fits one line and says what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{file}: cannot be read ({why}); give the path of a configuration file with `--config FILE`")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system said.
        why: String,
    },
    /// The file is no TOML.
    #[error("{place}: this is not TOML: {message}")]
    Syntax {
        /// File and line.
        place: String,
        /// What the parser said.
        message: String,
    },
    /// A key that nothing reads: a typing error would otherwise be silently ignored.
    #[error("{place}: unknown key `{key}`; {hint}")]
    Unknown {
        /// File and line.
        place: String,
        /// The key with its tables.
        key: String,
        /// The nearest known key, or the list of them.
        hint: String,
    },
    /// A value that cannot be used.
    #[error("{place}: `{key}` is {found}; expected {expected}, for example `{example}`")]
    Bad {
        /// File and line.
        place: String,
        /// The key with its tables.
        key: String,
        /// What stands there; only its kind if it may be secret.
        found: String,
        /// What would do.
        expected: String,
        /// A line that would do.
        example: String,
    },
    /// Something that this command needs is not there.
    #[error("{file}: `{key}` is missing: {expected}, for example `{example}`")]
    Missing {
        /// The file.
        file: String,
        /// The key with its tables.
        key: String,
        /// What it is.
        expected: String,
        /// A line that would do.
        example: String,
    },
    /// A named environment variable is not there.
    #[error("{place}: `{key}` names the environment variable {variable}, which is not set; set it before starting")]
    NotSet {
        /// File and line.
        place: String,
        /// The key with its tables.
        key: String,
        /// The variable.
        variable: String,
    },
    /// The persona cannot be used.
    #[error("{place}: {message}")]
    Persona {
        /// File, and line where known.
        place: String,
        /// What is wrong and what would do.
        message: String,
    },
}

impl ConfigError {
    /// The same error with the file named, where it was not known when the error was made.
    pub(super) fn in_file(self, name: &str) -> Self {
        match self {
            ConfigError::Missing { file, key, expected, example } if file.is_empty() => {
                ConfigError::Missing { file: name.to_owned(), key, expected, example }
            }
            ConfigError::Missing { .. }
            | ConfigError::Unreadable { .. }
            | ConfigError::Syntax { .. }
            | ConfigError::Unknown { .. }
            | ConfigError::Bad { .. }
            | ConfigError::NotSet { .. }
            | ConfigError::Persona { .. } => self,
        }
    }
}
