//! What a branch and submit asks of a volume: tables locked in one order, pages written, the journal
//! appended, unlocked, and all of it forced out at exit, after the locks.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::buffer::Buffer;
use super::data::Data;
use super::journal::{Appender, Journal};
use super::layout::lay_out;
use super::matrix::PAGE;
use super::round::Work;
use super::scratch::{Own, Scratch};
use super::stopwatch::{Part, Stopwatch};
use super::system::{self, Hold};

/// Tables that a submit writes: db.integed, db.rev and db.revcx with their kin.
const TABLES: usize = 6;
/// Bytes of each table.
const TABLE: u64 = 64 << 20;
/// Pages that it writes: those of a changelist of some hundred files.
const PAGES: usize = 24;
/// Bytes of its journal records.
const RECORDS: usize = 48 * 1024;

/// Tables and a journal.
#[derive(Debug)]
pub(super) struct Submit {
    own: Arc<Own>,
    tables: Vec<String>,
    journal: Journal,
}

/// What it takes \[B\].
pub(super) const BYTES: u64 = TABLES as u64 * TABLE;

impl Submit {
    pub(super) fn create(scratch: &Scratch, journal: Journal, stop: &AtomicBool) -> io::Result<Self> {
        let own = Arc::clone(scratch.own());
        let tables: Vec<String> = (0..TABLES).map(|n| Scratch::named("table", n)).collect();
        for name in &tables {
            lay_out((&own, name), TABLE, stop, &mut |_| ())?;
        }
        Ok(Self { own, tables, journal })
    }

    /// One command after the other.
    pub(super) fn work(&self) -> io::Result<Box<dyn Work>> {
        let tables: io::Result<Vec<File>> = self.tables.iter().map(|n| self.own.open(n)).collect();
        Ok(Box::new(Command {
            tables: tables?,
            page: Buffer::new(PAGE),
            data: Data::fresh(),
            appender: self.journal.appender(RECORDS),
        }))
    }
}

struct Command {
    tables: Vec<File>,
    page: Buffer,
    data: Data,
    appender: Appender,
}

impl Work for Command {
    fn once(&mut self, watch: &mut Stopwatch) -> io::Result<bool> {
        self.appender.fill();
        self.data.fill(self.page.bytes_mut());
        watch.skip();
        for table in &self.tables {
            system::lock_whole(table, Hold::Exclusive)?;
        }
        watch.mark(Part::Lock);
        for number in 0..PAGES {
            // A page that differs from the last one in its head: filling all of it would be time under locks
            // that p4d does not spend.
            let head = self.data.next().to_le_bytes();
            self.page.bytes_mut()[..8].copy_from_slice(&head);
            let at = self.data.below(TABLE / PAGE as u64) * PAGE as u64;
            system::write_at(&self.tables[number % TABLES], self.page.bytes(), at)?;
        }
        watch.mark(Part::Write);
        self.appender.append(watch)?;
        for table in &self.tables {
            system::lock_whole(table, Hold::Nothing)?;
        }
        watch.mark(Part::Unlock);
        for table in &self.tables {
            table.sync_data()?;
        }
        self.appender.commit(watch)?;
        Ok(true)
    }
}
