//! What a solver answers, and why it may refuse.
//!
//! All solvers give the same [`Solution`], in the order of the network's classes and stations, so
//! that answers of different methods can be compared number by number. Times are in seconds and
//! rates in 1/s.

use std::fmt;

use thiserror::Error;

use super::network::NetworkError;

/// How a network was solved.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Method {
    /// Formulas of single open stations; needs a network without closed classes.
    ClosedForm,
    /// Exact mean value analysis; needs whole populations, and few states if several classes are
    /// closed.
    Exact,
    /// Exact, by normalization constants: slower, a check of the other.
    Convolution,
    /// The Linearizer: approximate, mostly within 1 %, slower than Schweitzer's.
    Linearizer,
    /// AQL, the aggregate queue length method: approximate, between the other two.
    Aql,
    /// Schweitzer's and Bard's fixed point: approximate, mostly within 8 %, fast.
    Schweitzer,
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::ClosedForm => "closed forms",
            Self::Exact => "exact analysis",
            Self::Convolution => "convolution",
            Self::Linearizer => "the Linearizer",
            Self::Aql => "AQL",
            Self::Schweitzer => "Schweitzer's approximation",
        })
    }
}

/// Means of a network in steady state.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// How it was solved.
    pub method: Method,
    /// Iterations of a fixed point, or states visited by an exact method.
    pub iterations: usize,
    /// One entry per class, in the network's order.
    pub classes: Vec<ClassSolution>,
    /// One entry per station, in the network's order.
    pub stations: Vec<StationSolution>,
    /// One entry per pool, in the network's order.
    pub pools: Vec<PoolSolution>,
    /// Formulas beyond product form that the answer rests on, each once; none if the network has
    /// product form.
    pub approximations: Vec<Approximation>,
    /// By how much an approximate method asked its busiest station for more than that can do, as a fraction of
    /// that, before times there were lengthened until it was just busy; 0 where it did not.
    pub excess: f64,
}

/// The part of a [`Solution`] that an iteration over many networks asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Flows {
    /// How the network was solved.
    pub method: Method,
    /// Completions of each class per time, X, in 1/s, in the network's order.
    pub throughput: Vec<f64>,
    /// Residence by class and station, in seconds.
    pub(super) residence: Vec<f64>,
    /// Stations of the network.
    pub(super) stations: usize,
}

impl Flows {
    /// Those of a whole solution.
    pub fn of(solution: &Solution) -> Self {
        let classes = solution.classes.iter();
        let times = classes.clone().flat_map(|class| &class.residence_time);
        Self {
            method: solution.method,
            throughput: classes.map(|class| class.throughput).collect(),
            residence: times.copied().collect(),
            stations: solution.stations.len(),
        }
    }

    /// Waiting and service of a class at each station, in seconds, over all visits.
    pub fn residence(&self, class_idx: usize) -> &[f64] {
        &self.residence[class_idx * self.stations..][..self.stations]
    }
}

/// A formula for what has no product form; its module says how far it is off.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Approximation {
    /// First come first served with unlike or not exponential services.
    UnlikeService,
    /// Priorities.
    Priority,
    /// A pool, solved as a flow-equivalent server.
    Pool,
    /// The time of a fork from the times of its branches.
    Fork,
    /// Last come first served with unlike or not exponential services at several servers.
    LastCome,
    /// Speeds that fall with more customers, by a method that knows only means.
    FallingSpeeds,
}

impl Approximation {
    /// In a few words, for the line that names the method.
    pub fn short(self) -> &'static str {
        match self {
            Self::UnlikeService => "unlike services by residual times",
            Self::Priority => "priorities by mean values",
            Self::Pool => "pools as flow-equivalent servers",
            Self::Fork => "forks as the longest of independent branches",
            Self::LastCome => "last come first served as processor sharing",
            Self::FallingSpeeds => "falling speeds at mean numbers",
        }
    }

    /// The largest error of a throughput or a response time that was found against simulations, as a fraction; a
    /// test measures it anew over the networks of `docs/network-file.md`.
    pub fn largest_error(self) -> f64 {
        match self {
            Self::UnlikeService => 0.45,
            Self::Priority => 0.32,
            Self::Pool => 0.39,
            Self::Fork => 0.15,
            Self::LastCome => 0.71,
            Self::FallingSpeeds => 0.33,
        }
    }
}

impl fmt::Display for Approximation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::UnlikeService => "first come first served with unlike services: residual times (Reiser 1979)",
            Self::Priority => {
                "priorities: mean values of the customers ahead (Bryant, Krzesinski, Lakshmi and \
                 Chandy 1984)"
            }
            Self::Pool => "pools: flow-equivalent servers (Chandy, Herzog and Woo 1975)",
            Self::LastCome => "last come first served at several servers: as processor sharing",
            Self::FallingSpeeds => "speeds that fall with more customers: as if at the mean number of them",
            Self::Fork => "forks: the longest of independent branches (Nelson and Tantawi 1988)",
        })
    }
}

/// Means of one class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassSolution {
    /// Completions per time, X, in 1/s.
    pub throughput: f64,
    /// Time from a request to its response, R, in seconds, without think time: residence times of
    /// stations outside forks, times of forks, and waits for pools.
    ///
    /// For a class without customers it is what a first one would experience.
    pub response_time: f64,
    /// Waiting and service at each station, `R_k`, in seconds, over all visits.
    pub residence_time: Vec<f64>,
    /// Mean number at each station, `Q_k` = X·`R_k`, waiting and in service.
    pub queue_length: Vec<f64>,
    /// Mean number of customers of all classes that an arriving customer of this class finds at
    /// each station, waiting and in service, itself not counted.
    pub seen_queue_length: Vec<f64>,
    /// Part of each station's [`StationSolution::utilization`] that is due to this class.
    pub utilization: Vec<f64>,
    /// Wait for each pool, in seconds; zero for pools that the class does not hold.
    pub pool_wait: Vec<f64>,
    /// Time of each of its forks from the start of its branches to the end of the last, in seconds.
    pub fork_time: Vec<f64>,
    /// Population N* = (D + Z)/`D_max` of this class alone at which the bounds for few and for many
    /// customers cross; none for open classes and where nobody can wait.
    pub knee: Option<f64>,
}

/// Means of one station over all classes.
#[derive(Clone, Debug, PartialEq)]
pub struct StationSolution {
    /// Busy fraction of a server, U, in [0, 1]: work done over the greatest speed. Zero at a delay,
    /// which has no finite number of servers.
    pub utilization: f64,
    /// Visits per time, over all classes, in 1/s.
    pub throughput: f64,
    /// Mean number at the station, Q, waiting and in service.
    pub queue_length: f64,
}

/// Means of one pool.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolSolution {
    /// Mean number taken, over its capacity, in [0, 1].
    pub utilization: f64,
    /// Mean number of customers that wait for one.
    pub waiting: f64,
    /// Customers that are granted one per time, in 1/s.
    pub throughput: f64,
}

/// Why there is no solution.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SolveError {
    /// The network itself is wrong.
    #[error(transparent)]
    Invalid(#[from] NetworkError),
    /// Open arrivals bring as much work as a station can do, or more: its queue grows for ever.
    #[error("station `{name}` is saturated: arrivals bring {utilization:.4} of what it can do")]
    Saturated {
        /// The worst station: its place in the network.
        station: usize,
        /// Its name.
        name: String,
        /// Work brought by open classes over capacity, at least 1.
        utilization: f64,
    },
    /// A fixed point was not reached.
    #[error("no fixed point after {iterations} iterations (residual {residual:e})")]
    NotConverged {
        /// Iterations made.
        iterations: usize,
        /// Largest change of a queue in the last one, as a fraction of its class' population, or by how much
        /// a lock is held for more than all of the time.
        residual: f64,
    },
    /// An exact answer costs more than the limit.
    #[error("an exact answer needs {cost:.3e} steps, more than {limit:.3e}; use an approximation")]
    TooLarge {
        /// Steps needed.
        cost: f64,
        /// Steps allowed.
        limit: f64,
    },
    /// Nothing but simulation solves this network.
    #[error("no analytic method solves this network: {reason}; simulate it")]
    Unsupported {
        /// Why not.
        reason: String,
    },
    /// A method that cannot solve this kind of network.
    #[error("{method} cannot solve this network: {reason}")]
    Unsuitable {
        /// The method.
        method: Method,
        /// Why not.
        reason: String,
    },
}
