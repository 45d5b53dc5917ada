//! Stations whose services never change their end: delays and first come, first served.
//!
//! A single server knows the end of a service when its customer arrives (D. V. Lindley, "The theory of
//! queues with a single server", Mathematical Proceedings of the Cambridge Philosophical Society 48(2),
//! 1952), and has a timer for the first of them. Where there are few servers, each has a timer for
//! whom it serves. The services of many servers, and of delays, are in the calendar. All other stations
//! are [`shared`](super::shared). What all count is a [`Cell`] for each class.

use super::task::{Line, NONE};
use super::timers::{SERVER, SHARED, SINGLE, SOURCE};
use super::{Engine, Observer, What};
use crate::sim::model::{Discipline, HappeningKind, Model, Source};

/// Most servers of a station that have timers.
const TIMED_SERVERS: f64 = 16.0;

/// What is counted of one class at one station. Areas are sums of −t at arrivals and +t at departures:
/// with n·t added they are the integral of the number over time.
///
/// The order of fields keeps apart what is changed together: two neighbours would be loaded as one
/// right after one of them was stored, which makes the processor wait.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(in crate::sim) struct Cell {
    /// Integral of the number present, less n·t \[s\].
    pub(in crate::sim) area: f64,
    /// Present.
    pub(in crate::sim) n: u32,
    pub(in crate::sim) station: u32,
    /// Integral of the busy servers, less those serving now times the station's clock \[s\].
    pub(in crate::sim) busy: f64,
    /// In service.
    pub(in crate::sim) serving: u32,
    /// Departures.
    pub(in crate::sim) count: u64,
}

/// The cells of all stations.
pub(in crate::sim) fn cells(stations: usize, classes: usize) -> Vec<Cell> {
    let cell = |idx| Cell { station: (idx / classes) as u32, ..Cell::default() };
    (0..stations * classes).map(cell).collect()
}

impl Cell {
    /// One of those present is served and leaves.
    #[inline(always)]
    pub(super) fn leave(&mut self, now: f64) {
        self.n -= 1;
        self.count += 1;
        self.area += now;
    }
}

/// How a station works.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::sim) enum Kind {
    Delay,
    /// One server, with a timer.
    Single(u32),
    /// A few servers with timers.
    Few,
    /// Many servers.
    Many,
    /// Index of the shared station.
    Shared(u32),
    /// Index of the exit.
    Exit(u32),
}

#[derive(Clone, Debug)]
pub(in crate::sim) struct StationState {
    pub(in crate::sim) kind: Kind,
    /// The first idle server, or none, where there are few; how many are idle where there are many.
    idle: u32,
    /// Who waits, unless there is a single server.
    line: Line,
}

/// A server with a timer.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Server {
    pub(in crate::sim) station: u32,
    pub(in crate::sim) timer: u32,
    /// Whom a single one serves, and those who wait; `work` is when it ends.
    pub(in crate::sim) line: Line,
    /// When a single one will have served all of them \[s\].
    free_at: f64,
    /// Whom one of few serves.
    task: u32,
    /// The next idle one, while one of few is idle.
    next: u32,
}

/// No server.
const NOBODY: u32 = u32::MAX;

impl StationState {
    /// The stations of a model, and those of their servers that have timers.
    pub(in crate::sim) fn all(model: &Model, shared: &[usize], exits: &[usize]) -> (Vec<Self>, Vec<Server>) {
        let mut servers: Vec<Server> = Vec::new();
        let mut states = Vec::new();
        for (idx, station) in model.stations.iter().enumerate() {
            let mut idle = station.servers as u32;
            let kind = if let Ok(number) = shared.binary_search(&idx) {
                Kind::Shared(number as u32)
            } else if let Ok(number) = exits.binary_search(&idx) {
                Kind::Exit(number as u32)
            } else if station.discipline == Discipline::Delay {
                Kind::Delay
            } else if station.servers > TIMED_SERVERS {
                Kind::Many
            } else {
                let count = std::mem::replace(&mut idle, NOBODY);
                for _ in 0..count {
                    let number = servers.len() as u32;
                    servers.push(Server {
                        station: idx as u32,
                        timer: 0,
                        line: Line::default(),
                        free_at: 0.0,
                        task: NONE,
                        next: std::mem::replace(&mut idle, number),
                    });
                }
                if count == 1 { Kind::Single(idle) } else { Kind::Few }
            };
            states.push(Self { kind, idle, line: Line::default() });
        }
        (states, servers)
    }
}

/// Stations where the end of a service may change.
pub(in crate::sim) fn shared(model: &Model) -> Vec<usize> {
    let changes = |idx: usize| {
        let happenings = model.happenings.iter();
        happenings
            .filter_map(|happening| match happening.kind {
                HappeningKind::Speed { station, .. } => Some(station),
                HappeningKind::Arrive { .. } => None,
            })
            .any(|station| station == idx)
    };
    let stations = model.stations.iter().enumerate();
    let shared = stations.filter(|(idx, station)| {
        let known = matches!(station.discipline, Discipline::Delay | Discipline::Fcfs);
        !known || !station.speeds.is_empty() || changes(*idx)
    });
    shared.map(|(idx, _)| idx).collect()
}

/// Whose each timer is: sources of open classes, servers, shared stations.
pub(in crate::sim) fn timers(stations: &[StationState], servers: &[Server], shared: usize, model: &Model) -> Vec<u32> {
    let classes = model.classes.iter().zip(0..);
    let open = classes.filter(|(class, _)| matches!(class.source, Source::Open(_)));
    let sources = open.map(|(_, idx): (_, u32)| SOURCE | idx);
    let kind = |server: &Server| match stations[server.station as usize].kind {
        Kind::Single(_) => SINGLE,
        _ => SERVER,
    };
    let servers = servers.iter().zip(0..);
    let servers = servers.map(|(server, number): (_, u32)| kind(server) | number);
    let shared = (0..shared as u32).map(|number| SHARED | number);
    sources.chain(servers).chain(shared).collect()
}

impl<O: Observer> Engine<'_, O> {
    /// A task comes to a station.
    #[inline(always)]
    pub(super) fn join(&mut self, task: u32, at: u32, work: f64) {
        let now = self.now;
        let cell = &mut self.cells[at as usize];
        cell.n += 1;
        cell.area -= now;
        let station = cell.station;
        let hot = &mut self.tasks.hot[task as usize];
        hot.cell = at;
        let state = &mut self.stations[station as usize];
        match state.kind {
            Kind::Single(number) => {
                let server = &mut self.servers[number as usize];
                let idle = server.line.is_empty();
                let start = if idle { now } else { server.free_at };
                server.free_at = start + work;
                hot.work = start + work;
                cell.busy += work;
                if idle {
                    self.timers.set(server.timer, start + work);
                }
                server.line.push_back(&mut self.tasks.hot, task);
                self.tell_at(task, station, |station| What::Joins { station });
                if O::ON && idle {
                    self.tell_at(task, station, |station| What::Begins { station });
                }
            }
            Kind::Few => {
                if let Some(server) = self.servers.get_mut(state.idle as usize) {
                    state.idle = server.next;
                    server.task = task;
                    self.timers.set(server.timer, now + work);
                    cell.serving += 1;
                    cell.busy -= now;
                    self.tell_at(task, station, |station| What::Joins { station });
                    self.tell_at(task, station, |station| What::Begins { station });
                } else {
                    hot.work = work;
                    state.line.push_back(&mut self.tasks.hot, task);
                    self.tell_at(task, station, |station| What::Joins { station });
                }
            }
            other => {
                hot.work = work;
                self.tell_at(task, station, |station| What::Joins { station });
                self.join_other(task, at, station, other);
            }
        }
    }

    #[inline(never)]
    fn join_other(&mut self, task: u32, at: u32, station: u32, kind: Kind) {
        match kind {
            Kind::Shared(shared) => self.join_shared(task, shared),
            Kind::Many => self.join_many(task, at, station),
            Kind::Exit(_) => unreachable!("who comes to an exit does not join a line"),
            _ => {
                let work = self.tasks.hot[task as usize].work;
                self.calendar.push(self.now + work, task);
                self.tell_at(task, station, |station| What::Begins { station });
            }
        }
    }

    fn join_many(&mut self, task: u32, at: u32, station: u32) {
        let state = &mut self.stations[station as usize];
        if state.idle > 0 {
            state.idle -= 1;
            let work = self.tasks.hot[task as usize].work;
            self.calendar.push(self.now + work, task);
            self.begins(task, at, station);
        } else {
            state.line.push_back(&mut self.tasks.hot, task);
        }
    }

    /// A service that the calendar knew ends; of whom.
    #[inline(always)]
    pub(super) fn end_service(&mut self, task: u32) -> u32 {
        let now = self.now;
        let at = self.tasks.hot[task as usize].cell;
        let cell = &mut self.cells[at as usize];
        cell.leave(now);
        let station = cell.station;
        self.tell_at(task, station, |station| What::Ends { station });
        if self.stations[station as usize].kind == Kind::Many {
            self.end_many(at, station);
        }
        task
    }

    #[inline(never)]
    fn end_many(&mut self, at: u32, station: u32) {
        let now = self.now;
        let cell = &mut self.cells[at as usize];
        cell.serving -= 1;
        cell.busy += now;
        let state = &mut self.stations[station as usize];
        if let Some(next) = state.line.pop(&self.tasks.hot) {
            let waited = &self.tasks.hot[next as usize];
            let at = waited.cell;
            self.calendar.push(now + waited.work, next);
            self.begins(next, at, station);
        } else {
            state.idle += 1;
        }
    }

    /// The service of a single server ends; of whom.
    #[inline(always)]
    pub(super) fn end_single(&mut self, number: u32) -> u32 {
        let now = self.now;
        let server = &mut self.servers[number as usize];
        let task = server.line.pop_first(&self.tasks.hot);
        let next = server.line.head;
        self.timers.set(server.timer, self.tasks.hot[next as usize].work);
        // Field by field: a whole record that was just written in parts is slow to load.
        let at = self.tasks.hot[task as usize].cell;
        let cell = &mut self.cells[at as usize];
        cell.leave(now);
        if O::ON {
            let station = server.station;
            self.tell_at(task, station, |station| What::Ends { station });
            if next != NONE {
                self.tell_at(next, station, |station| What::Begins { station });
            }
        }
        task
    }

    /// The service of one of few servers ends; of whom.
    #[inline(always)]
    pub(super) fn end_of_few(&mut self, number: u32) -> u32 {
        let now = self.now;
        let server = &mut self.servers[number as usize];
        let (task, station) = (server.task, server.station);
        let at = self.tasks.hot[task as usize].cell;
        let cell = &mut self.cells[at as usize];
        cell.leave(now);
        cell.serving -= 1;
        cell.busy += now;
        let state = &mut self.stations[station as usize];
        let next = state.line.pop_first(&self.tasks.hot);
        let waited = &self.tasks.hot[next as usize];
        let (at, end) = (waited.cell, now + waited.work);
        self.timers.set(server.timer, end);
        if next == NONE {
            server.next = std::mem::replace(&mut state.idle, number);
        } else {
            server.task = next;
        }
        self.tell_at(task, station, |station| What::Ends { station });
        if next != NONE {
            self.begins(next, at, station);
        }
        task
    }

    /// A service begins: it is counted.
    #[inline(always)]
    fn begins(&mut self, task: u32, at: u32, station: u32) {
        let now = self.now;
        let cell = &mut self.cells[at as usize];
        cell.serving += 1;
        cell.busy -= now;
        self.tell_at(task, station, |station| What::Begins { station });
    }

    /// Tells of something at a station.
    #[inline(always)]
    pub(super) fn tell_at(&mut self, task: u32, station: u32, what: impl Fn(usize) -> What) {
        if O::ON {
            self.tell(task, what(station as usize));
        }
    }
}
