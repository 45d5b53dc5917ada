//! A checkpoint: how long one thread reads the rows of a database, waits for their pages and writes them as text.
//!
//! The equation stands with the other jobs' in [`super::durations`].

use super::deployment::Deployment;
use super::durations::Slowest;
use super::plant::{PAGE, Plant};
use crate::workload::{Dump, Load};

/// A database and the memory of its server.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dumped {
    /// Its size \[B\].
    pub(super) db: f64,
    /// Memory for its pages while nobody works \[B\].
    pub(super) memory: f64,
    state: Dump,
}

impl Dumped {
    /// That of the commit server, with so many bytes.
    pub(super) fn of(deployment: &Deployment, load: &Load, db: f64, state: Dump) -> Self {
        Self { db, memory: (deployment.memory_of(0) - load.beside.system).max(0.0), state }
    }

    /// Bytes of the database that hold rows.
    pub(super) fn live(&self, plant: &Plant<'_>) -> f64 {
        let said = self.state.text;
        let said = said.map(|text| text / plant.parameter("checkpoint.text"));
        said.map_or(self.db, |live| live.min(self.db))
    }

    /// Rows of the database.
    pub(super) fn rows(&self, plant: &Plant<'_>) -> f64 {
        self.live(plant) / PAGE * plant.parameter("rows_per_page")
    }

    /// Bytes of a checkpoint.
    pub(super) fn checkpoint(&self, plant: &Plant<'_>) -> f64 {
        self.live(plant) * plant.parameter("checkpoint.share")
    }

    /// Processor time of a checkpoint's plain text, copied and packed or unpacked \[s\].
    pub(super) fn text_time(&self, plant: &Plant<'_>, packed: &'static str) -> f64 {
        let packing = plant.parameter(packed) * plant.slower_than_measured();
        let text = self.live(plant) * plant.parameter("checkpoint.text");
        text * (plant.cost("byte") + packing)
    }

    /// How long one of the database that people work on holds its tables \[s\]: as stated, else as estimated.
    pub(super) fn holds(&self, plant: &mut Plant<'_>) -> f64 {
        let stated = self.state.takes;
        stated.unwrap_or_else(|| self.in_use(plant).seconds)
    }

    /// Of the database in use: memory holds leaves of it, and of no copy.
    pub(super) fn in_use(&self, plant: &mut Plant<'_>) -> Slowest {
        let missed = 1.0 - (self.memory / self.db.max(PAGE)).min(1.0);
        self.dump(plant, "db", missed, 1.0)
    }

    /// Of the volume of a role, with this share of the leaves not in memory, by so many threads.
    pub(super) fn dump(&self, plant: &mut Plant<'_>, role: &'static str, missed: f64, threads: f64) -> Slowest {
        let scattered = self.scattered(plant);
        let checkpoint = self.checkpoint(plant);
        let scan = plant.cost("row_read") * plant.parameter("scan_share");
        let work = self.rows(plant) * scan + self.text_time(plant, "compress");
        let leaves = missed * scattered * self.db / PAGE / threads;
        let waits = plant.wait_for_pages(0, role, leaves);
        let thread = (work / threads, &waits);
        Slowest::of_rows(plant, "recovery.checkpoint", thread, |plant, d| {
            plant.read_all(d, 0, role, (1.0 - scattered) * self.db);
            plant.write_all(d, 0, "checkpoint", checkpoint);
        })
    }

    /// Share of the leaves that are out of order: as answered, or what is assumed of it with its error, on the scale of the
    /// odds, which ends at 1.
    fn scattered(&self, plant: &Plant<'_>) -> f64 {
        let share = self.state.out_of_order;
        if !self.state.is_order_assumed {
            return share;
        }
        let odds = share / (1.0 - share) * plant.parameter("db.out_of_order");
        odds / (1.0 + odds)
    }
}
