//! Reads the files of a log one after the other: plain, packed, or a database of log2sql.

use std::fs::File;
use std::io::{self, Read, Seek as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Reader;
use super::export::sqlite;
use super::open::{self, Packing};
use super::quality::{Log, LogFile};
use super::record::Sink;
use crate::diag::quoted;
use crate::files::{self, NotAFile};

/// Why no record came of the files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// A file cannot be read, or holds no log: a sentence.
    #[error("{0}")]
    Failed(String),
    /// The caller wanted no more.
    #[error("the reading was stopped")]
    Stopped,
}

/// Gives the records of all logs, in the order of the files, to `sink`; `-` is standard input.
///
/// `goes_on` is asked every 128 KiB or so, with the bytes of the files that are read so far, packed as they lie on the
/// disk. Where it says no, reading ends.
///
/// # Errors
///
/// [`Unread`]: the file that cannot be read, or that none of them holds what a Perforce server logs.
pub fn read_logs(
    logs: &[PathBuf],
    sink: &mut dyn Sink,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Log, Unread> {
    let mut reader = Reader::new();
    let mut log = Log::default();
    let mut rows = 0;
    let done = Arc::new(AtomicU64::new(0));
    for (number, path) in logs.iter().enumerate() {
        let failed = |error: &io::Error| Unread::Failed(cannot_read(path, error));
        let before = done.load(Ordering::Relaxed);
        if !goes_on(before) {
            return Err(Unread::Stopped);
        }
        let mut file = LogFile {
            name: path.to_string_lossy().into_owned(),
            ..LogFile::default()
        };
        let mut text = if path == Path::new("-") {
            open::open(path)
        } else {
            let mut opened = open_regular(path).map_err(Unread::Failed)?;
            file.bytes = opened.metadata().map_err(|error| failed(&error))?.len();
            if sqlite::is_database(&mut opened).map_err(|error| failed(&error))? {
                let read = sqlite::read(path, number, sink);
                rows +=
                    read.map_err(|why| Unread::Failed(format!("{} {why}", quoted(&file.name))))?;
                done.store(before + file.bytes, Ordering::Relaxed);
                file.packed = "SQLite";
                log.files.push(file);
                continue;
            }
            opened.rewind().map_err(|error| failed(&error))?;
            let counted = Counted {
                file: opened,
                done: done.clone(),
            };
            open::of(Box::new(counted), path)
        }
        .map_err(|error| Unread::Failed(error.to_string()))?;
        file.packed = match text.packing() {
            Packing::Plain => "",
            Packing::Gzip => "gzip",
            Packing::Zstd => "zstd",
            Packing::Utf16 => "UTF-16",
        };
        let mut watched = Watched {
            text: &mut text,
            done: &done,
            goes_on,
            is_stopped: false,
        };
        let read = reader.read(number, &mut watched, sink);
        if watched.is_stopped {
            return Err(Unread::Stopped);
        }
        read.map_err(|error| failed(&error))?;
        file.broken = text.broken().map(str::to_owned);
        log.files.push(file);
    }
    reader.finish(sink);
    log.understood = reader.understood();
    // A row of a database is as good as a line that was understood.
    log.understood.lines += rows;
    log.understood.understood += rows;
    if log.understood.understood == 0 {
        let which = match logs {
            [one] => quoted(&one.to_string_lossy()),
            _ => "none of the files".to_owned(),
        };
        return Err(Unread::Failed(format!(
            "{which} holds nothing that a Perforce server writes into its log: no line begins a command (\"Perforce server info:\"), and it is no database of log2sql"
        )));
    }
    Ok(log)
}

/// Opens a log that must be a file.
///
/// # Errors
///
/// A sentence: what it is instead, or what the system says.
pub fn open_regular(path: &Path) -> Result<File, String> {
    files::open_regular(path).map_err(|error| match error {
        NotAFile::Io(error) => cannot_read(path, &error),
        NotAFile::Is(what) => {
            let name = quoted(&path.to_string_lossy());
            format!("{name} is {what}; a log is a file")
        }
    })
}

/// The sentence for a file that the system does not let us read.
pub fn cannot_read(path: &Path, error: &io::Error) -> String {
    format!("cannot read {}: {error}", quoted(&path.to_string_lossy()))
}

/// Whether the beginning of a text is one of a server log: a line begins a command or an error of a server.
pub fn is_log(beginning: &str) -> bool {
    let mut lines = beginning.lines();
    lines.any(|line| {
        let line = line.trim_start_matches('\u{feff}');
        line.starts_with("Perforce server info:") || line.starts_with("Perforce server error:")
    })
}

/// A file that counts what is read of it.
struct Counted {
    file: File,
    done: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.done.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// A text that ends where nobody wants more of it.
struct Watched<'a> {
    text: &'a mut open::Opened,
    done: &'a AtomicU64,
    goes_on: &'a mut dyn FnMut(u64) -> bool,
    is_stopped: bool,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !(self.goes_on)(self.done.load(Ordering::Relaxed)) {
            self.is_stopped = true;
            return Err(io::Error::other("stopped"));
        }
        self.text.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serverlog::analysis::Analysis;

    #[test]
    fn reading_says_how_far_it_is_and_stops_where_nobody_wants_more() {
        let line = "Perforce server info:\n\t2024/06/19 12:25:31 pid 1 ann@ws 10.0.0.1 [p4/v1] 'user-info'\n";
        let path = std::env::temp_dir().join(format!("plimsoll-logs-{}", std::process::id()));
        assert!(std::fs::write(&path, line.repeat(20_000)).is_ok());
        let logs = [path.clone()];
        let mut seen = Vec::new();
        let log = read_logs(&logs, &mut Analysis::default(), &mut |bytes| {
            seen.push(bytes);
            true
        });
        assert!(log.is_ok_and(|log| Some(&log.files[0].bytes) == seen.last()));
        assert!(seen.len() > 3 && seen.is_sorted(), "{seen:?}");
        let mut asked = 0;
        let stopped = read_logs(&logs, &mut Analysis::default(), &mut |_| {
            asked += 1;
            asked < 3
        });
        assert_eq!((stopped, asked), (Err(Unread::Stopped), 3));
        drop(std::fs::remove_file(&path));
        let missing = read_logs(&logs, &mut Analysis::default(), &mut |_| true);
        assert!(matches!(missing, Err(Unread::Failed(reason)) if reason.contains("cannot read")));
    }

    #[test]
    fn a_log_is_known_by_its_first_lines() {
        assert!(is_log("\u{feff}Perforce server info:\r\n\t2024/06/19"));
        assert!(is_log("junk\nPerforce server error:\n"));
        assert!(!is_log("# Perforce server info: is how a log begins\n"));
    }
}
