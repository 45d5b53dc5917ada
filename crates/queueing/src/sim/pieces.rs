//! Time series: what was counted at the end of each piece of time, less what was at its beginning.

use super::engine::Engine;
use super::measure::Pieces;
use super::outcome::Series;
use super::trace::Observer;

/// What has been counted up to some time.
pub(super) struct Marks {
    time: f64,
    /// Completions and the sum of their response times, by activity.
    timings: Vec<(u64, f64)>,
    /// Busy fraction of a server integrated, by station \[s\].
    busy: Vec<f64>,
    /// Waiting customers integrated, by lock \[s\].
    waited: Vec<f64>,
}

impl<O: Observer> Engine<'_, O> {
    /// What has been counted so far.
    pub(super) fn marks(&mut self) -> Marks {
        let timings = self.timings[self.n_classes..].iter();
        let timings = timings.map(|timing| (timing.count, timing.sum)).collect();
        let busy = (0..self.model.stations.len()).map(|station| {
            let servers = self.model.stations[station].counted_servers();
            servers.map_or(0.0, |servers| self.busy_time(station) / servers)
        });
        let busy = busy.collect();
        let locks = 0..self.model.locks.len();
        Marks { time: self.now, timings, busy, waited: locks.map(|lock| self.lock_waited(lock)).collect() }
    }
}

impl Pieces {
    pub(super) fn new(piece: f64, marks: &Marks) -> Self {
        Self {
            piece,
            completions: vec![Vec::new(); marks.timings.len()],
            response: vec![Vec::new(); marks.timings.len()],
            utilization: vec![Vec::new(); marks.busy.len()],
            lock_waiting: vec![Vec::new(); marks.waited.len()],
        }
    }

    /// Adds what went on between two marks.
    pub(super) fn push(&mut self, before: &Marks, after: &Marks) {
        let time = after.time - before.time;
        if time <= 0.0 {
            return;
        }
        for (idx, (from, to)) in before.timings.iter().zip(&after.timings).enumerate() {
            let count = to.0 - from.0;
            let response = if count > 0 { (to.1 - from.1) / count as f64 } else { 0.0 };
            self.completions[idx].push(count);
            self.response[idx].push(response);
        }
        for (idx, (from, to)) in before.busy.iter().zip(&after.busy).enumerate() {
            self.utilization[idx].push((to - from) / time);
        }
        for (idx, (from, to)) in before.waited.iter().zip(&after.waited).enumerate() {
            self.lock_waiting[idx].push((to - from) / time);
        }
    }

    pub(super) fn series(&self) -> Series {
        Series {
            piece: self.piece,
            completions: self.completions.clone(),
            response: self.response.clone(),
            utilization: self.utilization.clone(),
            lock_waiting: self.lock_waiting.clone(),
        }
    }
}
