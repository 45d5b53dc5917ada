//! Locks and work that nobody waits for, by iteration over the network without them.
//!
//! A lock is a delay: its length is the wait that [`locks::wait`] gives for the rates and the holds
//! that the network gives with that delay (`mixing` says how). A hold is the residence at what is visited meanwhile, and
//! the waits for locks that are asked for meanwhile.
//!
//! # Error
//!
//! Against simulations of the gallery (`docs/gallery.md`): response times within 0.5 % with readers and
//! writers at half load, throughput 1.7 % low at a lock that two hundred customers saturate, response
//! times within 6 % at a p4d-like server whose processor is 68 % busy: readers that a writer lets in
//! together then crowd the processor, which means do not see.
//!
//! # References
//!
//! - P. A. Jacobson and E. D. Lazowska, "Analyzing queueing networks with simultaneous resource
//!   possession", CACM 25(2), 1982: surrogate delays.

use super::Simplification;
use super::describe::Analytic;
use super::mixing::{DAMPED, GUESSES_MAX, Mixing};
use super::usage::Hold;
use crate::queueing::locks::{self, LockError, LockUser};
use crate::queueing::network::{Network, Workload};
use crate::queueing::{ClassSolution, Solution, SolveError};

/// Largest change of a wait, as a fraction of the response time, at which it ends.
const CHANGE: f64 = 1e-7;

/// The same at which the last round is an answer whose residual is stated.
const NEARLY: f64 = 1e-3;

/// Answer of the analytic side.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalyticSolution {
    /// Of the network, with its delays for locks.
    pub solution: Solution,
    /// By lock of the model; none for a lock that is not used.
    pub locks: Vec<Option<LockSolution>>,
    /// Rounds of the iteration; 1 where there was nothing to iterate.
    pub rounds: usize,
    /// Largest change in the last round, of a wait as a fraction of the response time or of a rate as one of itself.
    pub residual: f64,
}

/// One lock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LockSolution {
    /// Fraction of time that a writer holds it.
    pub exclusive: f64,
    /// Mean number waiting.
    pub waiting: f64,
    /// Mean wait of readers \[s\].
    pub read_wait: f64,
    /// Mean wait of writers \[s\].
    pub write_wait: f64,
}

/// Time of writers beyond all that there is, as a fraction of that, with which an answer still stands.
const OVERFULL: f64 = 0.01;

/// The answer, unless writers hold a lock for longer than there is time.
fn possible(found: AnalyticSolution, rounds: usize) -> Result<AnalyticSolution, SolveError> {
    let held = found.locks.iter().flatten().map(|lock| lock.exclusive);
    let beyond = held.fold(0.0, f64::max) - 1.0;
    if beyond > OVERFULL {
        return Err(SolveError::NotConverged { iterations: rounds, residual: beyond });
    }
    Ok(found)
}

/// Where a hold stands: its class and its index there.
struct Use<'a> {
    class: usize,
    hold: &'a Hold,
}

impl Analytic {
    /// Solves with the given solver, which sees a network without locks.
    pub fn solve(
        &self,
        solver: impl Fn(&Network) -> Result<Solution, SolveError>,
    ) -> Result<AnalyticSolution, SolveError> {
        let simple = self
            .simplifications
            .iter()
            .all(|s| !matches!(s, Simplification::LockWaits | Simplification::Spawned { .. }));
        let mut network = self.network.clone();
        if simple {
            let mut solution = solver(&network)?;
            if let Some(flows) = &self.flows {
                flows.correct(&network, &mut solution);
            }
            return Ok(AnalyticSolution {
                solution,
                locks: vec![None; self.lock_stations.len()],
                rounds: 1,
                residual: 0.0,
            });
        }
        // Wait a time for each hold of each class.
        let mut waits: Vec<Vec<f64>> = self.usages.iter().map(|usage| vec![0.0; usage.holds.len()]).collect();
        let mut mixing = Mixing::new(waits.iter().map(Vec::len).sum());
        let mut residual = f64::INFINITY;
        for round in 1..=GUESSES_MAX {
            let (found, image) = match self.round(&solver, &mut network, &waits, round) {
                // Damped steps come from below; beyond them a guess may have been too long.
                Err(SolveError::Saturated { .. }) if round > DAMPED => {
                    return Err(SolveError::NotConverged { iterations: round, residual });
                }
                found => found?,
            };
            residual = found.residual;
            if residual < CHANGE {
                return possible(found, round);
            }
            let guess: Vec<f64> = waits.iter().flatten().copied().collect();
            let next = mixing.next(&guess, &image, residual);
            for (wait, next) in waits.iter_mut().flatten().zip(next) {
                *wait = next;
            }
        }
        // What moves by less than the error of surrogate delays is an answer, too.
        for (wait, best) in waits.iter_mut().flatten().zip(mixing.best()) {
            *wait = best;
        }
        let (found, _) = self.round(&solver, &mut network, &waits, GUESSES_MAX)?;
        residual = residual.min(found.residual);
        if found.residual < NEARLY {
            return possible(found, GUESSES_MAX);
        }
        Err(SolveError::NotConverged { iterations: GUESSES_MAX, residual })
    }

    /// What follows from waits, and the waits that follow from that.
    fn round(
        &self,
        solver: &impl Fn(&Network) -> Result<Solution, SolveError>,
        network: &mut Network,
        waits: &[Vec<f64>],
        rounds: usize,
    ) -> Result<(AnalyticSolution, Vec<f64>), SolveError> {
        self.set_delays(network, waits);
        let solution = solver(network)?;
        let mut residual = self.set_spawned(network, &solution);
        let (image, locks) = self.waits(&solution, waits)?;
        for ((old, new), class) in waits.iter().zip(&image).zip(&solution.classes) {
            let scale = class.response_time.max(f64::MIN_POSITIVE);
            for (old, new) in old.iter().zip(new) {
                residual = residual.max((new - old).abs() / scale);
            }
        }
        let found = AnalyticSolution { solution, locks, rounds, residual };
        Ok((found, image.into_iter().flatten().collect()))
    }

    fn set_delays(&self, network: &mut Network, waits: &[Vec<f64>]) {
        for ((class, usage), waits) in network.classes.iter_mut().zip(&self.usages).zip(waits) {
            for station in self.lock_stations.iter().flatten() {
                class.demands[*station] = 0.0;
            }
            for (hold, wait) in usage.holds.iter().zip(waits) {
                if let Some(station) = self.lock_stations[hold.lock] {
                    class.demands[station] += hold.count * wait;
                }
            }
        }
    }

    /// Gives spawned work the rate of what starts it; the largest relative change.
    fn set_spawned(&self, network: &mut Network, solution: &Solution) -> f64 {
        let first = network.classes.len() - self.spawned.len();
        let mut change: f64 = 0.0;
        for (idx, (parent, count)) in self.spawned.iter().enumerate() {
            let rate = solution.classes[*parent].throughput * count;
            if let Workload::Open { arrival_rate } = &mut network.classes[first + idx].workload {
                change = change.max((rate - *arrival_rate).abs() / rate.max(f64::MIN_POSITIVE));
                *arrival_rate = f64::midpoint(*arrival_rate, rate);
            }
        }
        change
    }

    /// The wait for each hold, and each lock's summary.
    #[expect(clippy::type_complexity, reason = "the two halves of one answer")]
    fn waits(
        &self,
        solution: &Solution,
        old: &[Vec<f64>],
    ) -> Result<(Vec<Vec<f64>>, Vec<Option<LockSolution>>), SolveError> {
        let mut new = old.to_vec();
        let mut found = vec![None; self.lock_stations.len()];
        // Later locks are asked for while earlier ones are held: their waits are part of the holds.
        let holds: Vec<Vec<f64>> = self.holds(solution, old);
        for (lock, station) in self.lock_stations.iter().enumerate() {
            if station.is_none() {
                continue;
            }
            let uses: Vec<Use<'_>> = self.uses(lock).collect();
            let idx_of = |found: &Use<'_>| {
                let holds = &self.usages[found.class].holds;
                holds.iter().position(|hold| std::ptr::eq(hold, found.hold)).unwrap_or(0)
            };
            let users: Vec<LockUser> =
                uses.iter().map(|found| self.user(found, solution, holds[found.class][idx_of(found)])).collect();
            let answer = locks::wait(&users).map_err(|error| self.saturated(lock, &error))?;
            let mut waiting = 0.0;
            for ((found, user), wait) in uses.iter().zip(&users).zip(&answer.user_wait) {
                new[found.class][idx_of(found)] = *wait;
                waiting += user.rate * wait;
            }
            found[lock] = Some(LockSolution {
                exclusive: answer.exclusive_utilization,
                waiting,
                read_wait: answer.read_wait,
                write_wait: answer.write_wait,
            });
        }
        Ok((new, found))
    }

    fn uses(&self, lock: usize) -> impl Iterator<Item = Use<'_>> {
        let classes = self.usages.iter().enumerate();
        classes.flat_map(move |(class, usage)| {
            let holds = usage.holds.iter().filter(move |hold| hold.lock == lock);
            holds.map(move |hold| Use { class, hold })
        })
    }

    /// Mean length of each hold \[s\].
    fn holds(&self, solution: &Solution, waits: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let of_class = |(class, usage): (usize, &super::usage::Usage)| {
            let found = &solution.classes[class];
            let lengths = usage.holds.iter().map(|hold| {
                let inner: f64 = (hold.inner.iter()).map(|(inner, count)| count * waits[class][*inner]).sum();
                (self.residence(class, hold, found) + inner) / hold.count
            });
            lengths.collect()
        };
        self.usages.iter().enumerate().map(of_class).collect()
    }

    /// Residence at stations over all of a customer's holds of this kind.
    fn residence(&self, class: usize, hold: &Hold, found: &ClassSolution) -> f64 {
        let all = &self.usages[class].stations;
        (hold.stations.iter().zip(all).zip(&found.residence_time))
            .filter(|((inside, _), _)| inside.demand > 0.0)
            // Each second of service waits as long as any other of this class there.
            .map(|((inside, all), residence)| residence * inside.demand / all.demand)
            .sum()
    }

    fn user(&self, found: &Use<'_>, solution: &Solution, hold: f64) -> LockUser {
        let class = &self.network.classes[found.class];
        LockUser {
            rate: solution.classes[found.class].throughput * found.hold.count,
            hold,
            scv: self.hold_scv(found, &solution.classes[found.class], hold),
            exclusive: found.hold.exclusive,
            population: match class.workload {
                Workload::Closed { population, .. } => Some(population),
                Workload::Open { .. } => None,
            },
            source: found.class,
        }
    }

    /// Squared coefficient of variation of a hold, as if residences were independent and each
    /// varied as its service does.
    fn hold_scv(&self, found: &Use<'_>, class: &ClassSolution, hold: f64) -> f64 {
        let all = &self.usages[found.class].stations;
        let each = found.hold.stations.iter().zip(all).zip(&class.residence_time);
        let variance: f64 = each
            .filter(|((inside, _), _)| inside.demand > 0.0)
            .map(|((inside, all), residence)| {
                let visit = residence * inside.demand / all.demand / inside.count;
                inside.count / found.hold.count * visit * visit * inside.scv()
            })
            .sum();
        if hold > 0.0 { (variance / (hold * hold)).max(0.0) } else { 0.0 }
    }

    fn saturated(&self, lock: usize, error: &LockError) -> SolveError {
        let station = self.lock_stations[lock].unwrap_or(0);
        SolveError::Saturated {
            station,
            name: self.network.stations[station].name.clone(),
            utilization: match error {
                LockError::Saturated { utilization } => *utilization,
                LockError::Invalid { value, .. } => *value,
            },
        }
    }
}
