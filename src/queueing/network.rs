//! What a queueing network is: stations, classes of customers, and the checks before solving.
//!
//! A [`Network`] is plain data. Times are in seconds and rates in 1/s; a demand is D = V·S, the
//! service a customer needs at a station over all its visits. [`Network::validate`] is called by
//! every solver, so a network that reaches an algorithm is known to be sound.

use thiserror::Error;

/// Largest number accepted for a rate, a time or a population: far beyond anything physical,
/// small enough that no product of a solver overflows.
pub const LARGEST: f64 = 1e30;

/// Smallest number accepted that is not zero, for the same reason.
pub const SMALLEST: f64 = 1e-30;

/// Most parallel servers of one station.
pub const MOST_SERVERS: u32 = 65_536;

/// Stations and the classes of customers that visit them.
///
/// ```
/// use plimsoll::queueing::network::{Class, Network, Station};
///
/// let network = Network {
///     stations: vec![Station::queueing("processor", 4), Station::delay("network")],
///     classes: vec![Class::closed("users", 100.0, 10.0, vec![0.2, 0.05])],
/// };
/// assert!(network.validate().is_ok());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// Where customers are served, at least one.
    pub stations: Vec<Station>,
    /// Kinds of customers, at least one.
    pub classes: Vec<Class>,
}

/// A place where customers are served.
#[derive(Clone, Debug, PartialEq)]
pub struct Station {
    /// Name for messages.
    pub name: String,
    /// How it serves.
    pub kind: StationKind,
}

/// How a station serves its customers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum StationKind {
    /// Nobody waits: time passes for each customer alone.
    Delay,
    /// Customers share servers, first come first served with the same exponential service for all
    /// classes, or processor sharing with any service: the means are the same.
    Queueing {
        /// Parallel servers, m, from 1 to [`MOST_SERVERS`].
        servers: u32,
    },
}

/// A kind of customers with the same demands.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Name for messages.
    pub name: String,
    /// How its customers come.
    pub workload: Workload,
    /// Demand at each station, D = V·S, in seconds, in the order of the stations.
    pub demands: Vec<f64>,
}

/// How the customers of a class come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Workload {
    /// A Poisson stream from outside.
    Open {
        /// Arrival rate, λ, in 1/s.
        arrival_rate: f64,
    },
    /// A fixed number of customers, each thinking between a response and its next request.
    Closed {
        /// Population, N. Exact methods need a whole number; approximate ones accept fractions.
        population: f64,
        /// Think time, Z, in seconds.
        think_time: f64,
    },
}

impl Station {
    /// A station with `servers` parallel servers, m.
    pub fn queueing(name: impl Into<String>, servers: u32) -> Self {
        Self {
            name: name.into(),
            kind: StationKind::Queueing { servers },
        }
    }

    /// A station where nobody waits.
    pub fn delay(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind: StationKind::Delay,
        }
    }
}

impl Class {
    /// A Poisson stream: arrival rate λ in 1/s, demands D in seconds.
    pub fn open(name: impl Into<String>, arrival_rate: f64, demands: Vec<f64>) -> Self {
        Self {
            name: name.into(),
            workload: Workload::Open { arrival_rate },
            demands,
        }
    }

    /// A closed class: population N, think time Z in seconds, demands D in seconds.
    pub fn closed(
        name: impl Into<String>,
        population: f64,
        think_time: f64,
        demands: Vec<f64>,
    ) -> Self {
        Self {
            name: name.into(),
            workload: Workload::Closed {
                population,
                think_time,
            },
            demands,
        }
    }
}

/// Why a network cannot be solved by anybody.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum NetworkError {
    /// No station.
    #[error("the network has no station")]
    NoStations,
    /// No class.
    #[error("the network has no class of customers")]
    NoClasses,
    /// A number of servers outside 1 to [`MOST_SERVERS`].
    #[error("station `{station}` has {servers} servers; it needs 1 to {MOST_SERVERS}")]
    Servers {
        /// Name of the station.
        station: String,
        /// Its servers.
        servers: u32,
    },
    /// Demands do not match the stations.
    #[error("class `{class}` has {found} demands for {expected} stations")]
    DemandCount {
        /// Name of the class.
        class: String,
        /// Number of stations.
        expected: usize,
        /// Number of demands.
        found: usize,
    },
    /// A demand that is negative, not a number or beyond the accepted range.
    #[error("class `{class}` has demand {value} s at station `{station}`; {RANGE}")]
    Demand {
        /// Name of the class.
        class: String,
        /// Name of the station.
        station: String,
        /// The demand, D, in seconds.
        value: f64,
    },
    /// An arrival rate out of range.
    #[error("class `{class}` has arrival rate {value}/s; {RANGE}")]
    ArrivalRate {
        /// Name of the class.
        class: String,
        /// The rate, λ, in 1/s.
        value: f64,
    },
    /// A population out of range.
    #[error("class `{class}` has population {value}; {RANGE}")]
    Population {
        /// Name of the class.
        class: String,
        /// The population, N.
        value: f64,
    },
    /// A think time out of range.
    #[error("class `{class}` has think time {value} s; {RANGE}")]
    ThinkTime {
        /// Name of the class.
        class: String,
        /// The think time, Z, in seconds.
        value: f64,
    },
    /// Customers that circulate without ever spending time: their throughput is infinite.
    #[error("class `{class}` is closed and has neither demand nor think time")]
    NoWork {
        /// Name of the class.
        class: String,
    },
}

const RANGE: &str = "it must be zero or from 1e-30 to 1e30";

fn is_sound(value: f64) -> bool {
    value == 0.0 || (SMALLEST..=LARGEST).contains(&value)
}

impl Network {
    /// Whether every number is present and in range.
    pub fn validate(&self) -> Result<(), NetworkError> {
        if self.stations.is_empty() {
            return Err(NetworkError::NoStations);
        }
        if self.classes.is_empty() {
            return Err(NetworkError::NoClasses);
        }
        for station in &self.stations {
            if let StationKind::Queueing { servers } = station.kind
                && !(1..=MOST_SERVERS).contains(&servers)
            {
                return Err(NetworkError::Servers {
                    station: station.name.clone(),
                    servers,
                });
            }
        }
        self.classes
            .iter()
            .try_for_each(|class| self.validate_class(class))
    }

    fn validate_class(&self, class: &Class) -> Result<(), NetworkError> {
        let name = || class.name.clone();
        if class.demands.len() != self.stations.len() {
            return Err(NetworkError::DemandCount {
                class: name(),
                expected: self.stations.len(),
                found: class.demands.len(),
            });
        }
        for (station, &value) in self.stations.iter().zip(&class.demands) {
            if !is_sound(value) {
                let station = station.name.clone();
                return Err(NetworkError::Demand {
                    class: name(),
                    station,
                    value,
                });
            }
        }
        match class.workload {
            Workload::Open {
                arrival_rate: value,
            } if !is_sound(value) => Err(NetworkError::ArrivalRate {
                class: name(),
                value,
            }),
            Workload::Open { .. } => Ok(()),
            Workload::Closed {
                population: value, ..
            } if !is_sound(value) => Err(NetworkError::Population {
                class: name(),
                value,
            }),
            Workload::Closed {
                think_time: value, ..
            } if !is_sound(value) => Err(NetworkError::ThinkTime {
                class: name(),
                value,
            }),
            Workload::Closed {
                population,
                think_time,
            } => {
                let works = think_time > 0.0 || class.demands.iter().any(|&demand| demand > 0.0);
                if works || population == 0.0 {
                    Ok(())
                } else {
                    Err(NetworkError::NoWork { class: name() })
                }
            }
        }
    }
}
