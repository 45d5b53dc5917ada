//! What must hold for a network to be solved by anybody.

use thiserror::Error;

use super::{Class, Fork, LARGEST, MOST_SERVERS, Network, Pool, SMALLEST, Station, StationKind, Workload};

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
    /// A load-dependent station with no speed or too many.
    #[error("station `{station}` has {found} speeds; it needs 1 to {MOST_SERVERS}")]
    SpeedCount {
        /// Name of the station.
        station: String,
        /// Its speeds.
        found: usize,
    },
    /// A speed or a link's capacity out of range.
    #[error("station `{station}` has a {what} of {value}; it must be from 1e-30 to 1e30")]
    Speed {
        /// Name of the station.
        station: String,
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// Visits or coefficients of variation that do not match the stations.
    #[error("class `{class}` has {found} {what} for {expected} stations")]
    Count {
        /// Name of the class.
        class: String,
        /// Which numbers.
        what: &'static str,
        /// Number of stations.
        expected: usize,
        /// How many numbers there are.
        found: usize,
    },
    /// Visits or a coefficient of variation out of range.
    #[error("class `{class}` has {what} {value} at station `{station}`; {RANGE}")]
    AtStation {
        /// Name of the class.
        class: String,
        /// Which number.
        what: &'static str,
        /// Name of the station.
        station: String,
        /// Its value.
        value: f64,
    },
    /// Work without a visit.
    #[error("class `{class}` has a demand at station `{station}`, but no visits")]
    Unvisited {
        /// Name of the class.
        class: String,
        /// Name of the station.
        station: String,
    },
    /// A fork that cannot be.
    #[error("a fork of class `{class}` {reason}")]
    Fork {
        /// Name of the class.
        class: String,
        /// What is wrong.
        reason: String,
    },
    /// A pool that cannot be.
    #[error("pool `{pool}` {reason}")]
    Pool {
        /// Name of the pool.
        pool: String,
        /// What is wrong.
        reason: String,
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

fn validate_station(station: &Station) -> Result<(), NetworkError> {
    let name = || station.name.clone();
    let positive = |what: &'static str, value: f64| {
        if (SMALLEST..=LARGEST).contains(&value) {
            Ok(())
        } else {
            let station = name();
            Err(NetworkError::Speed { station, what, value })
        }
    };
    match &station.kind {
        StationKind::Delay => Ok(()),
        StationKind::Queueing { servers } if (1..=MOST_SERVERS).contains(servers) => Ok(()),
        StationKind::Queueing { servers } => Err(NetworkError::Servers { station: name(), servers: *servers }),
        StationKind::LoadDependent { speeds } => {
            if !(1..=MOST_SERVERS as usize).contains(&speeds.len()) {
                return Err(NetworkError::SpeedCount { station: name(), found: speeds.len() });
            }
            speeds.iter().try_for_each(|&speed| positive("speed", speed))
        }
        StationKind::Link { capacity } if *capacity > f64::from(MOST_SERVERS) => positive("capacity", f64::INFINITY),
        StationKind::Link { capacity } => positive("capacity", *capacity),
    }
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
        self.stations.iter().try_for_each(validate_station)?;
        self.classes.iter().try_for_each(|class| self.validate_class(class))?;
        let mut inside = vec![false; self.stations.len()];
        self.pools.iter().try_for_each(|pool| self.validate_pool(pool, &mut inside))
    }

    fn validate_pool(&self, pool: &Pool, inside: &mut [bool]) -> Result<(), NetworkError> {
        let refuse = |reason: String| {
            let pool = pool.name.clone();
            Err(NetworkError::Pool { pool, reason })
        };
        if pool.capacity == 0 {
            return refuse("holds nothing; it needs a capacity of 1 or more".to_owned());
        }
        if let Some(class_idx) = pool.classes.iter().find(|&&idx| idx >= self.classes.len()) {
            return refuse(format!("names class {class_idx}, which does not exist"));
        }
        for &station_idx in &pool.stations {
            match inside.get_mut(station_idx) {
                None => {
                    return refuse(format!("names station {station_idx}, which does not exist"));
                }
                Some(true) => {
                    let station = &self.stations[station_idx].name;
                    return refuse(format!("names station `{station}`, which is in a pool already"));
                }
                Some(taken) => *taken = true,
            }
        }
        Ok(())
    }

    fn validate_forks(&self, class: &Class) -> Result<(), NetworkError> {
        let refuse = |reason: String| {
            let class = class.name.clone();
            Err(NetworkError::Fork { class, reason })
        };
        if class.forks.is_empty() {
            return Ok(());
        }
        let mut inside = vec![false; self.stations.len()];
        for Fork { branches } in &class.forks {
            if branches.is_empty() {
                return refuse("has no branch".to_owned());
            }
            for &station_idx in branches.iter().flatten() {
                match inside.get_mut(station_idx) {
                    None => {
                        return refuse(format!("names station {station_idx}, which does not exist"));
                    }
                    Some(true) => {
                        let station = &self.stations[station_idx].name;
                        return refuse(format!("names station `{station}` twice"));
                    }
                    Some(taken) => *taken = true,
                }
            }
        }
        Ok(())
    }

    fn validate_optional(&self, class: &Class) -> Result<(), NetworkError> {
        let name = || class.name.clone();
        for (what, values) in [("visits", &class.visits), ("c²", &class.scv)] {
            if !values.is_empty() && values.len() != self.stations.len() {
                return Err(NetworkError::Count {
                    class: name(),
                    what,
                    expected: self.stations.len(),
                    found: values.len(),
                });
            }
            for (station, &value) in self.stations.iter().zip(values) {
                if !is_sound(value) {
                    let station = station.name.clone();
                    return Err(NetworkError::AtStation { class: name(), what, station, value });
                }
            }
        }
        for (station_idx, station) in self.stations.iter().enumerate() {
            if class.demands[station_idx] > 0.0 && class.visits_at(station_idx) == 0.0 {
                return Err(NetworkError::Unvisited { class: name(), station: station.name.clone() });
            }
        }
        self.validate_forks(class)
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
                return Err(NetworkError::Demand { class: name(), station, value });
            }
        }
        self.validate_optional(class)?;
        match class.workload {
            Workload::Open { arrival_rate: value } if !is_sound(value) => {
                Err(NetworkError::ArrivalRate { class: name(), value })
            }
            Workload::Open { .. } => Ok(()),
            Workload::Closed { population: value, .. } if !is_sound(value) => {
                Err(NetworkError::Population { class: name(), value })
            }
            Workload::Closed { think_time: value, .. } if !is_sound(value) => {
                Err(NetworkError::ThinkTime { class: name(), value })
            }
            Workload::Closed { population, think_time } => {
                let works = think_time > 0.0 || class.demands.iter().any(|&demand| demand > 0.0);
                if works || population == 0.0 { Ok(()) } else { Err(NetworkError::NoWork { class: name() }) }
            }
        }
    }
}
