//! Whether a network has product form, and what its answer rests on where it has not.

use super::center::Center;
use super::network::{Discipline, Network, StationKind};
use super::solution::{Approximation, SolveError};

/// The discipline of a station where it makes a difference; none where there is product form.
pub(super) fn without_form(network: &Network, k: usize) -> Result<Option<Discipline>, SolveError> {
    let station = &network.stations[k];
    let visitors = || {
        network
            .classes
            .iter()
            .filter(|class| class.demands[k] > 0.0)
    };
    let Some(first) = visitors().next() else {
        return Ok(None);
    };
    let alike = visitors().all(|class| {
        let (service, other) = (class.service_at(k), first.service_at(k));
        (service - other).abs() <= 1e-12 * other && class.scv_at(k) == 1.0
    });
    let equals = visitors().all(|class| class.priority == first.priority);
    let has_form = match station.discipline {
        Discipline::Ps | Discipline::LcfsPr => true,
        Discipline::Fcfs => alike,
        Discipline::Priority | Discipline::PreemptivePriority => alike && equals,
    };
    match station.kind {
        StationKind::Delay | StationKind::Link { .. } => Ok(None),
        _ if has_form => Ok(None),
        StationKind::Queueing { .. } => Ok(Some(station.discipline)),
        StationKind::LoadDependent { .. } => Err(SolveError::Unsupported {
            reason: format!(
                "station `{}` has both a load-dependent speed and a discipline without product form",
                station.name
            ),
        }),
    }
}

/// What the answer rests on beyond product form.
pub(super) fn approximations(network: &Network, centers: &[Center]) -> Vec<Approximation> {
    let mut approximations = Vec::new();
    for discipline in centers.iter().filter_map(|center| center.special) {
        approximations.push(if discipline.is_ranked() {
            Approximation::Priority
        } else {
            Approximation::UnlikeService
        });
    }
    if network.classes.iter().any(|class| !class.forks.is_empty()) {
        approximations.push(Approximation::Fork);
    }
    approximations.sort_unstable();
    approximations.dedup();
    approximations
}
