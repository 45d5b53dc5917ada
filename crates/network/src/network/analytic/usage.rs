//! What one customer of a class uses on its way, in the mean: visits and service at each station,
//! locks with what is done while they are held, pools, forks, and work that it starts.
//!
//! Choices, caches and routing count with their probabilities, so that a program of any shape
//! becomes visits V and demands D = V·S.

use super::Simplification;
use super::che;
use crate::sim::{CacheKind, Distribution, Mode, Model, Route, Step};

/// Visits and moments of service at one station.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Visits {
    /// Visits, V.
    pub(super) count: f64,
    /// Demand, D \[s\].
    pub(super) demand: f64,
    /// Sum of second moments of service \[s²\].
    second: f64,
}

impl Visits {
    fn add(&mut self, weight: f64, mean: f64, scv: f64) {
        self.count += weight;
        self.demand += weight * mean;
        self.second += weight * mean * mean * (1.0 + scv);
    }

    /// Squared coefficient of variation of one service, c²; 1 where there is none.
    pub(super) fn scv(&self) -> f64 {
        if self.demand <= 0.0 {
            return 1.0;
        }
        let mean = self.demand / self.count;
        let scv = self.second / self.count / (mean * mean) - 1.0;
        // Rounding leaves a constant at −1e-16 and an exponential beside 1.
        let known = [0.0, 1.0];
        let near = known.into_iter().find(|known| (scv - known).abs() < 1e-9);
        near.unwrap_or(scv)
    }
}

/// A lock that is held around steps.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hold {
    pub(super) lock: usize,
    pub(super) exclusive: bool,
    /// Acquisitions by one customer.
    pub(super) count: f64,
    /// At each station, over all these acquisitions.
    pub(super) stations: Vec<Visits>,
    /// Other acquisitions that are made while this one lasts, by index, with how often.
    pub(super) inner: Vec<(usize, f64)>,
}

/// A pool that is held around steps.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Holding {
    pub(super) pool: usize,
    /// How many one customer takes.
    pub(super) count: u32,
    /// How often.
    pub(super) times: f64,
    /// Visits to each station meanwhile.
    pub(super) visits: Vec<f64>,
    /// Locks that are asked for meanwhile.
    pub(super) locks: Vec<usize>,
}

/// Everything that one customer uses.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Usage {
    pub(super) stations: Vec<Visits>,
    pub(super) holds: Vec<Hold>,
    pub(super) pools: Vec<Holding>,
    /// Branches of forks that are made once: the stations of each.
    pub(super) forks: Vec<Vec<Vec<usize>>>,
    /// Work that is started and not waited for, with how often.
    pub(super) spawned: Vec<(f64, Self)>,
    pub(super) simplifications: Vec<Simplification>,
}

/// What a customer is doing while it makes a step.
struct Walk<'m> {
    model: &'m Model,
    /// Hit ratio of each cache.
    hits: &'m [f64],
    class: &'m str,
    usage: Usage,
    /// Indices of the holds that last.
    held: Vec<usize>,
    /// Indices of the pools that are held.
    pools: Vec<usize>,
    /// 1 + c² of the factors around.
    size: f64,
    in_fork: bool,
}

/// Hit ratio of each cache.
pub(super) fn hits(model: &Model) -> Vec<f64> {
    let caches = model.caches.iter().map(|cache| match cache.kind {
        CacheKind::Probability(hit) => hit,
        CacheKind::Lru { capacity, items, skew } => che::hit_ratio(items, capacity, skew),
    });
    caches.collect()
}

/// Shares of references to a cache that hit at least and at most.
pub(in crate::network) fn least_and_most_hits(kind: &CacheKind) -> (f64, f64) {
    match *kind {
        CacheKind::Probability(hit) => (hit, hit),
        CacheKind::Lru { capacity, items, skew } => che::least_and_most(items, capacity, skew),
    }
}

/// What one customer with this program uses, when caches hit with the given ratios.
pub(super) fn usage(model: &Model, hits: &[f64], class: &str, program: &[Step]) -> Usage {
    let mut walk = Walk {
        model,
        hits,
        class,
        usage: Usage { stations: vec![Visits::default(); model.stations.len()], ..Usage::default() },
        held: Vec::new(),
        pools: Vec::new(),
        size: 1.0,
        in_fork: false,
    };
    walk.steps(program, 1.0);
    let mut usage = walk.usage;
    // A station that stands in two branches, or inside a fork and outside, has one demand only.
    let simple = usage.forks_are_simple();
    if !simple {
        usage.forks.clear();
        usage.simplify(Simplification::ForkInSequence { class: class.to_owned() });
    }
    usage
}

impl Usage {
    fn simplify(&mut self, simplification: Simplification) {
        if !self.simplifications.contains(&simplification) {
            self.simplifications.push(simplification);
        }
    }

    fn forks_are_simple(&self) -> bool {
        let mut seen = vec![false; self.stations.len()];
        let branches = self.forks.iter().flatten().flatten();
        branches.into_iter().all(|&station| !std::mem::replace(&mut seen[station], true))
    }
}

impl Walk<'_> {
    fn steps(&mut self, steps: &[Step], weight: f64) {
        for step in steps {
            self.step(step, weight);
        }
    }

    fn step(&mut self, step: &Step, weight: f64) {
        match step {
            Step::Serve { station, service } => self.serve(*station, service, weight),
            Step::Fixed { station, service } => {
                let size = std::mem::replace(&mut self.size, 1.0);
                self.serve(*station, service, weight);
                self.size = size;
            }
            Step::Lock(locks) => self.lock(locks, weight),
            Step::Unlock(locks) => {
                let holds = &self.usage.holds;
                self.held.retain(|&hold| !locks.contains(&holds[hold].lock));
            }
            Step::Take { pool, count } => {
                self.usage.pools.push(Holding {
                    pool: *pool,
                    count: *count,
                    times: weight,
                    visits: vec![0.0; self.model.stations.len()],
                    locks: Vec::new(),
                });
                self.pools.push(self.usage.pools.len() - 1);
            }
            Step::Give { pool, .. } => {
                let holdings = &self.usage.pools;
                self.pools.retain(|&held| holdings[held].pool != *pool);
            }
            Step::Fork(branches) => self.fork(branches, weight),
            Step::Spawn(body) => self.spawn(body, weight),
            Step::Choose(choices) => {
                let sum: f64 = choices.iter().map(|(chance, _)| chance).sum();
                for (chance, body) in choices {
                    self.steps(body, weight * chance / sum);
                }
            }
            Step::Repeat { times, body } | Step::Batches { times, body } => {
                self.steps(body, weight * f64::from(*times));
            }
            Step::Refer { cache, hit, miss } => {
                let chance = self.hit(*cache);
                self.steps(hit, weight * chance);
                self.steps(miss, weight * (1.0 - chance));
            }
            Step::Wander(route) => {
                for (visit, count) in route.visits.iter().zip(visits_of(route)) {
                    self.serve(visit.station, &visit.service, weight * count);
                }
            }
            Step::Sized { factor, body } => {
                let class = self.class.to_owned();
                self.usage.simplify(Simplification::Sizes { class });
                let before = self.size;
                self.size *= 1.0 + factor.scv();
                self.steps(body, weight);
                self.size = before;
            }
            Step::Bulk { body, .. } | Step::Timed { body, .. } => self.steps(body, weight),
        }
    }

    fn serve(&mut self, station: usize, service: &Distribution, weight: f64) {
        if weight <= 0.0 {
            return;
        }
        let scv = self.size * (1.0 + service.scv()) - 1.0;
        self.usage.stations[station].add(weight, service.mean(), scv);
        for &hold in &self.held {
            self.usage.holds[hold].stations[station].add(weight, service.mean(), scv);
        }
        for &holding in &self.pools {
            self.usage.pools[holding].visits[station] += weight;
        }
    }

    fn lock(&mut self, locks: &[(usize, Mode)], weight: f64) {
        for &(lock, mode) in locks {
            let asked = self.usage.holds.len();
            self.usage.holds.push(Hold {
                lock,
                exclusive: mode == Mode::Exclusive,
                count: weight,
                stations: vec![Visits::default(); self.model.stations.len()],
                inner: Vec::new(),
            });
            for &hold in &self.held {
                self.usage.holds[hold].inner.push((asked, weight));
            }
            for &holding in &self.pools {
                self.usage.pools[holding].locks.push(lock);
            }
            self.held.push(asked);
        }
    }

    fn fork(&mut self, branches: &[Vec<Step>], weight: f64) {
        let once = weight == 1.0 && !self.in_fork && self.held.is_empty();
        let outer = std::mem::replace(&mut self.in_fork, true);
        let mut stations = Vec::new();
        let mut simple = once;
        for branch in branches {
            let before: Vec<f64> = self.usage.stations.iter().map(|v| v.count).collect();
            let holds = self.usage.holds.len();
            self.steps(branch, weight);
            let visited = (0..before.len()).filter(|&k| self.usage.stations[k].count > before[k]);
            let visited: Vec<usize> = visited.collect();
            simple &= visited.iter().all(|&k| before[k] == 0.0);
            simple &= self.usage.holds.len() == holds;
            stations.push(visited);
        }
        self.in_fork = outer;
        if simple {
            self.usage.forks.push(stations);
        } else {
            let class = self.class.to_owned();
            self.usage.simplify(Simplification::ForkInSequence { class });
        }
    }

    fn spawn(&mut self, body: &[Step], weight: f64) {
        let class = self.class.to_owned();
        let mut spawned = usage(self.model, self.hits, &class, body);
        for simplification in std::mem::take(&mut spawned.simplifications) {
            self.usage.simplify(simplification);
        }
        self.usage.simplify(Simplification::Spawned { class });
        self.usage.spawned.push((weight, spawned));
    }

    /// Share of references that hit.
    fn hit(&mut self, cache: usize) -> f64 {
        let described = &self.model.caches[cache];
        if matches!(described.kind, CacheKind::Lru { .. }) {
            let cache = described.name.clone();
            self.usage.simplify(Simplification::CacheMeans { cache });
        }
        self.hits[cache]
    }
}

/// Visits of a Markov chain until it leaves: V = e + V·P, by elimination.
pub(in crate::network) fn visits_of(route: &Route) -> Vec<f64> {
    let n = route.visits.len();
    // Columns of (I − Pᵀ), with the entries beside them.
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|to| {
            let mut row: Vec<f64> = (0..n).map(|from| f64::from(u8::from(from == to)) - route.next[from][to]).collect();
            row.push(route.entry[to]);
            row
        })
        .collect();
    for pivot in 0..n {
        let best = (pivot..n).max_by(|&a, &b| rows[a][pivot].abs().total_cmp(&rows[b][pivot].abs())).unwrap_or(pivot);
        rows.swap(pivot, best);
        let top = rows[pivot].clone();
        for row in rows.iter_mut().skip(pivot + 1) {
            let factor = row[pivot] / top[pivot];
            if factor != 0.0 {
                for (cell, above) in row.iter_mut().zip(&top).skip(pivot) {
                    *cell -= factor * above;
                }
            }
        }
    }
    let mut visits = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| rows[k][j] * visits[j]).sum();
        visits[k] = ((rows[k][n] - known) / rows[k][k]).max(0.0);
    }
    visits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Visit;

    #[test]
    fn visits_solve_the_traffic_equations() {
        // Bolch et al., example 7.4: λ = 4 at station 4; throughputs 20, 10, 10, 4.
        let visit = |station| Visit { station, service: Distribution::Exponential { mean: 1.0 } };
        let route = Route {
            visits: (0..4).map(visit).collect(),
            entry: vec![0.0, 0.0, 0.0, 1.0],
            next: vec![
                vec![0.0, 0.5, 0.5, 0.0],
                vec![1.0, 0.0, 0.0, 0.0],
                vec![0.6, 0.0, 0.0, 0.0],
                vec![1.0, 0.0, 0.0, 0.0],
            ],
        };
        let visits = visits_of(&route);
        for (found, expected) in visits.iter().zip([5.0, 2.5, 2.5, 1.0]) {
            assert!((found - expected).abs() < 1e-12, "{visits:?}");
        }
    }
}
