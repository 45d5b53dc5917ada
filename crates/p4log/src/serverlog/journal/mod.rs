//! Journals of p4d: what was written into the database, by table, action and hour, and what a submit writes; and
//! checkpoints: what the database holds.
//!
//! ```text
//!  files ─► lines ─► records (@pv@ 9 @db.rev@ …) ─┬► sums: tables, hours, commits ─► Journal
//!                                                 └► census: rows by table ────────► Checkpoint
//! ```
//!
//! A record is `@pv@ VERSION @TABLE@ FIELDS…`; texts stand between `@`, and an `@` in one is doubled, so that a line that
//! begins with `@pv@ ` begins a record wherever it stands. Records carry no time: the notes and marks behind them do
//! (`@nx@ KIND TIME`, `@mx@ PROCESS TIME`, `@ex@ PROCESS TIME`), and all records up to one are counted at its time and, of
//! marks, for its process: a transaction is what one process wrote up to its end.
//!
//! A checkpoint has the same records and another meaning: each is a row that is there, and none is a change. Its first note
//! says so (`@nx@ 0`). Where that is missing a file is a checkpoint if it has nothing but new rows, those of each table
//! together, without a mark: of a journal the first transaction already ends with one.

mod census;
mod checkpoint;
mod content;
mod records;
mod sums;

use std::io::{self, Read};

use super::lines::{Lines, Piece};
use super::record::{Damage, Place, Sink, Understood};

use census::Census;
use records::{Action, Ended, Header, Record};
use sums::Sums;

pub use checkpoint::{ACTIVE_DAYS, Checkpoint, Contents, Held, UNUSED_DAYS, Users, Workspaces};
pub use content::{Commits, Hour, Journal, Table};
pub(super) use records::{begins_record, first_time};

/// What the file that is read is, as far as its records say.
#[derive(Debug, Default)]
enum Is {
    /// Nothing says otherwise than that it is a checkpoint: the sums as they were before it, if it turns out to be one.
    Unknown(Box<Sums>),
    Checkpoint,
    #[default]
    Journal,
}

/// Reads journals, the oldest first, and checkpoints.
#[derive(Debug, Default)]
pub struct Journals {
    lines: Option<Lines>,
    record: Record,
    sums: Sums,
    is: Is,
    /// Of this file, and of all checkpoints before it.
    census: Census,
    checkpoints: Census,
    understood: Understood,
}

impl Journals {
    /// Reads a file to its end; whether it is, or begins with, a checkpoint. A record that its end cuts is damage.
    ///
    /// # Errors
    ///
    /// What `text` says. What was read before counts.
    pub fn read(&mut self, file: usize, text: &mut dyn Read, sink: &mut dyn Sink) -> io::Result<bool> {
        let before = self.checkpoints.files();
        self.is = Is::Unknown(Box::new(self.sums.clone()));
        let mut lines = self.lines.take().unwrap_or_else(Lines::new);
        let result = lines.each(text, |line, offset, bytes, piece| {
            self.piece(Place { file, line, offset }, bytes, piece, sink);
        });
        self.cut(sink);
        self.lines = Some(lines);
        self.is = match std::mem::take(&mut self.is) {
            Is::Unknown(before) if !self.census.is_empty() => {
                self.sums = *before;
                Is::Checkpoint
            }
            Is::Unknown(_) => Is::Journal,
            known => known,
        };
        self.checkpoint_ends();
        result.map(|()| self.checkpoints.files() > before)
    }

    /// How much was understood.
    pub fn understood(&self) -> Understood {
        self.understood
    }

    /// What the checkpoints hold; `None` if there was none.
    pub fn checkpoint(&mut self) -> Option<Checkpoint> {
        std::mem::take(&mut self.checkpoints).found()
    }

    /// What the journals say; `None` if no record was read.
    pub fn found(self) -> Option<Journal> {
        self.sums.found()
    }

    fn piece(&mut self, place: Place, bytes: u64, piece: Piece<'_>, sink: &mut dyn Sink) {
        self.understood.bytes += bytes;
        let found = match piece {
            Piece::Line(line) => {
                self.understood.lines += 1;
                return self.line(line, place, bytes, sink);
            }
            Piece::Part(line) => {
                // The rest of it is lost.
                self.line(line, place, bytes, sink);
                self.understood.understood = self.understood.understood.saturating_sub(1);
                return;
            }
            Piece::Nuls => format!("{bytes} NUL bytes"),
            Piece::Long => {
                self.understood.lines += 1;
                self.understood.unknown += 1;
                // A description may be longer than any line that is read: its record is known by its beginning.
                if self.record.is_open() {
                    self.record.passed(bytes);
                    return;
                }
                format!("a line of {bytes} bytes")
            }
        };
        self.cut(sink);
        sink.damage(&Damage { place, bytes, found });
    }

    fn line(&mut self, line: &[u8], place: Place, bytes: u64, sink: &mut dyn Sink) {
        if begins_record(line) {
            self.cut(sink);
            self.record.begin(place);
        } else if !self.record.is_open() {
            if line.trim_ascii().is_empty() {
                self.understood.noise += 1;
                return;
            }
            self.understood.unknown += 1;
            let found = "a line that is of no record".to_owned();
            sink.damage(&Damage { place, bytes, found });
            return;
        }
        self.understood.understood += 1;
        match self.record.line(line, bytes) {
            Ended::No => {}
            Ended::Whole => self.whole(),
            Ended::Damaged(found) => {
                sink.damage(&Damage {
                    place: self.record.place(),
                    bytes: self.record.bytes(),
                    found: found.to_owned(),
                });
            }
        }
    }

    /// Counts a record as what the file is.
    fn whole(&mut self) {
        let action = self.record.action();
        if let Is::Unknown(before) = &mut self.is {
            let goes_on = match (action, self.record.header()) {
                (_, Some(Header::Checkpoint)) => {
                    self.sums = *std::mem::take(before);
                    self.is = Is::Checkpoint;
                    self.census.note(&self.record);
                    return;
                }
                (_, Some(Header::Journal)) => false,
                (Some(Action::Put), _) => self.census.row(&self.record),
                (Some(Action::Note), _) => {
                    self.census.note(&self.record);
                    true
                }
                (action, _) => action == Some(Action::Verify),
            };
            if !goes_on {
                self.is = Is::Journal;
                self.census = Census::default();
            }
            self.sums.add(&self.record);
            return;
        }
        let is_checkpoint = matches!(self.is, Is::Checkpoint);
        match action {
            // A journal behind its checkpoint, in one file.
            Some(Action::Note) if is_checkpoint && self.record.header() == Some(Header::Journal) => {
                self.checkpoint_ends();
                self.sums.add(&self.record);
            }
            Some(Action::Put) if is_checkpoint => {
                self.census.row(&self.record);
            }
            Some(Action::Note) if is_checkpoint => self.census.note(&self.record),
            _ if is_checkpoint => {}
            _ => self.sums.add(&self.record),
        }
    }

    /// The rows of a checkpoint have ended.
    fn checkpoint_ends(&mut self) {
        let census = std::mem::take(&mut self.census);
        if matches!(self.is, Is::Checkpoint) {
            self.checkpoints.join(census);
        }
        self.is = Is::Journal;
    }

    /// Another record begins, or the file ends: one that is open was cut.
    fn cut(&mut self, sink: &mut dyn Sink) {
        if self.record.close() {
            sink.damage(&Damage {
                place: self.record.place(),
                bytes: self.record.bytes(),
                found: "a record of a journal that was cut".to_owned(),
            });
        }
    }
}
