//! Formulas of single stations, one idea a file, in the order of a textbook.
//!
//! Rates are in 1/s and times in seconds; ρ is the utilization. A formula refuses numbers it is
//! not defined for and says `Saturated` where a queue grows for ever. Each file names its sources.
//!
//! | station | formula | exact |
//! |---|---|---|
//! | M/M/1, M/M/m, M/M/m/m | [`mm1`], [`mmm`], [`erlang_b`], [`erlang_c`] and inverses | yes |
//! | M/M/m/K, M/M/m//N | [`mmmk`], [`machine_repairman`] | yes |
//! | M/G/1, first come first served or shared | [`mg1`], [`mg1_ps`] | yes |
//! | M/G/m | [`mgm`] | for M/M/m and M/G/1 |
//! | G/G/m | [`allen_cunneen`], better [`ggm`] | for M/M/m |
//! | M^X/G/1: arrivals in batches | [`mg1_batches`] | yes |
//! | M/G/1 whose server goes away or must start | [`mg1_vacations`], [`mg1_setup`] | yes |
//! | M/M/m whose servers sleep while they are idle | [`woken`] | without what the delay adds to the load |
//! | M/G/1 with priorities | [`mg1_priority`], [`mg1_preemptive`] | yes |
//! | M/M/m with priorities | [`mmm_priority`], [`mmm_preemptive`] | yes |
//! | commits that share flushes | [`group_commit`] | yes |
//! | fork and join over K branches | [`fork_join2`], [`fork_join`] | for 1 and 2 branches |
//! | transfers over a link, each with a limit of its own | [`shared_link`] | yes |
//!
//! # Assumptions
//!
//! Poisson arrivals; exponential service unless the name has a G or the text says otherwise.

mod batch;
mod erlang;
mod finite;
mod flush;
mod fork_join;
mod general;
mod link;
mod priority;
mod vacation;
mod waking;

pub use batch::mg1_batches;
pub use erlang::{erlang_b, erlang_b_load, erlang_b_servers, erlang_c, mm1, mmm};
pub use finite::{FiniteQueueMeans, FiniteSourceMeans, machine_repairman, mmmk};
pub use flush::{GroupCommitMeans, group_commit};
pub use fork_join::{fork_join, fork_join2};
pub use general::{allen_cunneen, ggm, mg1, mg1_ps, mgm};
pub use link::{shared_link, stream_limit};
pub use priority::{PriorityClass, mg1_preemptive, mg1_priority, mmm_preemptive, mmm_priority};
pub use vacation::{mg1_setup, mg1_vacations};
pub use waking::woken;

use thiserror::Error;

/// Why a formula has no value.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FormulaError {
    /// An argument that is negative, not finite, or zero where it must not be.
    #[error("{name} is {value}, for which the formula is not defined")]
    Argument {
        /// Name of the argument.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// The queue grows for ever.
    #[error("the queue is saturated: utilization {utilization:.4}")]
    Saturated {
        /// Utilization, ρ, at least 1.
        utilization: f64,
    },
}

/// Means of a single station without limit of places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueueMeans {
    /// Busy fraction of a server, ρ, in [0, 1).
    pub utilization: f64,
    /// Time before service, Wq, in seconds.
    pub waiting_time: f64,
    /// Waiting and service, R, in seconds.
    pub response_time: f64,
    /// Mean number, L, waiting and in service.
    pub queue_length: f64,
}

fn check(name: &'static str, value: f64) -> Result<f64, FormulaError> {
    if value.is_finite() && value >= 0.0 { Ok(value) } else { Err(FormulaError::Argument { name, value }) }
}

fn positive(name: &'static str, value: f64) -> Result<f64, FormulaError> {
    if check(name, value)? > 0.0 { Ok(value) } else { Err(FormulaError::Argument { name, value }) }
}

fn means(
    arrival_rate: f64,
    service_time: f64,
    servers: u32,
    wait: impl FnOnce(f64) -> f64,
) -> Result<QueueMeans, FormulaError> {
    check("arrival rate", arrival_rate)?;
    check("service time", service_time)?;
    positive("number of servers", f64::from(servers))?;
    let utilization = arrival_rate * service_time / f64::from(servers);
    if utilization >= 1.0 {
        return Err(FormulaError::Saturated { utilization });
    }
    let waiting_time = wait(utilization);
    let response_time = waiting_time + service_time;
    let queue_length = arrival_rate * response_time;
    Ok(QueueMeans { utilization, waiting_time, response_time, queue_length })
}
