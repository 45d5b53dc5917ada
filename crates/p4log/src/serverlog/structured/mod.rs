//! Structured logs of p4d (`serverlog.file.N`: `commands.csv`, `track.csv`, `all.csv` …) to the records of a server log.
//!
//! ```text
//!  files ─► rows ─► merged by time ─► schema: which column is what ─► assemble: one command of several rows ─► Sink
//! ```
//!
//! A row names its event and the version of its columns (`9.50`): `p4 logschema -A -a` says which they are. Those that are
//! known here are in `schema`; where a version is not known, its rows are counted and not read, and the log's notes say
//! which they are. The output of `p4 logschema` among the logs defines columns.

mod assemble;
mod columns;
mod fields;
mod rows;
mod schema;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use super::kind::LogText;
use super::logs::{Unread, cannot_read};
use super::record::{Damage, Sink, Understood};
use super::waiting::Waiting;
use super::watch::Watch;

use assemble::Assembly;
use fields::Fields;
use rows::{NextRow, Rows};
use schema::{RowColumns, Schemas};

pub(super) use rows::{begins_row, first_time};

/// What was read of them all.
#[derive(Debug, Default)]
pub struct Outcome {
    /// How much was understood.
    pub understood: Understood,
    /// What could not be, a sentence each.
    pub notes: Vec<String>,
    /// Files that end before their end: the number, and why.
    pub broken: Vec<(usize, String)>,
}

/// Structured logs that are read together: `commands.csv` and `track.csv` speak of the same commands.
#[derive(Debug, Default)]
pub struct Structured {
    schemas: Schemas,
    files: Vec<Waiting>,
}

impl Structured {
    /// Takes columns from the output of `p4 logschema`.
    ///
    /// # Errors
    ///
    /// What the text's file says when it is read.
    pub fn define(&mut self, text: &mut dyn io::Read) -> io::Result<()> {
        self.schemas.define(text)
    }

    /// One more file, the oldest first. All are read by [`Self::read`].
    pub fn add(&mut self, number: usize, path: PathBuf, text: LogText) {
        let file = Waiting::after(&self.files, number, path, text);
        self.files.push(file);
    }

    /// Whether there is any.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Reads all files by the time of their rows, while `watch` wants more; commands go to `sink` as they are complete.
    ///
    /// # Errors
    ///
    /// Which file cannot be opened again or read on, and why.
    pub fn read(mut self, sink: &mut dyn Sink, watch: &mut Watch<'_>) -> Result<Outcome, Unread> {
        /// Rows after which `watch` is asked.
        const ROWS: u64 = 1024;
        let mut rows = 0;
        let mut waiting = std::mem::take(&mut self.files);
        // The earliest at the end.
        waiting.sort_by_key(|file| std::cmp::Reverse(file.order()));
        let mut merged = Merged { open: Vec::new(), outcome: Outcome::default() };
        let mut assembly = Assembly::new();
        let mut unknown = Unknown::default();
        loop {
            if rows % ROWS == 0 && !watch.goes_on() {
                return Err(Unread::Stopped);
            }
            rows += 1;
            while let Some(file) = waiting.last()
                && merged.is_due(file.first)
            {
                if let Some(file) = waiting.pop() {
                    merged.open(file, sink, watch)?;
                }
            }
            let Some(at) = merged.earliest() else {
                if waiting.is_empty() {
                    break;
                }
                continue;
            };
            let source = &mut merged.open[at];
            let understood = &mut merged.outcome.understood;
            let (row, lines) = (source.rows.row(), source.rows.lines());
            let count = match self.schemas.of(row) {
                RowColumns::Columns(columns) if row.len() < columns.count => {
                    sink.damage(&Damage {
                        place: source.rows.place(source.number),
                        bytes: source.rows.bytes(),
                        found: format!("a row with {} of {} columns", row.len(), columns.count),
                    });
                    &mut understood.unknown
                }
                RowColumns::Columns(columns) => {
                    assembly.row(Fields { columns, row }, source.rows.place(source.number), sink);
                    unknown.beside(columns, row);
                    &mut understood.understood
                }
                RowColumns::Ignored => &mut understood.noise,
                RowColumns::Unknown => {
                    unknown.row(row);
                    &mut understood.unknown
                }
            };
            *count += lines;
            merged.advance(at, sink)?;
        }
        assembly.finish(sink);
        let mut outcome = merged.outcome;
        outcome.notes = unknown.notes();
        Ok(outcome)
    }
}

/// A file that is being read, at a row.
struct Source {
    number: usize,
    path: PathBuf,
    rows: Rows<LogText>,
}

/// Files whose times overlap.
struct Merged {
    open: Vec<Source>,
    outcome: Outcome,
}

impl Merged {
    /// Whether a file that begins then has to be open: no row of those that are comes before.
    fn is_due(&self, first: i128) -> bool {
        let next = self.earliest().map(|at| self.open[at].rows.row().time);
        next.is_none_or(|next| first <= next)
    }

    fn earliest(&self) -> Option<usize> {
        let times = self.open.iter().enumerate();
        let times = times.map(|(at, source)| (source.rows.row().time, source.number, at));
        times.min().map(|(.., at)| at)
    }

    fn open(&mut self, mut file: Waiting, sink: &mut dyn Sink, watch: &Watch<'_>) -> Result<(), Unread> {
        let rows = Rows::new(file.open(watch)?);
        self.open.push(Source { number: file.number, path: file.path, rows });
        self.advance(self.open.len() - 1, sink)
    }

    /// Goes to the next row of a file; closes it at its end.
    fn advance(&mut self, at: usize, sink: &mut dyn Sink) -> Result<(), Unread> {
        let source = &mut self.open[at];
        loop {
            let found = source.rows.advance().map_err(|error| Unread::Failed(cannot_read(&source.path, &error)))?;
            let (understood, file) = (&mut self.outcome.understood, source.number);
            understood.bytes += source.rows.bytes();
            understood.lines += source.rows.lines();
            let found = match found {
                NextRow::Row => return Ok(()),
                NextRow::Blank => {
                    understood.noise += source.rows.lines();
                    continue;
                }
                NextRow::Damaged(found) => {
                    understood.unknown += source.rows.lines();
                    found
                }
                NextRow::End => {
                    let broken = source.rows.text().broken().map(str::to_owned);
                    self.open.remove(at);
                    self.outcome.broken.extend(broken.map(|why| (file, why)));
                    return Ok(());
                }
            };
            sink.damage(&Damage { place: source.rows.place(file), bytes: source.rows.bytes(), found });
        }
    }
}

/// Events that are not read, by type and version.
#[derive(Debug, Default)]
struct Unknown {
    /// Rows whose columns are not known.
    rows: BTreeMap<(u32, u32), u64>,
    /// Rows of which only the columns that all events share are known.
    beside: BTreeMap<(u32, u32), u64>,
}

/// Most versions that are counted: more are no log of a server.
const VERSIONS: usize = 100;

impl Unknown {
    fn row(&mut self, row: &rows::Row) {
        if self.rows.len() < VERSIONS || self.rows.contains_key(&row.event) {
            *self.rows.entry(row.event).or_default() += 1;
        }
    }

    fn beside(&mut self, columns: &columns::Columns, row: &rows::Row) {
        if !columns.are_all_known && self.beside.len() < VERSIONS {
            *self.beside.entry(row.event).or_default() += 1;
        }
    }

    fn notes(&self) -> Vec<String> {
        const HOW: &str = "`p4 logschema -A -a > schema.txt` on the server, given among the logs, says what they are.";
        let list = |of: &BTreeMap<(u32, u32), u64>| {
            let each = of
                .iter()
                .map(|((event, version), count)| format!("{count} of {event}.{version} ({})", schema::name(*event)));
            each.collect::<Vec<_>>().join(", ")
        };
        let mut notes = Vec::new();
        if !self.rows.is_empty() {
            notes.push(format!(
                "Rows of structured logs whose columns are not known here were passed over: {}. {HOW}",
                list(&self.rows)
            ));
        }
        if !self.beside.is_empty() {
            notes.push(format!(
                "Of some rows of structured logs only process, user and time are read: {}. {HOW}",
                list(&self.beside)
            ));
        }
        notes
    }
}
