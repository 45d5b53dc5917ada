//! Reads the files of a server one after the other: logs, structured logs, journals, checkpoints, plain or packed, or a
//! database of log2sql.

use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};

use super::Reader;
use super::beside::Beside;
use super::ends::end_of;
use super::export::sqlite;
use super::journal::Journals;
use super::kind::{FileKind, LogText, kind};
use super::open::{self, Packing};
use super::quality::{Log, LogFile};
use super::range::{InRange, Range, Wanted};
use super::record::{Moment, Sink};
use super::structured::Structured;
use super::waiting::Waiting;
use super::watch::Watch;
use crate::diag::{harmless_line, quoted};
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

/// What is said where a server log and structured logs are read together.
const TWICE: &str = "A server log and structured logs were read together: where they are of the same server and time, each command counts twice. Give one of them.";

/// Bytes by which a file is known again, and fewest that say anything.
const KNOWN_BY: usize = 4096;
const KNOWN_BY_LEAST: usize = 32;

/// Gives the records of all logs, in the order of the files, to `sink`; `-` is standard input. Journals come after server
/// logs, in the order of their first times; structured logs come last, by the time of their rows. What journals and
/// checkpoints say is in the log that is returned.
///
/// What begins as an earlier file does is the same log once more, perhaps packed or grown: what both hold is read once, and a
/// note says so.
///
/// `goes_on` is asked every 128 KiB or so, with the bytes of the files that are read so far, packed as they lie on the
/// disk. Where it says no, reading ends.
///
/// # Errors
///
/// [`Unread`]: the file that cannot be read, or that none of them holds what a Perforce server logs.
pub fn read_logs(logs: &[PathBuf], sink: &mut dyn Sink, goes_on: &mut dyn FnMut(u64) -> bool) -> Result<Log, Unread> {
    read(logs, Readers::default(), sink, goes_on)
}

/// The same for a part of the logs by time: what ran in it, if only for a moment. What lies before is passed over quickly.
/// Journals and checkpoints are read whole.
///
/// # Errors
///
/// As [`read_logs`]; that nothing ran in the part, with the log's own times; that it ends before it begins.
pub fn read_part(
    logs: &[PathBuf],
    range: Range,
    sink: &mut dyn Sink,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Log, Unread> {
    let readers = Readers { text: range.from.map_or_else(Reader::new, Reader::since), ..Readers::default() };
    let mut part = InRange::new(range, sink);
    let mut log = read(logs, readers, &mut part, goes_on)?;
    let times = [log.first, log.last, part.span.map(|s| s.0), part.span.map(|s| s.1)];
    let times = times.into_iter().flatten();
    let Some(span) = times.clone().min().zip(times.max()) else {
        return Err(Unread::Failed(
            "No line of the log states a time, so that no part of it can be told by time.".to_owned(),
        ));
    };
    if let Some(from) = range.from.filter(|from| range.is_of_day && *from < span.0) {
        let text = from.to_string();
        let clock = text.split_once(' ').map_or(text.as_str(), |(_, clock)| clock);
        return Err(Unread::Failed(format!("{clock} is not in the log, which goes from {} to {}.", span.0, span.1)));
    }
    let is_after = range.from.is_some_and(|from| from > span.1);
    if (part.commands == 0 || is_after) && log.journal.is_none() && log.checkpoint.is_none() {
        return Err(Unread::Failed(format!("No command ran {range}: the log goes from {} to {}.", span.0, span.1)));
    }
    log.part = Some((range, span));
    Ok(log)
}

/// The part of logs that is wanted.
///
/// # Errors
///
/// [`Unread`]: the log's end has to be known for it and is not, or it ends before it begins.
pub fn part_of(logs: &[PathBuf], wanted: Wanted) -> Result<Range, Unread> {
    let end = if wanted.is_before_end() { end_of(logs)? } else { Moment::default() };
    wanted.of_log(end).map_err(|backwards| Unread::Failed(backwards.to_string()))
}

fn read(
    logs: &[PathBuf],
    mut readers: Readers,
    sink: &mut dyn Sink,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Log, Unread> {
    let mut watch = Watch::new(goes_on);
    let mut log = Log::default();
    for (number, path) in logs.iter().enumerate() {
        if !watch.goes_on() {
            return Err(Unread::Stopped);
        }
        let read = readers.file(number, path, sink, &mut watch);
        if watch.is_stopped() {
            return Err(Unread::Stopped);
        }
        log.files.push(read?);
    }
    let passed = readers.text.passed();
    readers.finish(&mut log, sink, &mut watch)?;
    if log.understood.understood + passed > 0 {
        return Ok(log);
    }
    if !log.notes.is_empty() {
        return Err(Unread::Failed(log.notes.join("\n")));
    }
    let which = match logs {
        [one] => quoted(&one.to_string_lossy()),
        _ => "none of the files".to_owned(),
    };
    let broken = log.files.iter().find_map(|file| Some((file, file.broken.as_ref()?)));
    if let Some((file, broken)) = broken {
        let name = quoted(&file.name);
        return Err(Unread::Failed(format!("{name}: {broken}; nothing of a log could be read")));
    }
    Err(Unread::Failed(format!(
        "{which} holds nothing that a Perforce server writes into its log: no line begins a command (\"Perforce server info:\"), and it is no structured log, no journal and no database of log2sql; outputs of p4 and of the system are read by plimsoll init --from FILE"
    )))
}

/// Readers of all kinds of files.
#[derive(Default)]
struct Readers {
    text: Reader,
    structured: Structured,
    journals: Vec<Waiting>,
    beside: Beside,
    /// Rows of databases.
    rows: u64,
    /// The files so far.
    files: Vec<GivenFile>,
    notes: Vec<String>,
    /// Texts of which nothing was understood.
    empty: Vec<usize>,
}

/// A file that was read, or is going to be.
struct GivenFile {
    number: usize,
    kind: FileKind,
    beginning: Vec<u8>,
    /// Bytes of text that were read of it.
    bytes: u64,
}

impl GivenFile {
    /// Whether another file begins with the same text. A server log may have grown in between; files of other kinds are
    /// not read in part.
    fn is_same(&self, kind: FileKind, beginning: &[u8]) -> bool {
        let both = if kind == FileKind::Text {
            self.beginning.len().min(beginning.len())
        } else {
            self.beginning.len().max(beginning.len())
        };
        both >= KNOWN_BY_LEAST
            && self.kind == kind
            && self.beginning.len() >= both
            && self.beginning.get(..both) == beginning.get(..both)
    }
}

impl Readers {
    /// Reads a file, or notes that it is to be read with others.
    fn file(
        &mut self,
        number: usize,
        path: &Path,
        sink: &mut dyn Sink,
        watch: &mut Watch<'_>,
    ) -> Result<LogFile, Unread> {
        let failed = |error: io::Error| Unread::Failed(cannot_read(path, &error));
        let before = watch.done();
        let mut file = LogFile { name: path.to_string_lossy().into_owned(), ..LogFile::default() };
        let text = if path == Path::new("-") {
            open::open(path)
        } else {
            let mut opened = open_regular(path).map_err(Unread::Failed)?;
            file.bytes = opened.metadata().map_err(failed)?.len();
            if sqlite::is_database(&mut opened).map_err(failed)? {
                let read = sqlite::read(path, number, sink);
                self.rows += read.map_err(|why| Unread::Failed(format!("{} {why}", quoted(&file.name))))?;
                watch.set_done(before + file.bytes);
                file.packed = "SQLite";
                return Ok(file);
            }
            opened.rewind().map_err(failed)?;
            watch.count(opened, path)
        }
        .map_err(|error| Unread::Failed(error.to_string()))?;
        file.packed = match text.packing() {
            Packing::Plain => "",
            Packing::Gzip => "gzip",
            Packing::Zstd => "zstd",
            Packing::Utf16 => "UTF-16",
        };
        let mut text = LogText::of(text).map_err(failed)?;
        file.kind = text.kind.words();
        let kind = text.kind;
        let (at, is_new) = self.known(number, &text);
        if !is_new && kind != FileKind::Text {
            return Ok(file);
        }
        let mut watched = watch.over(&mut text);
        match kind {
            FileKind::Text => {
                let known = self.files[at].bytes;
                let passed = io::copy(&mut watched.by_ref().take(known), &mut io::sink());
                let before = self.text.understood();
                let lines = |reader: &Reader| reader.understood().understood + reader.passed();
                let lines_before = lines(&self.text);
                let read = passed.and_then(|_| self.text.read(number, &mut watched, sink));
                self.files[at].bytes += self.text.understood().bytes - before.bytes;
                if is_new && lines(&self.text) == lines_before {
                    self.empty.push(number);
                }
                read
            }
            FileKind::Schema => self.structured.define(&mut watched),
            FileKind::Locks => self.beside.read(&mut watched),
            FileKind::Journal | FileKind::Structured => {
                // It is read later, from its beginning.
                watch.set_done(before);
                if kind == FileKind::Structured {
                    self.structured.add(number, path.to_owned(), text);
                } else {
                    let file = Waiting::after(&self.journals, number, path.to_owned(), text);
                    self.journals.push(file);
                }
                return Ok(file);
            }
        }
        .map_err(failed)?;
        file.broken = text.broken().map(str::to_owned);
        Ok(file)
    }

    /// Which of the files so far begins as a text does, and whether that is the text itself; a note says where it is not.
    fn known(&mut self, number: usize, text: &LogText) -> (usize, bool) {
        let kind = text.kind;
        let beginning = text.beginning();
        let beginning = &beginning[..beginning.len().min(KNOWN_BY)];
        let mut files = self.files.iter();
        let Some(twin) = files.position(|file| file.is_same(kind, beginning)) else {
            let beginning = beginning.to_vec();
            self.files.push(GivenFile { number, kind, beginning, bytes: 0 });
            return (self.files.len() - 1, true);
        };
        let does = if kind == FileKind::Text { "what both hold is read once" } else { "it is not read" };
        self.notes.push(format!(
            "Log {} begins with the same text as log {}: {does}.",
            number + 1,
            self.files[twin].number + 1
        ));
        (twin, false)
    }

    /// Reads what waits for others; how much was understood of all.
    fn finish(mut self, log: &mut Log, sink: &mut dyn Sink, watch: &mut Watch<'_>) -> Result<(), Unread> {
        self.text.finish(sink);
        log.understood = self.text.understood();
        log.last_end = self.text.passed_end();
        (log.first, log.last) = (self.text.first(), self.text.last());
        log.notes.append(&mut self.notes);
        log.beside = (self.beside != Beside::default()).then_some(self.beside);
        self.journals.sort_by_key(Waiting::order);
        let mut journals = Journals::default();
        for mut file in self.journals {
            let mut text = file.open(watch)?;
            let read = journals.read(file.number, &mut watch.over(&mut text), sink);
            if watch.is_stopped() {
                return Err(Unread::Stopped);
            }
            let is_checkpoint = read.map_err(|error| Unread::Failed(cannot_read(&file.path, &error)))?;
            if is_checkpoint {
                log.files[file.number].kind = "checkpoint";
            }
            log.files[file.number].broken = text.broken().map(str::to_owned);
        }
        log.understood.add(journals.understood());
        log.checkpoint = journals.checkpoint();
        log.journal = journals.found();
        let twice = log.checkpoint.as_ref().and_then(|c| c.twice.as_ref());
        log.notes.extend(twice.map(|table| format!(
            "Several checkpoints of one server were read together: {} begins with the same row in two of them, so that rows count more than once. Give the files of one checkpoint.",
            harmless_line(table)
        )));
        if !self.structured.is_empty() {
            if self.text.understood().understood > 0 {
                log.notes.push(TWICE.to_owned());
            }
            let read = self.structured.read(sink, watch)?;
            log.understood.add(read.understood);
            log.notes.extend(read.notes);
            for (number, broken) in read.broken {
                log.files[number].broken = Some(broken);
            }
        }
        // A row of a database is as good as a line that was understood.
        log.understood.lines += self.rows;
        log.understood.understood += self.rows;
        // Where there is nothing at all, the reason says more.
        if log.understood.understood > 0 {
            let empty = self.empty.iter().map(|number| number + 1);
            log.notes.extend(empty.map(|number| format!(
                "Log {number} holds nothing that a Perforce server writes, and no output that says who has which lock."
            )));
        }
        Ok(())
    }
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

/// Whether the beginning of a text is one of a log: a line begins a command or an error of a server, a row of a structured
/// log, a record of a journal, or says what the columns of structured logs are.
pub fn is_log(beginning: &str) -> bool {
    if kind(beginning.as_bytes()) != FileKind::Text {
        return true;
    }
    let mut lines = beginning.lines();
    lines.any(|line| {
        let line = line.trim_start_matches('\u{feff}');
        line.starts_with("Perforce server info:") || line.starts_with("Perforce server error:")
    })
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
    fn the_same_log_twice_is_read_once_and_what_it_has_more_is_read_too() {
        let line = |pid: u32| {
            format!("Perforce server info:\n\t2024/06/19 12:25:31 pid {pid} ann@ws 10.0.0.1 [p4/v1] 'user-info'\n")
        };
        let folder = std::env::temp_dir().join(format!("plimsoll-twice-{}", std::process::id()));
        assert!(std::fs::create_dir_all(&folder).is_ok());
        let path = |name: &str, pids: std::ops::Range<u32>| {
            let path = folder.join(name);
            let text: String = pids.map(line).collect();
            assert!(std::fs::write(&path, text).is_ok());
            path
        };
        let (short, long) = (path("short", 0..50), path("long", 0..60));
        let other = path("other", 60..70);
        let records = |logs: &[&PathBuf]| {
            let logs: Vec<PathBuf> = logs.iter().map(|log| (*log).clone()).collect();
            let mut analysis = Analysis::default();
            let log = read_logs(&logs, &mut analysis, &mut |_| true).unwrap_or_default();
            let findings = analysis.finish(log);
            (findings.quality.records, findings.quality.log.notes)
        };
        let twice = |n| vec![format!("Log {n} begins with the same text as log 1: what both hold is read once.")];
        assert_eq!(records(&[&short, &other, &short]), (60, twice(3)));
        assert_eq!(records(&[&short, &long]), (60, twice(2)));
        assert_eq!(records(&[&long, &short]), (60, twice(2)));
        assert_eq!(records(&[&long, &other]), (70, Vec::new()));
        drop(std::fs::remove_dir_all(&folder));
    }

    #[test]
    fn a_log_is_known_by_its_first_lines() {
        assert!(is_log("\u{feff}Perforce server info:\r\n\t2024/06/19"));
        assert!(is_log("junk\nPerforce server error:\n"));
        assert!(is_log("@pv@ 3 @db.change@ 1 1 @c@ @u@ 0 1 @d@\n"));
        assert!(is_log("0.50,1420649505,12,2015/01/07 16:51:45,1,a,s,1,u,c,f,h,p,v,\n"));
        assert!(!is_log("# Perforce server info: is how a log begins\n"));
    }
}
