//! Which kind of file a text is, by what stands in it: names of logs say nothing.

use std::io::{self, Cursor, Read};

use super::beside;
use super::journal;
use super::open::Opened;
use super::structured;

/// Bytes that are looked at.
const FIRST: u64 = 64 << 10;

/// Kinds of files of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// P4LOG, a paste of `p4 -Ztrack`, or anything else.
    Text,
    /// A structured log: rows of comma-separated values.
    Structured,
    /// Output of `p4 logschema`: columns of structured logs.
    Schema,
    /// A journal, or a checkpoint.
    Journal,
    /// Who has which lock: `p4 monitor show`, `lslocks`.
    Locks,
}

impl FileKind {
    /// In words; empty for a server log.
    pub fn words(self) -> &'static str {
        match self {
            Self::Text => "",
            Self::Structured => "structured log",
            Self::Schema => "columns of structured logs",
            Self::Journal => "journal",
            Self::Locks => "who runs and locks what",
        }
    }
}

/// An opened text of which the kind is known; reads from its beginning.
#[derive(Debug)]
pub struct LogText {
    /// Its kind.
    pub kind: FileKind,
    first: Cursor<Vec<u8>>,
    rest: Opened,
}

impl LogText {
    /// Looks at the beginning of a text.
    ///
    /// # Errors
    ///
    /// What the text's file says when it is read.
    pub fn of(mut rest: Opened) -> io::Result<Self> {
        let mut first = Vec::new();
        rest.by_ref().take(FIRST).read_to_end(&mut first)?;
        Ok(Self { kind: kind(&first), first: Cursor::new(first), rest })
    }

    /// The first time that its beginning states, to order files of one kind by: none of a server log, whose order is that
    /// in which it was given.
    pub(super) fn first_time(&self) -> Option<i128> {
        let first = self.first.get_ref();
        match self.kind {
            FileKind::Structured => structured::first_time(first),
            FileKind::Journal => journal::first_time(first).map(i128::from),
            FileKind::Text | FileKind::Schema | FileKind::Locks => None,
        }
    }

    /// How it begins.
    pub(super) fn beginning(&self) -> &[u8] {
        self.first.get_ref()
    }

    /// Why it ended before its end, if a packed file is cut or damaged.
    pub fn broken(&self) -> Option<&str> {
        self.rest.broken()
    }
}

impl Read for LogText {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.first.read(into)? {
            0 => self.rest.read(into),
            bytes => Ok(bytes),
        }
    }
}

/// The kind of a text that begins so: that of its first line that has a form of one.
pub(super) fn kind(first: &[u8]) -> FileKind {
    let first = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first);
    for line in first.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let trimmed = line.trim_ascii();
        if trimmed == b"Perforce server info:" || trimmed == b"Perforce proxy info:" {
            return FileKind::Text;
        }
        if journal::begins_record(line) {
            return FileKind::Journal;
        }
        if structured::begins_row(line) {
            return FileKind::Structured;
        }
        if trimmed.starts_with(b"... f_recordType ") {
            return FileKind::Schema;
        }
        if beside::begins(line) {
            return FileKind::Locks;
        }
    }
    FileKind::Text
}

#[cfg(test)]
mod tests {
    use super::{FileKind, kind};

    #[test]
    fn a_kind_is_seen_in_the_first_line_that_has_one() {
        for (text, expected) in [
            ("", FileKind::Text),
            ("\n\n\tPerforce server info:\n@pv@ 0 @db.a@ \n", FileKind::Text),
            ("@pv@ 3 @db.change@ 1 1 @c@ @u@ 0 1 @d@\n", FileKind::Journal),
            ("rest of a text\nthat was cut@ 1 2\n@ex@ 12 1321655625\n", FileKind::Journal),
            ("\u{feff}0.50,1420649505,12,2015/01/07 16:51:45,1,a,s,1,u,c,f,h,p,v,\n", FileKind::Structured),
            ("$ p4 logschema -a\n... f_recordType 4\n", FileKind::Schema),
            ("0.50,1420649505 is no row\nname,size\n1,2\n", FileKind::Text),
        ] {
            assert_eq!(kind(text.as_bytes()), expected, "{text:?}");
        }
    }
}
