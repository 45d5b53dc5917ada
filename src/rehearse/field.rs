//! What all threads of a rehearsal share: the data, the locks, the costs, and whether it goes on.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::archives::Archives;
use super::journal::Journal;
use super::locks::Locks;
use super::plan::{Plan, Rates};
use super::script::Script;
use super::tables::Tables;
use super::units::Burns;
use crate::bench::ground::{Room, now};

/// The data of a rehearsal on its volumes.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) tables: Tables,
    pub(super) locks: Locks,
    pub(super) journal: Journal,
    pub(super) log: Journal,
    pub(super) archives: Archives,
    pub(super) scripts: Vec<Script>,
    pub(super) rates: Rates,
    pub(super) burns: Burns,
    pub(super) db_hit: f64,
    pub(super) depot_hit: f64,
    /// Raised when the time is up.
    pub(super) over: AtomicBool,
    /// The first error of a thread.
    error: Mutex<Option<io::Error>>,
}

impl Field {
    /// Lays it out in the folders of db, journal and depot.
    pub(super) fn create(
        plan: &Plan,
        [db, journal, depot]: [&Room; 3],
        stop: &AtomicBool,
    ) -> io::Result<Self> {
        let tables = plan.tables.len().max(1);
        let hot_and_cold = (plan.hot_bytes(), plan.cold_bytes());
        let archives = (plan.archive_bytes(), plan.file_bytes, plan.written_bytes());
        Ok(Self {
            tables: Tables::create(db, tables, hot_and_cold, plan.rates.rows_per_page, stop)?,
            locks: Locks::create(db, tables, plan.settings.by)?,
            journal: Journal::create(journal, 0, plan.journal_bytes())?,
            log: Journal::create(journal, 1, plan.journal_bytes())?,
            archives: Archives::create(depot, archives, stop)?,
            scripts: plan
                .scripts
                .iter()
                .cloned()
                .chain(super::units::scripts())
                .collect(),
            rates: plan.rates,
            burns: Burns::default(),
            db_hit: plan.db_hit,
            depot_hit: plan.depot_hit,
            over: AtomicBool::new(false),
            error: Mutex::default(),
        })
    }

    /// Whether the time is up or something failed.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Ends it for all.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Notes a thread's error and ends it for all; what fails because it is over is none.
    pub(super) fn fail(&self, error: io::Error) {
        if !self.is_over() {
            let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(error);
        }
        self.end();
    }

    /// The first error.
    pub(super) fn error(&self) -> Option<io::Error> {
        self.error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// Sleeps for so long, or until it is over; says whether it goes on.
    pub(super) fn sleep(&self, time: Duration) -> bool {
        /// The end is seen within this time.
        const NAP: Duration = Duration::from_millis(40);
        let end = now() + time;
        loop {
            if self.is_over() {
                return false;
            }
            let left = end.saturating_duration_since(now());
            if left.is_zero() {
                return true;
            }
            std::thread::sleep(left.min(NAP));
        }
    }
}
