//! What a queueing network is: stations, classes of customers, pools, and the checks before solving.
//!
//! A [`Network`] is plain data. Times are in seconds and rates in 1/s; a demand is D = V·S, the
//! service a customer needs at a station over all its visits. [`Network::validate`] is called by
//! every solver, so a network that reaches an algorithm is known to be sound. The words are those of
//! the simulator's model.
//!
//! Stations, demands, rates and populations are all that a network of product form needs. What goes
//! beyond it — first come first served with unlike services, priorities, pools, forks — is said by
//! [`Discipline`], [`Class::visits`], [`Class::scv`], [`Class::priority`], [`Pool`] and [`Fork`];
//! it can be left out, and is then the case that changes nothing.

mod check;
mod class;
mod station;

pub use check::NetworkError;
pub use class::{Class, Fork, Workload};
pub use station::{Discipline, Station, StationKind};

/// Largest number accepted for a rate, a time or a population: far beyond anything physical,
/// small enough that no product of a solver overflows.
pub const LARGEST: f64 = 1e30;

/// Smallest number accepted that is not zero, for the same reason.
pub const SMALLEST: f64 = 1e-30;

/// Most parallel servers of one station, and most entries of [`StationKind::LoadDependent`].
pub const MOST_SERVERS: u32 = 65_536;

/// Stations and the classes of customers that visit them.
///
/// ```
/// use plimsoll_queueing::queueing::network::{Class, Network, Station};
///
/// let network = Network::new(
///     vec![Station::queueing("processor", 4), Station::delay("network")],
///     vec![Class::closed("users", 100.0, 10.0, vec![0.2, 0.05])],
/// );
/// assert!(network.validate().is_ok());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// Where customers are served, at least one.
    pub stations: Vec<Station>,
    /// Kinds of customers, at least one.
    pub classes: Vec<Class>,
    /// Passive resources of which there is a finite number; mostly none.
    pub pools: Vec<Pool>,
}

/// A passive resource, granted in order of arrival: threads, connections, request slots.
///
/// A customer of its classes takes one before it visits the stations inside, visits all of them, and
/// gives it back. It waits while all are taken.
///
/// ```
/// use plimsoll_queueing::queueing::network::{Class, Network, Pool, Station};
///
/// let network = Network {
///     pools: vec![Pool::new("threads", 8, vec![0, 1], vec![0])],
///     ..Network::new(
///         vec![Station::queueing("processor", 4), Station::queueing("disk", 1)],
///         vec![Class::open("requests", 10.0, vec![0.2, 0.05])],
///     )
/// };
/// assert!(network.validate().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Name for messages.
    pub name: String,
    /// How many there are, at least 1.
    pub capacity: u32,
    /// Indices of the stations that are visited while one is held. No two pools share a station.
    pub stations: Vec<usize>,
    /// Indices of the classes that hold one.
    pub classes: Vec<usize>,
}

impl Pool {
    /// A pool of `capacity`, held by the given classes at the given stations (indices).
    pub fn new(name: impl Into<String>, capacity: u32, stations: Vec<usize>, classes: Vec<usize>) -> Self {
        Self { name: name.into(), capacity, stations, classes }
    }
}

impl Network {
    /// A network without pools.
    pub fn new(stations: Vec<Station>, classes: Vec<Class>) -> Self {
        Self { stations, classes, pools: Vec::new() }
    }
}
