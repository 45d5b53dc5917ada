//! Submits: the phases of one process put together, as the user waits for them.

use std::collections::BTreeMap;

use super::cache::{Spread, Values};
use super::transfers::{CUT_BYTES, Sums, Transfer, Transfers};
use crate::serverlog::record::{Command, Moment, Section};

/// Submits between two phases.
const OPEN: usize = 4096;

/// What was found about submits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Submits {
    /// Those that were committed: files, bytes, and rate of the whole.
    pub moved: Transfers,
    /// Begun and not seen to be committed: refused, given up, or cut off by the log's end.
    pub without_commit: u64,
    /// Time of all phases together \[s\].
    pub visible_s: Option<Spread>,
    /// Mean time of each phase that was seen \[s\].
    pub phases: Vec<(&'static str, f64)>,
    /// How long each commit held the table that it held longest \[s\].
    pub hold_s: Option<Spread>,
    /// The most files of a submit.
    pub largest_files: u64,
    /// Files of branch operations that were committed at once (populate).
    pub branched: Option<Spread>,
}

/// The phases, in their order.
const PHASES: [&str; 3] = ["user-submit", "dm-SubmitChange", "dm-CommitSubmit"];

#[derive(Debug, Clone, Default)]
struct OpenSubmit {
    transfer: Option<Transfer>,
    phases: [Option<f64>; 3],
}

/// Puts phases together.
#[derive(Debug, Clone)]
pub(super) struct Phases {
    open: BTreeMap<u64, OpenSubmit>,
    sums: Sums,
    visible: Values,
    hold: Values,
    branched: Values,
    each: [(f64, u64); 3],
    without_commit: u64,
    largest_files: u64,
}

impl Phases {
    pub(super) fn new(most: usize) -> Self {
        Self {
            open: BTreeMap::new(),
            sums: Sums::new(most),
            visible: Values::default(),
            hold: Values::default(),
            branched: Values::default(),
            each: [(0.0, 0); 3],
            without_commit: 0,
            largest_files: 0,
        }
    }

    /// A command; when it committed a submit, the time at which that began.
    pub(super) fn add(&mut self, command: &Command) -> Option<Moment> {
        if command.function == "user-populate"
            && let Some(files) = rows_of_commit(command)
        {
            self.branched.add(files as f64);
        }
        if matches!(command.function.as_str(), "user-transmit" | "client-Stats") {
            return None;
        }
        let Some(phase) = PHASES.iter().position(|name| *name == command.function) else {
            self.close(command.pid);
            return None;
        };
        // A phase that is not later than what is open begins another submit.
        let is_next = self.open.get(&command.pid).is_some_and(|open| open.phases[phase..].iter().all(Option::is_none));
        if !is_next {
            self.close(command.pid);
            if self.open.len() >= OPEN {
                // The oldest is not going on.
                let oldest =
                    self.open.iter().min_by_key(|(pid, open)| (open.transfer.as_ref().map(|t| t.start), **pid));
                if let Some(pid) = oldest.map(|(pid, _)| *pid) {
                    self.close(pid);
                }
            }
        }
        let lapse_s = command.lapse_s.unwrap_or(0.0);
        let open = self.open.entry(command.pid).or_default();
        open.phases[phase] = Some(lapse_s);
        let transfer = open.transfer.get_or_insert_with(|| Transfer {
            place: command.place,
            start: command.start,
            lapse_s: 0.0,
            user: command.user.clone(),
            client: command.client.clone(),
            address: command.address.clone(),
            files: 0,
            bytes: 0,
            cut_bytes: CUT_BYTES,
            is_counted: false,
            threads: 0,
        });
        transfer.lapse_s += lapse_s;
        let received = command.files.unwrap_or_default();
        let client = command.client_files.unwrap_or_default();
        let written = command.archives.iter().map(|a| a.written_bytes);
        let written = written.fold(0, u64::saturating_add);
        let messages = command.rpc.map_or(0, |rpc| rpc.received_bytes);
        transfer.files = transfer.files.max(received.received_files).max(client.sent_files);
        transfer.is_counted |= command.files.is_some() || command.client_files.is_some();
        let bytes = [(received.received_bytes.max(client.sent_bytes), CUT_BYTES), (written, 0), (messages, CUT_BYTES)];
        if let Some((bytes, cut)) = bytes.into_iter().find(|(bytes, _)| *bytes > transfer.bytes) {
            (transfer.bytes, transfer.cut_bytes) = (bytes, cut);
        }
        if phase < 2 {
            return None;
        }
        if let Some(rows) = rows_of_commit(command) {
            transfer.files = rows.max(transfer.files);
            transfer.is_counted = true;
        }
        let start = transfer.start;
        if command.failed {
            self.close(command.pid);
            return None;
        }
        let tables = command.tables.iter().filter(|t| t.section == Section::Table);
        let hold = tables.filter_map(|t| t.longest_holds_ms()[1]);
        let hold = hold.max().unwrap_or(0);
        if command.tracked && hold > 0 {
            self.hold.add(hold as f64 / 1e3);
        }
        self.committed(command.pid);
        Some(start)
    }

    fn committed(&mut self, pid: u64) {
        let Some(OpenSubmit { transfer: Some(transfer), phases }) = self.open.remove(&pid) else {
            return;
        };
        self.visible.add(transfer.lapse_s);
        self.largest_files = self.largest_files.max(transfer.files);
        for (sum, phase) in self.each.iter_mut().zip(phases) {
            if let Some(lapse_s) = phase {
                sum.0 += lapse_s;
                sum.1 += 1;
            }
        }
        self.sums.add(transfer);
    }

    fn close(&mut self, pid: u64) {
        if self.open.remove(&pid).is_some() {
            self.without_commit += 1;
        }
    }

    pub(super) fn found(mut self) -> Submits {
        self.without_commit += self.open.len() as u64;
        let phases = PHASES.iter().zip(self.each);
        Submits {
            moved: self.sums.found(),
            without_commit: self.without_commit,
            visible_s: self.visible.spread(),
            phases: phases
                .filter(|(_, (_, count))| *count > 0)
                .map(|(name, (sum, count))| (*name, sum / count as f64))
                .collect(),
            hold_s: self.hold.spread(),
            largest_files: self.largest_files,
            branched: self.branched.spread(),
        }
    }
}

/// Files of a commit: rows written to the tables that have one for each. `None` if the log has none of these tables.
fn rows_of_commit(command: &Command) -> Option<u64> {
    let tables = command.tables.iter();
    let of_files = tables.filter(|t| matches!(t.name.as_str(), "db.rev" | "db.revcx" | "db.revhx"));
    of_files.map(|t| t.rows_put).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serverlog::record::{FileTotals, LockTimes, TableUse};

    fn phase(function: &str, second: i64, lapse_s: f64) -> Command {
        Command {
            pid: 9,
            function: function.to_owned(),
            start: Moment { micros: second * 1_000_000 },
            lapse_s: Some(lapse_s),
            tracked: true,
            ..Command::default()
        }
    }

    #[test]
    fn three_phases_are_one_submit() {
        let mut phases = Phases::new(5);
        let mut change = phase("dm-SubmitChange", 100, 4.0);
        change.files = Some(FileTotals { received_files: 3, received_bytes: 20 << 20, ..FileTotals::default() });
        let mut commit = phase("dm-CommitSubmit", 104, 0.5);
        commit.tables = vec![TableUse {
            name: "db.rev".to_owned(),
            rows_put: 12,
            total: LockTimes { write_held_ms: 400, ..LockTimes::default() },
            ..TableUse::default()
        }];
        assert_eq!(phases.add(&phase("user-submit", 99, 1.0)), None);
        assert_eq!(phases.add(&change), None);
        let begun = phases.add(&commit).map(|at| at.micros);
        assert_eq!(begun, Some(99_000_000));
        // One of no file, as its commit says.
        commit.tables[0].rows_put = 0;
        commit.start.micros += 50_000_000;
        phases.add(&commit);
        // One that was refused.
        phases.add(&phase("user-submit", 200, 0.2));
        let found = phases.found();
        assert_eq!((found.moved.count, found.without_commit), (2, 1));
        assert_eq!((found.moved.files, found.moved.bytes), (12, 20 << 20));
        let each = found.moved.each_files.map(|s| (s.count, s.mean));
        assert_eq!(each, Some((2, 6.0)));
        assert_eq!(found.visible_s.map(|s| s.max), Some(5.5));
        assert_eq!(found.phases.len(), 3);
        assert_eq!(found.hold_s.map(|s| s.max), Some(0.4));
    }
}
