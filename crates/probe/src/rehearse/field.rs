//! What all threads of the server share: the data, the locks, the costs, and whether it goes on.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::archives::Archives;
use super::course::Course;
use super::journal::Journal;
use super::locks::Locks;
use super::plan::{Plan, Rates};
use super::script::Script;
use super::tables::Tables;
use super::units::Burns;
use crate::bench::ground::Room;

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
    /// Whether it goes on, for the server's threads.
    pub(super) course: Arc<Course>,
}

impl Field {
    /// Lays it out in the folders of db, journal and depot.
    pub(super) fn create(plan: &Plan, [db, journal, depot]: [&Room; 3], stop: &AtomicBool) -> io::Result<Self> {
        let tables = plan.tables.len().max(1);
        let hot_and_cold = (plan.hot_bytes(), plan.cold_bytes());
        let archives = (plan.archive_bytes(), plan.file_bytes, plan.written_bytes());
        Ok(Self {
            tables: Tables::create(db, tables, hot_and_cold, plan.rates.rows_per_page, stop)?,
            locks: Locks::create(db, tables, plan.settings.by)?,
            journal: Journal::create(journal, 0, plan.journal_bytes())?,
            log: Journal::create(journal, 1, plan.journal_bytes())?,
            archives: Archives::create(depot, archives, stop)?,
            scripts: plan.scripts.iter().cloned().chain(super::units::scripts(plan)).collect(),
            rates: plan.rates,
            burns: Burns::default(),
            db_hit: plan.db_hit,
            depot_hit: plan.depot_hit,
            course: Arc::default(),
        })
    }
}
