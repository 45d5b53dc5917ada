//! What is bought with the volumes of a cloud: operations and bandwidth, enough for the predicted peak.
//!
//! Each volume first has the most that its kind and the instance allow; what the peak then takes of it, with a margin, is
//! bought, and no less than what is included.

use super::candidates::Candidate;
use crate::calibration::Calibration;
use crate::catalog::{Catalog, Rented};
use crate::system::{Bought, Lens, Mount, predict_through};
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
    let server = catalog.servers.get(&deployment.server);
    let caps = server.map_or([f64::INFINITY; 2], |server| {
        let operations = server.storage_operations.as_ref();
        let bandwidth = server.storage_bandwidth.as_ref();
        [
            operations.map_or(f64::INFINITY, |limit| limit.value.get()),
            bandwidth.map_or(f64::INFINITY, |limit| limit.value.get()),
        ]
    });
    let mut any = false;
    for mount in &mut deployment.volumes {
        let Some(rented) = rented(catalog, mount) else {
            continue;
        };
        any = true;
        mount.bought = Some(Bought {
            operations: rented.operations_most.value.get().min(caps[0]),
            bandwidth: rented.bandwidth_most.value.get().min(caps[1]),
        });
    }
    if !any {
        return;
    }
    let peak = predict_through(Lens::forgetful(), deployment, load, catalog, calibration);
    let servers = deployment.servers();
    let mut bought = Vec::new();
    for mount in &mut deployment.volumes {
        let (Some(rented), Some(most)) = (rented(catalog, mount), mount.bought) else {
            continue;
        };
        // One that saturates keeps the most, and its answer says so.
        if let Ok(peak) = &peak {
            let on_server = |server: usize| {
                let roles = mount.roles.iter();
                let io = roles.filter_map(|role| peak.io.get(&(server, *role)));
                io.fold([0.0, 0.0], |sum, io| {
                    [sum[0] + io.reads + io.writes, sum[1] + io.bytes]
                })
            };
            let all = (0..servers).map(on_server);
            let [operations, bytes] = all.fold([0.0_f64, 0.0_f64], |most, one| {
                [most[0].max(one[0]), most[1].max(one[1])]
            });
            let steps = |used: f64, step: f64, least: f64, most: f64| {
                let wanted = (used * MARGIN / step).ceil() * step;
                wanted.clamp(least.min(most), most)
            };
            mount.bought = Some(Bought {
                operations: steps(
                    operations,
                    OPERATIONS,
                    rented
                        .operations_included
                        .value
                        .get()
                        .max(one_by_one(catalog, mount)),
                    most.operations,
                ),
                bandwidth: steps(
                    bytes,
                    BANDWIDTH,
                    rented.bandwidth_included.value.get(),
                    most.bandwidth,
                ),
            });
        }
        if let (Some(role), Some(found)) = (mount.roles.first(), mount.bought) {
            bought.push((*role, found));
        }
    }
    candidate.choices.bought = bought;
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
