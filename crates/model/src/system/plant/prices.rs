//! What a unit of each kind of work costs, worked out when it is first asked for: all work is in
//! proportion to its amount, so that a command's step is its amount times the price.

use super::{Demand, Entry, Plant};

/// A kind of work of which a command does so much; each has its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::system) enum Work {
    /// A command begun.
    Command,
    /// A row read, by the processor.
    RowRead,
    /// A row written, by the processor.
    RowWritten,
    /// A byte copied or digested, by the processor.
    ByteMoved,
    /// A db page read.
    PageRead,
    /// A table locked and unlocked.
    LockCycle,
    /// A db file opened and closed.
    FileOpened,
    /// A synchronous write to the journal.
    JournalSync,
    /// A synchronous write to the db.
    PageSync,
    /// A db file forced to disk.
    FileFlushed,
    /// A byte of dirty pages forced to disk.
    ByteFlushed,
    /// The journal's end forced to disk.
    JournalForced,
    /// A db page forced to disk on its own.
    PageForced,
    /// A db page written back later.
    PageDestaged,
    /// A byte appended to the journal.
    ByteJournalled,
    /// A byte appended to the log.
    ByteLogged,
    /// A request of archive content.
    ArchiveRequest,
    /// An archive file read: the first place on the disks.
    ArchiveFileRead,
    /// A byte of archives read.
    ArchiveByteRead,
    /// An archive file made.
    ArchiveFileWritten,
    /// A byte of archives written.
    ArchiveByteWritten,
    /// A byte between server and client.
    ByteToClient,
    /// A byte between server and a client in another town: only what it takes of the server's own network.
    ByteToLine,
    /// A byte that a client takes from a proxy beside it.
    ByteFromProxy,
    /// A round trip between server and a client beside it.
    ClientTrip,
}

/// Kinds of work.
pub(super) const KINDS: usize = Work::ClientTrip as usize + 1;

/// What a unit of work costs on one server.
#[derive(Debug, Clone, Default)]
pub(in crate::system) struct Price {
    /// Seconds at each station.
    pub(in crate::system) stations: Demand,
    /// What the other disks of a stripe do meanwhile.
    pub(in crate::system) beside: Demand,
    /// What is busy while the caller waits at another station for the same call, its slot first.
    pub(in crate::system) held: Demand,
    /// What the volume is asked for.
    pub(in crate::system) io: Option<Entry>,
    /// One beyond the last station.
    pub(in crate::system) reach: usize,
}

impl Plant<'_> {
    /// The price of `work` on `server`.
    pub(in crate::system) fn price(&mut self, work: Work, server: usize) -> &Price {
        let index = server * KINDS + work as usize;
        if self.prices[index].is_none() {
            let price = self.work_out(work, server);
            self.prices[index] = Some(price);
        }
        self.prices[index].get_or_insert_default()
    }

    fn work_out(&mut self, work: Work, server: usize) -> Price {
        let mut stations = Demand::default();
        let d = &mut stations;
        match work {
            Work::Command => self.compute(d, server, "command"),
            Work::RowRead => self.compute(d, server, "row_read"),
            Work::RowWritten => self.compute(d, server, "row_write"),
            Work::ByteMoved => self.compute(d, server, "byte"),
            Work::PageRead => self.read_pages(d, server, 1.0),
            Work::LockCycle => self.lock_traffic(d, server, 1.0, 0.0),
            Work::FileOpened => self.lock_traffic(d, server, 0.0, 1.0),
            Work::JournalSync => self.sync_writes(d, server, "journal", 1.0),
            Work::PageSync => self.sync_writes(d, server, "db", 1.0),
            Work::FileFlushed => self.flush(d, server, "db", 1.0, 0.0),
            Work::ByteFlushed => self.flush(d, server, "db", 0.0, 1.0),
            Work::JournalForced => self.force_journal(d, server),
            Work::PageForced => self.force_page(d, server, "db"),
            Work::PageDestaged => self.destage(d, server, "db", 1.0),
            Work::ByteJournalled => self.append(d, server, "journal", 1.0),
            Work::ByteLogged => self.append(d, server, "log", 1.0),
            Work::ArchiveRequest => self.request_archive(d, server, 1.0),
            Work::ArchiveFileRead => self.find_archive(d, server, 1.0),
            Work::ArchiveByteRead => self.read_archive(d, server, 1.0),
            Work::ArchiveFileWritten => self.make_archive(d, server, 1.0),
            Work::ArchiveByteWritten => self.write_archive(d, server, 1.0),
            Work::ByteToClient => self.client_transfer(d, server, 1.0),
            Work::ByteToLine => self.line_transfer(d, server, 1.0),
            Work::ByteFromProxy => self.proxy_transfer(d, 1.0),
            Work::ClientTrip => self.client_trips(d, 1.0),
        }
        let beside = std::mem::take(&mut self.background);
        let held = std::mem::take(&mut self.held);
        let reach = stations.reach().max(beside.reach()).max(held.reach());
        Price { stations, beside, held, io: self.asked.take(), reach }
    }

    /// A unit of what the processors of the server do.
    fn compute(&mut self, d: &mut Demand, server: usize, what: &'static str) {
        let seconds = self.cost(what);
        let processor = self.processor(server);
        self.add(d, processor, seconds);
    }
}
