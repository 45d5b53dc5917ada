//! A text cut into lines, in a buffer that never grows: what is longer than that is passed over.

use std::io::{self, Read};

use memchr::{memchr, memchr2};

/// No line of a server is longer: p4d shortens arguments.
const LONGEST: usize = 1 << 20;

/// NUL bytes in the middle of a line from which on they are a hole in the file: fewer are letters of a program's name.
const HOLE: usize = 64;

/// How much is read at a time: it stays in the processor's cache until it has been parsed.
const CHUNK: usize = 128 << 10;

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A line without its end.
    Line(&'a [u8]),
    /// What stands before NUL bytes in the middle of a line.
    Part(&'a [u8]),
    /// That many NUL bytes.
    Nuls,
    /// A line longer than any of a server.
    Long,
}

/// The buffer.
#[derive(Debug)]
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// Where the line begins, how far it has been searched, and how far the buffer is filled.
    start: usize,
    searched: usize,
    filled: usize,
    /// Bytes before `start`, and lines.
    offset: u64,
    line: u64,
}

/// What is in the buffer belongs to one reading: a copy begins with an empty one.
impl Clone for Lines {
    fn clone(&self) -> Self {
        Self { offset: self.offset, line: self.line, ..Self::new() }
    }
}

impl Lines {
    pub(super) fn new() -> Self {
        Self { buffer: vec![0; LONGEST + CHUNK], start: 0, searched: 0, filled: 0, offset: 0, line: 1 }
    }

    /// Cuts `input` up to its end. `take` gets line, offset, length and the piece.
    pub(super) fn each(&mut self, input: &mut dyn Read, take: impl FnMut(u64, u64, u64, Piece<'_>)) -> io::Result<()> {
        self.each_from((1, 0), input, take)
    }

    /// The same for a text that begins with a later line, and after so many bytes.
    pub(super) fn each_from(
        &mut self,
        (line, offset): (u64, u64),
        input: &mut dyn Read,
        mut take: impl FnMut(u64, u64, u64, Piece<'_>),
    ) -> io::Result<()> {
        (self.start, self.searched, self.filled) = (0, 0, 0);
        (self.offset, self.line) = (offset, line);
        loop {
            let found = memchr2(b'\n', 0, &self.buffer[self.searched..self.filled]).map(|at| self.searched + at);
            match found {
                Some(at) if self.buffer[at] == b'\n' => {
                    let length = at + 1 - self.start;
                    let mut text = &self.buffer[self.start..at];
                    while let [before @ .., b'\r'] = text {
                        text = before;
                    }
                    take(self.line, self.offset, length as u64, Piece::Line(text));
                    self.pass(length);
                    self.line += 1;
                }
                Some(at) => {
                    let run = self.nuls_from(at);
                    if run < HOLE && at + run == self.filled && self.fill(input)? {
                        continue;
                    }
                    let at = self.searched_nul(at);
                    if at == self.start || run >= HOLE {
                        if at > self.start {
                            let length = at - self.start;
                            let text = &self.buffer[self.start..at];
                            take(self.line, self.offset, length as u64, Piece::Part(text));
                            self.pass(length);
                        }
                        let (line, offset) = (self.line, self.offset);
                        let bytes = self.pass_nuls(input)?;
                        take(line, offset, bytes, Piece::Nuls);
                    } else {
                        self.searched = at + run;
                    }
                }
                None => {
                    self.searched = self.filled;
                    if self.filled - self.start > LONGEST {
                        let (line, offset) = (self.line, self.offset);
                        let bytes = self.pass_line(input)?;
                        take(line, offset, bytes, Piece::Long);
                        self.line += 1;
                    } else if !self.fill(input)? {
                        break;
                    }
                }
            }
        }
        if self.filled > self.start {
            let mut text = &self.buffer[self.start..self.filled];
            while let [before @ .., b'\r'] = text {
                text = before;
            }
            let length = (self.filled - self.start) as u64;
            take(self.line, self.offset, length, Piece::Line(text));
            self.pass(self.filled - self.start);
        }
        Ok(())
    }

    /// The line and the offset to which it was read.
    pub(super) fn end(&self) -> (u64, u64) {
        (self.line, self.offset)
    }

    /// Where the NUL is after the buffer was moved: it is the first one that was not searched.
    fn searched_nul(&self, at: usize) -> usize {
        memchr(0, &self.buffer[self.searched..self.filled]).map_or(at, |at| self.searched + at)
    }

    /// How many NULs follow one another from one on.
    fn nuls_from(&self, at: usize) -> usize {
        let rest = &self.buffer[at..self.filled];
        rest.iter().take_while(|byte| **byte == 0).count()
    }

    fn pass(&mut self, bytes: usize) {
        self.start += bytes;
        self.searched = self.start;
        self.offset += bytes as u64;
    }

    /// Reads on; whether there was more.
    fn fill(&mut self, input: &mut dyn Read) -> io::Result<bool> {
        if self.buffer.len() - self.filled < CHUNK {
            self.buffer.copy_within(self.start..self.filled, 0);
            self.searched -= self.start;
            self.filled -= self.start;
            self.start = 0;
        }
        let to = (self.filled + CHUNK).min(self.buffer.len());
        loop {
            match input.read(&mut self.buffer[self.filled..to]) {
                Ok(0) => return Ok(false),
                Ok(bytes) => {
                    self.filled += bytes;
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Passes over NUL bytes; how many.
    fn pass_nuls(&mut self, input: &mut dyn Read) -> io::Result<u64> {
        let mut bytes = 0;
        loop {
            let text = &self.buffer[self.start..self.filled];
            let nuls = text.iter().take_while(|byte| **byte == 0).count();
            bytes += nuls as u64;
            let done = nuls < text.len();
            self.pass(nuls);
            if done || !self.fill(input)? {
                return Ok(bytes);
            }
        }
    }

    /// Passes over a line to its end; how many bytes.
    fn pass_line(&mut self, input: &mut dyn Read) -> io::Result<u64> {
        let mut bytes = 0;
        loop {
            let text = &self.buffer[self.start..self.filled];
            let end = memchr(b'\n', text);
            let length = end.map_or(text.len(), |at| at + 1);
            bytes += length as u64;
            self.pass(length);
            if end.is_some() || !self.fill(input)? {
                return Ok(bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Lines, Piece};
    use std::io::Read;

    fn pieces(text: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        let mut next = 0;
        let mut input = text;
        Lines::new()
            .each(&mut input, |line, offset, bytes, piece| {
                assert_eq!(offset, next, "pieces follow one another");
                next += bytes;
                found.push(match piece {
                    Piece::Line(text) => format!("{line} {}", String::from_utf8_lossy(text)),
                    Piece::Part(text) => format!("{line} {}…", String::from_utf8_lossy(text)),
                    Piece::Nuls => format!("{line} {bytes} NULs"),
                    Piece::Long => format!("{line} {bytes} bytes"),
                });
            })
            .expect("a slice is read without errors");
        assert_eq!(next, text.len() as u64);
        found
    }

    #[test]
    fn lines_end_as_on_unix_and_windows() {
        assert_eq!(pieces(b"a\r\n\nb\r\nc"), ["1 a", "2 ", "3 b", "4 c"]);
        assert_eq!(pieces(b""), [] as [&str; 0]);
    }

    #[test]
    fn a_hole_in_the_file_parts_a_line_and_a_few_nuls_do_not() {
        assert_eq!(pieces(b"a\0b\nc\0\0\0d\n\0e\n"), ["1 a\0b", "2 c\0\0\0d", "3 1 NULs", "3 e"]);
        let mut parted = b"c".to_vec();
        parted.resize(65, 0);
        parted.push(b'd');
        assert_eq!(pieces(&parted), ["1 c…", "1 64 NULs", "1 d"]);
        assert_eq!(pieces(b"x\0"), ["1 x\0"]);
        let mut hole = b"a\n".to_vec();
        hole.resize(5 << 20, 0);
        hole.extend_from_slice(b"b\n");
        assert_eq!(pieces(&hole), ["1 a", &format!("2 {} NULs", (5 << 20) - 2), "2 b"]);
    }

    #[test]
    fn a_line_of_any_length_is_passed_over_in_the_same_buffer() {
        let mut text = b"a\n".to_vec();
        text.resize(3 * LONGEST, b'x');
        text.extend_from_slice(b"\nb\n");
        assert_eq!(pieces(&text), ["1 a", &format!("2 {} bytes", 3 * LONGEST - 1), "3 b"]);
        let mut lines = Lines::new();
        let size = lines.buffer.len();
        lines.each(&mut std::io::repeat(b'x').take(50 << 20), |_, _, _, _| {}).expect("repeating does not fail");
        assert_eq!(lines.buffer.len(), size);
    }

    /// Gives one byte at a time.
    struct Slow<'a>(&'a [u8]);
    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            self.0.read(&mut into[..1])
        }
    }

    #[test]
    fn what_is_read_at_a_time_does_not_matter() {
        let text = b"one\r\ntwo\0\0\0three\n\0\0\nfour\0five\n\0";
        let mut found = Vec::new();
        Lines::new()
            .each(&mut Slow(text), |line, offset, bytes, piece| {
                found.push(format!("{line} {offset} {bytes} {piece:?}"));
            })
            .expect("a slice is read without errors");
        let mut whole = Vec::new();
        Lines::new()
            .each(&mut &text[..], |line, offset, bytes, piece| {
                whole.push(format!("{line} {offset} {bytes} {piece:?}"));
            })
            .expect("a slice is read without errors");
        assert_eq!(found, whole);
    }
}
