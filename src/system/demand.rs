//! What one command costs: its script of steps, walked over the plant.

use super::plant::{ARCHIVE_BLOCK, Demand, Entry, Io, Ledger, PAGE, Plant, Work};
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
    /// The same in the order of the script, if scripts are kept: neighbouring work is one act.
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
    pub(super) io: Ledger,
}

/// The pseudo table that marks the commit section.
const COMMIT: &str = "meta/commit";

/// Whether the order of a command's steps is kept: only the simulator asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scripts {
    /// It is.
    Kept,
    /// Only sums.
    Dropped,
}

/// Seconds at one station.
#[derive(Debug, Clone, Copy, Default)]
struct Seconds {
    total: f64,
    /// In the open section.
    inside: f64,
    /// Later, but for what the other disks of a stripe do.
    later: f64,
    beside: f64,
}

/// What a command is added up on, station by station: one for all commands.
pub(super) struct Sheet<'a> {
    scripts: Scripts,
    stations: Vec<Seconds>,
    /// By server, what every command does first, where that is the same for all.
    prologues: Vec<Option<Prologue<'a>>>,
}

/// Where a walk stands after the prologue, every section closed.
struct Prologue<'a> {
    stations: Vec<Seconds>,
    cost: Cost<'a>,
    dirty: f64,
}

impl Sheet<'_> {
    pub(super) fn new(scripts: Scripts) -> Self {
        Self {
            scripts,
            stations: Vec::new(),
            prologues: Vec::new(),
        }
    }

    fn reach(&mut self, stations: usize) {
        if self.stations.len() < stations {
            self.stations.resize(stations, Seconds::default());
        }
    }

    fn list(&self, seconds: impl Fn(&Seconds) -> f64 + Clone) -> Demand {
        Demand::of(self.stations.iter().map(seconds))
    }
}

struct Walk<'p, 'a> {
    plant: &'p mut Plant<'a>,
    sheet: &'p mut Sheet<'a>,
    call: &'p Call,
    server: usize,
    lockless: bool,
    /// Share of content that the server itself moves; a proxy has the rest.
    own_share: f64,
    cost: Cost<'a>,
    open: Option<Section<'a>>,
    dirty: f64,
}

/// Walks the script of `call` on `server` (0 is the commit server) for a client of `group`.
pub(super) fn cost<'a>(
    plant: &mut Plant<'a>,
    sheet: &mut Sheet<'a>,
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
    sheet.stations.clear();
    let mut walk = Walk {
        plant,
        sheet,
        call,
        server,
        lockless: false,
        own_share,
        cost: Cost::default(),
        open: None,
        dirty: 0.0,
    };
    if command.prologue {
        walk.prologue();
    } else {
        walk.work(Work::Command, 1.0);
    }
    walk.command(command);
    walk.messages(group);
    let Walk {
        sheet, mut cost, ..
    } = walk;
    cost.total = sheet.list(|s| s.total);
    cost.later = sheet.list(|s| s.later + s.beside);
    cost.beside = sheet.list(|s| s.beside);
    cost
}

/// How long `call` holds the commit section on an idle server \[s\].
pub(super) fn commit_hold(plant: &mut Plant<'_>, group: &Group, call: &Call) -> f64 {
    let mut sheet = Sheet::new(Scripts::Dropped);
    let cost = cost(plant, &mut sheet, group, call, 0);
    let commit = cost.sections.iter().filter(|s| s.commit);
    commit
        .map(|s| s.inside.iter().map(|(_, seconds)| seconds).sum::<f64>())
        .sum()
}

impl<'a> Walk<'_, 'a> {
    /// Begins with what every command does first, from where an earlier walk stood after it.
    fn prologue(&mut self) {
        let known = self.sheet.prologues.get(self.server);
        if let Some(Some(known)) = known {
            self.sheet.stations.extend_from_slice(&known.stations);
            self.cost.clone_from(&known.cost);
            self.dirty = known.dirty;
            return;
        }
        let catalog = self.plant.catalog;
        let overhead = &catalog.commands["overhead"];
        self.work(Work::Command, 1.0);
        self.command(overhead);
        if overhead.steps.iter().all(Step::is_fixed) {
            let known = Prologue {
                stations: self.sheet.stations.clone(),
                cost: self.cost.clone(),
                dirty: self.dirty,
            };
            let prologues = &mut self.sheet.prologues;
            if prologues.len() <= self.server {
                prologues.resize_with(self.server + 1, || None);
            }
            prologues[self.server] = Some(known);
        }
    }

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

    /// Adds time at a station to the command and to the section that is open.
    fn spend(&mut self, station: usize, seconds: f64) {
        self.sheet.reach(station + 1);
        let sum = &mut self.sheet.stations[station];
        sum.total += seconds;
        if self.open.is_some() {
            sum.inside += seconds;
        }
        if self.sheet.scripts == Scripts::Kept {
            let script = &mut self.cost.script;
            if !matches!(script.last(), Some(Act::Work(_))) {
                script.push(Act::Work(Demand::default()));
            }
            if let Some(Act::Work(work)) = script.last_mut() {
                work.add(station, seconds);
            }
        }
    }

    /// Does so much work where the step runs, and waits for it.
    fn work(&mut self, work: Work, amount: f64) {
        self.work_at(self.at(), work, amount);
    }

    fn work_at(&mut self, server: usize, work: Work, amount: f64) {
        let price = self.plant.price(work, server);
        if let Some(entry) = price.io {
            self.cost.io.enter(entry, amount);
        }
        if amount <= 0.0 {
            return;
        }
        self.sheet.reach(price.reach);
        if self.sheet.scripts == Scripts::Kept {
            let (stations, beside) = (price.stations.clone(), price.beside.clone());
            for (k, seconds) in stations.iter() {
                self.spend(k, seconds * amount);
            }
            for (k, seconds) in beside.iter() {
                self.sheet.stations[k].beside += seconds * amount;
            }
            return;
        }
        let is_open = self.open.is_some();
        for (k, seconds) in price.stations.iter() {
            let sum = &mut self.sheet.stations[k];
            sum.total += seconds * amount;
            if is_open {
                sum.inside += seconds * amount;
            }
        }
        for (k, seconds) in price.beside.iter() {
            self.sheet.stations[k].beside += seconds * amount;
        }
    }

    /// Work that nobody waits for.
    fn later(&mut self, server: usize, work: Work, amount: f64) {
        let price = self.plant.price(work, server);
        if let Some(entry) = price.io {
            self.cost.io.enter(entry, amount);
        }
        self.sheet.reach(price.reach);
        for (k, seconds) in price.stations.iter() {
            self.sheet.stations[k].later += seconds * amount;
        }
        for (k, seconds) in price.beside.iter() {
            self.sheet.stations[k].beside += seconds * amount;
        }
    }

    fn step(&mut self, step: &'a Step) {
        match step {
            Step::Lock { tables, exclusive } => self.lock(tables, *exclusive),
            Step::Unlock => self.close(),
            Step::ReadRows { rows, scan } => self.read_rows(self.amount(rows), *scan),
            Step::WriteRows(rows) => self.write_rows(self.amount(rows)),
            Step::Journal(bytes) => self.journal(self.bytes(bytes)),
            Step::Open(count) => self.work(Work::FileOpened, count.value),
            Step::Flush(count) => self.flush(count.value),
            Step::ReadArchive { per_file, per_byte } => {
                let share = self.own_share;
                let files = per_file.as_ref().map_or(0.0, |x| x.value) * self.call.files * share;
                let bytes = per_byte.as_ref().map_or(0.0, |x| x.value) * self.call.bytes * share;
                self.read_archive(files, bytes);
            }
            Step::WriteArchive { per_file, per_byte } => {
                let files = per_file.as_ref().map_or(0.0, |x| x.value) * self.call.files;
                let bytes = per_byte.as_ref().map_or(0.0, |x| x.value) * self.call.bytes;
                self.write_archive(files, bytes);
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
            Step::Digest(per_byte) => self.work(Work::ByteMoved, per_byte.value * self.call.bytes),
            Step::Log(bytes) => self.later(self.server, Work::ByteLogged, bytes.value.base()),
        }
    }

    fn transfer(&mut self, bytes: f64) {
        self.work(Work::ByteMoved, bytes);
        self.work(Work::ByteToClient, bytes);
    }

    fn read_archive(&mut self, files: f64, bytes: f64) {
        let Some(reading) = self.plant.reading(self.at()) else {
            return;
        };
        let (files, bytes) = (files * reading.missed, bytes * reading.missed);
        // Readahead keeps many requests of one file in flight: the reader waits for the first.
        let requests = files.max(bytes / reading.window) + files * reading.opens;
        self.work(Work::ArchiveRequest, requests);
        self.work(Work::ArchiveFileRead, files);
        self.work(Work::ArchiveByteRead, bytes);
        let io = Io {
            reads: files.max(bytes / reading.request),
            writes: 0.0,
            bytes,
        };
        self.ask_depot(io);
    }

    fn ask_depot(&mut self, io: Io) {
        if let Some(entry) = Entry::of("depot", io) {
            self.cost.io.enter(entry, 1.0);
        }
    }

    fn write_archive(&mut self, files: f64, bytes: f64) {
        if self.plant.deployment.mount_on("depot", self.at()).is_none() {
            return;
        }
        self.work(Work::ArchiveFileWritten, files);
        self.work(Work::ArchiveByteWritten, bytes);
        let io = Io {
            reads: 0.0,
            writes: files.max(bytes / ARCHIVE_BLOCK),
            bytes,
        };
        self.ask_depot(io);
    }

    fn lock(&mut self, tables: &'a [String], exclusive: bool) {
        if self.lockless && !exclusive {
            return;
        }
        let commit = tables.iter().any(|t| t == COMMIT);
        let server = if commit { 0 } else { self.server };
        if self.open.is_none() {
            self.act(Act::Enter(self.cost.sections.len()));
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
        section
            .tables
            .extend(tables.iter().map(|t| (t.as_str(), exclusive)));
        // Lock files such as meta/commit lie in server.locks, on memory or local disk.
        let cycles = tables.iter().filter(|t| t.starts_with("db.")).count() as f64;
        self.work(Work::LockCycle, cycles);
    }

    fn act(&mut self, act: Act) {
        if self.sheet.scripts == Scripts::Kept {
            self.cost.script.push(act);
        }
    }

    fn close(&mut self) {
        if let Some(mut section) = self.open.take() {
            section.inside = self.sheet.list(|s| s.inside);
            for station in &mut self.sheet.stations {
                station.inside = 0.0;
            }
            self.cost.sections.push(section);
            self.act(Act::Leave);
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
        self.work(Work::RowRead, rows * share);
        if pages > 0.0 {
            self.work(Work::PageRead, pages);
        }
    }

    fn write_rows(&mut self, rows: f64) {
        self.work(Work::RowWritten, rows);
        let bytes_a_row = self.plant.parameter("flush_bytes_per_file") / ROWS_A_FILE;
        let bytes = rows * bytes_a_row;
        self.dirty += bytes;
        let server = self.at();
        self.later(server, Work::PageDestaged, bytes / PAGE);
        if self.open.is_some() && self.plant.flushes_db(server) {
            // Dirty pages go out at unlock: what the journal's writes leave of one round trip a file.
            let a_file = self.plant.parameter("sync_writes_per_file");
            let journal = (JOURNAL_A_FILE / self.plant.parameter("journal_buffer")).min(1.0);
            let writes = rows / ROWS_A_FILE * (a_file - journal).max(0.0);
            self.work(Work::PageSync, writes);
        }
    }

    fn journal(&mut self, bytes: f64) {
        let server = self.at();
        if self.plant.flushes_journal(server) {
            let full = bytes / self.plant.parameter("journal_buffer");
            let records = bytes / self.plant.parameter("journal_record");
            self.work(Work::JournalSync, full.max(records.min(1.0)));
        }
        self.later(server, Work::ByteJournalled, bytes);
    }

    fn flush(&mut self, files: f64) {
        let bytes = std::mem::take(&mut self.dirty);
        let written = self.cost.sections.iter().any(|s| s.commit);
        let server = if written { 0 } else { self.server };
        self.work_at(server, Work::FileFlushed, files);
        self.work_at(server, Work::ByteFlushed, bytes);
    }

    /// Round trips and line time of a distant client, and of a commit on a distant commit server.
    fn messages(&mut self, group: &Group) {
        let Some(remote) = &group.remote else {
            let trips = self.plant.parameter("round_trips.command");
            return self.work(Work::ClientTrip, trips);
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
        for (station, seconds) in demand.iter() {
            self.spend(station, seconds);
        }
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
