//! Stations where the end of a service may change: processor sharing, preemption, priorities, speeds
//! that depend on the load or on the time.
//!
//! Each has a clock of its own that runs as fast as each of those in service is served. A service then
//! ends at a fixed time of that clock, whatever comes later, and whoever is next is the first of a
//! heap: O(log n) an event. Only the time of the next end is known outside (its timer). A second
//! clock runs as fast as each of them keeps servers busy, which is not the same when a station is
//! slowed down.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::serving::Serving;
use super::task::{Line, Tasks};
use super::{Engine, Observer, What};
use crate::sim::model::{Discipline, Model, Sleeper};

/// Whoever waits at a shared station.
#[derive(Debug)]
enum Waiting {
    /// Nobody ever waits.
    None,
    First(Line),
    Last(Line),
    /// By priority and then in order of arrival.
    Ranked(BinaryHeap<Reverse<(u8, u64, u32)>>),
}

/// A shared station.
#[derive(Debug)]
pub(in crate::sim) struct Shared {
    pub(in crate::sim) station: u32,
    timer: u32,
    discipline: Discipline,
    /// Those in service, by the time of the station's clock at which their service ends.
    serving: Serving,
    waiting: Waiting,
    /// Present.
    n: usize,
    /// Most in service at a time.
    places: usize,
    /// One over the servers.
    per_server: f64,
    speeds: Vec<f64>,
    /// One over the part of its speed at which it works; see `HappeningKind::Speed`.
    per_factor: f64,
    /// The station's clock, and how fast it runs.
    clock: f64,
    rate: f64,
    /// Busy time of each in service, and how fast it grows.
    pub(in crate::sim) busy: f64,
    share: f64,
    /// When both clocks were read last.
    since: f64,
    /// Arrivals so far.
    arrivals: u64,
    /// Servers that sleep while they are idle.
    asleep: Option<Asleep>,
}

/// Servers that sleep while they are idle.
#[derive(Debug)]
struct Asleep {
    sleeper: Sleeper,
    /// Since when each idle one is, the last at the end \[s\].
    idle: Vec<f64>,
    servers: usize,
}

impl Asleep {
    fn of(model: &Model, station: usize) -> Option<Self> {
        let sleeper = *model.sleepers.iter().find(|one| one.station == station)?;
        let servers = model.stations[station].servers.ceil().max(1.0) as usize;
        Some(Self { sleeper, idle: vec![f64::NEG_INFINITY; servers], servers })
    }

    /// What the next server that is taken has to do before its work \[s\]; nothing where none is idle.
    fn wake(&mut self, now: f64) -> f64 {
        let since = self.idle.pop();
        since.map_or(0.0, |since| self.sleeper.delay * -((since - now) / self.sleeper.after).exp_m1())
    }

    /// One of `present` customers has left.
    fn leave(&mut self, present: usize, now: f64) {
        if present < self.servers {
            self.idle.push(now);
        }
    }
}

impl Shared {
    pub(in crate::sim) fn new(model: &Model, station: usize, timer: u32) -> Self {
        let described = &model.stations[station];
        let discipline = described.discipline;
        let everybody = matches!(discipline, Discipline::Ps | Discipline::Delay);
        let places = if everybody {
            usize::MAX
        } else if described.speeds.is_empty() {
            described.servers as usize
        } else {
            1
        };
        Self {
            station: station as u32,
            timer,
            discipline,
            serving: Serving::new(places, matches!(discipline, Discipline::LcfsPr | Discipline::PreemptivePriority)),
            waiting: match discipline {
                Discipline::Ps | Discipline::Delay => Waiting::None,
                Discipline::Fcfs => Waiting::First(Line::default()),
                Discipline::LcfsPr => Waiting::Last(Line::default()),
                Discipline::Priority | Discipline::PreemptivePriority => Waiting::Ranked(BinaryHeap::new()),
            },
            n: 0,
            places,
            per_server: 1.0 / described.servers,
            speeds: described.speeds.clone(),
            per_factor: 1.0,
            clock: 0.0,
            rate: 1.0,
            busy: 0.0,
            share: 1.0,
            since: 0.0,
            arrivals: 0,
            asleep: Asleep::of(model, station),
        }
    }

    /// Reads both clocks.
    #[inline(always)]
    pub(in crate::sim) fn read(&mut self, now: f64) {
        let passed = now - self.since;
        self.clock += self.rate * passed;
        self.busy += self.share * passed;
        self.since = now;
    }

    /// Works out how fast the clocks run, and when the next service ends.
    #[inline(always)]
    fn next_end(&mut self) -> f64 {
        if self.serving.len() == 0 {
            // Nobody counts on the clocks: they start again and keep all their digits.
            (self.clock, self.busy) = (0.0, 0.0);
            return f64::INFINITY;
        }
        let n = self.n as f64;
        // How many seconds of service take one second of a server, and one of the station's clock. A
        // product is sooner known than a quotient, and the next event waits for it.
        let (stretch, pace) = match self.discipline {
            Discipline::Ps if self.speeds.is_empty() => {
                let stretch = (n * self.per_server).max(1.0);
                (stretch, stretch * self.per_factor)
            }
            Discipline::Ps => (n, n / self.speed() * self.per_factor),
            _ if self.speeds.is_empty() => (1.0, self.per_factor),
            _ => (1.0, self.per_factor / self.speed()),
        };
        self.share = 1.0 / stretch;
        self.rate = 1.0 / pace;
        let left = (self.serving.next_time() - self.clock).max(0.0);
        if self.per_factor < f64::INFINITY { self.since + left * pace } else { f64::INFINITY }
    }

    /// Speed of the whole station with those who are present.
    fn speed(&self) -> f64 {
        self.speeds[self.n.min(self.speeds.len()) - 1]
    }

    /// Whom the newcomer of this rank preempts, if anybody, and its standing.
    fn victim(&self, tasks: &Tasks, priority: &[u8], newcomer: u8) -> Option<(u32, (u8, u64))> {
        let standing = |task: u32| self.standing(tasks, priority, task);
        let last_come = self.discipline == Discipline::LcfsPr;
        if !last_come && self.discipline != Discipline::PreemptivePriority {
            return None;
        }
        let victim = self.serving.extreme(!last_come, standing)?;
        let standing = standing(victim);
        (last_come || standing.0 > newcomer).then_some((victim, standing))
    }

    /// Who of those in service is preempted: by rank where ranks count, and by order of arrival.
    fn standing(&self, tasks: &Tasks, priority: &[u8], task: u32) -> (u8, u64) {
        let rank = match self.discipline {
            Discipline::PreemptivePriority => priority[tasks.hot[task as usize].class as usize],
            _ => 0,
        };
        (rank, tasks.extra[task as usize].order)
    }

    fn wait(&mut self, tasks: &mut Tasks, task: u32, priority: &[u8]) {
        match &mut self.waiting {
            Waiting::None => unreachable!("everybody is served at once"),
            Waiting::First(line) => line.push_back(&mut tasks.hot, task),
            Waiting::Last(line) => line.push_front(&mut tasks.hot, task),
            Waiting::Ranked(heap) => {
                let rank = priority[tasks.hot[task as usize].class as usize];
                heap.push(Reverse((rank, tasks.extra[task as usize].order, task)));
            }
        }
    }

    fn next_waiting(&mut self, tasks: &Tasks) -> Option<u32> {
        match &mut self.waiting {
            Waiting::None => None,
            Waiting::First(line) | Waiting::Last(line) => line.pop(&tasks.hot),
            Waiting::Ranked(heap) => heap.pop().map(|Reverse((_, _, task))| task),
        }
    }
}

impl<O: Observer> Engine<'_, O> {
    /// A task comes to a shared station; its cell counts it already.
    pub(super) fn join_shared(&mut self, task: u32, idx: u32) {
        let shared = &mut self.shared[idx as usize];
        shared.read(self.now);
        shared.n += 1;
        shared.arrivals += 1;
        if let Some(asleep) = &mut shared.asleep {
            self.tasks.hot[task as usize].work += asleep.wake(self.now);
        }
        if shared.places == usize::MAX {
            self.begin_shared(task, idx);
        } else {
            self.tasks.extra[task as usize].order = shared.arrivals;
            self.join_places(task, idx);
        }
        let end = self.shared[idx as usize].next_end();
        self.timers.set(self.shared[idx as usize].timer, end);
    }

    /// Where not everybody is served at once.
    fn join_places(&mut self, task: u32, idx: u32) {
        let shared = &mut self.shared[idx as usize];
        if shared.serving.len() < shared.places {
            return self.begin_shared(task, idx);
        }
        let rank = self.priority[self.tasks.hot[task as usize].class as usize];
        let Some((victim, standing)) = shared.victim(&self.tasks, &self.priority, rank) else {
            return shared.wait(&mut self.tasks, task, &self.priority);
        };
        let end = shared.serving.remove(victim, standing).unwrap_or(shared.clock);
        let station = shared.station;
        self.tasks.hot[victim as usize].work = (end - shared.clock).max(0.0);
        shared.wait(&mut self.tasks, victim, &self.priority);
        let busy = shared.busy;
        let at = self.tasks.hot[victim as usize].cell;
        let cell = &mut self.cells[at as usize];
        cell.serving -= 1;
        cell.busy += busy;
        self.tell_at(victim, station, |station| What::Pauses { station });
        self.begin_shared(task, idx);
    }

    #[inline(always)]
    fn begin_shared(&mut self, task: u32, idx: u32) {
        let shared = &mut self.shared[idx as usize];
        let hot = &self.tasks.hot[task as usize];
        let at = hot.cell;
        let standing =
            if shared.serving.is_ranked() { shared.standing(&self.tasks, &self.priority, task) } else { (0, 0) };
        shared.serving.push(shared.clock + hot.work, task, standing);
        let (station, busy) = (shared.station, shared.busy);
        let cell = &mut self.cells[at as usize];
        cell.serving += 1;
        cell.busy -= busy;
        self.tell_at(task, station, |station| What::Begins { station });
    }

    /// The next service of a shared station ends; of whom.
    #[inline(always)]
    pub(super) fn end_shared(&mut self, number: u32) -> u32 {
        let idx = number as usize;
        let now = self.now;
        let shared = &mut self.shared[idx];
        shared.read(now);
        shared.clock = shared.serving.next_time();
        let (tasks, priority) = (&self.tasks, &self.priority);
        let preemptive = shared.discipline == Discipline::PreemptivePriority;
        let task = shared.serving.pop(|task| {
            let rank = priority[tasks.hot[task as usize].class as usize];
            (if preemptive { rank } else { 0 }, tasks.extra[task as usize].order)
        });
        shared.n -= 1;
        if let Some(asleep) = &mut shared.asleep {
            asleep.leave(shared.n, now);
        }
        let (station, busy) = (shared.station, shared.busy);
        let at = self.tasks.hot[task as usize].cell;
        let cell = &mut self.cells[at as usize];
        cell.leave(now);
        cell.serving -= 1;
        cell.busy += busy;
        self.tell_at(task, station, |station| What::Ends { station });
        let shared = &mut self.shared[idx];
        if let Some(next) = shared.next_waiting(&self.tasks) {
            self.begin_shared(next, number);
        }
        let end = self.shared[idx].next_end();
        self.timers.set(self.shared[idx].timer, end);
        task
    }

    /// A station works at another speed from now on.
    pub(super) fn change_speed(&mut self, station: usize, factor: f64) {
        if let super::Kind::Shared(idx) = self.stations[station].kind {
            let shared = &mut self.shared[idx as usize];
            shared.read(self.now);
            shared.per_factor = 1.0 / factor;
            let end = shared.next_end();
            self.timers.set(self.shared[idx as usize].timer, end);
        }
    }
}
