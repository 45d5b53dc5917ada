//! What is bought with the volumes of a cloud: operations and bandwidth, enough for the predicted peak.
//!
//! A provider may allow more for a larger volume: then size is bought for speed.
//!
//! Each volume first has the most that its kind and the instance allow; what the peak then takes of it, with a margin, is
//! bought, and no less than what is included.

use super::candidates::Candidate;
use super::sizing::Sizing;
use super::stores::Need;
use super::targets::missed;
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

/// Buys operations and bandwidth for each volume of a cloud, and the size that these take; volumes whose file says nothing of them
/// stay as they are.
///
/// A volume whose bandwidth comes with its size is enlarged until the targets that its most would meet are met.
pub(super) fn buy(sizing: Sizing<'_>, calibration: &Calibration, candidate: &mut Candidate, load: &Load) {
    let catalog = sizing.catalog;
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
    let predicted = |on: &Deployment| predict_through(Lens::forgetful(), on, load, catalog, calibration);
    // One that saturates keeps the most, and its answer says so.
    if let Ok(peak) = predicted(&with_most) {
        // The servers whose work a volume does: those that have no other of their own for it.
        let there = with_most.clone();
        let needs = sizing.needs(&there);
        let mut sized = false;
        each(&mut with_most, |whose, mount| {
            let first = mount.roles.first().copied().unwrap_or_default();
            let servers = (0..there.servers()).filter(|n| there.whose(first, *n) == whose);
            let now = size_now(sizing, &there, &needs, whose, mount);
            mount.bought = enough(catalog, mount, now, servers, &peak, 1.0);
            sized |= rented(catalog, mount).is_some_and(Rented::is_as_fast_as_large);
        });
        if sized {
            let misses = |does: &Prediction| missed(sizing.site, does).len();
            let fewest = misses(&peak);
            let is_enough = |on: &Deployment| predicted(on).is_ok_and(|does| misses(&does) <= fewest);
            while !is_enough(&with_most) && enlarge(catalog, &mut with_most) {}
        }
    }
    let mut bought = Vec::new();
    each(&mut with_most, |whose, mount| {
        let first = mount.roles.first().zip(mount.bought);
        bought.extend(first.map(|(role, found)| (whose, *role, found)));
        as_large(mount);
    });
    *deployment = with_most;
    candidate.choices.bought = bought;
}

/// Gives each volume whose bandwidth comes with its size twice that size; false where none gets faster by it.
fn enlarge(catalog: &Catalog, deployment: &mut Deployment) -> bool {
    let mut any = false;
    each(deployment, |_, mount| {
        let rule = rented(catalog, mount).filter(|rule| rule.is_as_fast_as_large());
        let Some((rule, bought)) = rule.zip(mount.bought.as_mut()) else {
            return;
        };
        let capacity = catalog.media[&mount.medium].capacity.value.get();
        let size = (2.0 * bought.size_least).min(capacity);
        let bandwidth = rule.burst_at(size);
        if bandwidth > bought.bandwidth {
            *bought =
                Bought { operations: rule.operations_at(size).max(bought.operations), bandwidth, size_least: size };
            any = true;
        }
    });
    any
}

/// Makes a volume as large as what is bought with it takes.
fn as_large(mount: &mut Mount) {
    if let Some(bought) = mount.bought {
        mount.disk_bytes = mount.disk_bytes.max(bought.size_least / mount.disks);
    }
}

/// The size that the data of a volume take now \[B\].
fn size_now(sizing: Sizing<'_>, deployment: &Deployment, needs: &[Need], whose: Whose, mount: &Mount) -> f64 {
    let server = match whose {
        Whose::Commit => 0,
        Whose::Edges => deployment.edges as usize,
        Whose::Offices => 1,
    };
    let mut of_set = needs.iter().filter(|need| need.mount.shares_disks(mount));
    let need = of_set.find(|need| need.server == server);
    // Only what its data need counts here, not what was bought before.
    let bare = Mount { bought: None, ..mount.clone() };
    need.map_or(mount.disks * mount.disk_bytes, |need| sizing.ordered(&bare, need, sizing.first_month()))
}

/// Buys the same for a standby, which has to do the commit server's work once it takes over.
pub(super) fn buy_standby(sizing: Sizing<'_>, deployment: &mut Deployment, peak: &Prediction) {
    let catalog = sizing.catalog;
    let there = deployment.clone();
    let needs = sizing.needs(&there);
    let standby = deployment.standby.iter_mut();
    for mount in standby.flat_map(|standby| &mut standby.volumes) {
        mount.bought = most(catalog, &there, mount);
        let now = size_now(sizing, &there, &needs, Whose::Commit, mount);
        mount.bought = enough(catalog, mount, now, std::iter::once(0), peak, 1.0);
        as_large(mount);
    }
}

/// What a volume of a server is bought with when the load is so many times today's; none of one of which nothing is bought apart.
pub(super) fn grown(
    catalog: &Catalog,
    deployment: &Deployment,
    (server, mount): (usize, &Mount),
    peak: &Prediction,
    times: f64,
) -> Option<Bought> {
    let now = mount.bought?;
    let rented = rented(catalog, mount)?;
    let most = Mount {
        bought: Some(Bought {
            operations: rented.operations_most.value.get().max(now.operations),
            bandwidth: rented.bandwidth_most.value.get().max(now.bandwidth),
            size_least: 0.0,
        }),
        ..mount.clone()
    };
    let first = mount.roles.first().copied().unwrap_or_default();
    let server = if deployment.is_standby(server) { 0 } else { server };
    let whose = deployment.whose(first, server);
    let servers = (0..deployment.servers()).filter(|n| deployment.whose(first, *n) == whose);
    let then = enough(catalog, &most, now.size_least, servers, peak, times)?;
    Some(Bought {
        operations: then.operations.max(now.operations),
        bandwidth: then.bandwidth.max(now.bandwidth),
        size_least: then.size_least.max(now.size_least),
    })
}

/// What a volume of a stated size gives while it has credits; none where size does not matter.
pub(super) fn of_size(catalog: &Catalog, mount: &Mount) -> Option<Bought> {
    let rule = rented(catalog, mount).filter(|rule| rule.is_as_fast_as_large())?;
    let size = mount.disks * mount.disk_bytes;
    Some(Bought { operations: rule.operations_at(size), bandwidth: rule.burst_at(size), size_least: size })
}

/// Takes the bursts from volumes of which the peak takes more than they sustain: their credits are used up.
pub(super) fn without_credits(catalog: &Catalog, calibration: &Calibration, deployment: &mut Deployment, load: &Load) {
    let has_rule =
        |mount: &Mount| mount.bought.is_some() && rented(catalog, mount).is_some_and(Rented::is_as_fast_as_large);
    if !deployment.volumes.iter().any(has_rule) {
        return;
    }
    let peak = predict_through(Lens::forgetful(), deployment, load, catalog, calibration);
    for mount in &mut deployment.volumes {
        let rule = rented(catalog, mount).filter(|rule| rule.is_as_fast_as_large());
        let Some((rule, bought)) = rule.zip(mount.bought) else {
            continue;
        };
        let sustained = rule.bandwidth_at(bought.size_least);
        let used = |peak: &Prediction| {
            let io = mount.roles.iter();
            let io = io.filter_map(|role| peak.io.get(&(0, *role)));
            io.map(|io| io.bytes).sum::<f64>()
        };
        // One that saturates takes all that there is.
        if peak.as_ref().map_or(true, |peak| used(peak) > sustained) {
            mount.bought = Some(Bought { bandwidth: sustained, ..bought });
        }
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
        size_least: 0.0,
    })
}

/// What the busiest of some servers takes of a volume at so many times the peak, with a margin: no less than what is included, and no more
/// than what it has. Its data take the size `now` \[B\]; where that allows too little, it is larger.
fn enough(
    catalog: &Catalog,
    mount: &Mount,
    now: f64,
    servers: impl Iterator<Item = usize>,
    peak: &Prediction,
    times: f64,
) -> Option<Bought> {
    let (rented, most) = (rented(catalog, mount)?, mount.bought?);
    let mut used = [0.0_f64; 2];
    for server in servers {
        let roles = mount.roles.iter();
        let io = roles.filter_map(|role| peak.io.get(&(server, *role)));
        let on_it = io.fold([0.0, 0.0], |sum, io| [sum[0] + io.reads + io.writes, sum[1] + io.bytes]);
        used = [used[0].max(on_it[0]), used[1].max(on_it[1])];
    }
    let steps = |used: f64, step: f64, least: f64, most: f64| {
        let wanted = (used * MARGIN / step).ceil() * step;
        wanted.clamp(least.min(most), most)
    };
    let [operations, bandwidth] = used.map(|used| used * times);
    let included = rented.operations_included.value.get();
    let each = rented.operation_most.value.get();
    let operations =
        steps(operations.max(bandwidth / each), OPERATIONS, included.max(one_by_one(catalog, mount)), most.operations);
    let capacity = catalog.media.get(&mount.medium)?.capacity.value.get();
    let size = rented.size_for(operations, bandwidth * MARGIN);
    let size_least = size.min(capacity).max(now);
    if rented.is_as_fast_as_large() {
        return Some(Bought {
            operations: rented.operations_at(size_least).min(most.operations),
            bandwidth: rented.burst_at(size_least).min(most.bandwidth),
            size_least,
        });
    }
    let operations = operations.min(rented.operations_at(size_least));
    let carried = (operations * each).min(most.bandwidth);
    let bandwidth = if rented.sells_bandwidth {
        let included = rented.bandwidth_included.value.get();
        steps(bandwidth, BANDWIDTH, included, carried)
    } else {
        carried
    };
    Some(Bought { operations, bandwidth, size_least })
}

/// Operations of one request after the other: a volume with fewer would hold back a single reader.
fn one_by_one(catalog: &Catalog, mount: &Mount) -> f64 {
    let medium = catalog.media.get(&mount.medium);
    medium.map_or(0.0, |medium| 1.0 / medium.random_read.value.get())
}

fn rented<'c>(catalog: &'c Catalog, mount: &Mount) -> Option<&'c Rented> {
    let medium = catalog.media.get(&mount.medium).filter(|_| mount.is_cloud())?;
    medium.rented.as_ref()
}
