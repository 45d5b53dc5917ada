//! What a group of commands cost the server, added up.

use crate::serverlog::merge::add;
use crate::serverlog::record::{Command, Section};

/// Sums over the commands of one user, program, pattern, hour.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tally {
    /// Commands.
    pub commands: u64,
    /// Those with an error.
    pub failed: u64,
    /// Their lapses \[s\].
    pub lapse_s: f64,
    /// Processor time \[s\].
    pub processor_s: f64,
    /// Of this, in the system \[s\].
    pub system_s: f64,
    /// Waits for locks of tables and lock files \[s\].
    pub lock_wait_s: f64,
    /// Exclusive holds of tables \[s\].
    pub write_held_s: f64,
    /// Pages of 8 KiB read from files of the database.
    pub pages_in: u64,
    /// Rows scanned.
    pub rows_scanned: u64,
    /// Bytes sent to clients, as far as the log says.
    pub sent_bytes: u64,
    /// How many commands each of these is from.
    pub said: Said,
}

/// Of how many commands the log says something: a sum of none is not known, which differs from nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Said {
    /// How long they took.
    pub lapses: u64,
    /// Processor time.
    pub usages: u64,
    /// Tables and lock files.
    pub locks: u64,
    /// Bytes sent.
    pub sent: u64,
}

impl Said {
    /// A sum over so many commands; `None` if it is over none.
    pub fn of<T>(commands: u64, sum: T) -> Option<T> {
        (commands > 0).then_some(sum)
    }

    fn add(&mut self, other: Self) {
        self.lapses += other.lapses;
        self.usages += other.usages;
        self.locks += other.locks;
        self.sent += other.sent;
    }
}

impl Tally {
    /// The cost of one command.
    pub fn of(command: &Command) -> Self {
        let tables = command.tables.iter();
        let seconds = |ms: u64| ms as f64 / 1e3;
        let mut tally = Self {
            commands: 1,
            failed: u64::from(command.failed),
            lapse_s: command.lapse_s.unwrap_or(0.0),
            processor_s: command.usage.map_or(0.0, |u| (u.user_ms + u.system_ms) as f64 / 1e3),
            system_s: command.usage.map_or(0.0, |u| u.system_ms as f64 / 1e3),
            sent_bytes: sent_bytes(command),
            said: Said {
                lapses: u64::from(command.lapse_s.is_some()),
                usages: u64::from(command.usage.is_some()),
                locks: u64::from(command.tracked),
                sent: u64::from(command.files.is_some() || command.rpc.is_some()),
            },
            ..Self::default()
        };
        for table in tables {
            tally.lock_wait_s += seconds(table.total.read_wait_ms) + seconds(table.total.write_wait_ms);
            if table.section == Section::Table {
                tally.write_held_s += seconds(table.total.write_held_ms);
                add(&mut tally.pages_in, table.pages_in);
                add(&mut tally.rows_scanned, table.rows_scan);
            }
        }
        tally
    }

    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        self.commands += other.commands;
        self.failed += other.failed;
        self.lapse_s += other.lapse_s;
        self.processor_s += other.processor_s;
        self.system_s += other.system_s;
        self.lock_wait_s += other.lock_wait_s;
        self.write_held_s += other.write_held_s;
        add(&mut self.pages_in, other.pages_in);
        add(&mut self.rows_scanned, other.rows_scanned);
        add(&mut self.sent_bytes, other.sent_bytes);
        self.said.add(other.said);
    }

    /// What it is ranked by: seconds of lapse, and a millisecond for each command where the log has no lapses.
    pub fn weight(&self) -> f64 {
        self.lapse_s + self.commands as f64 / 1e3
    }
}

/// Bytes that a command sent: whole files where they are counted, else messages in whole MiB.
fn sent_bytes(command: &Command) -> u64 {
    let files = command.files.map_or(0, |f| f.sent_bytes);
    files.max(command.rpc.map_or(0, |r| r.sent_bytes))
}
