//! The network as the analytic solvers see it, and what of it they see otherwise than it is.
//!
//! A program becomes visits V and demands D = V·S. What means do not say is told as a
//! [`Simplification`]; locks become delays whose length is found by iteration (`surrogate`).

mod che;
mod describe;
mod flows;
mod surrogate;
mod usage;

pub use describe::Analytic;
pub use surrogate::{AnalyticSolution, LockSolution};

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
}

impl fmt::Display for Simplification {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PoissonArrivals { class } => write!(
                formatter,
                "arrivals of {class:?} are taken as a Poisson stream of the same rate"
            ),
            Self::RenewalArrivals { class } => write!(
                formatter,
                "arrivals of {class:?} are known by rate and variation at each station, as if independent there \
                 (decomposition; Whitt 1983)"
            ),
            Self::LockWaits => formatter.write_str(
                "waits for locks are delays found by iteration (surrogate delays; Jacobson and Lazowska 1982)",
            ),
            Self::CacheMeans { cache } => write!(
                formatter,
                "cache {cache:?} hits by chance, as often as Che's approximation says"
            ),
            Self::ForkInSequence { class } => write!(
                formatter,
                "branches of a fork of {class:?} are taken one after the other: times are too long"
            ),
            Self::Spawned { class } => write!(
                formatter,
                "work that {class:?} starts and does not wait for is taken as a Poisson stream"
            ),
            Self::Sizes { class } => write!(
                formatter,
                "services of {class:?} are taken as independent of each other"
            ),
            Self::PoolLeftOut { pool, why } => {
                write!(formatter, "pool {pool:?} is left out, as if it never ran out: {why}")
            }
        }
    }
}
