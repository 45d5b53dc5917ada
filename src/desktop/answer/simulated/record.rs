//! What is seen of a run while it goes on, in bounded memory: who is in the system, how busy everything is,
//! how long locks are held and who waits for whom.

use super::blame::Blame;
use super::holds::{COLUMNS, Holds};
use super::level::{BINS, Level};
use crate::sim::{Discipline, Event, Mode, Model, What};

/// A lock over time.
#[derive(Debug, Clone, PartialEq)]
pub struct LockRecord {
    /// Customers that wait for it.
    pub waiting: Level,
    /// Whether a writer holds it.
    pub written: Level,
    /// Whether readers hold it.
    pub read: Level,
    /// From when to when a writer held it.
    pub writes: Holds,
    /// From when to when readers held it, from the first to the last.
    pub reads: Holds,
    readers: u32,
}

/// A station over time.
#[derive(Debug, Clone, PartialEq)]
struct StationRecord {
    /// Busy share of its servers; the number there of a delay.
    busy: Level,
    present: f64,
    /// Servers; none where all are served at once.
    servers: Option<f64>,
}

/// A run so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// By class of the model: customers between request and response.
    pub present: Vec<Level>,
    stations: Vec<StationRecord>,
    /// By lock of the model.
    pub locks: Vec<LockRecord>,
    /// Who waits for whom.
    pub blame: Blame,
    /// Length of a bin \[s\].
    pub bin: f64,
    column: f64,
}

impl Record {
    pub(super) fn new(model: &Model, until: f64) -> Self {
        let bin = until / BINS as f64;
        let station = |station: &crate::sim::Station| StationRecord {
            busy: Level::new(bin),
            present: 0.0,
            servers: (station.discipline != Discipline::Delay).then_some(station.servers),
        };
        let lock = LockRecord {
            waiting: Level::new(bin),
            written: Level::new(bin),
            read: Level::new(bin),
            writes: Holds::default(),
            reads: Holds::default(),
            readers: 0,
        };
        Self {
            present: vec![Level::new(bin); model.classes.len()],
            stations: model.stations.iter().map(station).collect(),
            locks: vec![lock; model.locks.len()],
            blame: Blame::new(model.locks.len(), model.activities.len(), until),
            bin,
            column: until / COLUMNS as f64,
        }
    }

    /// Busy share of a station's servers over time; none where all are served at once.
    pub fn busy(&self, station: usize) -> Option<&Level> {
        let record = self.stations.get(station)?;
        record.servers.map(|_| &record.busy)
    }

    /// Records an event.
    pub(super) fn see(&mut self, event: &Event) {
        let time = event.time;
        match event.what {
            What::Arrives => self.present[event.class].add(time, 1.0),
            What::Departs => self.present[event.class].add(time, -1.0),
            What::Joins { station } => self.stations[station].moves(time, 1.0),
            What::Ends { station } => self.stations[station].moves(time, -1.0),
            What::Asks { lock, activity, .. } => {
                self.locks[lock].waiting.add(time, 1.0);
                self.blame.asks(time, lock, activity);
            }
            What::Granted { lock, mode, activity } => {
                self.locks[lock].granted(time, mode, activity);
                self.blame.granted(time, lock, activity);
            }
            What::Releases { lock, mode, activity } => {
                self.locks[lock].releases(time, mode, self.column);
                self.blame.releases(time, lock, activity);
            }
            What::Begins { .. }
            | What::Pauses { .. }
            | What::Starts
            | What::Sized { .. }
            | What::Completes { .. }
            | What::Wants { .. }
            | What::Takes { .. }
            | What::Gives { .. } => {}
        }
    }

    /// Goes on to a time as it is.
    pub(super) fn settle(&mut self, time: f64) {
        let stations = self.stations.iter_mut().map(|station| &mut station.busy);
        for level in self.present.iter_mut().chain(stations) {
            level.settle(time);
        }
        for lock in &mut self.locks {
            for level in [&mut lock.waiting, &mut lock.written, &mut lock.read] {
                level.settle(time);
            }
        }
        self.blame.settle(time);
    }
}

impl StationRecord {
    #[inline]
    fn moves(&mut self, time: f64, more: f64) {
        self.present = (self.present + more).max(0.0);
        let value = match self.servers {
            Some(servers) => (self.present / servers).min(1.0),
            None => self.present,
        };
        self.busy.set(time, value);
    }
}

impl LockRecord {
    fn granted(&mut self, time: f64, mode: Mode, activity: Option<usize>) {
        self.waiting.add(time, -1.0);
        match mode {
            Mode::Exclusive => {
                self.written.set(time, 1.0);
                self.writes.begin(time, activity);
            }
            Mode::Shared => {
                self.readers += 1;
                if self.readers == 1 {
                    self.read.set(time, 1.0);
                    self.reads.begin(time, activity);
                }
            }
        }
    }

    fn releases(&mut self, time: f64, mode: Mode, column: f64) {
        match mode {
            Mode::Exclusive => {
                self.written.set(time, 0.0);
                self.writes.end(time, column);
            }
            Mode::Shared => {
                self.readers = self.readers.saturating_sub(1);
                if self.readers == 0 {
                    self.read.set(time, 0.0);
                    self.reads.end(time, column);
                }
            }
        }
    }
}
