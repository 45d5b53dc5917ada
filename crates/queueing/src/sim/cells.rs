//! The beginning of a run that looks for a steady state: cells of time, and what they tell.
//!
//! # Warm-up
//!
//! The run starts empty (closed customers think). The number of each class in the system is averaged
//! over cells of time; when a thousand cells are there, the slowest of these series, the one whose
//! neighbouring cells are most alike, is given to MSER-5. If it finds no cut in the first half, pairs
//! of cells are merged and the run goes on to twice the time. When it finds one, everything so far is
//! left out, at least twice what MSER-5 asks for.
//! A run that finds none within half of its events (`Run::events_max`) leaves that half out all the same.
//! Caches start with their most popular items.
//!
//! # No steady state
//!
//! Customers of open classes accumulate when their number rises from quarter to quarter and grew more
//! than six times what independent changes from cell to cell add up to. If that is so three times in
//! a row while no warm-up is found, or in the batches, the run ends. While no warm-up is found it is not
//! looked for until every closed class has come round as often as it has customers: all of them start at
//! once, and one that keeps a lock for its whole length lets others accumulate until it ends.

use super::engine::Engine;
use super::outcome::Stopped;
use super::trace::Observer;
use crate::stats::warm_up::{lag1, mser5};

/// Events before the first cell.
pub(super) const FIRST_EVENTS: u64 = 1000;
/// Cells in the time of the first events, and when a warm-up is looked for.
const FIRST_CELLS: f64 = 20.0;
const CELLS_MAX: usize = 1000;
/// Times that cells are merged before a growing number counts as having no bound.
const MERGES_MIN: u32 = 5;
/// Times after which it counts although closed customers have not come round, after some fifty million
/// events: those that never do may themselves be kept waiting without bound.
const MERGES_PATIENT: u32 = 10;

/// Mean numbers in the system over cells of time.
pub(super) struct Cells {
    /// By class.
    numbers: Vec<Vec<f64>>,
    /// Of all open classes together.
    open_numbers: Vec<f64>,
    pub(super) length: f64,
    /// When the cell that is open began \[s\].
    pub(super) began: f64,
    /// Integrals at the beginning of the cell \[s\].
    areas: Vec<f64>,
    merges: u32,
    /// Times in a row that customers accumulated.
    grown: u32,
    /// Whether all closed classes have come round as often as they have customers.
    come_round: bool,
}

impl Cells {
    pub(super) fn new<O: Observer>(engine: &Engine<'_, O>) -> Self {
        Self {
            numbers: vec![Vec::with_capacity(CELLS_MAX); engine.n_classes],
            open_numbers: Vec::with_capacity(CELLS_MAX),
            length: engine.now / FIRST_CELLS,
            began: engine.now,
            areas: (0..engine.n_classes).map(|c| engine.number_area(c)).collect(),
            merges: 0,
            grown: 0,
            come_round: false,
        }
    }

    pub(super) fn close<O: Observer>(&mut self, engine: &Engine<'_, O>) {
        let time = engine.now - self.began;
        let mut open = 0.0;
        for (class, area) in self.areas.iter_mut().enumerate() {
            let now = engine.number_area(class);
            let number = (now - *area) / time;
            self.numbers[class].push(number);
            *area = now;
            if !engine.classes[class].closed {
                open += number;
            }
        }
        self.open_numbers.push(open);
        self.began = engine.now;
        self.come_round = engine.has_come_round();
    }

    /// Whether a warm-up is found, when there are enough cells to look for one.
    pub(super) fn tell(&mut self) -> Result<bool, Stopped> {
        if self.open_numbers.len() < CELLS_MAX {
            return Ok(false);
        }
        if mser5(self.slowest()).is_some() {
            return Ok(true);
        }
        let counts = self.come_round || self.merges >= MERGES_PATIENT;
        self.grown = if counts && grows(&self.open_numbers) { self.grown + 1 } else { 0 };
        if self.merges >= MERGES_MIN && self.grown >= 3 {
            return Err(Stopped::Unsteady);
        }
        self.merge();
        Ok(false)
    }

    fn merge(&mut self) {
        for series in self.numbers.iter_mut().chain([&mut self.open_numbers]) {
            let merged = series.chunks(2).map(|pair| pair.iter().sum::<f64>() / pair.len() as f64);
            *series = merged.collect();
        }
        self.length *= 2.0;
        self.merges += 1;
    }

    /// The series whose neighbours are most alike.
    fn slowest(&self) -> &[f64] {
        let mut slowest: (&[f64], f64) = (&self.open_numbers, f64::NEG_INFINITY);
        for series in &self.numbers {
            let alike = lag1(series);
            if alike > slowest.1 {
                slowest = (series, alike);
            }
        }
        slowest.0
    }
}

/// Whether a series rises from quarter to quarter, by more than six times what its changes would add up
/// to if they were independent.
pub(super) fn grows(series: &[f64]) -> bool {
    let quarter = series.len() / 4;
    if quarter == 0 {
        return false;
    }
    let means: Vec<f64> = series.chunks_exact(quarter).map(|part| part.iter().sum::<f64>() / quarter as f64).collect();
    let growth = series[series.len() - 1] - series[0];
    let changes = series.windows(2).map(|pair| pair[1] - pair[0]);
    let mean = growth / (series.len() - 1) as f64;
    let squares: f64 = changes.map(|change| (change - mean) * (change - mean)).sum();
    means.is_sorted_by(|a, b| a < b) && growth > 1.0 && growth > 6.0 * squares.sqrt()
}
