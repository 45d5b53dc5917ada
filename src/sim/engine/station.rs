//! Stations whose services never change their end: delays and first come, first served.
//!
//! All others are [`shared`](super::shared). What both count is a [`Cell`] for each class.

use super::task::Line;
use super::{Engine, Observer, What};
use crate::sim::model::{Discipline, HappeningKind, Model};

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
    Fcfs,
    /// Index of the shared station.
    Shared(u32),
}

#[derive(Clone, Debug)]
pub(in crate::sim) struct StationState {
    pub(in crate::sim) kind: Kind,
    /// Servers that nobody uses.
    idle: u32,
    line: Line,
}

impl StationState {
    /// The stations of a model, and the indices of those that are shared.
    pub(in crate::sim) fn all(model: &Model) -> (Vec<Self>, Vec<usize>) {
        let mut shared = Vec::new();
        let mut states = Vec::new();
        for (idx, station) in model.stations.iter().enumerate() {
            let changes = model
                .happenings
                .iter()
                .any(|h| matches!(h.kind, HappeningKind::Speed { station, .. } if station == idx));
            let fixed = station.speeds.is_empty() && !changes;
            let kind = match station.discipline {
                Discipline::Delay if fixed => Kind::Delay,
                Discipline::Fcfs if fixed => Kind::Fcfs,
                _ => {
                    shared.push(idx);
                    Kind::Shared(shared.len() as u32 - 1)
                }
            };
            states.push(Self {
                kind,
                idle: station.servers as u32,
                line: Line::default(),
            });
        }
        (states, shared)
    }
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
        let hot = self.tasks.hot[task as usize];
        let station = hot.station;
        self.tell(
            task,
            What::Ends {
                station: station as usize,
            },
        );
        let cell = self.cell(station, hot.class);
        cell.n -= 1;
        cell.count += 1;
        cell.area += now;
        let state = &mut self.stations[station as usize];
        if state.kind == Kind::Fcfs {
            let cell = &mut self.cells[station as usize * self.n_classes + hot.class as usize];
            cell.serving -= 1;
            cell.busy += now;
            if let Some(next) = state.line.pop(&self.tasks.hot) {
                let waited = self.tasks.hot[next as usize];
                self.calendar.push(now + waited.work, next);
                let cell = self.cell(station, waited.class);
                cell.serving += 1;
                cell.busy -= now;
                self.tell(
                    next,
                    What::Begins {
                        station: station as usize,
                    },
                );
            } else {
                state.idle += 1;
            }
        }
        self.advance(task);
    }
}
