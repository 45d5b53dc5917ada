//! Follows a log that grows: the findings so far at any moment.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Reader;
use super::analysis::{Analysis, Findings};
use super::kind::{FileKind, LogText};
use super::logs::{Unread, cannot_read, part_of};
use super::open::{self, Packing};
use super::quality::{Log, LogFile};
use super::range::{InRange, Range, Wanted};
use super::tail::Tail;
use crate::diag::quoted;

/// A log that is followed.
///
/// ```
/// use plimsoll_p4log::serverlog::follow::Follow;
///
/// let path = std::env::temp_dir().join(format!("plimsoll-follow-{}", std::process::id()));
/// let line = "Perforce server info:\n\t2024/06/19 12:25:31 pid 1 ann@ws 10.0.0.1 [p4/v1] 'user-info'\n";
/// std::fs::write(&path, line).unwrap();
/// let mut follow = Follow::begin(&[path.clone()], None).unwrap();
/// std::fs::write(&path, line.repeat(2)).unwrap();
/// assert!(follow.poll().unwrap(), "it has grown");
/// assert_eq!(follow.end().quality.records, 2);
/// # std::fs::remove_file(&path).unwrap();
/// ```
#[derive(Debug)]
pub struct Follow {
    /// The files before the last.
    files: Vec<LogFile>,
    tail: Tail,
    reader: Reader,
    analysis: Analysis,
    range: Option<Range>,
}

impl Follow {
    /// Reads the logs but the last, and the last to where it ends now, or a part of them; the last need not be there yet.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or is no server log; a last one that does not grow: packed, or standard input.
    pub fn begin(logs: &[PathBuf], wanted: Option<Wanted>) -> Result<Self, Unread> {
        let Some((last, before)) = logs.split_last() else {
            return Err(Unread::Failed("no log is given".to_owned()));
        };
        if logs.iter().any(|path| path == Path::new("-")) {
            return Err(Unread::Failed(
                "Standard input is not followed: give the file that the server writes.".to_owned(),
            ));
        }
        let there = logs.iter().filter(|path| path.exists());
        let there: Vec<PathBuf> = there.cloned().collect();
        let range = match wanted {
            Some(wanted) => Some(part_of(&there, wanted)?),
            None => None,
        };
        let from = range.and_then(|range| range.from);
        let mut follow = Self {
            files: Vec::new(),
            tail: Tail::new(last, before.len()),
            reader: from.map_or_else(Reader::new, Reader::since),
            analysis: Analysis::of(range.unwrap_or_default()),
            range,
        };
        for (number, path) in before.iter().enumerate() {
            follow.read(number, path)?;
        }
        follow.poll()?;
        Ok(follow)
    }

    /// Reads a file that does not grow any more.
    fn read(&mut self, number: usize, path: &Path) -> Result<(), Unread> {
        let mut text = text_of(path)?;
        let reader = &mut self.reader;
        let read = to(self.range, &mut self.analysis, |sink| reader.read(number, &mut text, sink));
        read.map_err(|error| Unread::Failed(cannot_read(path, &error)))?;
        self.files.push(LogFile {
            name: path.to_string_lossy().into_owned(),
            bytes: path.metadata().map_or(0, |about| about.len()),
            broken: text.broken().map(str::to_owned),
            ..LogFile::default()
        });
        Ok(())
    }

    /// Reads what has come since; whether there was something.
    ///
    /// # Errors
    ///
    /// That the file cannot be read any more; one that is not there is waited for.
    pub fn poll(&mut self) -> Result<bool, Unread> {
        if !self.tail.is_there() && self.tail.path().exists() {
            let text = open::open(self.tail.path());
            let text = text.map_err(|error| Unread::Failed(error.to_string()))?;
            let packing = text.packing();
            drop(text_of(self.tail.path())?);
            if packing != Packing::Plain {
                return Err(Unread::Failed(format!(
                    "{} is packed, and does not grow: leave --follow out",
                    quoted(&self.tail.path().to_string_lossy())
                )));
            }
        }
        let (tail, reader) = (&mut self.tail, &mut self.reader);
        let read = to(self.range, &mut self.analysis, |sink| tail.poll(reader, sink));
        read.map_err(|error| Unread::Failed(error.to_string()))
    }

    /// Whether the file that is followed was there.
    pub fn is_there(&self) -> bool {
        self.tail.is_there()
    }

    /// For how long nobody has written to it \[s\].
    #[expect(clippy::disallowed_methods, reason = "a jam grows older while the log is quiet")]
    pub fn quiet_s(&self) -> f64 {
        let written = self.tail.written();
        let quiet = written.and_then(|at| SystemTime::now().duration_since(at).ok());
        quiet.map_or(0.0, |quiet| quiet.as_secs_f64())
    }

    /// The findings so far, as of so many seconds after the last line: what runs has run for longer by then.
    pub fn look(&self, quiet_s: f64) -> Findings {
        found(self.analysis.clone(), self.reader.clone(), self.log(quiet_s), self.range)
    }

    /// The findings at its end: what is left of a line counts as one.
    pub fn end(mut self) -> Findings {
        let (tail, reader) = (&mut self.tail, &mut self.reader);
        // What is in memory is read without errors.
        drop(to(self.range, &mut self.analysis, |sink| tail.close(reader, sink)));
        let log = self.log(0.0);
        found(self.analysis, self.reader, log, self.range)
    }

    /// What was read.
    fn log(&self, quiet_s: f64) -> Log {
        let mut files = self.files.clone();
        files.push(LogFile {
            name: self.tail.path().to_string_lossy().into_owned(),
            bytes: self.tail.bytes(),
            ..LogFile::default()
        });
        let (first, last) = (self.reader.first(), self.reader.last());
        let mut notes = Vec::new();
        if self.tail.lost > 0 {
            notes.push(format!(
                "The log was truncated {}, and no copy beside it has what was written last before that.",
                if self.tail.lost == 1 { "once".to_owned() } else { format!("{} times", self.tail.lost) }
            ));
        }
        Log {
            files,
            first,
            last: last.map(|last| last.plus_seconds(quiet_s.floor())),
            part: self.range.zip(first.zip(last)),
            last_end: self.reader.passed_end(),
            notes,
            ..Log::default()
        }
    }
}

/// The findings of what was read.
fn found(mut analysis: Analysis, mut reader: Reader, log: Log, range: Option<Range>) -> Findings {
    to(range, &mut analysis, |sink| reader.finish(sink));
    let understood = reader.understood();
    analysis.finish(Log { understood, ..log })
}

/// Gives an analysis what reaches into a part of the log.
fn to<T>(range: Option<Range>, analysis: &mut Analysis, read: impl FnOnce(&mut dyn super::record::Sink) -> T) -> T {
    match range {
        Some(range) => read(&mut InRange::new(range, analysis)),
        None => read(analysis),
    }
}

/// The text of a server log.
fn text_of(path: &Path) -> Result<LogText, Unread> {
    let text = open::open(path).map_err(|error| Unread::Failed(error.to_string()))?;
    let text = LogText::of(text).map_err(|error| Unread::Failed(cannot_read(path, &error)))?;
    if text.kind == FileKind::Text {
        return Ok(text);
    }
    Err(Unread::Failed(format!(
        "{} is a file of another kind ({}): --follow reads server logs",
        quoted(&path.to_string_lossy()),
        text.kind.words()
    )))
}
