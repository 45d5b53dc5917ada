//! The network as the analytic solvers see it, and what of it they see otherwise than it is.
//!
//! A program becomes visits V and demands D = V·S. What means do not say is told as a
//! [`Simplification`]; locks become delays whose length is found by iteration (`surrogate`).

mod che;
mod describe;
mod flows;
mod mixing;
mod surrogate;
mod usage;

pub use describe::Analytic;
pub use surrogate::{AnalyticSolution, LockSolution};
pub(super) use usage::{least_and_most_hits, visits_of};

use std::fmt;

/// What the analytic side takes otherwise than the file says.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Simplification {
    /// Arrivals that are not Poisson.
    PoissonArrivals {
        /// Name of the class.
        class: String,
    },
    /// Arrivals that are not Poisson, of which the rate and the variation are kept.
    RenewalArrivals {
        /// Name of the class.
        class: String,
    },
    /// Locks, whose waits are delays found by iteration.
    LockWaits,
    /// A cache with memory, of which only the mean hit ratio counts.
    CacheMeans {
        /// Name of the cache.
        cache: String,
    },
    /// A fork that shares stations, is not made exactly once, or holds locks.
    ForkInSequence {
        /// Name of the class.
        class: String,
    },
    /// Work that nobody waits for.
    Spawned {
        /// Name of the class.
        class: String,
    },
    /// One factor for all services of a customer.
    Sizes {
        /// Name of the class.
        class: String,
    },
    /// A pool of another form than one of it around whole stations.
    PoolLeftOut {
        /// Name of the pool.
        pool: String,
        /// Why.
        why: &'static str,
    },
    /// A closed class of which all times are constant: its customers can go in step for ever, as no mean shows.
    NoVariation {
        /// Name of the class.
        class: String,
    },
}

impl Simplification {
    /// In a few words, for the line that names the method.
    pub fn short(&self) -> &'static str {
        match self {
            Self::PoissonArrivals { .. } => "arrivals as a Poisson stream",
            Self::RenewalArrivals { .. } => "arrivals by rate and variation",
            Self::LockWaits => "waits for locks as delays",
            Self::CacheMeans { .. } => "caches by their mean share of hits",
            Self::ForkInSequence { .. } => "branches of forks one after the other",
            Self::Spawned { .. } => "started work as a Poisson stream",
            Self::Sizes { .. } => "sizes of services independent of each other",
            Self::PoolLeftOut { .. } => "pools left out",
            Self::NoVariation { .. } => "constant times as if they varied",
        }
    }

    /// The largest error of a throughput or a response time that was found against simulations, as a fraction; a
    /// test measures it anew over the networks of `docs/network-file.md`. None where nothing limits it.
    pub fn largest_error(&self) -> Option<f64> {
        match self {
            Self::PoissonArrivals { .. } | Self::PoolLeftOut { .. } => None,
            Self::RenewalArrivals { .. } => Some(0.18),
            Self::LockWaits => Some(0.72),
            Self::CacheMeans { .. } => Some(0.02),
            Self::ForkInSequence { .. } => Some(0.92),
            Self::Spawned { .. } => Some(0.1),
            Self::Sizes { .. } => Some(0.15),
            Self::NoVariation { .. } => Some(0.4),
        }
    }
}

impl fmt::Display for Simplification {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PoissonArrivals { class } => write!(
                formatter,
                "arrivals of {class:?} are approximated by a Poisson stream of the same rate: where they come in bursts, waits \
                 are too short without limit (850 times in one case)"
            ),
            Self::RenewalArrivals { class } => write!(
                formatter,
                "arrivals of {class:?} are known by rate and variation at each station, as if independent there \
                 (decomposition; Whitt 1983)"
            ),
            Self::LockWaits => formatter.write_str(
                "waits for locks are delays found by iteration (surrogate delays; Jacobson and Lazowska 1982)",
            ),
            Self::CacheMeans { cache } => write!(formatter, "cache {cache:?} has the hit ratio of Che's approximation"),
            Self::ForkInSequence { class } => {
                write!(formatter, "branches of a fork of {class:?} are solved one after the other: times are too long")
            }
            Self::Spawned { class } => write!(
                formatter,
                "work that {class:?} starts and does not wait for is approximated by a Poisson stream"
            ),
            Self::Sizes { class } => {
                write!(formatter, "services of {class:?} are assumed to be independent of each other")
            }
            Self::NoVariation { class } => write!(
                formatter,
                "all times of {class:?} are constant and are solved as if they varied a little: its customers may go \
                 in step for ever"
            ),
            Self::PoolLeftOut { pool, why } => {
                write!(formatter, "pool {pool:?} is left out, as if it never ran out: {why}")
            }
        }
    }
}
