//! The layout as rows: each role with its server, protocol, device, size and what it is asked for.

use crate::catalog::{Called, Catalog, Named};
use crate::site::Site;
use crate::system::capacity::{RoleSize, provide};
use crate::system::{Deployment, Io, Mount, Prediction};
use crate::units::{Bytes, significant};

/// One volume of one server.
#[derive(Debug, Clone, PartialEq)]
pub struct VolumeRow {
    /// What it holds.
    pub role: &'static str,
    /// "commit server", "edge 1", or "all servers" for shared depots.
    pub server: String,
    /// Which server that is: 0 is the commit server, which stands for all; of edges that are alike the last.
    pub server_idx: usize,
    /// Whether it is an edge's own, and the edge is as the others are: none of a distant office.
    pub of_like_edge: bool,
    /// Where it is mounted.
    pub mount_point: String,
    /// Protocol.
    pub protocol: Named,
    /// Array, or the server's disks.
    pub device: Named,
    /// RAID level and disks: "RAID 10, 4 × 15,000 /min disk", by id "raid10, 4 × disk-15k".
    pub raid: Named,
    /// Filesystem; "export" on a filer.
    pub filesystem: Named,
    /// Mount options.
    pub mount_options: String,
    /// Data that are there today, without headroom and reserve.
    pub data: Bytes,
    /// Data at the horizon.
    pub data_at_horizon: Bytes,
    /// To provide today.
    pub size: Bytes,
    /// To provide at the horizon.
    pub size_at_horizon: Bytes,
    /// Requests at the peak \[1/s\].
    pub iops: f64,
    /// Bytes at the peak \[B/s\].
    pub bytes_per_s: f64,
    /// Why it lies there.
    pub why: String,
}

impl VolumeRow {
    /// Where it lies: roles with the same are one volume.
    pub(super) fn place(&self) -> [&str; 5] {
        [&self.mount_point, &self.protocol.id, &self.device.id, &self.raid.id, &self.filesystem.id]
    }
}

/// Roles that an edge has of its own, with the share of the commit server's size that they take.
const EDGE_ROLES: [&str; 5] = ["db", "offline_db", "journal", "log", "checkpoint"];

/// What rows are made of.
struct Source<'a> {
    site: &'a Site,
    catalog: &'a Catalog,
    deployment: &'a Deployment,
    prediction: &'a Prediction,
    sizes: &'a [RoleSize],
}

/// All volumes of a deployment.
pub fn volume_rows(
    site: &Site,
    catalog: &Catalog,
    deployment: &Deployment,
    prediction: &Prediction,
    sizes: &[RoleSize],
) -> Vec<VolumeRow> {
    let source = Source { site, catalog, deployment, prediction, sizes };
    let mut rows = Vec::new();
    let standby = deployment.standby.iter().count();
    for server in 0..deployment.servers() + standby {
        let distant = deployment.is_distant(server) && !deployment.office_volumes.is_empty();
        for mount in deployment.volumes_on(server) {
            for role in &mount.roles {
                let apart = distant || deployment.is_standby(server);
                let own_depot = *role == "depot" && (!deployment.shared_depot || apart);
                if server > 0 && !EDGE_ROLES.contains(role) && !own_depot {
                    continue;
                }
                let there = deployment.mount_on(role, server).unwrap_or(mount);
                rows.push(VolumeRow {
                    mount_point: deployment.mount_point_on(mount, server),
                    ..row(&source, server, there, role)
                });
            }
        }
    }
    rows
}

fn row(source: &Source<'_>, server: usize, mount: &Mount, role: &'static str) -> VolumeRow {
    let Source { site, catalog, deployment, prediction, sizes } = *source;
    let size = sizes.iter().find(|s| s.role == role);
    let distant = deployment.is_distant(server) && !deployment.office_volumes.is_empty();
    let distant_share = if distant { size.map_or(1.0, |s| s.at_office) } else { 1.0 };
    let provide = provide(site, catalog, mount) * distant_share;
    let shared = role == "depot" && deployment.is_shared_on(mount, server);
    let io = if shared {
        (0..deployment.servers()).filter(|s| !deployment.is_distant(*s)).fold(Io::default(), |sum, s| {
            let one = prediction.io.get(&(s, role)).copied().unwrap_or_default();
            Io { reads: sum.reads + one.reads, writes: sum.writes + one.writes, bytes: sum.bytes + one.bytes }
        })
    } else {
        prediction.io.get(&(server, role)).copied().unwrap_or_default()
    };
    VolumeRow {
        role,
        server: match server {
            _ if shared => "all servers".to_owned(),
            n if n == 0 || deployment.is_standby(n) => deployment.server_name(n),
            n => match deployment.offices.get(n - 1) {
                Some(office) => format!("edge {n} ({office})"),
                None => format!("edge {n}"),
            },
        },
        server_idx: server,
        of_like_edge: !shared && deployment.is_like_edge(server),
        mount_point: mount.mount_point.clone(),
        protocol: Named { id: mount.protocol.clone(), name: mount.reached(catalog).to_owned() },
        device: if mount.is_local() {
            Named::from("local disks".to_owned())
        } else {
            catalog.arrays.named(&mount.device)
        },
        raid: disks(catalog, mount),
        filesystem: match &mount.filesystem {
            Some(filesystem) => catalog.filesystems.named(filesystem),
            None if mount.is_object(catalog) => Named::from("objects".to_owned()),
            None => Named::from("export".to_owned()),
        },
        mount_options: deployment.mount_options(mount, catalog),
        data: size.map_or(Bytes::ZERO, |s| s.data * distant_share),
        data_at_horizon: size.map_or(Bytes::ZERO, |s| s.data_at_horizon * distant_share),
        size: size.map_or(Bytes::ZERO, |s| s.data * provide),
        size_at_horizon: size.map_or(Bytes::ZERO, |s| s.data_at_horizon * provide),
        iops: io.reads + io.writes,
        bytes_per_s: io.bytes,
        why: mount.why.clone(),
    }
}

/// RAID level and disks; of a system that the site describes nobody states the disks.
fn disks(catalog: &Catalog, mount: &Mount) -> Named {
    if catalog.arrays.get(&mount.device).is_some_and(|array| array.is_fixed) {
        return catalog.raid.named(&mount.raid);
    }
    if is_service(catalog, mount) {
        return Named { id: mount.raid.clone(), name: "its provider's".to_owned() };
    }
    let (raid, medium) = (catalog.raid.named(&mount.raid), catalog.media.named(&mount.medium));
    let size = if mount.is_private() { format!("{} ", Bytes::new(mount.disk_bytes).si()) } else { String::new() };
    let words = |raid: &str, medium: &str| format!("{raid}, {} × {size}{medium}", mount.disks);
    let name = if has_raid(catalog, mount) {
        words(&raid.name, &medium.name)
    } else {
        format!("{} × {size}{}", mount.disks, medium.name)
    };
    Named { id: words(&raid.id, &medium.id), name }
}

/// Whether the RAID level says anything: not of one volume of a provider.
pub(super) fn has_raid(catalog: &Catalog, mount: &Mount) -> bool {
    if mount.is_cloud() { mount.disks > 1.0 } else { !is_service(catalog, mount) }
}

/// Whether it lies on a provider's file or object service, whose disks nobody sees.
fn is_service(catalog: &Catalog, mount: &Mount) -> bool {
    let array = catalog.arrays.get(&mount.device);
    array.is_some_and(|array| array.elastic && !mount.is_cloud())
}

/// Edges are alike: one row stands for each of them, with the busiest one's requests.
pub(super) fn one_edge(rows: Vec<VolumeRow>) -> Vec<VolumeRow> {
    let mut kept: Vec<VolumeRow> = Vec::new();
    for mut row in rows {
        if row.of_like_edge {
            "each edge".clone_into(&mut row.server);
        }
        match kept.iter_mut().find(|k| k.server == row.server && k.role == row.role) {
            Some(k) => {
                k.server_idx = row.server_idx;
                k.iops = k.iops.max(row.iops);
                k.bytes_per_s = k.bytes_per_s.max(row.bytes_per_s);
            }
            None => kept.push(row),
        }
    }
    kept
}

/// Requests a second: "120", "< 1", "–".
pub(super) fn at_least_one(x: f64) -> String {
    match x {
        0.0 => "–".to_owned(),
        x if x < 1.0 => "< 1".to_owned(),
        x => significant(x, 2),
    }
}

/// "18.3 TiB (20.1 TB)", or in smaller units below 1 TiB.
///
/// ```
/// use plimsoll::report::size_shown;
/// use plimsoll::units::Bytes;
/// assert_eq!(size_shown(Bytes::new(20e12)), "18.2 TiB (20.0 TB)");
/// ```
pub fn size_shown(bytes: Bytes) -> String {
    if bytes.in_tib() < 1.0 {
        return format!("{} ({})", bytes.iec(), bytes.si());
    }
    format!("{} TiB ({} TB)", significant(bytes.in_tib(), 3), significant(bytes.in_tb(), 3))
}
