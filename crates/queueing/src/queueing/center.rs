//! A station as the algorithms see it.

use super::levels::Levels;
use super::network::{Discipline, StationKind};

/// How a station serves, as the algorithms see it.
#[derive(Clone)]
pub(super) enum Service {
    /// Nobody can ever wait.
    Delay,
    /// Servers, m.
    Servers(u32),
    /// Speeds with 1, 2, … customers, the last for all beyond.
    Speeds(Vec<f64>),
}

/// A station as the algorithms see it.
#[derive(Clone)]
pub(super) struct Center {
    pub(super) service: Service,
    /// Work that open classes bring, a = Σ λ·D, in busy servers.
    pub(super) open_load: f64,
    /// The discipline, where there is no product form.
    pub(super) special: Option<Discipline>,
    /// Effective speeds at a station of load-dependent speed.
    levels: Option<Levels>,
}

impl Center {
    /// From a station that `open_load` visits, beside at most `population` closed customers.
    pub(super) fn new(kind: &StationKind, special: Option<Discipline>, open_load: f64, population: f64) -> Self {
        // With no more customers than servers, nobody waits.
        let crowded = |servers: f64| open_load > 0.0 || population > servers;
        let service = match kind {
            StationKind::Queueing { servers } if crowded(f64::from(*servers)) => Service::Servers(*servers),
            StationKind::Link { capacity } if *capacity < 1.0 || crowded(*capacity) => {
                Service::Speeds(link_speeds(*capacity))
            }
            StationKind::LoadDependent { speeds } => Service::Speeds(speeds.clone()),
            StationKind::Delay | StationKind::Queueing { .. } | StationKind::Link { .. } => Service::Delay,
        };
        let levels = match &service {
            Service::Speeds(speeds) => Some(Levels::new(speeds, open_load, population)),
            _ => None,
        };
        Self { special: special.filter(|_| matches!(service, Service::Servers(_))), service, open_load, levels }
    }

    /// Whether both have product form and are delays, or have as many servers.
    pub(super) fn serves_as(&self, other: &Self) -> bool {
        let formed = self.special.is_none() && other.special.is_none();
        formed
            && match (&self.service, &other.service) {
                (Service::Delay, Service::Delay) => true,
                (Service::Servers(own), Service::Servers(others)) => own == others,
                _ => false,
            }
    }

    /// Approximate residence over demand at a station of load-dependent speed, for one who finds
    /// `found` of `others` closed customers there; 1 at any other station.
    pub(super) fn factor(&self, found: f64, others: f64) -> f64 {
        let levels = self.levels.as_ref();
        levels.map_or(1.0, |levels| levels.factor(found, others))
    }

    /// The most that it can do; infinite at a delay.
    pub(super) fn greatest_speed(&self) -> f64 {
        match &self.service {
            Service::Delay => f64::INFINITY,
            Service::Servers(servers) => f64::from(*servers),
            Service::Speeds(speeds) => speeds.iter().copied().fold(0.0, f64::max),
        }
    }

    /// Speeds with 1, 2, … customers, the last for all beyond; none at a delay.
    pub(super) fn speeds(&self) -> Vec<f64> {
        match &self.service {
            Service::Delay => Vec::new(),
            Service::Servers(servers) => (1..=*servers).map(f64::from).collect(),
            Service::Speeds(speeds) => speeds.clone(),
        }
    }

    /// Busy fraction of a server due to open classes.
    pub(super) fn open_utilization(&self) -> f64 {
        match &self.service {
            Service::Delay => 0.0,
            Service::Servers(servers) => self.open_load / f64::from(*servers),
            Service::Speeds(speeds) => self.open_load / speeds[speeds.len() - 1],
        }
    }

    /// Effective speeds with 1, 2, … closed customers; none at a delay.
    pub(super) fn levels(&self, population: f64) -> Option<Levels> {
        let speeds = self.speeds();
        (!speeds.is_empty()).then(|| Levels::new(&speeds, self.open_load, population))
    }

    /// How many effective speeds there are before they no longer change; 1 where they never do.
    pub(super) fn level_count(&self, population: f64) -> f64 {
        let count = match &self.service {
            Service::Delay => return 1.0,
            Service::Servers(servers) => f64::from(*servers),
            Service::Speeds(speeds) => speeds.len() as f64,
        };
        if self.open_load > 0.0 { count + 1.0 } else { count.min(population.max(1.0)) }
    }
}

/// n streams of at most `capacity` together: 1, 2, …, c.
fn link_speeds(capacity: f64) -> Vec<f64> {
    let mut speeds: Vec<f64> = (1..=capacity as u32).map(f64::from).collect();
    if capacity.fract() > 0.0 {
        speeds.push(capacity);
    }
    speeds
}
