//! The event loop: what is where, and what happens next.
//!
//! Timers tell when each source, each lone server and each shared station does something next; all else
//! is in the calendar, but for departures that nobody waits for (`exit`). What is due first, of both, happens. Whoever is set free by somebody else
//! (a lock is granted, a branch is the last) goes on after the one who set it free, at the same time.

mod advance;
mod ahead;
pub(super) mod bulk;
pub(super) mod cache;
pub(super) mod collect;
mod exit;
pub(super) mod lock;
pub(super) mod pool;
mod serving;
pub(super) mod shared;
pub(super) mod source;
pub(super) mod station;
pub(super) mod task;
pub(super) mod timers;
pub(super) mod timing;

use std::collections::VecDeque;

use super::calendar::Calendar;
use super::compile;
use super::model::{Class, Discipline, Model, Profile, Source, Station};
use super::piling::Spot;
use super::program::Program;
use super::run::{Run, Span};
use super::trace::{Event, Observer, What};
use super::validate::{JOBS_BYTES_MAX, JOBS_MAX};

use ahead::Ahead;
use bulk::BulkState;
use cache::CacheState;
use exit::Exit;
use lock::LockState;
use pool::PoolState;
use shared::Shared;
use source::SourceState;
use station::{Cell, Kind, Server, StationState};
use task::Tasks;
use timers::{KIND, SERVER, SINGLE, SOURCE, Timers};
use timing::Timing;

/// Turns of repetitions, and of these for each event, after which they count as endless.
const TURNS_MAX: u64 = 20_000_000;
const TURNS_PER_EVENT: u64 = 1000;

/// What an entry of the calendar is for, beside its number: a service of a task, …
const TAG: u32 = 1 << 30;
/// … its thinking, …
const THINK: u32 = 1 << 30;
/// … or a happening.
const HERD: u32 = 2 << 30;

/// One class at run time.
#[derive(Debug)]
pub(super) struct ClassState<'m> {
    pub(super) source: SourceState,
    pub(super) closed: bool,
    /// Timer of its arrivals, if it is open.
    timer: u32,
    /// Where its program begins.
    start: u32,
    /// The exit where its customers arrive from outside, and the draw of their services; if there is one.
    exit: Option<(u32, u32)>,
    profile: Option<&'m Profile>,
    /// In the system, thinking not counted.
    pub(super) n: u64,
    /// Integral of n over time, less n·t \[s\].
    pub(super) area: f64,
}

impl<'m> ClassState<'m> {
    fn new(class: &'m Class, source: SourceState, timer: u32, start: u32, exit: Option<(u32, u32)>) -> Self {
        Self {
            source,
            closed: matches!(class.source, Source::Closed { .. }),
            timer,
            start,
            exit,
            profile: class.profile.as_ref(),
            n: 0,
            area: 0.0,
        }
    }

    /// Integral of the number in the system up to `now`.
    pub(super) fn area_at(&self, now: f64) -> f64 {
        self.area + self.n as f64 * now
    }
}

/// A network at work.
pub(super) struct Engine<'m, O: Observer> {
    pub(super) model: &'m Model,
    pub(super) n_classes: usize,
    pub(super) now: f64,
    /// Entries of the calendar and of timers that were handled, and those of them that are no events.
    handled: u64,
    silent: u64,
    /// Repetitions that began again.
    turns: u64,
    /// Most tasks at a time.
    tasks_max: usize,
    calendar: Calendar,
    timers: Timers,
    program: Program,
    tasks: Tasks,
    /// Whether anything looks at [`Tasks::extra`].
    with_extra: bool,
    pub(super) classes: Vec<ClassState<'m>>,
    priority: Vec<u8>,
    stations: Vec<StationState>,
    servers: Vec<Server>,
    shared: Vec<Shared>,
    exits: Vec<Exit>,
    /// By station, then by class.
    cells: Vec<Cell>,
    locks: Vec<LockState>,
    pools: Vec<PoolState>,
    bulks: Vec<BulkState>,
    caches: Vec<CacheState>,
    /// Of classes, then of activities.
    pub(super) timings: Vec<Timing>,
    /// Customers so far of each happening.
    herds: Vec<u32>,
    /// Tasks that can go on now.
    ready: VecDeque<u32>,
    ahead: Ahead,
    observer: O,
}

/// Why [`Engine::run`] came back.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Ran {
    /// Nothing more happens up to the time limit.
    Limit,
    /// So many events have been handled.
    Budget,
}

impl<'m, O: Observer> Engine<'m, O> {
    /// A network at time 0; the model must be valid.
    pub(super) fn new(model: &'m Model, run: &Run, replication: u64, observer: O) -> Self {
        let n_classes = model.classes.len();
        let mut program = compile::program(model, run.seed, replication);
        let shared = station::shared(model);
        let with_extra = program.uses_extra() || shared.iter().any(|idx| is_ordered(&model.stations[*idx]));
        let exits = exit::find(model, &shared, with_extra, &mut program);
        let with_extra = with_extra || O::ON;
        let (stations, mut servers) = StationState::all(model, &shared, &exits);
        let whose = station::timers(&stations, &servers, shared.len(), model);
        let (timers, nodes) = Timers::new(&whose);
        let node_of = |wanted: u32| {
            let mut pairs = whose.iter().zip(&nodes);
            pairs.find(|(whose, _)| **whose == wanted).map_or(0, |(_, node)| *node)
        };
        for (server, number) in servers.iter_mut().zip(0..) {
            server.timer = node_of(SERVER | number).max(node_of(SINGLE | number));
        }
        let warm = !matches!(run.span, Span::Until { .. });
        let classes = model.classes.iter().enumerate();
        let mut engine = Self {
            n_classes,
            now: 0.0,
            handled: 0,
            silent: 0,
            turns: 0,
            tasks_max: JOBS_MAX.min(JOBS_BYTES_MAX / task::bytes(program.slots)),
            calendar: Calendar::default(),
            servers,
            tasks: Tasks::new(program.slots, with_extra),
            with_extra,
            classes: classes
                .map(|(idx, class)| {
                    let source = SourceState::new(class, [run.seed, replication, idx as u64]);
                    let start = program.starts[idx];
                    let exit = program.exit_at(start).filter(|_| !O::ON);
                    ClassState::new(class, source, node_of(SOURCE | idx as u32), start, exit)
                })
                .collect(),
            timers,
            priority: model.classes.iter().map(|class| class.priority).collect(),
            cells: station::cells(stations.len(), n_classes),
            stations,
            shared: shared.iter().zip(0..).map(|(idx, number)| Shared::new(model, *idx, node_of(number))).collect(),
            exits: exits.iter().map(|idx| Exit::new(model, *idx)).collect(),
            locks: program.lock_uses.iter().map(|uses| LockState::new(uses)).collect(),
            pools: model.pools.iter().map(|pool| PoolState::new(pool.capacity)).collect(),
            bulks: model.bulks.iter().map(|_| BulkState::default()).collect(),
            caches: model.caches.iter().map(|cache| CacheState::new(&cache.kind, warm)).collect(),
            timings: vec![Timing::default(); n_classes + model.activities.len()],
            herds: vec![0; model.happenings.len()],
            ready: VecDeque::new(),
            ahead: Ahead::default(),
            program,
            model,
            observer,
        };
        engine.start();
        engine
    }

    /// Handles events up to a time, which then is now unless it is [`f64::MAX`], or so many entries of
    /// the calendar and of timers; there are at most `most` events.
    pub(super) fn run(&mut self, limit: f64, budget: u64, most: u64) -> Ran {
        // Each entry is one event, and may be the arrival of somebody who will depart.
        if !self.exits.is_empty() && most < 2 * budget + self.leaving() as u64 {
            return self.run_singly(limit, budget.min(most));
        }
        let latest = limit.to_bits();
        for done in 0..budget {
            // Times are compared as bits, which sort as they do.
            let (next, (timer, whose)) = (self.calendar.next_bits(), self.timers.first());
            if timer.min(next) > latest {
                self.now = if limit < f64::MAX { limit } else { self.last_exit() };
                self.count_exits(self.now);
                self.handled += done;
                return Ran::Limit;
            }
            self.handle(next, timer, whose);
        }
        self.count_exits(self.now);
        self.handled += budget;
        Ran::Budget
    }

    /// Handles what is due first, of the calendar and of timers.
    #[inline(always)]
    fn handle(&mut self, next: u64, timer: u64, whose: u32) {
        self.now = f64::from_bits(timer.min(next));
        if O::ON {
            self.tell_ahead(self.now);
        }
        let task = if timer <= next {
            let number = whose & !KIND;
            // Not one choice of four, which would be a jump through a table.
            match whose & KIND {
                SOURCE => match self.arrive_next(number) {
                    Some(task) => task,
                    None => return,
                },
                SINGLE => self.end_single(number),
                kind => self.end_other(kind, number),
            }
        } else {
            let what = self.calendar.open();
            let number = what & (TAG - 1);
            match what & !(TAG - 1) {
                0 => self.end_service(number),
                THINK => self.request(number),
                _ => self.happen(number as usize),
            }
        };
        self.advance(task);
        self.calendar.close();
        if !self.ready.is_empty() {
            self.settle();
        }
    }

    /// The service of one of few servers or of a shared station ends; of whom.
    #[inline(always)]
    fn end_other(&mut self, kind: u32, number: u32) -> u32 {
        if kind == SERVER { self.end_of_few(number) } else { self.end_shared(number) }
    }

    /// Whoever was set free goes on; nobody once there is no room: the run ends then.
    #[inline(never)]
    fn settle(&mut self) {
        while let Some(task) = self.ready.pop_front() {
            if self.is_full() {
                return;
            }
            self.advance(task);
        }
    }

    /// Whether there is no room for more customers, branches and spawned work.
    pub(super) fn is_full(&self) -> bool {
        self.tasks.most().max(self.leaving()) > self.tasks_max
    }

    /// Whether repetitions go round that no service ends: the run ends then as at its limit of events.
    pub(super) fn is_endless(&self) -> bool {
        self.turns > TURNS_MAX.saturating_add(TURNS_PER_EVENT.saturating_mul(self.handled))
    }

    /// Jobs that are there, thinking not counted, and where most of them are, if anywhere.
    pub(super) fn crowd(&self) -> Option<(Spot, u64)> {
        let cells = self.cells.chunks(self.n_classes.max(1));
        let stations = cells.map(|cells| cells.iter().map(|c| u64::from(c.n)).sum());
        let stations = stations.enumerate().map(|(s, n)| (Spot::Station(s), n));
        let locks = self.locks.iter().enumerate();
        let locks = locks.map(|(l, lock)| (Spot::Lock(l), u64::from(lock.waiting)));
        let pools = self.pools.iter().enumerate();
        let pools = pools.map(|(p, pool)| (Spot::Pool(p), u64::from(pool.waiting)));
        // The first of equals.
        let all = stations.chain(locks).chain(pools);
        all.reduce(|most, one| if one.1 > most.1 { one } else { most }).filter(|(_, n)| *n > 0)
    }

    /// Arrivals from outside and ends of services and of thinking so far.
    pub(super) fn events(&self) -> u64 {
        self.handled - self.silent
    }

    /// Whether every closed class has come round as often as it has customers since the sums started.
    pub(super) fn has_come_round(&self) -> bool {
        let mut classes = self.model.classes.iter().zip(&self.timings);
        classes.all(|(class, timing)| match class.source {
            Source::Closed { population, .. } => timing.count >= u64::from(population),
            Source::Open(_) => true,
        })
    }

    /// Whether nothing will ever happen again.
    pub(super) fn is_idle(&self) -> bool {
        self.calendar.len() == 0 && self.timers.first().0 == f64::INFINITY.to_bits() && self.leaving() == 0
    }

    /// Tells who watches, if anybody does.
    #[inline(always)]
    fn tell(&mut self, task: u32, what: What) {
        if O::ON {
            let event = Event {
                time: self.now,
                customer: self.tasks.extra[task as usize].customer,
                class: self.tasks.hot[task as usize].class as usize,
                what,
            };
            self.observer.see(&event);
        }
    }
}

/// Whether a shared station keeps the order of arrival.
fn is_ordered(station: &Station) -> bool {
    !matches!(station.discipline, Discipline::Ps | Discipline::Delay)
}
