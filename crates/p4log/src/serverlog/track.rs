//! Track lines: what a command used, as the server counts it.
//!
//! A table or lock file that comes twice for a command, in one block or in two, is a further part: each early block tells of
//! one lock that was given back. They are added, the longest kept. The lines at the head of a block (lapse, usage, rpc)
//! are of the whole command: the later ones count.

use super::merge::{add, add_times, archive_of, both, is_same, longest};
use super::record::{
    ArchiveKind, ArchiveUse, Command, FileTotals, LockTimes, ProxyTotals, Rpc, Section, SectionLines, TableUse,
};
use super::reuse::{give_back, percent_decoded, push_text, reset};
use super::scan::Scan;

/// Tables and lock files that a command may have: p4d has some 150 tables, a submit some dozens of locks.
pub(super) const MOST_TABLES: usize = 1000;

/// p4d prints this for a hold that was shorter than its clock.
const SHORTER_THAN_THE_CLOCK_MS: i64 = -1;

/// No name in a log is longer.
const LONGEST_NAME: usize = 1024;

/// What was made of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// It carries something of the records.
    Understood,
    /// It is known to carry nothing of use.
    Noise,
    /// No known form.
    Unknown,
    /// A known form that ends too early: a paste may go on in the next line.
    Partial,
}

/// Which section the next lines belong to.
#[derive(Debug, Clone, Copy, Default)]
enum Within {
    /// None that is kept: its lines must not be booked on the table before it.
    #[default]
    Nothing,
    /// This table.
    Table(usize),
    /// These archives.
    Archive(usize),
}

/// The track lines of one block.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a kind of line that came or not")]
pub(super) struct Track {
    /// What they say, in the fields of a command.
    pub(super) command: Command,
    /// Whether any line came.
    pub(super) any: bool,
    /// Whether there are lines that p4d writes at the end of a command only.
    pub(super) closing: bool,
    /// Whether there are tables that are written at the end only: not lock files, nor those of pending transfers.
    pub(super) tables: bool,
    within: Within,
    /// Whether the files counted next are those of the connection to the server above.
    above: bool,
    /// Whether a line had a wait or hold so negative that a clock went back, since somebody last asked.
    pub(super) backwards: bool,
    /// Tables to use again.
    pub(super) spare: Vec<TableUse>,
}

impl Track {
    /// Forgets the block.
    pub(super) fn clear(&mut self) {
        if self.any {
            reset(&mut self.command, &mut self.spare);
        }
        (self.any, self.closing, self.tables) = (false, false, false);
        (self.within, self.above) = (Within::Nothing, false);
    }

    /// Whether the line is one of those that go at the head of a block, by which a pasted block begins.
    pub(super) fn begins_block(text: &[u8]) -> bool {
        let text = text.trim_ascii_start();
        [&b"lapse "[..], b"usage ", b"rpc msgs"].iter().any(|head| text.starts_with(head))
    }

    /// Reads a line without its dashes.
    pub(super) fn line(&mut self, text: &[u8]) -> Class {
        let mut indent = 0;
        while text.get(indent) == Some(&b' ') {
            indent += 1;
        }
        let text = text[indent..].trim_ascii_end();
        let class = match self.within_section(text) {
            Class::Unknown if indent < 2 => self.head(text),
            class => class,
        };
        if matches!(class, Class::Understood | Class::Noise) {
            self.any = true;
        }
        class
    }

    /// The lines of a section.
    fn within_section(&mut self, text: &[u8]) -> Class {
        let mut scan = Scan::new(text);
        let known = match text.first() {
            Some(b'p') if scan.tag(b"pages ").is_some() => self.pages(scan),
            Some(b'p') if scan.tag(b"peek count ").is_some() => self.peeks(scan),
            Some(b'l') if scan.tag(b"locks read/write ").is_some() => self.rows(scan),
            Some(b'l') if scan.tag(b"locks wait+held read/write ").is_some() => self.longest(scan),
            Some(b'l') if scan.tag(b"locks acquired by blocking").is_some() => {
                let Some(table) = self.table() else {
                    return Class::Noise;
                };
                table.blocked = true;
                return Class::Understood;
            }
            Some(b't') if scan.tag(b"total lock wait+held read/write ").is_some() => self.total(scan),
            Some(b'm') if scan.tag(b"max lock wait+held read/write ").is_some() => self.longest(scan),
            Some(b'o') if scan.tag(b"opens+closes+checkins+exists ").is_some() => self.opens(scan),
            Some(b'r') if scan.tag(b"reads+readbytes+writes+writebytes ").is_some() => self.bytes(scan),
            Some(b'd') if scan.tag(b"digests+filesizes+modtimes+copies ").is_some() => self.digests(scan),
            _ => return Class::Unknown,
        };
        known.unwrap_or(Class::Partial)
    }

    fn table(&mut self) -> Option<&mut TableUse> {
        match self.within {
            Within::Table(at) => self.command.tables.get_mut(at),
            _ => None,
        }
    }

    fn archive(&mut self) -> Option<&mut ArchiveUse> {
        match self.within {
            Within::Archive(at) => self.command.archives.get_mut(at),
            _ => None,
        }
    }

    fn pages(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        if scan.tag(b"in+out+cached ").is_some() {
            let (read, written, cached) = scan.three()?;
            let Some(table) = self.table() else {
                return Some(Class::Noise);
            };
            table.lines.add(SectionLines::PAGES);
            add(&mut table.pages_in, read);
            add(&mut table.pages_out, written);
            add(&mut table.pages_cached, cached);
            return Some(Class::Understood);
        }
        let split = scan.tag(b"split internal+leaf ").is_some();
        if !split {
            scan.tag(b"reordered internal+leaf ")?;
        }
        let (internal, leaf) = scan.pair()?;
        let Some(table) = self.table() else {
            return Some(Class::Noise);
        };
        if split {
            table.lines.add(SectionLines::SPLITS);
            add(&mut table.splits_internal, internal);
            add(&mut table.splits_leaf, leaf);
        } else {
            table.lines.add(SectionLines::REORDERED);
            add(&mut table.reordered_internal, internal);
            add(&mut table.reordered_leaf, leaf);
        }
        Some(Class::Understood)
    }

    fn rows(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        let read_locks = scan.number()?;
        scan.tag(b"/")?;
        let write_locks = scan.number()?;
        scan.tag(b" rows get+pos+scan put+del ")?;
        let (get, pos, scanned) = scan.three()?;
        scan.tag(b" ")?;
        let (put, del) = scan.pair()?;
        let Some(table) = self.table() else {
            return Some(Class::Noise);
        };
        table.lines.add(SectionLines::ROWS);
        add(&mut table.read_locks, read_locks);
        add(&mut table.write_locks, write_locks);
        add(&mut table.rows_get, get);
        add(&mut table.rows_pos, pos);
        add(&mut table.rows_scan, scanned);
        add(&mut table.rows_put, put);
        add(&mut table.rows_del, del);
        Some(Class::Understood)
    }

    /// Waits and holds, none below 0.
    fn times(&mut self, scan: &mut Scan<'_>) -> Option<LockTimes> {
        let times = scan.lock_times()?;
        self.backwards |= times.iter().any(|ms| *ms < SHORTER_THAN_THE_CLOCK_MS);
        let [read_wait_ms, read_held_ms, write_wait_ms, write_held_ms] = times.map(|ms| ms.max(0).cast_unsigned());
        Some(LockTimes { read_wait_ms, read_held_ms, write_wait_ms, write_held_ms })
    }

    fn total(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        let times = self.times(&mut scan)?;
        let Some(table) = self.table() else {
            return Some(Class::Noise);
        };
        table.lines.add(SectionLines::TOTAL);
        add_times(&mut table.total, times);
        Some(Class::Understood)
    }

    fn longest(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        let times = self.times(&mut scan)?;
        let Some(table) = self.table() else {
            return Some(Class::Noise);
        };
        table.lines.add(SectionLines::LONGEST);
        table.longest = longest(table.longest, times);
        Some(Class::Understood)
    }

    fn peeks(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        let count = scan.number()?;
        scan.tag(b" wait+held total/max ")?;
        let times = self.times(&mut scan)?;
        let Some(table) = self.table() else {
            return Some(Class::Noise);
        };
        table.lines.add(SectionLines::PEEKS);
        add(&mut table.peeks, count);
        // Left of the bar are the sums, right of it the longest.
        add(&mut table.peek_wait_ms, times.read_wait_ms);
        add(&mut table.peek_held_ms, times.read_held_ms);
        table.peek_longest_wait_ms = table.peek_longest_wait_ms.max(times.write_wait_ms);
        table.peek_longest_held_ms = table.peek_longest_held_ms.max(times.write_held_ms);
        Some(Class::Understood)
    }

    fn opens(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        let (opens, closes) = scan.pair()?;
        scan.tag(b"+")?;
        let (checkins, exists) = scan.pair()?;
        let Some(archive) = self.archive() else {
            return Some(Class::Noise);
        };
        add(&mut archive.opens, opens);
        add(&mut archive.closes, closes);
        add(&mut archive.checkins, checkins);
        add(&mut archive.exists, exists);
        Some(Class::Understood)
    }

    fn bytes(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        let reads = scan.number()?;
        scan.tag(b"+")?;
        let read_bytes = scan.size()?;
        scan.tag(b"+")?;
        let writes = scan.number()?;
        scan.tag(b"+")?;
        let written_bytes = scan.size()?;
        let Some(archive) = self.archive() else {
            return Some(Class::Noise);
        };
        add(&mut archive.reads, reads);
        add(&mut archive.read_bytes, read_bytes);
        add(&mut archive.writes, writes);
        add(&mut archive.written_bytes, written_bytes);
        Some(Class::Understood)
    }

    fn digests(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        let (digests, file_sizes) = scan.pair()?;
        scan.tag(b"+")?;
        let (modtimes, copies) = scan.pair()?;
        let Some(archive) = self.archive() else {
            return Some(Class::Noise);
        };
        add(&mut archive.digests, digests);
        add(&mut archive.file_sizes, file_sizes);
        add(&mut archive.modtimes, modtimes);
        add(&mut archive.copies, copies);
        Some(Class::Understood)
    }

    /// A line that begins a section, or is of the whole command.
    fn head(&mut self, text: &[u8]) -> Class {
        // Whatever this is, the lines of the section before have ended.
        self.within = Within::Nothing;
        let mut scan = Scan::new(text);
        let known = match text.first() {
            Some(b'd') if text.starts_with(b"db.") => return self.section(text),
            Some(b'l') if scan.tag(b"lapse ").is_some() => self.lapse(scan),
            Some(b'l') if scan.tag(b"lbr ").is_some() => return self.kind(scan.rest),
            Some(b'u') if scan.tag(b"usage ").is_some() => self.usage(scan),
            Some(b'm') if scan.tag(b"memory cmd/proc ").is_some() => self.memory(scan),
            Some(b'r') if scan.tag(b"rpc ").is_some() => self.rpc(scan),
            Some(b'f') if scan.tag(b"filetotals ").is_some() => self.files(scan),
            Some(b'p') if scan.tag(b"paused ").is_some() => self.paused(scan),
            Some(b'p') if scan.tag(b"proxytotals ").is_some() => self.proxy(scan),
            Some(b'p') if text.starts_with(b"proxy faults") => return Class::Noise,
            Some(b'f' | b'e' | b'k') if failure(text).is_some() => {
                self.command.failed = true;
                self.command.failure = failure(text);
                self.closing = true;
                return Class::Understood;
            }
            _ => return self.section(text),
        };
        known.unwrap_or(Class::Partial)
    }

    fn lapse(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        self.command.lapse_s = Some(scan.seconds()?);
        self.closing = true;
        Some(Class::Understood)
    }

    fn paused(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        self.command.paused_s = Some(scan.seconds()?);
        self.closing = true;
        Some(Class::Understood)
    }

    fn usage(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        self.command.usage = Some(scan.usage()?);
        self.closing = true;
        Some(Class::Understood)
    }

    fn memory(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        let command = scan.size()?;
        scan.tag(b"/")?;
        let process = scan.size()?;
        self.command.memory_bytes = Some(command);
        self.command.process_bytes = Some(process);
        self.closing = true;
        Some(Class::Understood)
    }

    fn rpc(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        if scan.rest.starts_with(b"send receive errors") {
            return Some(Class::Noise);
        }
        let above = scan.rest.first() == Some(&b'(');
        if above {
            let end = memchr::memchr(b')', scan.rest)?;
            scan.rest = &scan.rest[end + 1..];
            scan.tag(b" ")?;
        }
        scan.tag(b"msgs/size in+out ")?;
        let (received, sent) = scan.pair()?;
        scan.tag(b"/")?;
        let received_bytes = scan.size()?;
        scan.tag(b"+")?;
        let sent_bytes = scan.size()?;
        scan.tag(b" himarks ")?;
        let himark_forward = scan.number()?;
        scan.tag(b"/")?;
        let mut rpc = Rpc {
            received,
            sent,
            received_bytes,
            sent_bytes,
            himark_forward,
            himark_reverse: scan.number()?,
            send_s: 0.0,
            receive_s: 0.0,
        };
        // The oldest releases say no times.
        if !scan.rest.is_empty() {
            scan.tag(b" snd/rcv ")?;
            rpc.send_s = scan.seconds()?;
            scan.tag(b"/")?;
            rpc.receive_s = scan.seconds()?;
        }
        self.above = above;
        self.closing = true;
        if above {
            self.command.upstream = Some(match self.command.upstream {
                Some(other) => both(other, rpc),
                None => rpc,
            });
        } else {
            self.command.rpc = Some(rpc);
        }
        Some(Class::Understood)
    }

    fn files(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        let client = scan.tag(b"(client) ").is_some();
        if !client {
            scan.tag(b"(svr) ")?;
        }
        scan.tag(b"send/recv files+bytes ")?;
        let sent_files = scan.number()?;
        scan.tag(b"+")?;
        let sent_bytes = scan.size()?;
        scan.tag(b"/")?;
        let received_files = scan.number()?;
        scan.tag(b"+")?;
        let totals = FileTotals { sent_files, sent_bytes, received_files, received_bytes: scan.size()? };
        if client {
            self.command.client_files = Some(totals);
        } else if self.above {
            // Of the connection to the server above: not what the client got.
            return Some(Class::Noise);
        } else {
            self.command.files = Some(totals);
        }
        self.closing = true;
        Some(Class::Understood)
    }

    fn proxy(&mut self, mut scan: Scan<'_>) -> Option<Class> {
        scan.tag(b"files/size svr+cache ")?;
        let (server_files, cache_files) = scan.pair()?;
        scan.tag(b"/")?;
        let server_bytes = scan.size()?;
        scan.tag(b"+")?;
        self.command.proxy = Some(ProxyTotals { server_files, server_bytes, cache_files, cache_bytes: scan.size()? });
        self.closing = true;
        Some(Class::Understood)
    }

    fn kind(&mut self, name: &[u8]) -> Class {
        let kind = match name {
            b"Rcs" => ArchiveKind::Rcs,
            b"Binary" => ArchiveKind::Binary,
            b"Compress" => ArchiveKind::Compress,
            b"Uncompress" => ArchiveKind::Uncompress,
            _ => return Class::Unknown,
        };
        let at = archive_of(&mut self.command.archives, kind);
        self.within = Within::Archive(at);
        Class::Understood
    }

    /// `db.have`, `clients/NAME(W)`.
    fn section(&mut self, text: &[u8]) -> Class {
        let (name, mode) = match text {
            [name @ .., b'(', mode @ (b'R' | b'W'), b')'] => (name, Some(char::from(*mode))),
            name => (name, None),
        };
        let is_table = match name.iter().position(|byte| !byte.is_ascii_lowercase()) {
            Some(at) => name[at] == b'.' && name[..at].ends_with(b"db") && at + 1 < name.len(),
            None => false,
        };
        let plain = !name.is_empty() && name.len() <= LONGEST_NAME && !name.contains(&b' ');
        // A client may have any name but one with spaces.
        if !plain || !(is_table || name.contains(&b'/')) {
            return Class::Unknown;
        }
        let section = if is_table {
            self.tables |= name.starts_with(b"db.") || name.starts_with(b"pdb.");
            Section::Table
        } else {
            Section::LockFile
        };
        let mut used = self.spare.pop().unwrap_or_default();
        if name.contains(&b'%') {
            push_text(&mut used.name, &percent_decoded(name), LONGEST_NAME);
        } else {
            push_text(&mut used.name, name, LONGEST_NAME);
        }
        (used.section, used.mode) = (section, mode);
        let same = self.command.tables.iter().position(|table| is_same(table, &used));
        match same {
            Some(at) => {
                give_back(used, &mut self.spare);
                self.within = Within::Table(at);
            }
            None if self.command.tables.len() < MOST_TABLES => {
                self.command.tables.push(used);
                self.within = Within::Table(self.command.tables.len() - 1);
            }
            None => {
                give_back(used, &mut self.spare);
                return Class::Unknown;
            }
        }
        Class::Understood
    }
}

/// What a line says that tells of the command's end by an error.
fn failure(text: &[u8]) -> Option<&'static str> {
    ["failed authentication check", "exited on fatal server error", "killed by"]
        .into_iter()
        .find(|failure| text.starts_with(failure.as_bytes()))
}
