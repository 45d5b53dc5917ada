//! What a server log says, one record a command.

use std::fmt;

pub use super::said::Said;

/// Where a record begins: for messages, and for looking it up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, in the order in which they were given, from 0.
    pub file: usize,
    /// Its line, from 1; of the unpacked text where the file is packed.
    pub line: u64,
    /// Bytes before that line, of the unpacked text.
    pub offset: u64,
}

/// A moment by the server's own clock, which states no zone: microseconds since 1970 as if it were UTC. Its default, 0, is
/// no time: that of a command of which the log states none, as in a paste of `p4 -Ztrack`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// Microseconds since 1970-01-01 00:00:00 of that clock.
    pub micros: i64,
}

impl Moment {
    /// The moment; none where it is no time.
    pub fn known(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }

    /// Seconds from `earlier` to this moment; negative where the clock went back.
    pub fn seconds_since(self, earlier: Self) -> f64 {
        (self.micros - earlier.micros) as f64 / 1e6
    }

    /// The moment some seconds later.
    #[must_use]
    pub fn plus_seconds(self, seconds: f64) -> Self {
        Self {
            micros: self.micros.saturating_add((seconds * 1e6).round() as i64),
        }
    }
}

/// As the log writes it, to the second: `2024/06/19 12:25:31`; "no time" where it states none.
impl fmt::Display for Moment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.known().is_none() {
            return formatter.write_str("no time");
        }
        let seconds = self.micros.div_euclid(1_000_000);
        let (days, time) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        // Civil date from days (Hinnant 2013, `civil_from_days`): years begin in March, so that the leap day is the last.
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 {
            month_from_march + 3
        } else {
            month_from_march - 9
        };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        write!(
            formatter,
            "{year:04}/{month:02}/{day:02} {:02}:{:02}:{:02}",
            time / 3600,
            time / 60 % 60,
            time % 60
        )
    }
}

/// How the log says that a command ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// A line says "completed".
    Completed,
    /// No such line, but its track block states the lapse.
    Tracked,
    /// Kinds that never say so (`rmt-FileFetch`, `pull`, `client-Stats` …), and track blocks that state no lapse (a failed
    /// authentication): its end is its beginning.
    Unreported,
    /// "exited unexpectedly, removed from monitor table".
    Removed,
    /// The server started again.
    Restart,
    /// The same process began another command first.
    Replaced,
    /// The log ends before it.
    #[default]
    Pending,
}

/// What the operating system counted (`--- usage`, or the tail of "completed").
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Usage {
    /// Processor time in user mode, in milliseconds.
    pub user_ms: u64,
    /// Processor time in the system, in milliseconds.
    pub system_ms: u64,
    /// Blocks of 512 B read from storage: 0 where the page cache had them.
    pub blocks_in: u64,
    /// Blocks of 512 B written.
    pub blocks_out: u64,
    /// Largest resident memory, in KiB.
    pub resident_kib: u64,
    /// Page faults that read from storage.
    pub faults: u64,
}

/// Messages of one connection (`--- rpc msgs/size in+out …`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rpc {
    /// Messages received.
    pub received: u64,
    /// Messages sent.
    pub sent: u64,
    /// Bytes received, cut to whole MiB by p4d.
    pub received_bytes: u64,
    /// Bytes sent, cut to whole MiB by p4d.
    pub sent_bytes: u64,
    /// High water mark of bytes in flight to the client.
    pub himark_forward: u64,
    /// High water mark of bytes in flight from the client.
    pub himark_reverse: u64,
    /// Seconds blocked in sending.
    pub send_s: f64,
    /// Seconds waited for the client.
    pub receive_s: f64,
}

/// Whole files sent and received (`--- filetotals`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FileTotals {
    /// Files sent.
    pub sent_files: u64,
    /// Their bytes.
    pub sent_bytes: u64,
    /// Files received.
    pub received_files: u64,
    /// Their bytes.
    pub received_bytes: u64,
}

/// What a sync is about to send (`Server network estimates`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Estimate {
    /// Files added in the workspace.
    pub added: u64,
    /// Files updated.
    pub updated: u64,
    /// Files deleted.
    pub deleted: u64,
    /// Bytes of those added.
    pub added_bytes: u64,
    /// Bytes of those updated.
    pub updated_bytes: u64,
}

/// What a proxy served (`--- proxytotals`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ProxyTotals {
    /// Files fetched from the server.
    pub server_files: u64,
    /// Their bytes.
    pub server_bytes: u64,
    /// Files found in its cache.
    pub cache_files: u64,
    /// Their bytes.
    pub cache_bytes: u64,
}

/// How archive files are kept (`--- lbr KIND`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArchiveKind {
    /// Text in RCS files.
    Rcs,
    /// One file a revision.
    Binary,
    /// One compressed file a revision.
    Compress,
    /// Kept compressed, sent as it is.
    Uncompress,
}

/// Archive files touched by a command (`--- lbr KIND`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArchiveUse {
    /// How they are kept.
    pub kind: ArchiveKind,
    /// Files opened.
    pub opens: u64,
    /// Files closed.
    pub closes: u64,
    /// Revisions checked in.
    pub checkins: u64,
    /// Queries whether a file exists.
    pub exists: u64,
    /// Reads.
    pub reads: u64,
    /// Bytes read, by binary prefixes with one decimal in the log.
    pub read_bytes: u64,
    /// Writes.
    pub writes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Digests computed.
    pub digests: u64,
    /// Files copied.
    pub copies: u64,
}

/// Waits and holds of locks, in milliseconds; those that p4d prints as negative, since they were shorter than its clock or
/// the clock went back, are 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_field_names,
    reason = "a number's name ends in its unit"
)]
pub struct LockTimes {
    /// Waited for shared locks.
    pub read_wait_ms: u64,
    /// Held shared locks.
    pub read_held_ms: u64,
    /// Waited for exclusive locks.
    pub write_wait_ms: u64,
    /// Held exclusive locks.
    pub write_held_ms: u64,
}

impl LockTimes {
    /// Waited for both.
    pub fn waited_ms(&self) -> u64 {
        self.read_wait_ms.saturating_add(self.write_wait_ms)
    }
}

/// Whether a lock section of the log is of a db.* table or of one of the other locks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// A table: `db.have`, `rdb.lbr`, `pdb.monitor`.
    #[default]
    Table,
    /// A lock file: `clients/NAME`, `meta/db`, `change/N`, `label/NAME`, `storageup/storageup`, `replica/pull`.
    LockFile,
}

/// What a command did to one table, or to one lock file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TableUse {
    /// Its name as in the log, `%` codes resolved, without the mode.
    pub name: String,
    /// Table or lock file.
    pub section: Section,
    /// The mode in brackets after a lock file's name: `R` or `W`.
    pub mode: Option<char>,
    /// Which of its lines the log has; the numbers of others are 0 and not known.
    pub said: Said,
    /// Pages of 8 KiB read from the file.
    pub pages_in: u64,
    /// Pages written to it.
    pub pages_out: u64,
    /// Pages in the process's own cache in the end.
    pub pages_cached: u64,
    /// Pages split, internal and leaf together.
    pub pages_split: u64,
    /// Pages put into order again, internal and leaf together.
    pub pages_reordered: u64,
    /// Shared locks taken.
    pub read_locks: u64,
    /// Exclusive locks taken.
    pub write_locks: u64,
    /// Rows read by key.
    pub rows_get: u64,
    /// Cursors positioned.
    pub rows_pos: u64,
    /// Rows scanned.
    pub rows_scan: u64,
    /// Rows written.
    pub rows_put: u64,
    /// Rows deleted.
    pub rows_del: u64,
    /// Sums over all locks.
    pub total: LockTimes,
    /// The longest of each; nothing where the log has no such line, as for lock files.
    pub longest: LockTimes,
    /// Reads without a lock (peeks).
    pub peeks: u64,
    /// Milliseconds that peeks waited, together.
    pub peek_wait_ms: u64,
    /// Milliseconds that peeks lasted, together.
    pub peek_held_ms: u64,
    /// Whether a lock was got by waiting after three attempts in vain (`db.trylock`).
    pub blocked: bool,
}

impl TableUse {
    /// The longest time that one shared lock of the table was held, and one exclusive, in milliseconds: as the log says it,
    /// or where it says sums alone the sum of the only lock. None where there were several and only their sum is known.
    pub fn longest_holds_ms(&self) -> [Option<u64>; 2] {
        let of = |longest: u64, total: u64, locks: u64| {
            if longest > 0 || total == 0 {
                Some(longest)
            } else if locks <= 1 {
                Some(total)
            } else {
                None
            }
        };
        let (longest, total) = (self.longest, self.total);
        [
            of(longest.read_held_ms, total.read_held_ms, self.read_locks),
            of(longest.write_held_ms, total.write_held_ms, self.write_locks),
        ]
    }
}

/// A trigger that ran in a command.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trigger {
    /// Its name.
    pub name: String,
    /// How long it ran, in seconds, where the log says so.
    pub lapse_s: Option<f64>,
}

/// A command as the log tells it. `None` is what the log does not say, which differs from nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Command {
    /// Where its first line is.
    pub place: Place,
    /// The process (on Windows the thread).
    pub pid: u64,
    /// When it began; no time in a paste of track lines without their start line.
    pub start: Moment,
    /// When it ended, where the log says so or its lapse does.
    pub end: Option<Moment>,
    /// How it ended.
    pub ending: Ending,
    /// Whether an error of this process was logged while it ran.
    pub failed: bool,
    /// The user.
    pub user: String,
    /// The client workspace.
    pub client: String,
    /// The address it came from; `a/b` through a proxy, broker or edge.
    pub address: String,
    /// Program and release between the brackets.
    pub program: String,
    /// The function, such as `user-sync`, `dm-CommitSubmit`, `rmt-Journal`, `pull`.
    pub function: String,
    /// Its arguments, as logged; the first line of those with line breaks.
    pub arguments: String,
    /// Seconds from beginning to end: of the track block, else of "completed".
    pub lapse_s: Option<f64>,
    /// Seconds to the end of its compute phase, the last of several.
    pub compute_s: Option<f64>,
    /// Seconds paused under resource pressure (from 2023.1).
    pub paused_s: Option<f64>,
    /// Processor, storage and memory as the operating system counts them.
    pub usage: Option<Usage>,
    /// Memory of this command, in bytes (from 2022.2).
    pub memory_bytes: Option<u64>,
    /// Largest memory of its process, in bytes (from 2022.2).
    pub process_bytes: Option<u64>,
    /// Messages to and from the client.
    pub rpc: Option<Rpc>,
    /// Messages to and from the server above this one (edge to commit, proxy to server).
    pub upstream: Option<Rpc>,
    /// Files sent and received, as the server counts them.
    pub files: Option<FileTotals>,
    /// Files sent and received, as the client counts them (client-Stats).
    pub client_files: Option<FileTotals>,
    /// What a sync was about to send.
    pub estimate: Option<Estimate>,
    /// What a proxy served.
    pub proxy: Option<ProxyTotals>,
    /// Archive files by kind.
    pub archives: Vec<ArchiveUse>,
    /// Triggers that ran.
    pub triggers: Vec<Trigger>,
    /// Tables and lock files.
    pub tables: Vec<TableUse>,
    /// Whether any track lines came: without them nothing above but the lapse is known.
    pub tracked: bool,
    /// The process whose sync or submit this one transmits for (`user-transmit -t PID`).
    pub parent: Option<u64>,
}

impl Command {
    /// Whether the log says which tables it used: then it used no others.
    pub fn has_tables(&self) -> bool {
        self.tables.iter().any(|t| t.section == Section::Table)
    }

    /// Rows that it wrote to a table; none where the log does not say which tables it used.
    pub fn rows_put(&self, table: &str) -> Option<u64> {
        let mut tables = self.tables.iter();
        let put = tables.find(|t| t.name == table).map_or(0, |t| t.rows_put);
        self.has_tables().then_some(put)
    }
}

/// A line of the server about itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Where it is.
    pub place: Place,
    /// When, where it says so.
    pub at: Option<Moment>,
    /// What.
    pub what: What,
}

/// What the server said about itself.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// `Server is now using N active threads.`
    Active(u64),
    /// `Server now has N paused threads.`
    Paused(u64),
    /// `Server under resource pressure`, or its end: states of processor and memory from 0 to 2.
    Pressure {
        /// Pressure on the processor.
        cpu: u8,
        /// Pressure on memory.
        memory: u8,
    },
    /// The server started: everything that ran before has ended.
    Started {
        /// Its version, such as `P4D/NTX64/2025.2/2852709`; empty where the line has none.
        version: String,
    },
    /// An error block.
    Error {
        /// The process.
        pid: Option<u64>,
        /// The operation, such as `user-sync`.
        operation: Option<String>,
        /// The first line of its text.
        text: String,
    },
}

/// A place that was passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Where it begins.
    pub place: Place,
    /// Bytes passed over.
    pub bytes: u64,
    /// What was found there, in words.
    pub found: String,
}

/// Who takes the records, in the order in which they are complete.
pub trait Sink {
    /// A command of which everything that the log says is known.
    fn command(&mut self, command: &Command);
    /// The server about itself.
    fn event(&mut self, event: &Event);
    /// A place passed over.
    fn damage(&mut self, damage: &Damage);
}

/// How much of the text was understood.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_field_names,
    reason = "lines are understood, noise or unknown"
)]
pub struct Understood {
    /// Bytes of text, unpacked.
    pub bytes: u64,
    /// Lines.
    pub lines: u64,
    /// Lines that carry something above.
    pub understood: u64,
    /// Lines known to carry nothing of use (`Rpc himark`, `server to client`, blank ones).
    pub noise: u64,
    /// Lines of no known form.
    pub unknown: u64,
}

impl Understood {
    /// Adds what another reader understood.
    pub fn add(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.lines += other.lines;
        self.understood += other.understood;
        self.noise += other.noise;
        self.unknown += other.unknown;
    }
}

#[cfg(test)]
mod tests {
    use super::Moment;

    #[test]
    fn a_moment_is_written_as_the_log_does() {
        for (seconds, text) in [
            (0, "no time"),
            (1, "1970/01/01 00:00:01"),
            (951_782_400, "2000/02/29 00:00:00"),
            (1_718_799_931, "2024/06/19 12:25:31"),
            (-1, "1969/12/31 23:59:59"),
        ] {
            assert_eq!(
                Moment {
                    micros: seconds * 1_000_000
                }
                .to_string(),
                text
            );
        }
    }
}
