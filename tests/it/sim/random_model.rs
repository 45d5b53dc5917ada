//! Random networks: any steps nested in any way, locks and pools asked for in the order of their rank.

use plimsoll::sim::{
    Arrivals, Cache, CacheKind, Class, Discipline, Distribution, Mode, Model, Pool, Route, Source, Step, Visit,
};

use super::support::{class, exp, lock, station};

/// Numbers that a seed stands for (Numerical Recipes' 64-bit generator).
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn unit(&mut self) -> f64 {
        self.below(1000) as f64 / 1000.0
    }

    fn time(&mut self) -> Distribution {
        let mean = 0.01 + 0.1 * self.unit();
        match self.below(4) {
            0 => Distribution::Constant(mean),
            1 => Distribution::of(mean, 0.5),
            2 => Distribution::of(mean, 4.0),
            _ => exp(mean),
        }
    }
}

const STATIONS: [(Discipline, f64); 7] = [
    (Discipline::Delay, 1.0),
    (Discipline::Fcfs, 1.0),
    (Discipline::Fcfs, 2.0),
    (Discipline::Ps, 2.5),
    (Discipline::LcfsPr, 1.0),
    (Discipline::Priority, 2.0),
    (Discipline::PreemptivePriority, 2.0),
];
const LOCKS: usize = 3;
const POOLS: usize = 2;

/// A model with every kind of station, lock and pool, and three classes with random programs.
pub(super) fn model(seed: u64) -> Model {
    let mut dice = Dice::new(seed);
    let mut model = Model {
        stations: STATIONS.map(|(discipline, servers)| station(discipline, servers)).into(),
        locks: (0..LOCKS).map(|n| lock(&format!("lock {n}"))).collect(),
        pools: (0..POOLS).map(|n| Pool { name: format!("pool {n}"), capacity: 3 }).collect(),
        caches: vec![Cache { name: "pages".into(), kind: CacheKind::Lru { capacity: 20, items: 100, skew: 0.8 } }],
        activities: vec!["one".into(), "two".into()],
        ..Model::default()
    };
    if dice.below(3) == 0 {
        model.stations[1].speeds = vec![1.0, 1.5, 1.7];
    }
    for priority in 0..3 {
        let program = steps(&mut dice, 0, 3);
        let source = match dice.below(3) {
            0 => Source::Open(Arrivals::Renewal(exp(0.5))),
            1 => Source::Open(Arrivals::Bursts { rates: [9.0, 0.0], stays: [0.5, 2.0] }),
            _ => Source::Closed { population: 6, think: exp(0.7) },
        };
        model.classes.push(Class { priority, ..class(source, program) });
    }
    model
}

/// Steps that ask only for locks and pools of a rank of at least `rank`.
fn steps(dice: &mut Dice, rank: usize, depth: usize) -> Vec<Step> {
    let mut steps = vec![Step::Serve { station: dice.below(STATIONS.len()), service: dice.time() }];
    for _ in 0..dice.below(4) {
        step(dice, rank, depth, &mut steps);
    }
    steps
}

fn step(dice: &mut Dice, rank: usize, depth: usize, all: &mut Vec<Step>) {
    if depth == 0 {
        return all.push(Step::Serve { station: dice.below(STATIONS.len()), service: dice.time() });
    }
    let inner = |dice: &mut Dice| steps(dice, rank, depth - 1);
    match dice.below(10) {
        0..=2 => hold(dice, rank, depth, all),
        3 => all.push(Step::Fork((0..dice.below(4)).map(|_| inner(dice)).collect())),
        4 => {
            let body = steps(dice, 0, depth - 1);
            all.push(Step::Spawn(body));
        }
        5 => all.push(Step::Choose(vec![(1.0, inner(dice)), (dice.unit(), vec![])])),
        6 => all.push(Step::Repeat { times: dice.below(3) as u32, body: inner(dice) }),
        7 => all.push(Step::Refer { cache: 0, hit: vec![], miss: inner(dice) }),
        8 => {
            let body = inner(dice);
            let factor = Distribution::Uniform { low: 0.5, high: 1.5 };
            let activity = dice.below(2);
            let body = vec![Step::Sized { factor, body }];
            all.push(Step::Timed { activity, body });
        }
        _ => all.push(Step::Wander(route(dice))),
    }
}

/// Takes a set of locks, or some of a pool, for the time of some steps.
fn hold(dice: &mut Dice, rank: usize, depth: usize, all: &mut Vec<Step>) {
    let first = rank + dice.below(2);
    if first < LOCKS {
        let last = first + dice.below(LOCKS - first);
        let mut mode = || {
            if dice.below(2) == 0 { Mode::Shared } else { Mode::Exclusive }
        };
        all.push(Step::Lock((first..=last).map(|lock| (lock, mode())).collect()));
        all.extend(steps(dice, last + 1, depth - 1));
        all.push(Step::Unlock((first..=last).rev().collect()));
    } else if first < LOCKS + POOLS {
        let (pool, count) = (first - LOCKS, 1 + dice.below(3) as u32);
        all.push(Step::Take { pool, count });
        all.extend(steps(dice, first + 1, depth - 1));
        all.push(Step::Give { pool, count });
    }
}

fn route(dice: &mut Dice) -> Route {
    let mut visit = || Visit { station: dice.below(STATIONS.len()), service: dice.time() };
    Route { visits: vec![visit(), visit()], entry: vec![0.5, 0.3], next: vec![vec![0.2, 0.4], vec![0.0, 0.5]] }
}
