//! What was counted, taken out of the network while it works.

use super::{Engine, Observer};
use crate::sim::engine::station::Kind;
use crate::sim::engine::task::NONE;
use crate::sim::measure::{Batch, LockTotals, StationSums, TimingSums, Totals};

impl<O: Observer> Engine<'_, O> {
    /// The clock by which the busy time of a station is counted.
    fn busy_clock(&mut self, station: usize) -> f64 {
        match self.stations[station].kind {
            Kind::Shared(idx) => {
                let shared = &mut self.shared[idx as usize];
                shared.read(self.now);
                shared.busy
            }
            Kind::Delay | Kind::Single(_) | Kind::Few | Kind::Many | Kind::Exit(_) => self.now,
        }
    }

    /// The sums of each class at each station since the last time; they start again.
    fn take_cells(&mut self) -> Vec<StationSums> {
        let mut all = Vec::with_capacity(self.cells.len());
        for station in 0..self.stations.len() {
            let (now, clock) = (self.now, self.busy_clock(station));
            let ahead = self.busy_ahead(station);
            let first = station * self.n_classes;
            let cells = &mut self.cells[first..first + self.n_classes];
            for (cell, ahead) in cells.iter_mut().zip(ahead) {
                let present = f64::from(cell.n) * now;
                let serving = f64::from(cell.serving) * clock - ahead;
                all.push(StationSums { count: cell.count, area: cell.area + present, busy: cell.busy + serving });
                (cell.count, cell.area, cell.busy) = (0, -present, -serving);
            }
        }
        all
    }

    /// Services of a single server or of an exit that its cells count already but that are still to come,
    /// by class \[s\].
    fn busy_ahead(&self, station: usize) -> Vec<f64> {
        let mut ahead = vec![0.0; self.n_classes];
        if let Kind::Single(number) = self.stations[station].kind {
            let line = &self.servers[number as usize].line;
            let (mut task, mut before) = (line.head, self.now);
            while task != NONE {
                let hot = &self.tasks.hot[task as usize];
                ahead[hot.class as usize] += hot.work - before;
                (task, before) = (hot.next, hot.work);
            }
        }
        if let Kind::Exit(number) = self.stations[station].kind {
            for service in &self.exits[number as usize].services {
                ahead[service.class as usize] += service.end - service.start.max(self.now);
            }
        }
        ahead
    }

    /// Busy servers of a station, integrated since its sums started \[s\].
    pub(in crate::sim) fn busy_time(&mut self, station: usize) -> f64 {
        let clock = self.busy_clock(station);
        let ahead: f64 = self.busy_ahead(station).iter().sum();
        let first = station * self.n_classes;
        let cells = self.cells[first..first + self.n_classes].iter();
        let busy = cells.map(|cell| cell.busy + f64::from(cell.serving) * clock);
        busy.sum::<f64>() - ahead
    }

    /// Customers waiting for a lock, integrated since its sums started \[s\].
    pub(in crate::sim) fn lock_waited(&self, lock: usize) -> f64 {
        self.locks[lock].areas_at(self.now).waiting
    }

    /// Customers in the system, integrated since the sums started \[s\].
    pub(in crate::sim) fn number_area(&self, class: usize) -> f64 {
        self.classes[class].area_at(self.now)
    }

    /// Counts anew from now on.
    pub(in crate::sim) fn reset(&mut self) {
        self.take_batch(0.0, None);
        for lock in &mut self.locks {
            lock.reset(self.now);
        }
    }

    /// The sums of the last `time` seconds; those without intervals are added to `totals`.
    pub(in crate::sim) fn take_batch(&mut self, time: f64, totals: Option<&mut Totals>) -> Batch {
        let now = self.now;
        let cells = self.take_cells();
        let by_station = cells.chunks(self.n_classes).map(|classes| {
            let mut sums = StationSums::default();
            for cell in classes {
                sums.add(cell);
            }
            sums
        });
        let stations = by_station.collect();
        if let Some(totals) = totals {
            totals.cells.resize(cells.len(), StationSums::default());
            for (total, cell) in totals.cells.iter_mut().zip(&cells) {
                total.add(cell);
            }
            totals.timings.resize(self.timings.len(), (0.0, 0.0));
            for (total, timing) in totals.timings.iter_mut().zip(&self.timings) {
                *total = (total.0 + timing.lock_wait, total.1.max(timing.longest));
            }
        }
        let timings = self.timings.iter_mut().map(|timing| {
            let sums = TimingSums {
                count: timing.count,
                sum: timing.sum,
                control: timing.control,
                histogram: timing.histogram.take(),
            };
            (timing.count, timing.sum, timing.control) = (0, 0.0, 0.0);
            (timing.lock_wait, timing.longest) = (0.0, 0.0);
            sums
        });
        let timings = timings.collect();
        let numbers = self.classes.iter_mut().map(|class| {
            let area = class.area_at(now);
            class.area = -(class.n as f64) * now;
            area
        });
        let numbers = numbers.collect();
        let caches = self
            .caches
            .iter_mut()
            .map(|cache| (std::mem::take(&mut cache.hits), std::mem::take(&mut cache.references)));
        Batch {
            time,
            timings,
            numbers,
            stations,
            locks: self.locks.iter_mut().map(|lock| lock.take_areas(now)).collect(),
            pools: self.pools.iter_mut().map(|pool| pool.take_areas(now)).collect(),
            caches: caches.collect(),
        }
    }

    /// What locks tell since the last [`Self::reset`].
    pub(in crate::sim) fn lock_totals(&mut self) -> Vec<LockTotals> {
        let now = self.now;
        let totals = self.locks.iter_mut().map(|lock| {
            lock.charge(now);
            LockTotals {
                users: lock.users.iter().map(|u| (u.used, u.counts)).collect(),
                actors: lock.actors.clone(),
                blame: lock.blame.clone(),
            }
        });
        totals.collect()
    }
}
