//! What a server log says, one record a command.

use std::fmt;

use super::scan::Calendar;

pub use super::section_lines::SectionLines;
pub use super::used::{
    ArchiveKind, ArchiveUse, Estimate, FileTotals, LockTimes, ProxyTotals, Rpc, Section, TableUse, Usage,
};

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
    /// The moment; `None` if it is no time.
    pub fn known(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }

    /// Of a text as [`Self`] displays it; `None` if it is none.
    pub fn read(text: &str) -> Option<Self> {
        let written = (text.len() == 19).then(|| Calendar::default().written(text.as_bytes()));
        written.flatten()
    }

    /// Seconds from `earlier` to this moment; negative where the clock went back.
    pub fn seconds_since(self, earlier: Self) -> f64 {
        (self.micros - earlier.micros) as f64 / 1e6
    }

    /// The moment some seconds later.
    #[must_use]
    pub fn plus_seconds(self, seconds: f64) -> Self {
        Self { micros: self.micros.saturating_add((seconds * 1e6).round() as i64) }
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
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        write!(formatter, "{year:04}/{month:02}/{day:02} {:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60)
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

/// A trigger that ran in a command.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trigger {
    /// As `p4 triggers` has it.
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
    /// The line of its track block that says so.
    pub failure: Option<&'static str>,
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

    /// Rows that it wrote to a table; `None` if the log does not say which tables it used.
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
        /// The pause rates that the line states, for processor and memory \[percent\].
        pause_rates: Option<[u8; 2]>,
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
    /// The log has ended: commands that come now without an end were still running.
    fn log_ends(&mut self) {}
}

/// How much of the text was understood.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "lines are understood, noise or unknown")]
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
            assert_eq!(Moment { micros: seconds * 1_000_000 }.to_string(), text);
        }
    }
}
