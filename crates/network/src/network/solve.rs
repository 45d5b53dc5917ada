//! Solving a network by an analytic method.

use super::analytic::{Analytic, AnalyticSolution, Simplification};
use super::answer::{Answer, ClassAnswer, ClassAtStation, LockAnswer, PoolAnswer, StationAnswer, exactly};
use super::{File, Method, bounds};
use crate::queueing::{self, Network, Solution, SolveError, mixed};
use crate::sim::Model;
use crate::units::significant;

/// Why a method has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unsolved {
    /// More work comes than a station or a lock can do: there is no steady state.
    #[error("{what} is saturated: arrivals bring {:.1} % of what it can do", .utilization * 100.0)]
    Saturated {
        /// "station \"cpu\"", "lock \"db.rev\"".
        what: String,
        /// Work that arrives over work that can be done, at least 1.
        utilization: f64,
    },
    /// An exact answer was asked for, and there is none.
    #[error("there is no exact answer: {}; use --method auto or sim", .0.join("; "))]
    NotExact(Vec<String>),
    /// The iteration over waits for locks found no fixed point; a simulation has an answer.
    #[error("{0}; use --method auto or sim")]
    NotSettled(String),
    /// The method has no answer for another reason.
    #[error("{0}")]
    Refused(String),
}

/// Solves a network by an analytic method.
///
/// ```
/// use plimsoll_network::network::{self, Method};
/// let text = "schema = 1\n[station.server]\n[class.jobs]\nrate = \"0.8 /s\"\ndemand.server = \"1 s\"\n";
/// let file = network::parse("mm1.toml", text, &[]).unwrap();
/// let answer = network::solve(&file, Method::Auto).unwrap();
/// assert!((answer.classes[0].response.value - 5.0).abs() < 1e-12);
/// ```
pub fn solve(file: &File, method: Method) -> Result<Answer, Unsolved> {
    let analytic = Analytic::of(&file.model);
    let exact = matches!(method, Method::Exact | Method::Convolution);
    if exact && !analytic.is_exact() {
        let reasons = analytic.simplifications.iter().map(ToString::to_string);
        return Err(Unsolved::NotExact(reasons.collect()));
    }
    if !analytic.is_exact() {
        // What a simpler network does not see can be saturated all the same.
        if let Err(saturated @ Unsolved::Saturated { .. }) = bounds(file) {
            return Err(saturated);
        }
    }
    let solved =
        analytic.solve(|network| by(network, method)).map_err(|error| unsolved(&file.model, &analytic, &error))?;
    let formulas = &solved.solution.approximations;
    if exact && !formulas.is_empty() {
        return Err(Unsolved::NotExact(formulas.iter().map(ToString::to_string).collect()));
    }
    Ok(answer(file, &analytic, &solved, method))
}

fn by(network: &Network, method: Method) -> Result<Solution, SolveError> {
    let closed = network.classes.iter().any(|class| matches!(class.workload, queueing::Workload::Closed { .. }));
    let given = match method {
        _ if !closed => queueing::Method::ClosedForm,
        Method::Exact => queueing::Method::Exact,
        Method::Convolution => queueing::Method::Convolution,
        Method::Amva => queueing::Method::Schweitzer,
        Method::Linearizer => queueing::Method::Linearizer,
        Method::Aql => queueing::Method::Aql,
        Method::Auto | Method::Bounds | Method::Sim => return queueing::solve(network),
    };
    mixed::solve(network, given)
}

pub(super) fn unsolved(model: &Model, analytic: &Analytic, error: &SolveError) -> Unsolved {
    match error {
        SolveError::Saturated { station, name, utilization } => Unsolved::Saturated {
            what: match analytic.lock_at(*station) {
                Some(lock) => format!("lock {:?}", model.locks[lock].name),
                None => format!("station {name:?}"),
            },
            utilization: *utilization,
        },
        error @ SolveError::NotConverged { .. } => Unsolved::NotSettled(error.to_string()),
        error => Unsolved::Refused(error.to_string()),
    }
}

fn answer(file: &File, analytic: &Analytic, solved: &AnalyticSolution, method: Method) -> Answer {
    let model = &file.model;
    let solution = &solved.solution;
    let (n_classes, n_stations) = (model.classes.len(), model.stations.len());
    let classes: Vec<ClassAnswer> =
        (0..n_classes).map(|class| class_answer(analytic, solution, class, n_stations)).collect();
    let total: f64 = classes.iter().map(|class| class.throughput.value).sum();
    let stations = model.stations.iter().zip(&solution.stations);
    let stations = stations.map(|(station, found)| StationAnswer {
        name: station.name.clone(),
        utilization: exactly(found.utilization),
        queue_length: exactly(found.queue_length),
        residence: exactly(if total > 0.0 { found.queue_length / total } else { 0.0 }),
        throughput: exactly(found.throughput),
    });
    let stations = stations.collect();
    let locks = model.locks.iter().zip(&solved.locks);
    let locks = locks.filter_map(|(lock, found)| {
        let found = (*found)?;
        Some(LockAnswer {
            name: lock.name.clone(),
            exclusive: exactly(found.exclusive),
            waiting: exactly(found.waiting),
            read_wait: found.read_wait,
            write_wait: found.write_wait,
        })
    });
    let pools = analytic.network.pools.iter().zip(&solution.pools);
    let pools = pools.map(|(pool, found)| PoolAnswer {
        name: pool.name.clone(),
        taken: exactly(found.utilization * f64::from(pool.capacity)),
        waiting: exactly(found.waiting),
    });
    Answer {
        method,
        solved_by: solved_by(analytic, solved),
        iterations: solution.iterations as u64,
        classes,
        stations,
        locks: locks.collect(),
        pools: pools.collect(),
        caches: (model.caches.iter().zip(&analytic.hits))
            .map(|(cache, hit)| (cache.name.clone(), exactly(*hit)))
            .collect(),
        notes: notes(analytic, solved),
        approximate: is_approximate(analytic, solution),
        run: None,
    }
}

fn class_answer(analytic: &Analytic, solution: &Solution, class: usize, n_stations: usize) -> ClassAnswer {
    let (described, found) = (&analytic.network.classes[class], &solution.classes[class]);
    let at = |station: usize| ClassAtStation {
        utilization: found.utilization[station],
        queue_length: found.queue_length[station],
        residence: found.residence_time[station],
        throughput: if described.demands[station] > 0.0 {
            found.throughput * described.visits_at(station)
        } else {
            0.0
        },
    };
    ClassAnswer {
        name: described.name.clone(),
        throughput: exactly(found.throughput),
        response: exactly(found.response_time),
        number: exactly(found.throughput * found.response_time),
        quantiles: Vec::new(),
        knee: found.knee,
        stations: (0..n_stations).map(at).collect(),
    }
}

fn solved_by(analytic: &Analytic, solved: &AnalyticSolution) -> String {
    let solution = &solved.solution;
    let counted = |n: usize, one: &str, many: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    };
    let mut words = match solution.method {
        queueing::Method::ClosedForm => solution.method.to_string(),
        queueing::Method::Exact | queueing::Method::Convolution => {
            format!("{}, {}", solution.method, counted(solution.iterations, "population", "populations"))
        }
        _ => format!("{}, converged in {}", solution.method, counted(solution.iterations, "iteration", "iterations")),
    };
    if solved.rounds > 1 {
        let rounds = solved.rounds;
        words = format!("{words}, {rounds} rounds over locks and spawned work");
    }
    let differs = differences(analytic, solution);
    if differs.is_empty() { words } else { format!("{words}, of a simpler network: {}", differs.join(", ")) }
}

/// What the answer takes otherwise than the file says, in a few words each, with how far that was off at most.
fn differences(analytic: &Analytic, solution: &Solution) -> Vec<String> {
    let simplified = analytic.simplifications.iter().cloned();
    let simplified = simplified.chain(left_out(analytic, solution));
    let simplified = simplified.map(|s| (s.short(), s.largest_error()));
    let formulas = solution.approximations.iter();
    let formulas = formulas.map(|a| (a.short(), Some(a.largest_error())));
    let mut words: Vec<String> = Vec::new();
    for (short, largest) in simplified.chain(formulas) {
        let word = match largest {
            Some(error) => format!("{short} (measured up to {:.0} % off)", 100.0 * error),
            None => format!("{short} (error without limit)"),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

fn is_approximate(analytic: &Analytic, solution: &Solution) -> bool {
    let by_method = !matches!(
        solution.method,
        queueing::Method::ClosedForm | queueing::Method::Exact | queueing::Method::Convolution
    );
    let without = left_out(analytic, solution);
    by_method || !analytic.is_exact() || !solution.approximations.is_empty() || !without.is_empty()
}

/// Pools that the solver passed over.
fn left_out(analytic: &Analytic, solution: &Solution) -> Vec<Simplification> {
    let pools = analytic.network.pools.iter().skip(solution.pools.len());
    let left_out = pools.map(|pool| Simplification::PoolLeftOut {
        pool: pool.name.clone(),
        why: "this method has no answer for pools",
    });
    left_out.collect()
}

/// Excess and residual below these are rounding.
const EXCESS_SHOWN: f64 = 1e-6;
const RESIDUAL_SHOWN: f64 = 1e-6;

fn notes(analytic: &Analytic, solved: &AnalyticSolution) -> Vec<String> {
    let solution = &solved.solution;
    let formulas = solution.approximations.iter().map(ToString::to_string);
    let simplified = analytic.simplifications.iter().cloned();
    let simplified = simplified.chain(left_out(analytic, solution));
    let mut notes: Vec<String> = formulas.chain(simplified.map(|simplification| simplification.to_string())).collect();
    let percent = |share: f64| significant(100.0 * share, 2);
    if solution.excess > EXCESS_SHOWN {
        notes.push(format!(
            "{} asked a station for {} % more than it can do: times there are lengthened until it is just busy",
            solution.method,
            percent(solution.excess)
        ));
    }
    if solved.residual > RESIDUAL_SHOWN {
        notes.push(format!(
            "waits for locks still moved by {} % of the response time in the last round",
            percent(solved.residual)
        ));
    }
    notes
}
