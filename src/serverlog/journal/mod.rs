//! Journals of p4d: what was written into the database, by table, action and hour, and what a submit writes.
//!
//! ```text
//!  files ─► lines ─► records (@pv@ 9 @db.rev@ …) ─► sums: tables, hours, commits ─► Journal
//! ```
//!
//! A record is `@pv@ VERSION @TABLE@ FIELDS…`; texts stand between `@`, and an `@` in one is doubled, so that a line that
//! begins with `@pv@ ` begins a record wherever it stands. Records carry no time: the notes and marks behind them do
//! (`@nx@ KIND TIME`, `@mx@ PROCESS TIME`, `@ex@ PROCESS TIME`), and all records up to one are counted at its time and, of
//! marks, for its process: a transaction is what one process wrote up to its end.

mod found;
mod records;
mod sums;

use std::io::{self, Read};

use super::lines::{Lines, Piece};
use super::record::{Damage, Place, Sink, Understood};

use records::{Ended, Record};
use sums::Sums;

pub use found::{Commits, Hour, Journal, Table};
pub(super) use records::{begins_record, first_time};

/// Reads journals, the oldest first.
#[derive(Debug, Default)]
pub struct Journals {
    lines: Option<Lines>,
    record: Record,
    sums: Sums,
    understood: Understood,
}

impl Journals {
    /// Reads a file to its end. A record that its end cuts is damage.
    ///
    /// # Errors
    ///
    /// What `text` says. What was read before counts.
    pub fn read(
        &mut self,
        file: usize,
        text: &mut dyn Read,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        let mut lines = self.lines.take().unwrap_or_else(Lines::new);
        let result = lines.each(text, |line, offset, bytes, piece| {
            self.piece(Place { file, line, offset }, bytes, piece, sink);
        });
        self.cut(sink);
        self.lines = Some(lines);
        result
    }

    /// How much was understood.
    pub fn understood(&self) -> Understood {
        self.understood
    }

    /// What the journals say; nothing where no record was read.
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
        sink.damage(&Damage {
            place,
            bytes,
            found,
        });
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
            sink.damage(&Damage {
                place,
                bytes,
                found,
            });
            return;
        }
        self.understood.understood += 1;
        match self.record.line(line, bytes) {
            Ended::No => {}
            Ended::Whole => self.sums.add(&self.record),
            Ended::Damaged(found) => sink.damage(&Damage {
                place: self.record.place(),
                bytes: self.record.bytes(),
                found: found.to_owned(),
            }),
        }
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
