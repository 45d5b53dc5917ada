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

use super::lines::Lines;
use super::open::Opened;
use super::parser::Parser;
use super::record::{Damage, Moment, Place, Sink, Understood};

/// Reads logs; holds the commands that may still get lines.
#[derive(Debug)]
pub struct Reader {
    lines: Option<Lines>,
    parser: Parser,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// A reader that has read nothing.
    pub fn new() -> Self {
        Self {
            lines: None,
            parser: Parser::new(),
        }
    }

    /// Reads a file to its end. Commands live on into the next one, which the caller gives in the order of the log.
    ///
    /// # Errors
    ///
    /// What `input` says. What was read before counts, and the reader can go on with the next file.
    pub fn read(
        &mut self,
        file: usize,
        input: &mut dyn Read,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        let mut lines = self.lines.take().unwrap_or_else(Lines::new);
        let parser = &mut self.parser;
        let result = lines.each(input, |line, offset, bytes, piece| {
            let place = Place { file, line, offset };
            parser.piece(place, bytes, piece, sink);
        });
        parser.file_ends(sink);
        self.lines = Some(lines);
        result
    }

    /// Reads a file that was opened, and tells where a packed one breaks off.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub fn read_opened(
        &mut self,
        file: usize,
        input: &mut Opened,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        self.read(file, input, sink)?;
        if let Some(found) = input.broken() {
            let (line, offset) = self.lines.as_ref().map_or((1, 0), Lines::end);
            sink.damage(&Damage {
                place: Place { file, line, offset },
                bytes: 0,
                found: found.to_owned(),
            });
        }
        Ok(())
    }

    /// The log has ended: gives out what is pending.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
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

    /// Commands that may still get lines: bounded, however long the log is.
    pub fn live(&self) -> usize {
        self.parser.live()
    }
}
