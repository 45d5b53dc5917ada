//! Stations whose services never change their end: delays and first come, first served.
//!
//! A single server knows the end of a service when its customer arrives (D. V. Lindley, "The theory of
//! queues with a single server", 1952), and has a timer for the first of them. Few servers have a timer each; the services of many, and of delays, are in the calendar. All other
//! stations are [`shared`](super::shared). What all count is a [`Cell`] for each class.

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

/// How a station works.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::sim) enum Kind {
    Delay,
    /// One server: its timer.
    Single(u32),
    /// A few servers with timers.
    Timed,
    /// Many servers.
    Many,
    /// Index of the shared station.
    Shared(u32),
}

#[derive(Clone, Debug)]
pub(in crate::sim) struct StationState {
    pub(in crate::sim) kind: Kind,
    /// The first idle server, or none; how many are idle where there are many.
    idle: u32,
    /// Who waits; of a single server, also who is served.
    pub(in crate::sim) line: Line,
    /// When a single server will have done all that is there \[s\].
    pub(in crate::sim) free_at: f64,
}

/// A server with a timer.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Server {
    station: u32,
    /// Whom it serves.
    task: u32,
    /// The next idle one, while it is idle.
    next: u32,
}

impl StationState {
    /// The stations of a model, and those of their servers that have timers.
    pub(in crate::sim) fn all(model: &Model, shared: &[usize]) -> (Vec<Self>, Vec<Server>) {
        let mut servers = Vec::new();
        let mut states = Vec::new();
        for (idx, station) in model.stations.iter().enumerate() {
            let (kind, idle) = if let Ok(number) = shared.binary_search(&idx) {
                (Kind::Shared(number as u32), NONE)
            } else if station.discipline == Discipline::Delay {
                (Kind::Delay, NONE)
            } else if station.servers > TIMED_SERVERS {
                (Kind::Many, station.servers as u32)
            } else if station.servers == 1.0 {
                servers.push(Server {
                    station: idx as u32,
                    task: NONE,
                    next: NONE,
                });
                (Kind::Single(servers.len() as u32 - 1), NONE)
            } else {
                let mut next = NONE;
                for _ in 0..station.servers as u32 {
                    servers.push(Server {
                        station: idx as u32,
                        task: NONE,
                        next,
                    });
                    next = servers.len() as u32 - 1;
                }
                (Kind::Timed, next)
            };
            states.push(Self {
                kind,
                idle,
                line: Line::default(),
                free_at: 0.0,
            });
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

/// What each timer is for: servers, shared stations, sources of open classes.
pub(in crate::sim) fn timers(
    stations: &[StationState],
    servers: &[Server],
    shared: usize,
    model: &Model,
) -> Vec<u32> {
    let classes = model.classes.iter().enumerate();
    let open = classes.filter(|(_, class)| matches!(class.source, Source::Open(_)));
    let servers = servers.iter().zip(0..);
    let servers = servers.map(
        |(server, number)| match stations[server.station as usize].kind {
            Kind::Single(_) => SINGLE | server.station,
            _ => SERVER | number,
        },
    );
    let shared = (0..shared as u32).map(|number| SHARED | number);
    let sources = open.map(|(idx, _)| SOURCE | idx as u32);
    servers.chain(shared).chain(sources).collect()
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
            Kind::Single(timer) => {
                // The end is known on arrival: when those before are done, or now, and the service.
                let idle = state.line.is_empty();
                let start = if idle { now } else { state.free_at };
                state.free_at = start + work;
                hot.work = start + work;
                cell.busy += work;
                if idle {
                    self.timers.set(timer, start + work);
                }
                state.line.push_back(&mut self.tasks.hot, task);
                self.tell_at(task, station, |station| What::Joins { station });
                if idle {
                    self.tell_at(task, station, |station| What::Begins { station });
                }
            }
            Kind::Timed => {
                self.tell_at(task, station, |station| What::Joins { station });
                let state = &mut self.stations[station as usize];
                if let Some(server) = self.servers.get_mut(state.idle as usize) {
                    let timer = std::mem::replace(&mut state.idle, server.next);
                    server.task = task;
                    self.timers.set(timer, now + work);
                    self.begins(task, at, station);
                } else {
                    let hot = &mut self.tasks.hot[task as usize];
                    hot.work = work;
                    state.line.push_back(&mut self.tasks.hot, task);
                }
            }
            Kind::Delay => {
                self.calendar.push(now + work, task);
                self.tell_at(task, station, |station| What::Joins { station });
                self.tell_at(task, station, |station| What::Begins { station });
            }
            Kind::Shared(shared) => {
                hot.work = work;
                self.tell_at(task, station, |station| What::Joins { station });
                self.join_shared(task, shared);
            }
            Kind::Many => {
                hot.work = work;
                self.tell_at(task, station, |station| What::Joins { station });
                self.join_many(task, at, station);
            }
        }
    }

    #[inline(never)]
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
        cell.n -= 1;
        cell.count += 1;
        cell.area += now;
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
    pub(super) fn end_single(&mut self, station: u32) -> u32 {
        let now = self.now;
        let state = &mut self.stations[station as usize];
        let (Kind::Single(timer), Some(task)) = (state.kind, state.line.pop(&self.tasks.hot))
        else {
            return NONE;
        };
        let next = state.line.head;
        let time = self
            .tasks
            .hot
            .get(next as usize)
            .map_or(f64::INFINITY, |hot| hot.work);
        self.timers.set(timer, time);
        let at = self.tasks.hot[task as usize].cell;
        let cell = &mut self.cells[at as usize];
        cell.n -= 1;
        cell.count += 1;
        cell.area += now;
        self.tell_at(task, station, |station| What::Ends { station });
        if next != NONE {
            self.tell_at(next, station, |station| What::Begins { station });
        }
        task
    }

    /// The service of a server with a timer ends; of whom.
    #[inline(always)]
    pub(super) fn end_server(&mut self, number: u32) -> u32 {
        let now = self.now;
        let server = &mut self.servers[number as usize];
        let (task, station) = (server.task, server.station);
        let state = &mut self.stations[station as usize];
        let next = state.line.pop(&self.tasks.hot);
        // Field by field: a whole record that was just written in parts is slow to load.
        let mut follows = None;
        if let Some(next) = next {
            let waited = &self.tasks.hot[next as usize];
            server.task = next;
            self.timers.set(number, now + waited.work);
            follows = Some((next, waited.cell));
        } else {
            server.next = std::mem::replace(&mut state.idle, number);
            self.timers.set(number, f64::INFINITY);
        }
        let at = self.tasks.hot[task as usize].cell;
        let cell = &mut self.cells[at as usize];
        cell.n -= 1;
        cell.serving -= 1;
        cell.count += 1;
        cell.area += now;
        cell.busy += now;
        self.tell_at(task, station, |station| What::Ends { station });
        if let Some((next, at)) = follows {
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
