//! Whether a network has product form, and what its answer rests on where it has not.

use super::center::Center;
use super::network::{Discipline, Network, StationKind, Workload};
use super::solution::{Approximation, SolveError};

/// Whether a station has product form with the classes that visit it (Baskett et al., JACM 22(2), 1975).
pub(super) fn has_form(network: &Network, k: usize) -> bool {
    let station = &network.stations[k];
    let visitors = || network.classes.iter().filter(|class| class.demands[k] > 0.0);
    let Some(first) = visitors().next() else {
        return true;
    };
    let alike = || {
        visitors().all(|class| {
            let (service, other) = (class.service_at(k), first.service_at(k));
            (service - other).abs() <= 1e-12 * other && class.scv_at(k) == 1.0
        })
    };
    let equals = || visitors().all(|class| class.priority == first.priority);
    match (&station.kind, station.discipline) {
        // With the last alone served, at whatever speed; at several servers that is no symmetric queue.
        (StationKind::Delay | StationKind::Link { .. }, _)
        | (_, Discipline::Ps)
        | (StationKind::LoadDependent { .. } | StationKind::Queueing { servers: 1 }, Discipline::LcfsPr) => true,
        (_, Discipline::LcfsPr | Discipline::Fcfs) => alike(),
        (_, Discipline::Priority | Discipline::PreemptivePriority) => alike() && equals(),
    }
}

/// The discipline of a station that has formulas of its own; none where those of product form are used.
pub(super) fn without_form(network: &Network, k: usize) -> Result<Option<Discipline>, SolveError> {
    let station = &network.stations[k];
    if has_form(network, k) || station.discipline == Discipline::LcfsPr {
        return Ok(None);
    }
    match station.kind {
        StationKind::LoadDependent { .. } => Err(SolveError::Unsupported {
            reason: format!(
                "station `{}` has both a load-dependent speed and a discipline without product form",
                station.name
            ),
        }),
        _ => Ok(Some(station.discipline)),
    }
}

/// Whether the formulas for a station without product form are exact: one server with Poisson arrivals, each of
/// whom visits it once and nothing else but delays (Pollaczek and Khinchine; Cobham 1954; preemptive resume).
fn is_exact_alone(network: &Network, k: usize) -> bool {
    let station = &network.stations[k];
    let known = match station.discipline {
        Discipline::Fcfs | Discipline::Priority => true,
        Discipline::PreemptivePriority => {
            let mut classes = network.classes.iter();
            classes.all(|class| class.demands[k] == 0.0 || class.scv_at(k) == 1.0)
        }
        Discipline::Ps | Discipline::LcfsPr => false,
    };
    let mut visitors = network.classes.iter().filter(|class| class.demands[k] > 0.0);
    known
        && station.kind == StationKind::Queueing { servers: 1 }
        && visitors.all(|class| {
            let queues = network.stations.iter().zip(&class.demands);
            let queues = queues.filter(|(s, d)| **d > 0.0 && s.kind != StationKind::Delay);
            let is_open = matches!(class.workload, Workload::Open { .. });
            is_open && class.visits_at(k) == 1.0 && queues.count() == 1
        })
}

/// What the answer rests on beyond product form.
pub(super) fn approximations(network: &Network, centers: &[Center]) -> Vec<Approximation> {
    let mut approximations = Vec::new();
    for (k, center) in centers.iter().enumerate() {
        let Some(discipline) = center.special.filter(|_| !is_exact_alone(network, k)) else {
            continue;
        };
        approximations.push(if discipline.is_ranked() {
            Approximation::Priority
        } else {
            Approximation::UnlikeService
        });
    }
    let last_come = |k: &usize| network.stations[*k].discipline == Discipline::LcfsPr;
    if (0..network.stations.len()).any(|k| last_come(&k) && !has_form(network, k)) {
        approximations.push(Approximation::LastCome);
    }
    if network.classes.iter().any(|class| !class.forks.is_empty()) {
        approximations.push(Approximation::Fork);
    }
    approximations.sort_unstable();
    approximations.dedup();
    approximations
}
