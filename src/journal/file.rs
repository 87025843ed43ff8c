//! Journal files: written line by line, read line by line.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{FORMAT, Header, Line};

/// Why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened, read or written.
    #[error("journal {path}: {source}{hint}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
        /// What to do; empty if that is plain.
        hint: &'static str,
    },
    /// Not a journal, or of another version.
    #[error("journal {path}: {what}", path = path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What was found, and what to do.
        what: String,
    },
    /// A line that does not parse.
    #[error("journal {path}, line {line}: {what}", path = path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// 1-based.
        line: usize,
        /// What was found.
        what: String,
    },
}

fn io(path: &Path, source: std::io::Error) -> JournalError {
    let hint = match source.kind() {
        std::io::ErrorKind::AlreadyExists => "; give another name, recordings are never overwritten",
        std::io::ErrorKind::StorageFull => "; free some space and start again: what was acknowledged is kept",
        _ => "",
    };
    JournalError::Io { path: path.to_owned(), source, hint }
}

/// A journal being written.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    out: BufWriter<File>,
}

impl Writer {
    /// Begins a journal; a file of that name must not exist yet.
    pub fn create(path: &Path, header: &Header) -> Result<Self, JournalError> {
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|e| io(path, e))?;
        let mut writer = Self { path: path.to_owned(), out: BufWriter::with_capacity(1 << 16, file) };
        writer.put(header)?;
        Ok(writer)
    }

    /// Appends a line.
    pub fn line(&mut self, line: &Line) -> Result<(), JournalError> {
        self.put(line)
    }

    /// Puts everything written so far where a crash cannot take it.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.out.flush().and_then(|()| self.out.get_ref().sync_data()).map_err(|e| io(&self.path, e))
    }

    /// Hands everything written so far to the system, which a kill of this process cannot take back.
    pub fn flush(&mut self) -> Result<(), JournalError> {
        self.out.flush().map_err(|e| io(&self.path, e))
    }

    fn put(&mut self, value: &impl serde::Serialize) -> Result<(), JournalError> {
        serde_json::to_writer(&mut self.out, value)
            .map_err(std::io::Error::from)
            .and_then(|()| self.out.write_all(b"\n"))
            .map_err(|e| io(&self.path, e))
    }
}

/// Gives the lines with certain numbers another answer, in place; every other byte stays. A crash leaves the file as it
/// was.
pub fn replace<'a>(path: &Path, answer: impl Fn(u64) -> Option<&'a Value>) -> Result<(), JournalError> {
    let text = std::fs::read_to_string(path).map_err(|e| io(path, e))?;
    let mut written = String::with_capacity(text.len());
    for (before, raw) in text.split_inclusive('\n').enumerate() {
        let bad =
            |e: serde_json::Error| JournalError::Line { path: path.to_owned(), line: before + 1, what: e.to_string() };
        #[derive(serde::Deserialize)]
        struct Numbered {
            seq: u64,
        }
        // The header carries no number, and a line that a crash cut does not parse: both stay.
        let new = serde_json::from_str::<Numbered>(raw).ok().and_then(|line| answer(line.seq));
        let Some(new) = new else {
            written.push_str(raw);
            continue;
        };
        let mut line: Line = serde_json::from_str(raw).map_err(bad)?;
        line.answer = new.clone();
        written.push_str(&serde_json::to_string(&line).map_err(bad)?);
        written.push('\n');
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    std::fs::write(&beside, written).map_err(|e| io(&beside, e))?;
    std::fs::rename(&beside, path).map_err(|e| io(path, e))
}

/// A journal being read.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    header: Header,
    lines: std::io::Lines<BufReader<File>>,
    number: usize,
}

impl Reader {
    /// Opens a journal and reads its header.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let file = File::open(path).map_err(|e| io(path, e))?;
        let mut lines = BufReader::with_capacity(1 << 16, file).lines();
        let format = |what: String| JournalError::Format { path: path.to_owned(), what };
        let first = match lines.next() {
            Some(Ok(first)) => first,
            Some(Err(e)) if e.kind() == std::io::ErrorKind::InvalidData => {
                return Err(format("is not a text file; expected a journal (JSON lines)".to_owned()));
            }
            Some(Err(e)) => return Err(io(path, e)),
            None => return Err(format("is empty; expected a journal, as `groupmate import` writes it".to_owned())),
        };
        let header = header(&first).map_err(format)?;
        Ok(Self { path: path.to_owned(), header, lines, number: 1 })
    }

    /// How it begins.
    pub const fn header(&self) -> &Header {
        &self.header
    }
}

fn header(line: &str) -> Result<Header, String> {
    let value: serde_json::Value = serde_json::from_str(line)
        .map_err(|_| "is not a journal; expected one as `groupmate import FILE -o JOURNAL` writes it".to_owned())?;
    match value.get("groupmate").and_then(serde_json::Value::as_u64) {
        None => {
            Err("has no header; a Telegram export or file of updates is turned into a journal by `groupmate import`"
                .to_owned())
        }
        Some(version) if version != u64::from(FORMAT) => Err(format!(
            "has format {version}, this build reads format {FORMAT}; replay it with the build that wrote it{}",
            value.get("build").and_then(serde_json::Value::as_str).map(|b| format!(" ({b})")).unwrap_or_default()
        )),
        Some(_) => serde_json::from_value(value).map_err(|e| format!("has a header that does not read: {e}")),
    }
}

impl Iterator for Reader {
    type Item = Result<Line, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let text = match self.lines.next()? {
                Ok(text) => text,
                Err(e) => return Some(Err(io(&self.path, e))),
            };
            self.number += 1;
            if text.is_empty() {
                continue;
            }
            return Some(match serde_json::from_str(&text) {
                Ok(line) => Ok(line),
                // A crash may cut the last line short; what stands before it is whole.
                Err(e) if e.is_eof() && self.lines.next().is_none() => {
                    tracing::warn!(path = %self.path.display(), line = self.number, "the last line is cut; left out");
                    return None;
                }
                Err(e) => Err(JournalError::Line { path: self.path.clone(), line: self.number, what: e.to_string() }),
            });
        }
    }
}
