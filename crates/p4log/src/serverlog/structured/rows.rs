//! Bytes to rows of comma-separated values: quotes, line breaks in quotes, cut and damaged rows.

use std::io::{self, Read};
use std::ops::{Range, RangeInclusive};

use memchr::memchr;

use super::super::record::Place;

/// No row is longer: p4d shortens arguments.
const LONGEST: usize = 1 << 20;
/// Bytes read at a time.
const CHUNK: usize = 128 << 10;
/// Columns that are kept of a row: no event has as many.
pub(super) const MOST_COLUMNS: usize = 96;

/// Whether a line begins a row: an event with or without a version, seconds since 1970, nanoseconds, and a date.
///
/// Text in arguments has this form only where somebody copies a log into it.
pub(in crate::serverlog) fn begins_row(line: &[u8]) -> bool {
    head(line).is_some()
}

/// Event, its version, and the time in nanoseconds since 1970.
fn head(line: &[u8]) -> Option<((u32, u32), i128)> {
    let mut fields = line.splitn(4, |byte| *byte == b',');
    let event = fields.next()?;
    let seconds = digits(fields.next()?, 9..=11)?;
    let nanoseconds = digits(fields.next()?, 1..=9)?;
    let [a, b, c, d, _, m, mm, _, e, ee, ..] = *fields.next()? else {
        return None;
    };
    if ![a, b, c, d, m, mm, e, ee].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut parts = event.splitn(2, |byte| *byte == b'.');
    let number = digits(parts.next()?, 1..=2)?;
    let version = parts.next().map_or(Some(0), |text| digits(text, 1..=3))?;
    let event = (u32::try_from(number).ok()?, u32::try_from(version).ok()?);
    Some((event, i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds)))
}

fn digits(text: &[u8], length: RangeInclusive<usize>) -> Option<u64> {
    if !length.contains(&text.len()) || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// The time of the first row of a text, in nanoseconds since 1970.
pub(in crate::serverlog) fn first_time(text: &[u8]) -> Option<i128> {
    let mut lines = text.split(|byte| *byte == b'\n');
    lines.find_map(head).map(|(_, time)| time)
}

/// A row: its fields without their quotes.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// The event and the version of its columns, 0 where none is stated.
    pub(super) event: (u32, u32),
    /// Nanoseconds since 1970.
    pub(super) time: i128,
    text: Vec<u8>,
    fields: Vec<Range<usize>>,
}

impl Row {
    /// How many fields it has.
    pub(super) fn len(&self) -> usize {
        self.fields.len()
    }

    /// The field of a column; empty if the row has fewer.
    pub(super) fn field(&self, column: usize) -> &[u8] {
        let range = self.fields.get(column).cloned().unwrap_or(0..0);
        self.text.get(range).unwrap_or_default()
    }

    /// Cuts a row; whether its quotes are those of a row.
    fn split(&mut self, line: &[u8]) -> bool {
        self.text.clear();
        self.fields.clear();
        let mut rest = line;
        loop {
            if self.fields.len() == MOST_COLUMNS {
                return true;
            }
            let start = self.text.len();
            if let [b'"', after @ ..] = rest {
                rest = after;
                loop {
                    let Some(at) = memchr(b'"', rest) else {
                        return false;
                    };
                    self.text.extend_from_slice(&rest[..at]);
                    rest = &rest[at + 1..];
                    let [b'"', after @ ..] = rest else { break };
                    self.text.push(b'"');
                    rest = after;
                }
                if !matches!(rest, [] | [b',', ..]) {
                    return false;
                }
            } else {
                let at = memchr(b',', rest).unwrap_or(rest.len());
                self.text.extend_from_slice(&rest[..at]);
                rest = &rest[at..];
            }
            self.fields.push(start..self.text.len());
            match rest {
                [b',', after @ ..] => rest = after,
                _ => return true,
            }
        }
    }
}

/// What was found.
#[derive(Debug)]
pub(super) enum NextRow {
    /// A row.
    Row,
    /// Lines without text.
    Blank,
    /// No row, in words.
    Damaged(String),
    /// The end.
    End,
}

/// The rows of a text, one after the other, in a buffer that never grows.
pub(super) struct Rows<R> {
    text: R,
    buffer: Vec<u8>,
    start: usize,
    filled: usize,
    is_end: bool,
    row: Row,
    /// Lines and bytes before `start`.
    line: u64,
    offset: u64,
    /// Of what was found last.
    found: Place,
    lines: u64,
    bytes: u64,
}

impl<R: Read> Rows<R> {
    pub(super) fn new(text: R) -> Self {
        Self {
            text,
            buffer: vec![0; LONGEST + CHUNK],
            start: 0,
            filled: 0,
            is_end: false,
            row: Row::default(),
            line: 1,
            offset: 0,
            found: Place::default(),
            lines: 0,
            bytes: 0,
        }
    }

    /// The row that was found last.
    pub(super) fn row(&self) -> &Row {
        &self.row
    }

    /// The text.
    pub(super) fn text(&self) -> &R {
        &self.text
    }

    /// Where what was found last begins.
    pub(super) fn place(&self, file: usize) -> Place {
        Place { file, ..self.found }
    }

    /// Its lines.
    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// Its bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Goes to what comes next.
    pub(super) fn advance(&mut self) -> io::Result<NextRow> {
        self.found = Place { line: self.line, offset: self.offset, ..Place::default() };
        (self.lines, self.bytes) = (0, 0);
        let Some(end) = self.line_end(0)? else {
            return Ok(NextRow::End);
        };
        if self.offset == 0 && self.buffer[self.start..].starts_with(b"\xef\xbb\xbf") {
            self.start += 3;
            self.offset += 3;
            self.found.offset = 3;
            return self.advance();
        }
        if self.is_cut(end) {
            return self.endless(end);
        }
        let line = trimmed(&self.buffer[self.start..self.start + end]);
        if line.iter().all(u8::is_ascii_whitespace) {
            self.pass(end);
            return Ok(NextRow::Blank);
        }
        let Some((event, time)) = head(line) else {
            return self.damaged(end);
        };
        (self.row.event, self.row.time) = (event, time);
        if self.row.split(line) {
            self.pass(end);
            return Ok(NextRow::Row);
        }
        self.over_lines(end)
    }

    /// A row whose quotes are not closed in its first line: arguments with line breaks, or a row that was cut.
    fn over_lines(&mut self, first: usize) -> io::Result<NextRow> {
        let quotes = |line: &[u8]| memchr::memchr_iter(b'"', line).count();
        let mut end = first;
        let mut open = quotes(&self.buffer[self.start..self.start + first]) % 2;
        while let Some(next) = self.line_end(end)? {
            let line = &self.buffer[self.start + end..self.start + next];
            // Text of the form of a row is taken for one: a quote that is missing must not take the log with it.
            if begins_row(line) || next > LONGEST {
                break;
            }
            open = (open + quotes(line)) % 2;
            end = next;
            if open == 0 {
                let whole = trimmed(&self.buffer[self.start..self.start + end]);
                if self.row.split(whole) {
                    self.pass(end);
                    return Ok(NextRow::Row);
                }
                break;
            }
        }
        self.pass(end);
        Ok(NextRow::Damaged("a row that was cut: its quotes are not closed".to_owned()))
    }

    /// Whether a line that ends so many bytes after `start` goes on there: it is longer than any.
    fn is_cut(&self, end: usize) -> bool {
        end > LONGEST && self.buffer[self.start + end - 1] != b'\n'
    }

    /// A line that is longer than any, up to its end wherever that is: nothing in it is taken for a row.
    fn endless(&mut self, first: usize) -> io::Result<NextRow> {
        let mut nuls = true;
        let mut next = Some(first);
        while let Some(end) = next {
            let part = &self.buffer[self.start..self.start + end];
            nuls &= is_hole(part);
            let goes_on = part.last() != Some(&b'\n');
            self.pass(end);
            next = if goes_on { self.line_end(0)? } else { None };
        }
        self.lines = 1;
        Ok(NextRow::Damaged(if nuls {
            format!("{} NUL bytes", self.bytes)
        } else {
            format!("a line of {} bytes", self.bytes)
        }))
    }

    /// Lines up to the next row, or to a line that is longer than any.
    fn damaged(&mut self, first: usize) -> io::Result<NextRow> {
        const SHOWN: usize = 60;
        let line = &self.buffer[self.start..self.start + first];
        let shown = String::from_utf8_lossy(&line[..line.len().min(4 * SHOWN)]);
        let shown: String = shown.trim().chars().take(SHOWN).collect();
        let nuls = is_hole(line);
        self.pass(first);
        while let Some(end) = self.line_end(0)? {
            let line = &self.buffer[self.start..self.start + end];
            if begins_row(line) || self.is_cut(end) {
                break;
            }
            self.pass(end);
        }
        Ok(NextRow::Damaged(match (nuls, self.lines) {
            (true, _) => format!("{} NUL bytes", self.bytes),
            (false, 1) => format!("1 line that is no row: {shown:?}"),
            (false, lines) => format!("{lines} lines that are no rows: {shown:?} …"),
        }))
    }

    /// Where the line ends that begins so many bytes after `start`, with its line break, and relative to `start`; nothing at the end of the
    /// text. A line longer than any is cut.
    fn line_end(&mut self, from: usize) -> io::Result<Option<usize>> {
        let mut searched = from;
        loop {
            let text = &self.buffer[self.start..self.filled];
            if let Some(at) = memchr(b'\n', &text[searched..]) {
                return Ok(Some(searched + at + 1));
            }
            searched = text.len();
            if searched > LONGEST || self.is_end {
                return Ok((searched > from).then_some(searched));
            }
            self.fill()?;
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        if self.buffer.len() - self.filled < CHUNK {
            self.buffer.copy_within(self.start..self.filled, 0);
            self.filled -= self.start;
            self.start = 0;
        }
        let to = (self.filled + CHUNK).min(self.buffer.len());
        loop {
            match self.text.read(&mut self.buffer[self.filled..to]) {
                Ok(0) => self.is_end = true,
                Ok(bytes) => self.filled += bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            return Ok(());
        }
    }

    fn pass(&mut self, bytes: usize) {
        let text = &self.buffer[self.start..self.start + bytes];
        let breaks = memchr::memchr_iter(b'\n', text).count() as u64;
        let lines = breaks + u64::from(text.last().is_some_and(|byte| *byte != b'\n'));
        self.line += breaks;
        self.lines += lines;
        self.bytes += bytes as u64;
        self.offset += bytes as u64;
        self.start += bytes;
    }
}

/// Whether nothing is there but NUL bytes and the end of the line.
fn is_hole(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, 0 | b'\n' | b'\r'))
}

/// Without the end of the line.
fn trimmed(mut line: &[u8]) -> &[u8] {
    while let [before @ .., b'\n' | b'\r'] = line {
        line = before;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, LONGEST, NextRow, Rows};
    use std::io::Read;

    const HEAD: &str = "0.50,1420649505,12,2015/01/07 16:51:45";

    fn found(text: &[u8]) -> Vec<String> {
        let mut rows = Rows::new(text);
        let mut all = Vec::new();
        let mut bytes = 0;
        loop {
            let found = rows.advance().expect("a slice is read without errors");
            bytes += rows.bytes();
            let place = rows.place(0);
            let at = format!("{}:{} ", place.line, place.offset);
            match found {
                NextRow::End => break,
                NextRow::Blank => {}
                NextRow::Damaged(what) => all.push(at + &what),
                NextRow::Row => {
                    let fields = (4..rows.row().len()).map(|i| rows.row().field(i));
                    let fields: Vec<_> = fields.map(String::from_utf8_lossy).collect();
                    all.push(at + &fields.join("|"));
                }
            }
        }
        let mark = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        assert_eq!(bytes + mark, text.len() as u64);
        all
    }

    #[test]
    fn quotes_hold_commas_quotes_and_line_breaks() {
        let text = format!("{HEAD},7,\"a,\"\"b\"\"\",\r\n{HEAD},8,\"one\ntwo, \"\"2\"\"\n\",c\n\n{HEAD},9");
        assert_eq!(found(text.as_bytes()), ["1:0 7|a,\"b\"|", "2:53 8|one\ntwo, \"2\"\n|c", "6:115 9"]);
    }

    #[test]
    fn a_cut_row_does_not_take_the_next_with_it() {
        let text = format!("{HEAD},7,\"cut{0}\n{HEAD},8\nrest of a row\nand more\n{HEAD},9,\"a\"b\n{HEAD},10\n", "");
        assert_eq!(
            found(text.as_bytes()),
            [
                "1:0 a row that was cut: its quotes are not closed",
                "2:46 8",
                "3:87 2 lines that are no rows: \"rest of a row\" …",
                "5:110 a row that was cut: its quotes are not closed",
                "6:156 10",
            ]
        );
    }

    #[test]
    fn holes_and_endless_lines_are_passed_over_in_the_same_buffer() {
        let mut text = b"\xef\xbb\xbf".to_vec();
        text.extend_from_slice(format!("{HEAD},1\n").as_bytes());
        text.resize(text.len() + 3 * LONGEST, 0);
        text.extend_from_slice(format!("\n{HEAD},2\n").as_bytes());
        text.extend_from_slice(format!("{HEAD},3,\"").as_bytes());
        text.resize(text.len() + 2 * LONGEST, b'x');
        let all = found(&text);
        let row = HEAD.len() + 3;
        let hole = 3 * LONGEST + 1;
        assert_eq!(
            all,
            [
                "1:3 1".to_owned(),
                format!("2:{} {hole} NUL bytes", 3 + row),
                format!("3:{} 2", 3 + row + hole),
                // One report with its place, however long it is.
                format!("4:{} a line of {} bytes", 3 + 2 * row + hole, row + 1 + 2 * LONGEST),
            ]
        );
        // Behind lines that are no rows, and before a row; it has the form of a row where the buffer ends.
        let mut text = b"rest of a row\n".to_vec();
        text.resize(LONGEST + CHUNK, b'x');
        text.extend_from_slice(format!("{HEAD},1 {HEAD},2\n{HEAD},3\n").as_bytes());
        let long = LONGEST + CHUNK - 14 + 2 * (HEAD.len() + 2) + 2;
        assert_eq!(
            found(&text),
            [
                "1:0 1 line that is no row: \"rest of a row\"".to_owned(),
                format!("2:14 a line of {long} bytes"),
                format!("3:{} 3", 14 + long),
            ]
        );
        let mut rows = Rows::new(std::io::repeat(b'"').take(20 << 20));
        while !matches!(rows.advance().expect("no errors"), NextRow::End) {}
        assert_eq!(rows.buffer.len(), LONGEST + CHUNK);
    }
}
