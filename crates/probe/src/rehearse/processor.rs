//! Processor work: rows compared and copied, so many that they take the time that the model has for a command's work here.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use crate::bench::ground::{Data, KEY, ROW, now};

/// Rows of the block that is worked on: more than the first level of a core's caches holds.
const ROWS: usize = 2048;
/// Rows between two readings of the clock while it is calibrated.
const SLICE: u64 = 20_000;

/// Compares and copies rows.
#[derive(Debug, Clone)]
pub(super) struct Burner {
    rows: Arc<Vec<[u8; ROW]>>,
    /// Rows a second of an idle core.
    per_s: f64,
    place: usize,
    /// Part of a row that is still to be done.
    rest: f64,
}

impl Burner {
    /// Finds out how fast this core is: the fastest of many slices, since other programs only make it slower.
    pub(super) fn calibrated() -> Self {
        let mut data = Data::new(3);
        let mut rows = vec![[0; ROW]; ROWS];
        for row in &mut rows {
            data.fill(row);
        }
        let rows = Arc::new(rows);
        let mut burner = Self { rows, per_s: 1.0, place: 0, rest: 0.0 };
        let begun = now();
        let mut best = f64::INFINITY;
        while begun.elapsed() < Duration::from_millis(400) {
            let from = now();
            burner.work(SLICE);
            best = best.min(from.elapsed().as_secs_f64());
        }
        burner.per_s = SLICE as f64 / best;
        burner
    }

    /// Does so many seconds' work of an idle core.
    pub(super) fn burn(&mut self, seconds: f64) {
        let rows = seconds.max(0.0) * self.per_s + self.rest;
        self.rest = rows.fract();
        self.work(rows as u64);
    }

    fn work(&mut self, rows: u64) {
        let mut copy = [0; ROW];
        let mut smaller = 0_u64;
        for _ in 0..rows {
            let next = (self.place + 1) % ROWS;
            if self.rows[self.place][..KEY] < self.rows[next][..KEY] {
                smaller += 1;
            }
            copy.copy_from_slice(&self.rows[next]);
            black_box(&copy);
            self.place = next;
        }
        black_box(smaller);
    }
}
