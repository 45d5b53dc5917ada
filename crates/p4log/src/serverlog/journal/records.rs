//! One record of a journal as its lines come.

use super::super::record::Place;
use super::super::scan::LARGEST;

/// Bytes kept of a record: the fields that are read stand at its beginning.
const KEPT: usize = 16 << 10;
/// Fields that are looked for.
const FIELDS: usize = 16;

/// What a record does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// `@pv@`, `@put@`: a row is new.
    Put,
    /// `@rv@`: a row is replaced.
    Replace,
    /// `@dv@`, `@del@`: a row is deleted.
    Delete,
    /// `@vv@`: a row must be there.
    Verify,
    /// `@dl@`: an archive is deleted.
    Other,
    /// `@nx@`, `@mx@`, `@ex@`: notes, and ends of parts of transactions and of transactions.
    Note,
    Middle,
    End,
}

/// What the first note of a file says that the file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Header {
    Checkpoint,
    Journal,
}

/// Whether a line begins a record: `@pv@ `. In a text the marks would be doubled.
pub(in crate::serverlog) fn begins_record(line: &[u8]) -> bool {
    action(line).is_some()
}

fn action(line: &[u8]) -> Option<(Action, &[u8])> {
    let rest = line.strip_prefix(b"@")?;
    let end = rest.iter().take(4).position(|byte| *byte == b'@')?;
    let (name, rest) = (&rest[..end], rest[end + 1..].strip_prefix(b" ")?);
    let action = match name {
        b"pv" | b"put" => Action::Put,
        b"rv" => Action::Replace,
        b"dv" | b"del" => Action::Delete,
        b"vv" => Action::Verify,
        b"dl" => Action::Other,
        b"nx" => Action::Note,
        b"mx" => Action::Middle,
        b"ex" => Action::End,
        _ => return None,
    };
    Some((action, rest))
}

/// Whether a record has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// Its text goes on in the next line.
    No,
    /// It is complete.
    Whole,
    /// It is none, in words.
    Damaged(&'static str),
}

/// A record.
#[derive(Debug, Default)]
pub(super) struct Record {
    place: Place,
    is_open: bool,
    text: Vec<u8>,
    bytes: u64,
    marks: usize,
}

impl Record {
    pub(super) fn begin(&mut self, place: Place) {
        self.place = place;
        self.is_open = true;
        self.text.clear();
        (self.bytes, self.marks) = (0, 0);
    }

    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Bytes of its lines so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// No more lines of it: whether it was open.
    pub(super) fn close(&mut self) -> bool {
        std::mem::take(&mut self.is_open)
    }

    /// A part of its text that is too long to be kept.
    pub(super) fn passed(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    /// Takes a line: the first with the action, or one more of a text.
    pub(super) fn line(&mut self, line: &[u8], bytes: u64) -> Ended {
        self.bytes += bytes;
        self.marks += memchr::memchr_iter(b'@', line).count();
        let room = KEPT.saturating_sub(self.text.len());
        self.text.extend_from_slice(&line[..line.len().min(room)]);
        if room > line.len() {
            self.text.push(b'\n');
        }
        if self.marks % 2 == 1 {
            return Ended::No;
        }
        self.is_open = false;
        match self.action() {
            Some(Action::Note | Action::Middle | Action::End) => Ended::Whole,
            Some(_) if self.table().is_some() => Ended::Whole,
            _ => Ended::Damaged("a record of a journal without its table"),
        }
    }

    pub(super) fn action(&self) -> Option<Action> {
        action(&self.text).map(|(action, _)| action)
    }

    /// The table of a row, such as `db.rev`.
    pub(super) fn table(&self) -> Option<&str> {
        let (_, rest) = action(&self.text)?;
        let mut fields = Fields { rest };
        fields.number()?;
        let name = fields.next()?.strip_prefix(b"@")?.strip_suffix(b"@")?;
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
        let is_name = !name.is_empty() && name.len() <= 40 && name.iter().all(is_plain);
        is_name.then_some(std::str::from_utf8(name).ok()?)
    }

    /// The fields of a row behind its table, as they are spelt; the first sixteen.
    pub(super) fn fields(&self) -> Vec<&[u8]> {
        let rest = action(&self.text).map_or(&[][..], |(_, rest)| rest);
        Fields { rest }.skip(2).take(FIELDS).collect()
    }

    /// The first field of a mark: the process whose records stand before it.
    pub(super) fn process(&self) -> Option<u64> {
        let (_, rest) = action(&self.text)?;
        Fields { rest }.number()
    }

    /// What a note begins, where it begins a file.
    pub(super) fn header(&self) -> Option<Header> {
        let (Action::Note, rest) = action(&self.text)? else {
            return None;
        };
        match (Fields { rest }).number()? {
            0 => Some(Header::Checkpoint),
            2 => Some(Header::Journal),
            _ => None,
        }
    }

    /// The second field of a note or a mark: seconds since 1970, of this century.
    pub(super) fn time(&self) -> Option<i64> {
        time_of(&self.text)
    }
}

/// The first time that a note or a mark of a text states \[s since 1970\].
pub(in crate::serverlog) fn first_time(text: &[u8]) -> Option<i64> {
    let mut lines = text.split(|byte| *byte == b'\n');
    lines.find_map(time_of)
}

/// The time that a line states if it begins a note or a mark.
fn time_of(line: &[u8]) -> Option<i64> {
    let (Action::Note | Action::Middle | Action::End, rest) = action(line)? else {
        return None;
    };
    let mut fields = Fields { rest };
    fields.number()?;
    time(fields.next()?)
}

/// A field that is a time: seconds since 1970, of this century.
pub(super) fn time(field: &[u8]) -> Option<i64> {
    const CENTURY: std::ops::Range<i64> = 946_684_800..4_102_444_800;
    let seconds = i64::try_from(number(field)?).ok()?;
    CENTURY.contains(&seconds).then_some(seconds)
}

/// A field that is a number.
pub(super) fn number(field: &[u8]) -> Option<u64> {
    if field.is_empty() || field.len() > 17 || !field.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = field.iter().fold(0_u64, |n, byte| n * 10 + u64::from(byte - b'0'));
    (number <= LARGEST).then_some(number)
}

/// The bytes in a workspace of a revision that has content, and whether that is the content of another (a lazy copy), from
/// the fields of its row: `file rev type action change date modtime digest size traits lazy …`.
pub(super) fn content(fields: &[&[u8]]) -> Option<(u64, bool)> {
    /// Deletes, purges and the sources of moves have no content.
    const EMPTY: [&[u8]; 3] = [b"2", b"6", b"7"];
    // Whether columns are where they are known to be is seen by the digest before the size.
    let is_digest = |field: &[u8]| field.len() == 32 && field.iter().all(u8::is_ascii_hexdigit);
    let has_content = !EMPTY.contains(fields.get(3)?) && is_digest(fields.get(7)?);
    let lazy = fields.get(10).and_then(|field| number(field)).unwrap_or(0);
    let size = number(fields.get(8)?).filter(|_| has_content)?;
    Some((size, lazy & 1 == 1))
}

/// Fields one after the other: `@text@` with its marks, or what stands between spaces.
struct Fields<'a> {
    rest: &'a [u8],
}

impl Fields<'_> {
    fn number(&mut self) -> Option<u64> {
        number(self.next()?)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.rest = self.rest.trim_ascii_start();
        let text = self.rest;
        if text.is_empty() {
            return None;
        }
        let end = if text[0] == b'@' {
            let mut at = 1;
            loop {
                let found = memchr::memchr(b'@', &text[at..]);
                // The rest was not kept.
                let Some(found) = found else { break text.len() };
                at += found + 1;
                if text.get(at) == Some(&b'@') {
                    at += 1;
                } else {
                    break at;
                }
            }
        } else {
            let end = text.iter().position(u8::is_ascii_whitespace);
            end.unwrap_or(text.len())
        };
        let (field, rest) = text.split_at(end);
        self.rest = rest;
        Some(field)
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, Ended, Place, Record};

    fn record(lines: &[&str]) -> (Record, Ended) {
        let mut record = Record::default();
        record.begin(Place::default());
        let mut ended = Ended::No;
        for line in lines {
            assert_eq!(ended, Ended::No, "{line}");
            ended = record.line(line.as_bytes(), line.len() as u64 + 1);
        }
        (record, ended)
    }

    #[test]
    fn texts_hold_marks_spaces_and_lines() {
        let (record, ended) = record(&["@pv@ 3 @db.change@ 7 7 @a@@b c@ @u@ 1 1 @one", "two @@", "@ 9"]);
        assert_eq!((record.action(), ended), (Some(Action::Put), Ended::Whole));
        assert_eq!(record.table(), Some("db.change"));
        let fields = record.fields();
        assert_eq!(fields[2], b"@a@@b c@");
        assert_eq!(fields[6], b"@one\ntwo @@\n@");
        assert_eq!(fields[7], b"9");
    }

    #[test]
    fn a_note_states_its_time() {
        let (note, ended) = record(&["@nx@ 2 1321655625 @31@ 1 0 0 0 0 @/p4/root@ @journal@ @@ @@ @@"]);
        assert_eq!((note.time(), ended), (Some(1_321_655_625), Ended::Whole));
        let (mark, _) = record(&["@ex@ 4242 1321655625"]);
        assert_eq!((mark.action(), mark.time()), (Some(Action::End), Some(1_321_655_625)));
        let (mark, _) = record(&["@ex@ 4242 99"]);
        assert_eq!(mark.time(), None);
    }

    #[test]
    fn a_row_without_a_table_is_none() {
        for line in ["@pv@ 3 4", "@pv@ @db.a@ 1", "@rv@ 0 @db.\u{1b}[1m@ 1"] {
            assert!(matches!(record(&[line]).1, Ended::Damaged(_)), "{line}");
        }
    }
}
