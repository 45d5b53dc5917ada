//! What is bought with the volumes of a cloud: operations and bandwidth, enough for the predicted peak.
//!
//! Each volume first has the most that its kind and the instance allow; what the peak then takes of it, with a margin, is
//! bought, and no less than what is included.

use super::candidates::Candidate;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Rented};
use crate::system::{Bought, Deployment, Lens, Mount, Prediction, Whose, predict_through};
use crate::workload::Load;

/// What is bought beyond the predicted peak: the hour within a peak hour that is busiest, and growth until somebody
/// looks again (assumed).
const MARGIN: f64 = 1.5;
/// Steps in which operations are bought (assumed) \[1/s\].
const OPERATIONS: f64 = 500.0;
/// Steps in which bandwidth is bought (assumed) \[B/s\].
const BANDWIDTH: f64 = 25e6;

/// Buys operations and bandwidth for each volume of a cloud; volumes whose file says nothing of them stay as they are.
pub(super) fn buy(
    catalog: &Catalog,
    calibration: &Calibration,
    candidate: &mut Candidate,
    load: &Load,
) {
    let deployment = &mut candidate.deployment;
    let mut with_most = deployment.clone();
    let mut any = false;
    each(&mut with_most, |_, mount| {
        mount.bought = most(catalog, deployment, mount);
        any |= mount.bought.is_some();
    });
    if !any {
        return;
    }
    let peak = predict_through(Lens::forgetful(), &with_most, load, catalog, calibration);
    // One that saturates keeps the most, and its answer says so.
    if let Ok(peak) = &peak {
        // The servers whose work a volume does: those that have no other of their own for it.
        let there = with_most.clone();
        each(&mut with_most, |whose, mount| {
            let first = mount.roles.first().copied().unwrap_or_default();
            let servers = (0..there.servers()).filter(|n| there.whose(first, *n) == whose);
            mount.bought = enough(catalog, mount, servers, peak);
        });
    }
    let mut bought = Vec::new();
    each(&mut with_most, |whose, mount| {
        let first = mount.roles.first().zip(mount.bought);
        bought.extend(first.map(|(role, found)| (whose, *role, found)));
    });
    *deployment = with_most;
    candidate.choices.bought = bought;
}

/// Buys the same for a standby, which has to do the commit server's work once it takes over.
pub(super) fn buy_standby(catalog: &Catalog, deployment: &mut Deployment, peak: &Prediction) {
    let there = deployment.clone();
    let standby = deployment.standby.iter_mut();
    for mount in standby.flat_map(|standby| &mut standby.volumes) {
        mount.bought = most(catalog, &there, mount);
        mount.bought = enough(catalog, mount, std::iter::once(0), peak);
    }
}

/// Each volume with whose it is.
fn each(deployment: &mut Deployment, mut visit: impl FnMut(Whose, &mut Mount)) {
    let lists = [
        (Whose::Commit, &mut deployment.volumes),
        (Whose::Edges, &mut deployment.edge_volumes),
        (Whose::Offices, &mut deployment.office_volumes),
    ];
    for (whose, volumes) in lists {
        for mount in volumes {
            visit(whose, mount);
        }
    }
}

/// The most that a volume of a cloud and its instance allow.
fn most(catalog: &Catalog, deployment: &Deployment, mount: &Mount) -> Option<Bought> {
    let rented = rented(catalog, mount)?;
    let server = catalog.servers.get(&deployment.server);
    let operations = server.and_then(|server| server.storage_operations.as_ref());
    let bandwidth = server.and_then(|server| server.storage_bandwidth.as_ref());
    let operations = operations.map_or(f64::INFINITY, |limit| limit.value.get());
    let bandwidth = bandwidth.map_or(f64::INFINITY, |limit| limit.value.get());
    Some(Bought {
        operations: rented.operations_most.value.get().min(operations),
        bandwidth: rented.bandwidth_most.value.get().min(bandwidth),
    })
}

/// What the busiest of some servers takes of a volume at the peak, with a margin: no less than what is included, and no more
/// than what it has.
fn enough(
    catalog: &Catalog,
    mount: &Mount,
    servers: impl Iterator<Item = usize>,
    peak: &Prediction,
) -> Option<Bought> {
    let (rented, most) = (rented(catalog, mount)?, mount.bought?);
    let mut used = [0.0_f64; 2];
    for server in servers {
        let roles = mount.roles.iter();
        let io = roles.filter_map(|role| peak.io.get(&(server, *role)));
        let on_it = io.fold([0.0, 0.0], |sum, io| {
            [sum[0] + io.reads + io.writes, sum[1] + io.bytes]
        });
        used = [used[0].max(on_it[0]), used[1].max(on_it[1])];
    }
    let steps = |used: f64, step: f64, least: f64, most: f64| {
        let wanted = (used * MARGIN / step).ceil() * step;
        wanted.clamp(least.min(most), most)
    };
    let [operations, bandwidth] = used;
    let included = rented.operations_included.value.get();
    let each = rented.operation_most.value.get();
    let operations = steps(
        operations.max(bandwidth / each),
        OPERATIONS,
        included.max(one_by_one(catalog, mount)),
        most.operations,
    );
    let carried = (operations * each).min(most.bandwidth);
    let bandwidth = if rented.sells_bandwidth {
        let included = rented.bandwidth_included.value.get();
        steps(bandwidth, BANDWIDTH, included, carried)
    } else {
        carried
    };
    Some(Bought {
        operations,
        bandwidth,
    })
}

/// Operations of one request after the other: a volume with fewer would hold back a single reader.
fn one_by_one(catalog: &Catalog, mount: &Mount) -> f64 {
    let medium = catalog.media.get(&mount.medium);
    medium.map_or(0.0, |medium| 1.0 / medium.random_read.value.get())
}

fn rented<'c>(catalog: &'c Catalog, mount: &Mount) -> Option<&'c Rented> {
    let medium = catalog
        .media
        .get(&mount.medium)
        .filter(|_| mount.is_cloud())?;
    medium.rented.as_ref()
}
