//! Stations whose services never change their end: delays and first come, first served. A lone server has
//! a timer, others use the calendar.
//!
//! All others are [`shared`](super::shared). What both count is a [`Cell`] for each class.

use super::task::{Line, NONE};
use super::timers::Due;
use super::{Engine, Observer, What};
use crate::sim::model::{Discipline, HappeningKind, Model, Station};

/// What is counted of one class at one station. Areas are sums of −t at arrivals and +t at departures:
/// with n·t added they are the integral of the number over time.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::sim) struct Cell {
    /// Present.
    pub(in crate::sim) n: u32,
    /// In service.
    pub(in crate::sim) serving: u32,
    /// Departures.
    pub(in crate::sim) count: u64,
    /// Integral of the number present, less n·t \[s\].
    pub(in crate::sim) area: f64,
    /// Integral of the busy servers, less those serving now times the station's clock \[s\].
    pub(in crate::sim) busy: f64,
}

/// How a station works.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::sim) enum Kind {
    Delay,
    /// One server: its timer.
    Server(u32),
    /// Several servers.
    Fcfs,
    /// Index of the shared station, and its timer.
    Shared(u32),
}

#[derive(Clone, Debug)]
pub(in crate::sim) struct StationState {
    pub(in crate::sim) kind: Kind,
    /// Servers that nobody uses.
    idle: u32,
    /// Who is served, where there is one server.
    served: u32,
    line: Line,
}

impl StationState {
    /// The stations of a model; the timers that they need are added.
    pub(in crate::sim) fn all(model: &Model, shared: &[usize], due: &mut Vec<Due>) -> Vec<Self> {
        let kind = |(idx, station): (usize, &Station)| {
            if let Ok(number) = shared.binary_search(&idx) {
                return Kind::Shared(number as u32);
            }
            match station.discipline {
                Discipline::Delay => Kind::Delay,
                _ if station.servers > 1.0 => Kind::Fcfs,
                _ => {
                    due.push(Due::Server(idx as u32));
                    Kind::Server(due.len() as u32 - 1)
                }
            }
        };
        let kinds: Vec<Kind> = model.stations.iter().enumerate().map(kind).collect();
        let states = kinds.into_iter().zip(&model.stations);
        let states = states.map(|(kind, station)| Self {
            kind,
            idle: station.servers as u32,
            served: NONE,
            line: Line::default(),
        });
        states.collect()
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

impl<O: Observer> Engine<'_, O> {
    #[inline]
    pub(super) fn cell(&mut self, station: u32, class: u32) -> &mut Cell {
        &mut self.cells[station as usize * self.n_classes + class as usize]
    }

    /// A task comes to a station.
    #[inline]
    pub(super) fn join(&mut self, task: u32, station: u32, work: f64) {
        let now = self.now;
        let hot = &mut self.tasks.hot[task as usize];
        hot.station = station;
        let class = hot.class;
        self.tell(
            task,
            What::Joins {
                station: station as usize,
            },
        );
        let cell = &mut self.cells[station as usize * self.n_classes + class as usize];
        cell.n += 1;
        cell.area -= now;
        let state = &mut self.stations[station as usize];
        match state.kind {
            Kind::Server(timer) => {
                if state.idle > 0 {
                    state.idle = 0;
                    state.served = task;
                    cell.serving += 1;
                    cell.busy -= now;
                    self.timers.set(timer, now + work);
                    self.tell(
                        task,
                        What::Begins {
                            station: station as usize,
                        },
                    );
                } else {
                    self.tasks.hot[task as usize].work = work;
                    state.line.push_back(&mut self.tasks.hot, task);
                }
            }
            Kind::Fcfs => {
                if state.idle > 0 {
                    state.idle -= 1;
                    cell.serving += 1;
                    cell.busy -= now;
                    self.calendar.push(now + work, task);
                    self.tell(
                        task,
                        What::Begins {
                            station: station as usize,
                        },
                    );
                } else {
                    self.tasks.hot[task as usize].work = work;
                    state.line.push_back(&mut self.tasks.hot, task);
                }
            }
            Kind::Delay => {
                self.calendar.push(now + work, task);
                self.tell(
                    task,
                    What::Begins {
                        station: station as usize,
                    },
                );
            }
            Kind::Shared(shared) => {
                self.tasks.hot[task as usize].work = work;
                self.join_shared(task, shared);
            }
        }
    }

    /// A service that the calendar knew ends.
    #[inline]
    pub(super) fn end_service(&mut self, task: u32) {
        let now = self.now;
        // Field by field: a whole record that was just written in parts is slow to load.
        let hot = &self.tasks.hot[task as usize];
        let (station, class) = (hot.station, hot.class);
        self.tell(
            task,
            What::Ends {
                station: station as usize,
            },
        );
        let cell = self.cell(station, class);
        cell.n -= 1;
        cell.count += 1;
        cell.area += now;
        let state = &mut self.stations[station as usize];
        if state.kind == Kind::Fcfs {
            let cell = &mut self.cells[station as usize * self.n_classes + class as usize];
            cell.serving -= 1;
            cell.busy += now;
            if let Some(next) = state.line.pop(&self.tasks.hot) {
                let waited = &self.tasks.hot[next as usize];
                let class = waited.class;
                self.calendar.push(now + waited.work, next);
                self.begins(next, station, class);
            } else {
                state.idle += 1;
            }
        }
        self.advance(task);
    }

    /// The service of a lone server ends.
    #[inline]
    pub(super) fn end_server(&mut self, station: u32) {
        let now = self.now;
        let state = &mut self.stations[station as usize];
        let Kind::Server(timer) = state.kind else {
            unreachable!("only lone servers have such a timer")
        };
        let task = state.served;
        let class = self.tasks.hot[task as usize].class;
        let cell = &mut self.cells[station as usize * self.n_classes + class as usize];
        cell.n -= 1;
        cell.serving -= 1;
        cell.count += 1;
        cell.area += now;
        cell.busy += now;
        self.tell(
            task,
            What::Ends {
                station: station as usize,
            },
        );
        let state = &mut self.stations[station as usize];
        if let Some(next) = state.line.pop(&self.tasks.hot) {
            let waited = &self.tasks.hot[next as usize];
            let class = waited.class;
            state.served = next;
            self.timers.set(timer, now + waited.work);
            self.begins(next, station, class);
        } else {
            state.idle = 1;
            self.timers.set(timer, f64::INFINITY);
        }
        self.advance(task);
    }

    /// The service of one who waited begins.
    #[inline]
    fn begins(&mut self, task: u32, station: u32, class: u32) {
        let now = self.now;
        let cell = self.cell(station, class);
        cell.serving += 1;
        cell.busy -= now;
        self.tell(
            task,
            What::Begins {
                station: station as usize,
            },
        );
    }
}
