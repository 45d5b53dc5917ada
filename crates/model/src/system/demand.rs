//! What one command costs: its script of steps, walked over the plant.

use super::cost::Cost;
use super::plant::{ARCHIVE_BLOCK, Crossing, Demand, Entry, Io, PAGE, Plant, Work};
use super::sheet::Sheet;
use super::tables::is_in_db;
use crate::catalog::{Command, Message, PerFile, ReadLocks, Step};
use crate::origin::Sourced;
use crate::posterior::{EntryKind, NumberId};
use crate::system::ProxyPlace;
use crate::units::Bytes;
use crate::workload::{Call, Group, Remote};

/// The pseudo table that marks the commit section.
const COMMIT: &str = "meta/commit";

struct Walk<'p, 'a> {
    plant: &'p mut Plant<'a>,
    sheet: &'p mut Sheet<'a>,
    group: &'p Group,
    /// The line between the client and this server, if there is one. What every command does first is walked without it.
    line: Option<&'p Remote>,
    call: &'p Call,
    /// The command whose steps are walked: `overhead` comes first.
    id: &'a str,
    server: usize,
    reads: ReadLocks,
    /// Whether the rows that are read next come from db.rev in place of db.revhx, which has the head revisions alone.
    beside_heads: bool,
    /// Share of content that the server itself moves; a proxy has the rest.
    own_share: f64,
    dirty: f64,
    /// Whether journal text was written that is not forced out.
    journalled: bool,
    /// Whether it sends on what it reads of archives.
    streams: bool,
    /// Rows that the open section wrote so far.
    section_rows: f64,
    /// Bytes between server and client, and those of messages beside content, which want an answer each.
    moved: f64,
    answered: f64,
    /// Content that the client takes from its proxy.
    from_proxy: f64,
    /// Content written to the depots, and journal text of the commit section.
    written: f64,
    committed: f64,
    /// Rows of a batch of the open section, if it is taken in batches, and tables that each batch locks.
    batch_rows: Option<f64>,
    batch_tables: f64,
}

/// Walks the script of `call`, which is `command`'s, on `server` (0 is the commit server) for a client of `group`.
pub(super) fn cost<'a>(
    plant: &mut Plant<'a>,
    sheet: &mut Sheet<'a>,
    group: &Group,
    (call, command): (&Call, &'a Command),
    server: usize,
) -> Cost<'a> {
    let own_share = 1.0 - from_proxy(plant, group, server);
    let mut walk = Walk {
        plant,
        sheet,
        group,
        line: None,
        call,
        id: &command.entry.id,
        server,
        reads: ReadLocks::All,
        beside_heads: false,
        own_share,
        dirty: 0.0,
        journalled: false,
        streams: command.kind == "transfer",
        section_rows: 0.0,
        moved: 0.0,
        answered: 0.0,
        from_proxy: 0.0,
        written: 0.0,
        committed: 0.0,
        batch_rows: None,
        batch_tables: 0.0,
    };
    if command.prologue {
        walk.prologue();
    } else {
        walk.work(Work::Command, 1.0);
    }
    walk.moved = 0.0;
    walk.line = group.remote.as_ref().filter(|_| server == 0);
    walk.command(command);
    walk.messages();
    walk.replicate();
    walk.sheet.finish()
}

/// The share of its content that a client's proxy has: of builds wherever they are served, of an office that has no edge.
fn from_proxy(plant: &Plant<'_>, group: &Group, server: usize) -> f64 {
    let (place, share) = match group.clients.office() {
        Some(_) if server > 0 => return 0.0,
        Some(office) => (ProxyPlace::Office(office.to_owned()), 1.0),
        None => (ProxyPlace::Builds, group.of_builds),
    };
    let proxy = plant.deployment.proxy(&place);
    proxy.map_or(0.0, |proxy| share * proxy.hits)
}

impl<'a> Walk<'_, 'a> {
    /// Begins with what every command does first, from where an earlier walk stood after it.
    fn prologue(&mut self) {
        if self.sheet.resume(self.server) {
            return;
        }
        let catalog = self.plant.catalog;
        let overhead = &catalog.commands["overhead"];
        self.work(Work::Command, 1.0);
        self.command(overhead);
        if self.dirty <= 0.0 && overhead.steps.iter().all(Step::is_fixed) {
            self.sheet.keep(self.server);
        }
    }

    fn command(&mut self, command: &'a Command) {
        self.id = &command.entry.id;
        let locks = self.plant.deployment.read_locks;
        self.reads = locks.of_command(command.lockless);
        for step in &command.steps {
            self.step(step);
        }
        self.sheet.leave();
    }

    /// A count of the script, as the file of the command states it.
    fn count(&self, what: &str, count: &'a Sourced<f64>) -> f64 {
        self.plant.lens.number(|| self.number(what), count)
    }

    /// The number that a key of the command's file states.
    fn number(&self, key: impl Into<String>) -> NumberId {
        EntryKind::Command.number(self.id, key)
    }

    fn optional(&self, what: &str, count: Option<&'a Sourced<f64>>) -> f64 {
        count.map_or(0.0, |count| self.count(what, count))
    }

    fn amount(&self, what: &str, per: &'a PerFile<f64>) -> f64 {
        let number = |key, count| {
            let id = || self.number(format!("{what}.{key}"));
            self.plant.lens.number(id, count)
        };
        let fixed = per.per_command.as_ref();
        fixed.map_or(0.0, |x| number("per_command", x))
            + per.per_file.as_ref().map_or(0.0, |x| number("per_file", x)) * self.call.files
    }

    fn bytes(&self, what: &str, per: &'a PerFile<Bytes>) -> f64 {
        let quantity = |key, bytes| {
            let id = || self.number(format!("{what}.{key}"));
            self.plant.lens.quantity(id, bytes)
        };
        let fixed = per.per_command.as_ref();
        fixed.map_or(0.0, |x| quantity("per_command", x))
            + per.per_file.as_ref().map_or(0.0, |x| quantity("per_file", x)) * self.call.files
    }

    /// The server where a step runs: the commit section runs on the commit server.
    fn at(&self) -> usize {
        let open = self.sheet.open.as_ref();
        open.map_or(self.server, |section| section.server)
    }

    /// Does so much work where the step runs, and waits for it.
    fn work(&mut self, work: Work, amount: f64) {
        self.work_at(self.at(), work, amount);
    }

    fn work_at(&mut self, server: usize, work: Work, amount: f64) {
        self.sheet.add(self.plant.price(work, server), amount);
    }

    /// Work that nobody waits for.
    fn later(&mut self, server: usize, work: Work, amount: f64) {
        self.sheet.add_later(self.plant.price(work, server), amount);
    }

    fn step(&mut self, step: &'a Step) {
        match step {
            Step::Lock { tables, exclusive, kept, batch_rows } => {
                if *exclusive {
                    self.lock(tables, true);
                } else {
                    self.beside_heads = self.reads == ReadLocks::None && !kept.is_empty();
                    self.lock(self.reads.tables(tables, kept), false);
                }
                let batches = *exclusive || self.reads == ReadLocks::Few;
                if let Some(rows) = batch_rows.as_ref().filter(|_| batches) {
                    self.batch_rows = Some(self.count("lock.batch_rows", rows).max(1.0));
                }
            }
            Step::Unlock { since } => {
                if since.is_none_or(|since| self.plant.deployment.release >= since) {
                    self.leave();
                }
            }
            Step::ReadRows { rows, scan } => {
                self.read_rows(self.amount("read_rows", rows), *scan);
                if std::mem::take(&mut self.beside_heads) {
                    let more = self.plant.revisions_a_file - 1.0;
                    self.read_rows(self.call.files * more, true);
                }
            }
            Step::WriteRows(rows) => self.write_rows(self.amount("write_rows", rows)),
            Step::ReadPages(pages) => {
                self.work(Work::PageRead, self.count("read_pages.pages", pages));
            }
            Step::WritePages { pages, commits } => {
                let pages = self.count("write_pages.pages", pages);
                let commits = self.count("write_pages.commits", commits);
                let alone = commits.min(pages);
                self.work(Work::PageForced, alone);
                self.work(Work::FileFlushed, commits - alone);
                self.work(Work::ByteFlushed, (pages - alone) * PAGE);
            }
            Step::Journal(bytes) => self.journal(self.bytes("journal", bytes)),
            Step::Open(count) => {
                self.work(Work::FileOpened, self.count("open.per_command", count));
            }
            Step::Flush(count) => self.flush(self.count("flush.per_command", count)),
            Step::ReadArchive { per_file, per_byte } => {
                let share = self.own_share;
                let files = self.optional("read_archive.per_file", per_file.as_ref());
                let bytes = self.optional("read_archive.per_byte", per_byte.as_ref());
                let (files, bytes) = (files * self.call.files * share, bytes * self.call.bytes * share);
                self.read_archive(files, bytes);
            }
            Step::WriteArchive { per_file, per_byte } => {
                let files = self.optional("write_archive.per_file", per_file.as_ref());
                let bytes = self.optional("write_archive.per_byte", per_byte.as_ref());
                self.write_archive(files * self.call.files, bytes * self.call.bytes);
            }
            Step::Send(message) => self.send(message),
            Step::Receive(message) => {
                let content = self.optional("receive.per_byte", message.per_byte.as_ref());
                let bytes = self.bytes("receive", &message.size);
                self.want_answers(message, bytes);
                self.transfer(bytes + content * self.call.bytes);
            }
            Step::Digest(per_byte) => {
                let bytes = self.count("digest.per_byte", per_byte) * self.call.bytes;
                self.work(Work::ByteMoved, bytes);
            }
            Step::Dump => self.dump(),
            Step::Log(bytes) => {
                let name = || self.number("log.per_command");
                let bytes = self.plant.lens.quantity(name, bytes);
                self.later(self.server, Work::ByteLogged, bytes);
            }
        }
    }

    /// A checkpoint of the database in use: nobody is in its way.
    fn dump(&mut self) {
        let dumped = self.plant.dumped;
        let seconds = dumped.holds(self.plant);
        let delay = self.plant.delay();
        self.sheet.spend(delay, seconds);
    }

    fn send(&mut self, message: &'a Message) {
        let content = self.optional("send.per_byte", message.per_byte.as_ref());
        let content = content * self.call.bytes;
        let bytes = self.bytes("send", &message.size);
        self.sheet.cost().sent += bytes + content;
        self.want_answers(message, bytes);
        self.transfer(bytes + content * self.own_share);
        let from_proxy = content * (1.0 - self.own_share);
        self.from_proxy += from_proxy;
        if from_proxy > 0.0 {
            self.work(Work::ByteFromProxy, from_proxy);
        }
    }

    fn transfer(&mut self, bytes: f64) {
        self.work(Work::ByteMoved, bytes);
        // Over a line the client's own pace is one with the line's: `messages` has both.
        let to_client = match self.line {
            Some(_) => Work::ByteToLine,
            None => Work::ByteToClient,
        };
        self.work(to_client, bytes);
        self.moved += bytes;
    }

    /// Messages beside content are answered file by file.
    fn want_answers(&mut self, message: &Message, bytes: f64) {
        if message.per_byte.is_some() {
            self.answered += bytes;
        }
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
        self.read_content(bytes);
        let io = Io { reads: files.max(bytes / reading.request), writes: 0.0, bytes };
        self.ask_depot(io);
    }

    /// Reads content. What is sent on as it comes crosses the storage's links while the network and the
    /// client have its predecessors: the sender waits for the slower of them.
    fn read_content(&mut self, bytes: f64) {
        let server = self.at();
        let sent = if self.streams {
            let a_byte = match self.line {
                Some(remote) if self.call.bytes >= CONTENT_MIN => self.plant.pace_over_line(self.group, remote),
                _ => {
                    let a_byte = self.plant.price(Work::ByteToClient, server).stations.iter();
                    a_byte.map(|(_, seconds)| seconds).sum()
                }
            };
            self.call.bytes * self.own_share * a_byte
        } else {
            0.0
        };
        // Worked out before, so that the links are known also the first time.
        self.plant.price(Work::ArchiveByteRead, server);
        let links: Vec<usize> = self.plant.links().collect();
        let price = self.plant.price(Work::ArchiveByteRead, server);
        let hidden = |station| if links.contains(&station) { sent } else { 0.0 };
        self.sheet.add_hiding(price, bytes, hidden);
    }

    fn ask_depot(&mut self, io: Io) {
        if let Some(entry) = Entry::of("depot", io) {
            self.sheet.cost().io.enter(entry, 1.0);
        }
    }

    fn write_archive(&mut self, files: f64, bytes: f64) {
        if self.plant.deployment.mount_on("depot", self.at()).is_none() {
            return;
        }
        self.work(Work::ArchiveFileWritten, files);
        self.work(Work::ArchiveByteWritten, bytes);
        self.written += bytes;
        let io = Io { reads: 0.0, writes: files.max(bytes / ARCHIVE_BLOCK), bytes };
        self.ask_depot(io);
    }

    fn lock(&mut self, tables: &'a [String], exclusive: bool) {
        if tables.is_empty() {
            return;
        }
        let commit = tables.iter().any(|t| t == COMMIT);
        let server = if commit { 0 } else { self.server };
        let section = self.sheet.enter(server);
        if commit {
            section.commit = true;
            section.server = 0;
        }
        self.sheet.take((tables, exclusive));
        // Lock files such as meta/commit lie in server.locks, on memory or local disk.
        let cycles = tables.iter().filter(|t| is_in_db(t)).count() as f64;
        self.batch_tables += cycles;
        self.work(Work::LockCycle, cycles);
    }

    /// Times that the open section takes its locks.
    fn batches(&self) -> f64 {
        self.sheet.open.as_ref().map_or(1.0, |section| section.times)
    }

    /// Splits the open section into batches, if it is taken so, by the rows that it writes or reads.
    fn split(&mut self, rows: f64) {
        let (Some(batch), Some(section)) = (self.batch_rows, self.sheet.open.as_mut()) else {
            return;
        };
        let before = section.times;
        section.times = before.max((rows / batch).ceil());
        let more = section.times - before;
        self.work(Work::LockCycle, more * self.batch_tables);
    }

    fn leave(&mut self) {
        self.section_rows = 0.0;
        self.batch_rows = None;
        self.batch_tables = 0.0;
        self.sheet.leave();
    }

    fn read_rows(&mut self, rows: f64, scan: bool) {
        self.split(rows);
        let (share, pages) = if scan {
            (self.plant.parameter("scan_share"), rows / self.plant.parameter("rows_per_page"))
        } else {
            (1.0, rows * self.plant.parameter("pages_per_keyed_row"))
        };
        self.work(Work::RowRead, rows * share);
        if pages > 0.0 {
            self.work(Work::PageRead, pages);
        }
    }

    fn write_rows(&mut self, rows: f64) {
        self.split(rows);
        self.work(Work::RowWritten, rows);
        let bytes_a_row = self.plant.parameter("flush_bytes_per_file") / ROWS_A_FILE;
        let bytes = rows * bytes_a_row;
        self.dirty += bytes;
        let server = self.at();
        self.later(server, Work::PageDestaged, bytes / PAGE);
        if self.sheet.open.is_some() && self.plant.flushes_db(server) {
            // Dirty pages go out at unlock: one round trip a file that the section writes, less what
            // the journal's writes have of it.
            let a_file = self.plant.parameter("sync_writes_per_file");
            let journal = (JOURNAL_A_FILE / self.plant.parameter("journal_buffer")).min(1.0);
            let files = self.call.files.max(1.0);
            let before = self.section_rows.min(files);
            self.section_rows += rows;
            let written = self.section_rows.min(files) - before;
            self.work(Work::PageSync, written * (a_file - journal).max(0.0));
        }
    }

    fn journal(&mut self, bytes: f64) {
        let server = self.at();
        if self.sheet.open.as_ref().is_some_and(|section| section.commit) {
            self.committed += bytes;
        }
        if self.plant.flushes_journal(server) {
            // Each batch is a transaction of its own.
            let batches = self.batches();
            let full = bytes / self.plant.parameter("journal_buffer");
            let records = bytes / self.plant.parameter("journal_record");
            self.work(Work::JournalSync, full.max(records.min(batches)));
        }
        self.journalled |= bytes > 0.0;
        self.later(server, Work::ByteJournalled, bytes);
    }

    /// Forces out the tables that were written, and the journal: over NFS with locks its text is safe since the unlock.
    fn flush(&mut self, files: f64) {
        let bytes = std::mem::take(&mut self.dirty);
        let written = self.sheet.has_committed();
        let server = if written { 0 } else { self.server };
        if std::mem::take(&mut self.journalled) && !self.plant.flushes_journal(server) {
            self.work_at(server, Work::JournalForced, 1.0);
        }
        self.work_at(server, Work::FileFlushed, files);
        self.work_at(server, Work::ByteFlushed, bytes);
    }

    /// Round trips and line time of a distant client, and of a commit on a distant commit server.
    fn messages(&mut self) {
        let group = self.group;
        let mut demand = Demand::default();
        if let Some(remote) = &group.remote {
            self.over_distance(&mut demand, remote);
        } else {
            let trips = if group.connected { 1.0 } else { self.plant.parameter("round_trips.command") };
            self.work(Work::ClientTrip, trips);
            self.plant.hold_back(&mut demand, group, self.moved);
        }
        for (station, seconds) in demand.iter() {
            self.sheet.spend(station, seconds);
        }
    }

    fn over_distance(&mut self, demand: &mut Demand, remote: &Remote) {
        let beside_its_edge = self.server > 0;
        let committed = self.sheet.has_committed();
        let sent = self.sheet.cost().sent;
        let (trips, crossing) = match (beside_its_edge, committed) {
            (false, _) => {
                let crossing = Crossing {
                    bytes: sent.max(self.call.bytes) - self.from_proxy,
                    answered: self.answered,
                    to_client: Some(self.moved),
                };
                ("round_trips.command", crossing)
            }
            (true, true) => {
                let crossing = Crossing { bytes: self.call.bytes, answered: self.answered, to_client: None };
                ("round_trips.commit", crossing)
            }
            (true, false) => {
                // The edge holds what its people used before; the rest crosses the line first.
                let missed = 1.0 - self.plant.distance.hits;
                let crossing = Crossing { bytes: sent * missed, answered: self.answered * missed, to_client: None };
                ("", crossing)
            }
        };
        if !trips.is_empty() {
            let delay = self.plant.delay();
            demand.add(delay, remote.round_trip * self.plant.parameter(trips));
        }
        if crossing.bytes >= CONTENT_MIN {
            self.plant.cross(demand, (self.group, remote), crossing);
        } else if let Some(bytes) = crossing.to_client {
            self.plant.drain(demand, bytes);
        }
    }

    /// What the edges of distant offices are sent of a commit: its journal text and their share of its content.
    fn replicate(&mut self) {
        if !self.sheet.has_committed() {
            return;
        }
        let lines = self.plant.replicate(self.server, self.committed, self.written);
        for (line, seconds) in lines.iter() {
            self.sheet.spend_later(line, seconds);
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
