//! The lines of a server log to records: `p4d`, replicas, proxies; pastes of `p4 -Ztrack`.
//!
//! ```text
//!  bytes ─► lines ─► block: header, start line, track lines ─► live commands ─► Sink
//! ```
//!
//! A block ends where something else begins, so that nothing hangs on the blank lines between them. Files follow one
//! another: a block and a command may begin in one and end in the next.
//!
//! What was decided where logs leave it open:
//! - A start line that nothing but a blank line or another block follows is one command. With track lines behind it, it is the
//!   block of a command that runs or has ended, and a command of its own only if none is known; those of which no end is
//!   ever logged (`rmt-…`, `pull`) begin with every block.
//! - A client-Stats record is one of its own: it comes when its command has been given out, and has its process, its address and
//!   about the time of its end in common with it. Its end is its beginning.
//! - Of a lapse and of usage said twice, those of the track block count, which is later: its other times add up to its lapse. Sections that come twice are further
//!   parts and added, the longest wait or hold of each kept; compute ends are all from the beginning, so that the last
//!   counts; estimates are one for each argument of a sync, and added.
//! - `exited unexpectedly, removed from monitor table` says when that was noticed and not when the command ended: no end.
//! - A line of no known form is reported with those that follow it as one damage, and so are NUL bytes, lines longer than a
//!   megabyte, and track lines of which the command is not known.

use std::io::{self, Read};

use super::lines::{Lines, Piece};
use super::open::Opened;
use super::parser::Parser;
use super::record::{Damage, Moment, Place, Sink, Understood};
use super::skim::{Found, Skim};

/// A track block comes so long after its command has ended at most \[s\]: what is read begins so much earlier.
const MARGIN_S: f64 = 60.0;

/// Reads logs; holds the commands that may still get lines.
#[derive(Debug, Clone)]
pub struct Reader {
    lines: Option<Lines>,
    parser: Parser,
    /// What is passed over first.
    skim: Option<Skim>,
    /// Lines that were passed over and have a time, and when one of them said last that a command has ended.
    passed: u64,
    last_end: Option<Moment>,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// A reader that has read nothing.
    pub fn new() -> Self {
        Self { lines: None, parser: Parser::new(), skim: None, passed: 0, last_end: None }
    }

    /// A reader that passes over what lies a minute or more before a moment, but for commands that run into it: it may give
    /// out some that have ended by then.
    pub fn since(moment: Moment) -> Self {
        Self { skim: Some(Skim::until(moment.plus_seconds(-MARGIN_S))), ..Self::new() }
    }

    /// Reads a file to its end. Commands live on into the next one, which the caller gives in the order of the log.
    ///
    /// # Errors
    ///
    /// What `input` says. What was read before counts, and the reader can go on with the next file.
    pub fn read(&mut self, file: usize, input: &mut dyn Read, sink: &mut dyn Sink) -> io::Result<()> {
        let Some(found) = self.skimmed(file, input, sink)? else {
            return Ok(());
        };
        let mut input = found.text.as_slice().chain(input);
        let read = self.read_from(found.place, &mut input, sink);
        self.file_ends(sink);
        read
    }

    /// Tells what is left to tell of a file.
    pub(super) fn file_ends(&mut self, sink: &mut dyn Sink) {
        self.parser.file_ends(sink);
    }

    /// Whether the beginning of the log is passed over, and the wanted part was not found yet.
    pub(super) fn passes_over(&self) -> bool {
        self.skim.is_some()
    }

    /// Lines of the file that was read last.
    pub(super) fn lines(&self) -> u64 {
        let end = self.lines.as_ref().map_or((1, 0), Lines::end);
        end.0.saturating_sub(1)
    }

    /// Reads a file from a line of it on, perhaps not to its end.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub(super) fn read_from(&mut self, from: Place, input: &mut dyn Read, sink: &mut dyn Sink) -> io::Result<()> {
        let mut lines = self.lines.take().unwrap_or_else(Lines::new);
        let parser = &mut self.parser;
        let (file, from) = (from.file, (from.line, from.offset));
        let result = lines.each_from(from, input, |line, offset, bytes, piece| {
            let place = Place { file, line, offset };
            parser.piece(place, bytes, piece, sink);
        });
        self.lines = Some(lines);
        result
    }

    /// Passes over what is not wanted; where the wanted part begins, if it is in this file.
    fn skimmed(&mut self, file: usize, input: &mut dyn Read, sink: &mut dyn Sink) -> io::Result<Option<Found>> {
        let beginning = Found { text: Vec::new(), place: Place { file, line: 1, offset: 0 } };
        let Some(skim) = &mut self.skim else {
            return Ok(Some(beginning));
        };
        let found = skim.pass(file, input)?;
        (self.passed, self.last_end) = (skim.timed, skim.last_end);
        if let Some((first, last)) = skim.span {
            self.parser.passed(first, last, sink);
        }
        let Some(found) = found else {
            return Ok(None);
        };
        self.goes_on(sink)?;
        Ok(Some(found))
    }

    /// Reads the blocks of those that had not ended where the wanted part begins.
    pub(super) fn goes_on(&mut self, sink: &mut dyn Sink) -> io::Result<()> {
        let blocks = self.skim.take().map(Skim::blocks).unwrap_or_default();
        for block in blocks {
            let header = Piece::Line(b"Perforce server info:");
            self.parser.piece(block.place, 0, header, sink);
            self.read_from(block.place, &mut &*block.text, sink)?;
        }
        Ok(())
    }

    /// Reads a file that was opened, and tells where a packed one breaks off.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub fn read_opened(&mut self, file: usize, input: &mut Opened, sink: &mut dyn Sink) -> io::Result<()> {
        self.read(file, input, sink)?;
        if let Some(found) = input.broken() {
            let (line, offset) = self.lines.as_ref().map_or((1, 0), Lines::end);
            sink.damage(&Damage { place: Place { file, line, offset }, bytes: 0, found: found.to_owned() });
        }
        Ok(())
    }

    /// The log has ended: gives out what is pending.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        // Where the log ends before the wanted part, what has not ended runs into it; a text in memory is read without errors.
        drop(self.goes_on(sink));
        sink.log_ends();
        self.parser.finish(sink);
    }

    /// How much was understood so far.
    pub fn understood(&self) -> Understood {
        self.parser.understood()
    }

    /// The latest time of a line that was read.
    pub fn last(&self) -> Option<Moment> {
        self.parser.last()
    }

    /// The earliest time of a line that was read, or passed over.
    pub fn first(&self) -> Option<Moment> {
        self.parser.first()
    }

    /// When a line that was passed over says last that a command has ended.
    pub(super) fn passed_end(&self) -> Option<Moment> {
        self.last_end
    }

    /// Lines with a time that were passed over.
    pub(super) fn passed(&self) -> u64 {
        self.passed
    }

    /// Commands that may still get lines: bounded, however long the log is.
    pub fn live(&self) -> usize {
        self.parser.live()
    }
}
