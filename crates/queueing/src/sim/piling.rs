//! Where jobs pile up: the utilization law before a run, the longest queue after one.
//!
//! What open classes bring to a station a second, over what the station can do in a second, is its
//! utilization whatever the order of service and the distributions (P. J. Denning, J. P. Buzen, "The
//! operational analysis of queueing network models", ACM Computing Surveys 10(3), 1978). From 1 on jobs
//! pile up, and nothing has to be simulated to know it. For a lock that is taken alone, and for a
//! pool, the time that it is held counts, which is at least the services in between.

use super::model::{Arrivals, CacheKind, Class, Discipline, HappeningKind, Mode, Model, Route, Source, Step};
use super::validate::JOBS_MAX;

/// Where jobs wait.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Spot {
    /// Index of the station.
    Station(usize),
    /// Index of the lock.
    Lock(usize),
    /// Index of the pool.
    Pool(usize),
}

/// Jobs that come faster than they leave.
#[derive(Clone, Debug, PartialEq)]
pub struct Pile {
    /// Where most of them wait.
    pub spot: Spot,
    /// The name of that.
    pub name: String,
    /// By how many they grow \[1/s\].
    pub per_second: f64,
}

impl Pile {
    pub(super) fn new(model: &Model, spot: Spot, per_second: f64) -> Self {
        let name = match spot {
            Spot::Station(idx) => &model.stations[idx].name,
            Spot::Lock(idx) => &model.locks[idx].name,
            Spot::Pool(idx) => &model.pools[idx].name,
        };
        Self { spot, name: name.clone(), per_second }
    }
}

/// "12.5 jobs pile up a second at station \"disk\"".
impl std::fmt::Display for Pile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = self.spot.word();
        let jobs = three_digits(self.per_second);
        let (jobs, plural) = (jobs.as_str(), if jobs == "1" { "" } else { "s" });
        let verb = if jobs == "1" { "piles" } else { "pile" };
        write!(f, "{jobs} job{plural} {verb} up a second at {kind} {:?}", self.name)
    }
}

/// A number above zero with three significant digits.
fn three_digits(number: f64) -> String {
    let scale = 10_f64.powi(2 - number.log10().floor() as i32);
    format!("{}", (number * scale).round() / scale)
}

impl Spot {
    /// What it is.
    pub fn word(self) -> &'static str {
        match self {
            Self::Station(_) => "station",
            Self::Lock(_) => "lock",
            Self::Pool(_) => "pool",
        }
    }
}

/// Rounds in which the visits of a route are added up: a route that is left later brings more, not less.
const ROUNDS: usize = 10_000;
/// Most steps of all those rounds.
const ROUND_STEPS: usize = 10_000_000;

/// What is known of the end of a search for a steady state before it begins.
#[derive(Clone, Debug)]
pub(super) enum Foreseen {
    /// Jobs pile up.
    Pile(Pile),
    /// More jobs are in service at a time, delays included, than a simulation keeps (Little's law).
    Crowd,
}

/// Where open classes alone bring more than can be done, if anywhere: the worst place. What is not known
/// beforehand (hits of a simulated cache, a class without a rate) counts as nothing.
pub(super) fn foreseen(model: &Model) -> Option<Foreseen> {
    let speeds_change =
        (model.happenings.iter()).any(|happening| matches!(happening.kind, HappeningKind::Speed { .. }));
    if speeds_change {
        return None;
    }
    let mut offered = Offered::new(model);
    for class in &model.classes {
        offered.class(class);
    }
    let crowd = offered.present > JOBS_MAX as f64;
    let pile = offered.worst().map(Foreseen::Pile);
    pile.or(crowd.then_some(Foreseen::Crowd))
}

/// Work that open classes bring a second, over what can be done in a second.
struct Offered<'a> {
    model: &'a Model,
    /// By station, then lock, then pool: work of all classes.
    work: Vec<f64>,
    /// The same of the class that is being added.
    own: Vec<f64>,
    /// Customers a second of the classes that bring work there.
    rates: Vec<f64>,
    /// Jobs in service at a time, on average.
    present: f64,
    /// How the class holds each lock at this point.
    held: Vec<Option<Mode>>,
    /// Whether anything there is random: what is not, is carried up to a utilization of 1.
    random: bool,
}

impl<'a> Offered<'a> {
    fn new(model: &'a Model) -> Self {
        let n = model.stations.len() + model.locks.len() + model.pools.len();
        Self {
            model,
            work: vec![0.0; n],
            own: vec![0.0; n],
            rates: vec![0.0; n],
            present: 0.0,
            held: vec![None; model.locks.len()],
            random: false,
        }
    }

    fn class(&mut self, class: &Class) {
        let Some(rate) = rate(class) else { return };
        if !(rate > 0.0 && rate.is_finite()) {
            return;
        }
        if let Source::Open(Arrivals::Renewal(between)) = &class.source {
            self.random |= between.scv() > 0.0;
        } else {
            self.random = true;
        }
        self.own.fill(0.0);
        self.held.fill(None);
        self.steps(&class.program, rate, 0.0, 1.0);
        for (idx, own) in self.own.iter().enumerate() {
            if *own > 0.0 && own.is_finite() {
                self.work[idx] += own;
                self.rates[idx] += rate;
            }
        }
    }

    fn lock(&self, idx: usize) -> usize {
        self.model.stations.len() + idx
    }

    fn pool(&self, idx: usize) -> usize {
        self.lock(self.model.locks.len()) + idx
    }

    /// Adds steps that are done `rate` times a second and begin at `time`; when they end at the earliest,
    /// on average.
    fn steps(&mut self, steps: &[Step], rate: f64, mut time: f64, size: f64) -> f64 {
        for step in steps {
            time = self.step(step, rate, time, size);
        }
        time
    }

    fn step(&mut self, step: &Step, rate: f64, time: f64, size: f64) -> f64 {
        match step {
            Step::Serve { station, service } => {
                self.random |= service.scv() > 0.0;
                time + self.serve(*station, rate, size * service.mean())
            }
            Step::Fixed { station, service } => {
                self.random |= service.scv() > 0.0;
                time + self.serve(*station, rate, service.mean())
            }
            Step::Lock(set) => {
                for (lock, mode) in set {
                    self.held[*lock] = Some(*mode);
                    if *mode == Mode::Exclusive {
                        let idx = self.lock(*lock);
                        self.own[idx] -= rate * time;
                    }
                }
                time
            }
            Step::Unlock(set) => {
                for lock in set {
                    if self.held[*lock].take() == Some(Mode::Exclusive) {
                        let idx = self.lock(*lock);
                        self.own[idx] += rate * time;
                    }
                }
                time
            }
            Step::Take { pool, count } => {
                let idx = self.pool(*pool);
                self.own[idx] -= rate * f64::from(*count) * time;
                time
            }
            Step::Give { pool, count } => {
                let idx = self.pool(*pool);
                self.own[idx] += rate * f64::from(*count) * time;
                time
            }
            // Of many who are served together each takes but what is longer for it.
            Step::Bulk { bulk, body } => {
                let joined = self.model.bulks[*bulk].joined;
                self.steps(body, rate * joined, time, 1.0)
            }
            Step::Fork(branches) => {
                let ends = branches.iter();
                let ends = ends.map(|branch| self.steps(branch, rate, time, size));
                ends.fold(time, f64::max)
            }
            Step::Spawn(body) => {
                self.steps(body, rate, time, size);
                time
            }
            Step::Choose(options) => {
                self.random = true;
                let all: f64 = options.iter().map(|(weight, _)| weight).sum();
                let bodies = options.iter();
                let bodies: Vec<_> = bodies.map(|(w, body)| (w / all, body.as_slice())).collect();
                self.options(&bodies, rate, time, size)
            }
            Step::Repeat { times, body } | Step::Batches { times, body } => {
                let times = f64::from(*times);
                let end = self.steps(body, rate * times, time, size);
                time + times * (end - time)
            }
            Step::Refer { cache, hit, miss } => {
                self.random = true;
                let CacheKind::Probability(hits) = self.model.caches[*cache].kind else {
                    return time;
                };
                self.options(&[(hits, hit), (1.0 - hits, miss)], rate, time, size)
            }
            Step::Wander(route) => {
                self.random = true;
                time + self.wander(route, rate, size)
            }
            Step::Sized { factor, body } => {
                self.random |= factor.scv() > 0.0;
                self.steps(body, rate, time, size * factor.mean())
            }
            Step::Timed { body, .. } => self.steps(body, rate, time, size),
        }
    }

    /// One of several, with its probability.
    fn options(&mut self, bodies: &[(f64, &[Step])], rate: f64, time: f64, size: f64) -> f64 {
        let before = self.held.clone();
        let mut after: Option<Vec<Option<Mode>>> = None;
        let mut end = 0.0;
        for (share, body) in bodies {
            self.held.clone_from(&before);
            end += share * self.steps(body, rate * share, time, size);
            for (idx, other) in after.iter().flatten().enumerate() {
                if self.held[idx] != *other {
                    // Read on one way and written on another: nothing is said of this lock.
                    let lock = self.lock(idx);
                    self.own[lock] = f64::NAN;
                }
            }
            after = Some(self.held.clone());
        }
        end
    }

    /// Adds a service; how long it takes at least.
    fn serve(&mut self, station: usize, rate: f64, mean: f64) -> f64 {
        let described = &self.model.stations[station];
        let fastest = described.speeds.iter().copied().fold(1.0, f64::max);
        if described.discipline != Discipline::Delay {
            // Speed of the whole station however many are there.
            let most = match described.speeds.last() {
                Some(last) => last.max(f64::MIN_POSITIVE),
                None => described.servers,
            };
            self.own[station] += rate * mean / most;
        }
        self.present += rate * mean / fastest;
        mean / fastest
    }

    /// Adds the visits of a Markov chain; how long they take at least.
    fn wander(&mut self, route: &Route, rate: f64, size: f64) -> f64 {
        let arrows: Vec<(usize, usize, f64)> = (route.next.iter().enumerate())
            .flat_map(|(from, row)| row.iter().enumerate().map(move |(to, p)| (from, to, *p)))
            .filter(|(_, _, p)| *p > 0.0)
            .collect();
        let mut now = route.entry.clone();
        let mut visits = now.clone();
        let rounds = ROUNDS.min(ROUND_STEPS / arrows.len().max(1));
        for _ in 0..rounds {
            let mut then = vec![0.0; now.len()];
            for (from, to, p) in &arrows {
                then[*to] += now[*from] * p;
            }
            now = then;
            for (all, more) in visits.iter_mut().zip(&now) {
                *all += more;
            }
            if now.iter().sum::<f64>() < 1e-12 {
                break;
            }
        }
        let mut time = 0.0;
        for (visit, times) in route.visits.iter().zip(&visits) {
            let mean = size * visit.service.mean();
            time += times * self.serve(visit.station, rate * times, mean);
        }
        time
    }

    fn worst(self) -> Option<Pile> {
        let (stations, locks) = (self.model.stations.len(), self.model.locks.len());
        let mut worst: Option<(Spot, f64, f64)> = None;
        for (idx, (work, rate)) in self.work.iter().zip(&self.rates).enumerate() {
            let (spot, capacity) = match idx {
                idx if idx < stations => (Spot::Station(idx), 1.0),
                idx if idx < stations + locks => (Spot::Lock(idx - stations), 1.0),
                idx => {
                    let pool = idx - stations - locks;
                    let capacity = f64::from(self.model.pools[pool].capacity);
                    (Spot::Pool(pool), capacity)
                }
            };
            let utilization = work / capacity;
            if utilization > worst.map_or(0.0, |(_, most, _)| most * (1.0 + 1e-9)) {
                worst = Some((spot, utilization, *rate));
            }
        }
        let (spot, utilization, rate) = worst?;
        // Sums are rounded; what is exactly full and random has no steady state either.
        let full = if self.random { 1.0 - 1e-12 } else { 1.0 + 1e-9 };
        (utilization >= full).then(|| Pile::new(self.model, spot, rate * (1.0 - 1.0 / utilization).max(0.0)))
    }
}

/// Mean arrivals a second of an open class; none where there is no rate.
fn rate(class: &Class) -> Option<f64> {
    let Source::Open(arrivals) = &class.source else {
        return None;
    };
    let rate = match arrivals {
        Arrivals::Renewal(between) => 1.0 / between.mean(),
        Arrivals::Bursts { rates, stays } => (rates[0] * stays[0] + rates[1] * stays[1]) / (stays[0] + stays[1]),
        Arrivals::At(_) | Arrivals::Never => return None,
    };
    let factor = class
        .profile
        .as_ref()
        .map_or(1.0, |profile| profile.factors.iter().sum::<f64>() / profile.factors.len() as f64);
    Some(rate * factor)
}
