//! What one customer of a class needs at least, whatever else goes on: time, and each limited resource.
//!
//! Services, choices, loops and routing count with their means. Waits count as nothing, the branches of a fork
//! take as long as the longest of their means, and a cache with memory hits as it suits the class best within
//! what its popularities allow. So the asymptotic bounds that follow (Lazowska et al. 1984, chapter 5) hold for
//! every discipline, distribution and arrival process, and for locks, pools, forks and caches alike.

use super::analytic::{least_and_most_hits, visits_of};
use crate::sim::{Discipline, Distribution, Mode, Model, Step};

/// Something of which there is only so much.
pub(super) struct Resource {
    /// "station", "pool" or "lock".
    pub(super) kind: &'static str,
    /// As the file names it.
    pub(super) name: String,
    /// Busy servers, taken tokens, or writers, at most.
    pub(super) capacity: f64,
    /// What it does when ever more customers come; open arrivals that bring more saturate it.
    pub(super) in_the_end: f64,
}

/// Stations, then pools, then locks.
pub(super) fn resources(model: &Model) -> Vec<Resource> {
    let stations = model.stations.iter().map(|station| {
        let steady = match station.discipline {
            Discipline::Delay => f64::INFINITY,
            _ => station.servers,
        };
        let speeds = station.speeds.iter().copied();
        Resource {
            kind: "station",
            name: station.name.clone(),
            capacity: speeds.reduce(f64::max).unwrap_or(steady),
            in_the_end: station.speeds.last().copied().unwrap_or(steady),
        }
    });
    let pools = model.pools.iter().map(|pool| Resource {
        kind: "pool",
        name: pool.name.clone(),
        capacity: f64::from(pool.capacity),
        in_the_end: f64::from(pool.capacity),
    });
    let locks = model.locks.iter().map(|lock| Resource {
        kind: "lock",
        name: lock.name.clone(),
        capacity: 1.0,
        in_the_end: 1.0,
    });
    stations.chain(pools).chain(locks).collect()
}

/// Needs of one customer, at least.
#[derive(Clone)]
pub(super) struct Needs {
    /// From its first step to its last \[s\].
    pub(super) time: f64,
    /// Of each resource: service at a station, time that tokens of a pool and a lock as a writer are held \[s\].
    pub(super) uses: Vec<f64>,
}

impl Needs {
    fn none(size: usize) -> Self {
        Self { time: 0.0, uses: vec![0.0; size] }
    }

    fn add(&mut self, weight: f64, other: &Self) {
        self.time += weight * other.time;
        for (all, one) in self.uses.iter_mut().zip(&other.uses) {
            *all += weight * one;
        }
    }
}

/// What a customer with this program needs.
pub(super) fn needs(model: &Model, program: &[Step]) -> Needs {
    let mut found = Needs::none(model.stations.len() + model.pools.len() + model.locks.len());
    // What is held, and since when.
    let mut held: Vec<(usize, f64, f64)> = Vec::new();
    let (pools, locks) = (model.stations.len(), model.stations.len() + model.pools.len());
    for step in program {
        match step {
            Step::Serve { station, service } | Step::Fixed { station, service } => {
                serve(model, &mut found, *station, service, 1.0);
            }
            Step::Wander(route) => {
                for (visit, count) in route.visits.iter().zip(visits_of(route)) {
                    serve(model, &mut found, visit.station, &visit.service, count);
                }
            }
            Step::Take { pool, count } => held.push((pools + pool, f64::from(*count), found.time)),
            Step::Give { pool, .. } => give(&mut found, &mut held, pools + pool),
            Step::Lock(wanted) => {
                let writers = wanted.iter().filter(|(_, mode)| *mode == Mode::Exclusive);
                held.extend(writers.map(|(lock, _)| (locks + lock, 1.0, found.time)));
            }
            Step::Unlock(freed) => {
                for lock in freed {
                    give(&mut found, &mut held, locks + lock);
                }
            }
            Step::Fork(branches) => {
                let mut longest = 0.0_f64;
                for branch in branches {
                    let branch = needs(model, branch);
                    longest = longest.max(branch.time);
                    found.add(1.0, &Needs { time: 0.0, ..branch });
                }
                found.time += longest;
            }
            // Nobody waits for it, and it may pile up.
            Step::Spawn(_) => {}
            Step::Choose(choices) => {
                let sum: f64 = choices.iter().map(|(chance, _)| chance).sum();
                for (chance, body) in choices {
                    found.add(chance / sum, &needs(model, body));
                }
            }
            Step::Repeat { times, body } | Step::Batches { times, body } => {
                found.add(f64::from(*times), &needs(model, body));
            }
            Step::Refer { cache, hit, miss } => {
                let (least, most) = least_and_most_hits(&model.caches[*cache].kind);
                found.add(1.0, &refer(&needs(model, hit), &needs(model, miss), least, most));
            }
            Step::Bulk { body, .. } | Step::Sized { body, .. } | Step::Timed { body, .. } => {
                found.add(1.0, &needs(model, body));
            }
        }
    }
    found
}

/// The least of each need over all shares of hits.
fn refer(hit: &Needs, miss: &Needs, least: f64, most: f64) -> Needs {
    let best = |hit: f64, miss: f64| {
        let at = |share: f64| share * hit + (1.0 - share) * miss;
        at(least).min(at(most))
    };
    let uses = hit.uses.iter().zip(&miss.uses);
    Needs { time: best(hit.time, miss.time), uses: uses.map(|(hit, miss)| best(*hit, *miss)).collect() }
}

/// One customer is served at a speed of 1, at a station of given speeds at the greatest of these, and at a link at
/// what that can do.
fn serve(model: &Model, found: &mut Needs, station: usize, service: &Distribution, count: f64) {
    let at = &model.stations[station];
    let fastest = at.speeds.iter().copied().reduce(f64::max);
    let speed = fastest.unwrap_or(match at.discipline {
        Discipline::Delay => 1.0,
        _ => at.servers.min(1.0),
    });
    let work = count * service.mean();
    found.time += work / speed;
    found.uses[station] += work;
}

fn give(found: &mut Needs, held: &mut Vec<(usize, f64, f64)>, resource: usize) {
    let time = found.time;
    for (_, count, since) in held.extract_if(.., |(of, _, _)| *of == resource) {
        found.uses[resource] += count * (time - since);
    }
}
