//! Classes of customers: how they come, and what they need where.

/// A kind of customers with the same demands.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Name for messages.
    pub name: String,
    /// How its customers come.
    pub workload: Workload,
    /// Demand at each station, D = V·S, in seconds, in the order of the stations.
    pub demands: Vec<f64>,
    /// Visits to each station, V, in the order of the stations; empty if each is visited once. They
    /// matter where service is first come first served or by priority: one long service delays
    /// others more than many short ones.
    pub visits: Vec<f64>,
    /// Squared coefficient of variation of the service at each station, c²; empty if each is 1, as
    /// exponential service has it. It matters where [`visits`](Self::visits) do.
    pub scv: Vec<f64>,
    /// Rank at stations with priority; lower is served first.
    pub priority: u8,
    /// Work that is done at the same time; mostly none. A station stands in one branch at most.
    pub forks: Vec<Fork>,
}

/// Branches that a customer goes through at once; it goes on when all are done.
#[derive(Clone, Debug, PartialEq)]
pub struct Fork {
    /// The stations of each branch, visited one after the other; the demand of the class at each of
    /// them is what its branch needs there.
    pub branches: Vec<Vec<usize>>,
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

impl Class {
    /// A class that visits each station once, with exponential service and priority 0.
    pub fn new(name: impl Into<String>, workload: Workload, demands: Vec<f64>) -> Self {
        Self {
            name: name.into(),
            workload,
            demands,
            visits: Vec::new(),
            scv: Vec::new(),
            priority: 0,
            forks: Vec::new(),
        }
    }

    /// A Poisson stream: arrival rate λ in 1/s, demands D in seconds.
    pub fn open(name: impl Into<String>, arrival_rate: f64, demands: Vec<f64>) -> Self {
        Self::new(name, Workload::Open { arrival_rate }, demands)
    }

    /// A closed class: population N, think time Z in seconds, demands D in seconds.
    pub fn closed(name: impl Into<String>, population: f64, think_time: f64, demands: Vec<f64>) -> Self {
        let workload = Workload::Closed { population, think_time };
        Self::new(name, workload, demands)
    }

    /// The same with these visits to the stations.
    #[must_use]
    pub fn with_visits(mut self, visits: Vec<f64>) -> Self {
        self.visits = visits;
        self
    }

    /// The same with these squared coefficients of variation of service at the stations.
    #[must_use]
    pub fn with_scv(mut self, scv: Vec<f64>) -> Self {
        self.scv = scv;
        self
    }

    /// The same with a rank at stations with priority; lower is served first.
    #[must_use]
    pub fn with_priority(mut self, priority: u8) -> Self {
        self.priority = priority;
        self
    }

    /// The same with branches (station indices) that are gone through at once.
    #[must_use]
    pub fn with_fork(mut self, branches: Vec<Vec<usize>>) -> Self {
        self.forks.push(Fork { branches });
        self
    }

    /// Visits to a station, V.
    pub fn visits_at(&self, station_idx: usize) -> f64 {
        self.visits.get(station_idx).copied().unwrap_or(1.0)
    }

    /// Mean service a visit to a station, S = D/V, in seconds; zero where it is not visited.
    pub fn service_at(&self, station_idx: usize) -> f64 {
        let visits = self.visits_at(station_idx);
        if visits > 0.0 { self.demands[station_idx] / visits } else { 0.0 }
    }

    /// Squared coefficient of variation of service at a station, c².
    pub fn scv_at(&self, station_idx: usize) -> f64 {
        self.scv.get(station_idx).copied().unwrap_or(1.0)
    }
}
