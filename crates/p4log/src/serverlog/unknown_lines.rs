//! Lines of no known form, reported once for as many as follow one another.

use super::record::{Damage, Place, Sink};

/// Letters shown of the first of them.
const SHOWN: usize = 60;

/// Such lines that follow one another.
#[derive(Debug, Clone, Default)]
pub(super) struct UnknownLines {
    place: Place,
    bytes: u64,
    lines: u64,
    first: Vec<u8>,
    orphan: bool,
}

impl UnknownLines {
    /// One more: of no known form, or a track line of which the command is not known.
    pub(super) fn line(&mut self, place: Place, bytes: u64, line: &[u8], orphan: bool, sink: &mut dyn Sink) {
        if self.lines > 0 && (place.file != self.place.file || orphan != self.orphan) {
            self.tell(sink);
        }
        if self.lines == 0 {
            self.place = place;
            self.bytes = 0;
            self.orphan = orphan;
            self.first.clear();
            self.first.extend_from_slice(&line[..line.len().min(SHOWN * 4)]);
        }
        self.lines += 1;
        self.bytes += bytes;
    }

    /// Another line follows: tells of those before it.
    #[inline]
    pub(super) fn tell(&mut self, sink: &mut dyn Sink) {
        if self.lines > 0 {
            self.told(sink);
        }
    }

    #[cold]
    fn told(&mut self, sink: &mut dyn Sink) {
        let text: String = String::from_utf8_lossy(&self.first).trim().chars().take(SHOWN).collect();
        let what = if self.orphan { "without its command" } else { "of no known form" };
        let found = match self.lines {
            1 => format!("1 line {what}: {text:?}"),
            lines => format!("{lines} lines {what}: {text:?} …"),
        };
        sink.damage(&Damage { place: self.place, bytes: self.bytes, found });
        self.lines = 0;
    }
}
