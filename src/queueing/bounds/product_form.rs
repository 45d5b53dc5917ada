//! Whether a network has product form, so that the arrival theorem holds.
//!
//! # References
//!
//! - F. Baskett, K. M. Chandy, R. R. Muntz, F. G. Palacios, "Open, closed, and mixed networks of
//!   queues with different classes of customers", JACM 22(2), 1975.

use super::super::network::{Discipline, Network, StationKind};

/// Whether the arrival theorem holds.
pub(super) fn has_product_form(network: &Network) -> bool {
    let mut stations = network.stations.iter().enumerate();
    network.pools.is_empty()
        && network.classes.iter().all(|class| class.forks.is_empty())
        && stations.all(|(idx, station)| match (&station.kind, station.discipline) {
            (StationKind::Delay | StationKind::Link { .. }, _)
            | (_, Discipline::Ps | Discipline::LcfsPr) => true,
            (_, Discipline::Fcfs) => is_alike(network, idx, false),
            (_, Discipline::Priority | Discipline::PreemptivePriority) => {
                is_alike(network, idx, true)
            }
        })
}

/// Whether all who visit a station have the same exponential service and, if it `ranks` them, the
/// same priority.
fn is_alike(network: &Network, station_idx: usize, ranks: bool) -> bool {
    let mut visitors = network
        .classes
        .iter()
        .filter(|class| class.demands[station_idx] > 0.0);
    let Some(first) = visitors.next() else {
        return true;
    };
    first.scv_at(station_idx) == 1.0
        && visitors.all(|class| {
            class.scv_at(station_idx) == 1.0
                && class.service_at(station_idx) == first.service_at(station_idx)
                && (!ranks || class.priority == first.priority)
        })
}
