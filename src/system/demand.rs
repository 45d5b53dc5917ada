//! What one command costs: its script of steps, walked over the plant.

use std::collections::BTreeMap;

use super::plant::{Demand, Io, PAGE, Plant};
use crate::catalog::{Command, Lockless, PerFile, Step};
use crate::units::{Bytes, Quantity};
use crate::workload::{Call, Group};

/// Locks held together, and what is done under them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Section<'a> {
    /// Tables with their mode, exclusive or not.
    pub(super) tables: Vec<(&'a str, bool)>,
    /// Demand while they are held.
    pub(super) inside: Demand,
    /// Where the tables lie: 0 is the commit server.
    pub(super) server: usize,
    /// Whether it is the commit section.
    pub(super) commit: bool,
}

/// What a command does next, in the order of its script.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Act {
    /// Work at the stations.
    Work(Demand),
    /// Takes the locks of a section, by its index in [`Cost::sections`].
    Enter(usize),
    /// Lets go of them.
    Leave,
}

/// One command's demand.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Cost<'a> {
    /// The same in the order of the script: neighbouring work is one act.
    pub(super) script: Vec<Act>,
    /// All that its user waits for.
    pub(super) total: Demand,
    /// What the devices do later, and what the other disks of a stripe do meanwhile.
    pub(super) later: Demand,
    /// The part of it that the other disks do meanwhile.
    pub(super) beside: Demand,
    /// Its lock sections.
    pub(super) sections: Vec<Section<'a>>,
    /// Bytes sent to the client.
    pub(super) sent: f64,
    /// Requests by role of the volume.
    pub(super) io: BTreeMap<&'static str, Io>,
}

/// The pseudo table that marks the commit section.
const COMMIT: &str = "meta/commit";

struct Walk<'p, 'a> {
    plant: &'p mut Plant<'a>,
    call: &'p Call,
    server: usize,
    lockless: bool,
    /// Share of content that the server itself moves; a proxy has the rest.
    own_share: f64,
    cost: Cost<'a>,
    open: Option<Section<'a>>,
    dirty: f64,
    /// Rows that the open section wrote so far.
    section_rows: f64,
    /// Work of the step being walked.
    step: Demand,
}

/// Walks the script of `call` on `server` (0 is the commit server) for a client of `group`.
pub(super) fn cost<'a>(
    plant: &mut Plant<'a>,
    group: &Group,
    call: &Call,
    server: usize,
) -> Cost<'a> {
    let catalog = plant.catalog;
    let command = &catalog.commands[&call.command];
    let own_share = if group.proxied && plant.deployment.proxies {
        1.0 - plant.parameter("proxy.hit")
    } else {
        1.0
    };
    plant.ledger.clear();
    plant.background = Demand::default();
    let mut walk = Walk {
        plant,
        call,
        server,
        lockless: false,
        own_share,
        cost: Cost::default(),
        open: None,
        dirty: 0.0,
        section_rows: 0.0,
        step: Demand::default(),
    };
    walk.processor_time("command", 1.0);
    if command.prologue {
        walk.command(&catalog.commands["overhead"]);
    }
    walk.command(command);
    walk.messages(group);
    let background = std::mem::take(&mut walk.plant.background);
    walk.cost.later.add_all(&background, 1.0);
    walk.cost.beside = background;
    walk.cost.io = std::mem::take(&mut walk.plant.ledger);
    walk.cost
}

/// How long `call` holds the commit section on an idle server \[s\].
pub(super) fn commit_hold(plant: &mut Plant<'_>, group: &Group, call: &Call) -> f64 {
    let cost = cost(plant, group, call, 0);
    let commit = cost.sections.iter().filter(|s| s.commit);
    commit
        .map(|s| s.inside.iter().map(|(_, seconds)| seconds).sum::<f64>())
        .sum()
}

impl<'a> Walk<'_, 'a> {
    fn command(&mut self, command: &'a Command) {
        self.lockless = self.plant.deployment.lockless && command.lockless != Lockless::Never;
        for step in &command.steps {
            self.step(step);
        }
        self.close();
    }

    fn amount(&self, per: &PerFile<f64>) -> f64 {
        per.per_command.as_ref().map_or(0.0, |x| x.value)
            + per.per_file.as_ref().map_or(0.0, |x| x.value) * self.call.files
    }

    fn bytes(&self, per: &PerFile<Bytes>) -> f64 {
        per.per_command.as_ref().map_or(0.0, |x| x.value.base())
            + per.per_file.as_ref().map_or(0.0, |x| x.value.base()) * self.call.files
    }

    /// The server where a step runs: the commit section runs on the commit server.
    fn at(&self) -> usize {
        self.open
            .as_ref()
            .map_or(self.server, |section| section.server)
    }

    /// Adds demand to the command and to the section that is open.
    fn spend(&mut self, demand: &Demand) {
        self.cost.total.add_all(demand, 1.0);
        if let Some(Act::Work(before)) = self.cost.script.last_mut() {
            before.add_all(demand, 1.0);
        } else {
            self.cost.script.push(Act::Work(demand.clone()));
        }
        if let Some(section) = &mut self.open {
            section.inside.add_all(demand, 1.0);
        }
    }

    fn with(&mut self, work: impl FnOnce(&mut Plant<'_>, &mut Demand, usize)) {
        // One list for all steps: a command has dozens of them.
        let mut demand = std::mem::take(&mut self.step);
        demand.clear();
        let server = self.at();
        work(self.plant, &mut demand, server);
        self.spend(&demand);
        self.step = demand;
    }

    fn processor_time(&mut self, what: &'static str, count: f64) {
        let seconds = self.plant.cost(what) * count;
        self.with(|plant, d, server| {
            let processor = plant.processor(server);
            plant.add(d, processor, seconds);
        });
    }

    fn step(&mut self, step: &'a Step) {
        match step {
            Step::Lock { tables, exclusive } => self.lock(tables, *exclusive),
            Step::Unlock { since } => {
                if since.is_none_or(|since| self.plant.deployment.release >= since) {
                    self.close();
                }
            }
            Step::ReadRows { rows, scan } => self.read_rows(self.amount(rows), *scan),
            Step::WriteRows(rows) => self.write_rows(self.amount(rows)),
            Step::ReadPages(pages) => {
                let pages = pages.value;
                self.with(|plant, d, server| plant.read_pages(d, server, pages));
            }
            Step::WritePages { pages, commits } => {
                let (bytes, commits) = (pages.value * PAGE, commits.value);
                self.with(|plant, d, server| plant.flush(d, server, "db", commits, bytes));
            }
            Step::Journal(bytes) => self.journal(self.bytes(bytes)),
            Step::Open(count) => {
                let count = count.value;
                self.with(|plant, d, server| plant.lock_traffic(d, server, 0.0, count));
            }
            Step::Flush(count) => self.flush(count.value),
            Step::ReadArchive { per_file, per_byte } => {
                let share = self.own_share;
                let files = per_file.as_ref().map_or(0.0, |x| x.value) * self.call.files * share;
                let bytes = per_byte.as_ref().map_or(0.0, |x| x.value) * self.call.bytes * share;
                self.with(|plant, d, server| plant.read_archive(d, server, files, bytes));
            }
            Step::WriteArchive { per_file, per_byte } => {
                let files = per_file.as_ref().map_or(0.0, |x| x.value) * self.call.files;
                let bytes = per_byte.as_ref().map_or(0.0, |x| x.value) * self.call.bytes;
                self.with(|plant, d, server| plant.write_archive(d, server, files, bytes));
            }
            Step::Send(message) => {
                let content = message.per_byte.as_ref().map_or(0.0, |x| x.value) * self.call.bytes;
                let bytes = self.bytes(&message.size);
                self.cost.sent += bytes + content;
                self.transfer(bytes + content * self.own_share);
            }
            Step::Receive(message) => {
                let bytes = self.bytes(&message.size)
                    + message.per_byte.as_ref().map_or(0.0, |x| x.value) * self.call.bytes;
                self.transfer(bytes);
            }
            Step::Digest(per_byte) => self.processor_time("byte", per_byte.value * self.call.bytes),
            Step::Log(bytes) => {
                let bytes = bytes.value.base();
                let mut later = Demand::default();
                self.plant.append(&mut later, self.server, "log", bytes);
                self.cost.later.add_all(&later, 1.0);
            }
        }
    }

    fn transfer(&mut self, bytes: f64) {
        self.processor_time("byte", bytes);
        self.with(|plant, d, server| plant.client_transfer(d, server, bytes));
    }

    fn lock(&mut self, tables: &'a [String], exclusive: bool) {
        if self.lockless && !exclusive {
            return;
        }
        let commit = tables.iter().any(|t| t == COMMIT);
        let server = if commit { 0 } else { self.server };
        if self.open.is_none() {
            self.cost.script.push(Act::Enter(self.cost.sections.len()));
        }
        let section = self.open.get_or_insert_with(|| Section {
            tables: Vec::new(),
            inside: Demand::default(),
            server,
            commit: false,
        });
        if commit {
            section.commit = true;
            section.server = 0;
        }
        for table in tables {
            if !section.tables.contains(&(table.as_str(), exclusive)) {
                section.tables.push((table, exclusive));
            }
        }
        // Lock files such as meta/commit lie in server.locks, on memory or local disk.
        let cycles = tables.iter().filter(|t| t.starts_with("db.")).count() as f64;
        self.with(|plant, d, server| plant.lock_traffic(d, server, cycles, 0.0));
    }

    fn close(&mut self) {
        self.section_rows = 0.0;
        if let Some(section) = self.open.take() {
            self.cost.sections.push(section);
            self.cost.script.push(Act::Leave);
        }
    }

    fn read_rows(&mut self, rows: f64, scan: bool) {
        let (share, pages) = if scan {
            (
                self.plant.parameter("scan_share"),
                rows / self.plant.parameter("rows_per_page"),
            )
        } else {
            (1.0, rows * self.plant.parameter("pages_per_keyed_row"))
        };
        self.processor_time("row_read", rows * share);
        self.with(|plant, d, server| plant.read_pages(d, server, pages));
    }

    fn write_rows(&mut self, rows: f64) {
        self.processor_time("row_write", rows);
        let bytes_a_row = self.plant.parameter("flush_bytes_per_file") / ROWS_A_FILE;
        let bytes = rows * bytes_a_row;
        self.dirty += bytes;
        let mut later = Demand::default();
        let server = self.at();
        self.plant.destage(&mut later, server, "db", bytes / PAGE);
        self.cost.later.add_all(&later, 1.0);
        if self.open.is_some() && self.plant.flushes_on_unlock("db", self.at()) {
            // Dirty pages go out at unlock: one round trip a file that the section writes, less what
            // the journal's writes have of it.
            let a_file = self.plant.parameter("sync_writes_per_file");
            let journal = (JOURNAL_A_FILE / self.plant.parameter("journal_buffer")).min(1.0);
            let files = self.call.files.max(1.0);
            let before = self.section_rows.min(files);
            self.section_rows += rows;
            let written = self.section_rows.min(files) - before;
            let writes = written * (a_file - journal).max(0.0);
            self.with(|plant, d, server| plant.sync_writes(d, server, "db", writes));
        }
    }

    fn journal(&mut self, bytes: f64) {
        if self.plant.flushes_on_unlock("journal", self.at()) {
            let full = bytes / self.plant.parameter("journal_buffer");
            let records = bytes / self.plant.parameter("journal_record");
            let writes = full.max(records.min(1.0));
            self.with(|plant, d, server| plant.sync_writes(d, server, "journal", writes));
        }
        let mut later = Demand::default();
        let server = self.at();
        self.plant.append(&mut later, server, "journal", bytes);
        self.cost.later.add_all(&later, 1.0);
    }

    fn flush(&mut self, files: f64) {
        let bytes = std::mem::take(&mut self.dirty);
        let written = self.cost.sections.iter().any(|s| s.commit);
        let server = if written { 0 } else { self.server };
        let mut demand = Demand::default();
        self.plant.flush(&mut demand, server, "db", files, bytes);
        self.spend(&demand);
    }

    /// Round trips and line time of a distant client, and of a commit on a distant commit server.
    fn messages(&mut self, group: &Group) {
        let Some(remote) = &group.remote else {
            let trips = if group.connected {
                1.0
            } else {
                self.plant.parameter("round_trips.command")
            };
            return self.with(|plant, d, _| plant.client_trips(d, trips));
        };
        let beside_its_edge = self.server > 0;
        let committed = self.cost.sections.iter().any(|s| s.commit);
        let delay = self.plant.delay();
        let mut demand = Demand::default();
        let (trips, content) = match (beside_its_edge, committed) {
            (false, _) => ("round_trips.command", self.cost.sent.max(self.call.bytes)),
            (true, true) => ("round_trips.commit", self.call.bytes),
            // The edge holds what its people used before; the rest crosses the line first.
            (true, false) => (
                "",
                self.cost.sent * (1.0 - self.plant.parameter("proxy.hit")),
            ),
        };
        if !trips.is_empty() {
            demand.add(delay, remote.round_trip * self.plant.parameter(trips));
        }
        if content >= CONTENT_MIN {
            self.plant
                .wan(&mut demand, &remote.office, content, remote.bandwidth);
        }
        self.spend(&demand);
    }
}

/// Rows written a committed file: what `flush_bytes_per_file` and `sync_writes_per_file` count by
/// (`models/commands/branchsubmit-commit.toml`).
const ROWS_A_FILE: f64 = 12.0;
/// Answers below this are metadata that the edge has itself \[B\].
const CONTENT_MIN: f64 = 65_536.0;
/// Journal text a committed file \[B\], as in the same file.
const JOURNAL_A_FILE: f64 = 1.6 * 1024.0;

#[cfg(test)]
mod tests {
    use super::{JOURNAL_A_FILE, ROWS_A_FILE};
    use crate::catalog::{Catalog, Step};

    #[test]
    fn counts_a_committed_file_are_those_of_the_catalogue() {
        let catalog = Catalog::embedded();
        let steps = &catalog.commands["branchsubmit-commit"].steps;
        let most = |of: fn(&Step) -> Option<f64>| steps.iter().filter_map(of).fold(0.0, f64::max);
        let rows = most(|step| match step {
            Step::WriteRows(rows) => rows.per_file.as_ref().map(|x| x.value),
            _ => None,
        });
        let journal = most(|step| match step {
            Step::Journal(text) => text.per_file.as_ref().map(|x| x.value.get()),
            _ => None,
        });
        assert_eq!((rows, journal), (ROWS_A_FILE, JOURNAL_A_FILE));
    }
}
