//! Stations whose service is the last thing that all their customers do, first come, first served.
//!
//! Nothing that happens later changes when such a service ends, and nobody waits for its end: with the
//! times at which the servers will be free the end is known at arrival (J. Kiefer, J. Wolfowitz, "On the
//! theory of queues with many servers", Transactions of the American Mathematical Society 78, 1955). So
//! a departure is no entry of the calendar. It is counted later, many in a row, but always before
//! anybody looks at what is counted; a closed customer starts to think from then on at once.

use super::station::Cell;
use super::timing::Timing;
use super::{ClassState, Engine, Observer, Ran};
use crate::sim::model::{Discipline, Model};
use crate::sim::program::{Op, Program};

/// Most servers of such a station.
const SERVERS: usize = 16;
/// Services that are kept, beside those that had not ended when they were counted last.
const ROOM: usize = 128;

/// A service whose end is known.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Service {
    /// When the response began \[s\].
    began: f64,
    /// When the customer came to the station \[s\].
    joined: f64,
    pub(in crate::sim) start: f64,
    pub(in crate::sim) end: f64,
    pub(in crate::sim) class: u32,
}

/// Such a station.
#[derive(Debug)]
pub(in crate::sim) struct Exit {
    /// Its cell of the first class.
    first_cell: usize,
    servers: usize,
    /// When each server will be free, soonest first; never, those that are not there \[s\].
    free_at: [f64; SERVERS],
    /// Services that are not counted as departures, in order of arrival.
    pub(in crate::sim) services: Vec<Service>,
    /// How many of them are counted as arrivals.
    counted: usize,
    /// Most services to keep.
    room: usize,
}

/// What the services of a station are counted in.
struct Counts<'a, 'm> {
    cells: &'a mut [Cell],
    classes: &'a mut [ClassState<'m>],
    timings: &'a mut [Timing],
}

/// Finds the stations that are exits, and tells the programs: where one of their customers is served it
/// leaves. There are none where customers have more to remember than where they are.
pub(in crate::sim) fn find(model: &Model, shared: &[usize], with_extra: bool, program: &mut Program) -> Vec<usize> {
    if with_extra {
        return Vec::new();
    }
    let n_classes = model.classes.len();
    let mut serves: Vec<(usize, usize, bool)> = Vec::new();
    for (idx, op) in program.ops.iter().enumerate() {
        if let Op::Serve { cell, .. } = op {
            serves.push((idx, *cell as usize / n_classes, program.departs(idx + 1)));
        }
    }
    let is_exit = |idx: usize| {
        let station = &model.stations[idx];
        let mut here = serves.iter().filter(|(_, at, _)| *at == idx).peekable();
        station.discipline == Discipline::Fcfs
            && station.servers <= SERVERS as f64
            && shared.binary_search(&idx).is_err()
            && here.peek().is_some()
            && here.all(|(_, _, leaves)| *leaves)
    };
    let exits: Vec<usize> = (0..model.stations.len()).filter(|idx| is_exit(*idx)).collect();
    for (idx, station, _) in serves {
        if let (Ok(exit), Op::Serve { draw, .. }) = (exits.binary_search(&station), program.ops[idx]) {
            let exit = exit as u32;
            program.ops[idx] = Op::Exit { exit, draw };
        }
    }
    exits
}

impl Exit {
    pub(in crate::sim) fn new(model: &Model, station: usize) -> Self {
        let servers = model.stations[station].servers as usize;
        let mut free_at = [f64::INFINITY; SERVERS];
        free_at[..servers].fill(0.0);
        Self {
            first_cell: station * model.classes.len(),
            servers,
            free_at,
            services: Vec::with_capacity(ROOM),
            counted: 0,
            room: ROOM,
        }
    }

    /// A customer comes at `now` whose response began earlier; when its service will begin and end.
    #[inline(always)]
    fn join(&mut self, class: u32, began: f64, now: f64, work: f64) -> (f64, f64) {
        let free = self.free_at[0];
        let start = if free > now { free } else { now };
        let end = start + work;
        if self.servers == 1 {
            self.free_at[0] = end;
        } else {
            self.occupy(end);
        }
        self.services.push(Service { began, joined: now, start, end, class });
        (start, end)
    }

    /// The server that was free first is so again at `end`: all others that are free before that move
    /// forward.
    #[inline(always)]
    fn occupy(&mut self, end: f64) {
        let mut later = end;
        for idx in 1..8 {
            let other = self.free_at[idx];
            self.free_at[idx - 1] = if other < later { other } else { later };
            later = if other < later { later } else { other };
        }
        if self.servers <= 8 {
            self.free_at[7] = later;
            return;
        }
        for idx in 8..SERVERS {
            let other = self.free_at[idx];
            self.free_at[idx - 1] = if other < later { other } else { later };
            later = if other < later { later } else { other };
        }
        self.free_at[SERVERS - 1] = later;
    }

    /// Counts arrivals so far and departures up to `now`; how many departures there were.
    fn count(&mut self, now: f64, counts: &mut Counts<'_, '_>) -> usize {
        self.count_arrivals(counts);
        let ended = self.services.iter().take_while(|s| s.end <= now).count();
        for alike in self.services[..ended].chunk_by(|a, b| a.class == b.class) {
            counts.depart(self.first_cell, alike);
        }
        let mut left = 0;
        for idx in ended..self.services.len() {
            let service = self.services[idx];
            if service.end <= now {
                counts.depart(self.first_cell, &[service]);
            } else {
                self.services[left] = service;
                left += 1;
            }
        }
        let departed = self.services.len() - left;
        self.forget(left);
        departed
    }

    fn count_arrivals(&mut self, counts: &mut Counts<'_, '_>) {
        for alike in self.services[self.counted..].chunk_by(|a, b| a.class == b.class) {
            let cell = &mut counts.cells[self.first_cell + alike[0].class as usize];
            cell.n += alike.len() as u32;
            for service in alike {
                cell.area -= service.joined;
                cell.busy += service.end - service.start;
            }
        }
        self.counted = self.services.len();
    }

    /// Keeps the first `left` services only, all of which are counted as arrivals.
    fn forget(&mut self, left: usize) {
        self.services.truncate(left);
        self.counted = left;
        self.room = ROOM + 2 * left;
    }
}

impl Counts<'_, '_> {
    /// Counts departures of one class.
    #[inline(always)]
    fn depart(&mut self, first_cell: usize, services: &[Service]) {
        let idx = services[0].class as usize;
        let cell = &mut self.cells[first_cell + idx];
        let class = &mut self.classes[idx];
        let timing = &mut self.timings[idx];
        cell.n -= services.len() as u32;
        cell.count += services.len() as u64;
        class.n -= services.len() as u64;
        for service in services {
            cell.area += service.end;
            class.area += service.end;
            timing.record(service.end - service.began);
        }
    }
}

impl<'m, O: Observer> Engine<'m, O> {
    /// The exits, and what they count in.
    fn counts(&mut self) -> (&mut [Exit], Counts<'_, 'm>) {
        let counts = Counts { cells: &mut self.cells, classes: &mut self.classes, timings: &mut self.timings };
        (&mut self.exits, counts)
    }

    /// A customer comes to an exit; when its service will begin and end \[s\].
    #[inline(always)]
    pub(super) fn exit(&mut self, idx: u32, class: u32, began: f64, work: f64) -> (f64, f64) {
        let exit = &mut self.exits[idx as usize];
        let times = exit.join(class, began, self.now, work);
        if exit.services.len() >= exit.room {
            self.count_exit(idx as usize, self.now);
        }
        times
    }

    /// A task comes to an exit, and leaves from there.
    #[inline(always)]
    pub(super) fn go_out(&mut self, task: u32, idx: u32, work: f64) {
        let hot = &self.tasks.hot[task as usize];
        let (class, began) = (hot.class, hot.began);
        let (start, end) = self.exit(idx, class, began, work);
        if O::ON {
            let station = self.exits[idx as usize].first_cell / self.n_classes;
            self.foretell(task, station, start, end);
        }
        self.leave(task, class, end);
    }

    /// Counts arrivals at one exit, and its departures up to `now`.
    #[inline(never)]
    fn count_exit(&mut self, idx: usize, now: f64) {
        let (exits, mut counts) = self.counts();
        let departed = exits[idx].count(now, &mut counts);
        self.handled += departed as u64;
    }

    /// The same at all exits.
    pub(super) fn count_exits(&mut self, now: f64) {
        for idx in 0..self.exits.len() {
            self.count_exit(idx, now);
        }
        if O::ON {
            self.tell_ahead(now);
        }
    }

    /// Services at exits that are not counted as departures.
    pub(super) fn leaving(&self) -> usize {
        self.exits.iter().map(|exit| exit.services.len()).sum()
    }

    /// When the last service ends that is known, or now \[s\].
    pub(super) fn last_exit(&self) -> f64 {
        let services = self.exits.iter().flat_map(|exit| &exit.services);
        services.fold(self.now, |last, service| last.max(service.end))
    }

    /// As [`Self::run`], but departures from exits are handled in their order, one by one, so that there
    /// are never more than `budget` events.
    pub(super) fn run_singly(&mut self, limit: f64, budget: u64) -> Ran {
        self.count_exits(self.now);
        for exit in &mut self.exits {
            exit.services.sort_by(|a, b| a.end.total_cmp(&b.end));
            exit.room = usize::MAX;
        }
        // Services that ended, by exit: they are the first ones.
        let mut ended = vec![0; self.exits.len()];
        let mut ran = Ran::Budget;
        for _ in 0..budget {
            let pairs = self.exits.iter().zip(&ended).enumerate();
            let firsts = pairs.filter_map(|(idx, (e, gone))| Some((e.services.get(*gone)?, idx)));
            let first = firsts.min_by(|a, b| a.0.end.total_cmp(&b.0.end));
            let due = first.map_or(f64::INFINITY, |(service, _)| service.end);
            let (next, (timer, whose)) = (self.calendar.next_bits(), self.timers.first());
            if due.to_bits().min(timer).min(next) > limit.to_bits() {
                ran = Ran::Limit;
                break;
            }
            self.handled += 1;
            if let Some((service, idx)) = first
                && due.to_bits() <= timer.min(next)
            {
                let service = [*service];
                self.now = due;
                let first_cell = self.exits[idx].first_cell;
                self.counts().1.depart(first_cell, &service);
                ended[idx] += 1;
            } else {
                self.handle(next, timer, whose);
                self.sort_newest();
            }
        }
        for (exit, ended) in self.exits.iter_mut().zip(ended) {
            exit.services.drain(..ended);
            exit.forget(exit.services.len());
        }
        if ran == Ran::Limit && limit < f64::MAX {
            self.now = limit;
        }
        if O::ON {
            self.tell_ahead(self.now);
        }
        ran
    }

    /// Brings services that just came to their place by end.
    fn sort_newest(&mut self) {
        let (exits, mut counts) = self.counts();
        for exit in exits {
            let sorted = exit.counted;
            exit.count_arrivals(&mut counts);
            for new in sorted..exit.services.len() {
                let mut idx = new;
                while idx > 0 && exit.services[idx - 1].end > exit.services[idx].end {
                    exit.services.swap(idx - 1, idx);
                    idx -= 1;
                }
            }
        }
    }
}
