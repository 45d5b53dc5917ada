//! The servers and volumes of the recommendation, and where their figures come from.

use crate::advisor::{Chosen, grows_by};
use crate::desktop::answer::Advised;
use crate::desktop::engine::Engine;
use crate::desktop::panels::hang::Hang;
use crate::report::{VolumeRow, requests_shown, share_shown, size_shown, volumes_shown};
use crate::system::{Deployment, ResourcePrediction};
use crate::units::{Bytes, BytesPerSecond, significant};

/// A volume with what lies on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Volume {
    /// "commit server", "each edge".
    pub server: String,
    /// Where it is mounted.
    pub mount_point: String,
    /// Protocol.
    pub protocol: String,
    /// Array, or the server's disks.
    pub device: String,
    /// RAID level and disks.
    pub raid: String,
    /// Filesystem, or that it is an export.
    pub filesystem: String,
    /// Mount options.
    pub options: String,
    /// Why it lies there.
    pub why: String,
    /// What lies on it.
    pub roles: Vec<Role>,
}

/// What one volume holds for one purpose.
#[derive(Debug, Clone, PartialEq)]
pub struct Role {
    /// "db", "journal".
    pub name: String,
    /// Size today, in binary and in decimal units.
    pub size: (String, String),
    /// Size at the horizon.
    pub size_at_horizon: (String, String),
    /// Requests at the peak; nothing where there are none.
    pub requests: String,
    /// Transfer at the peak.
    pub transfer: String,
    /// Which answer moves the size most.
    pub from: Option<Hang>,
    /// Which answer makes it grow.
    pub grows_by: Option<Hang>,
    /// How busy its disks are at the peak, in words.
    pub busy: String,
    /// What that depends on most.
    pub busy_hang: Option<Hang>,
}

/// The volumes; roles that lie together stand together.
pub(super) fn volumes(engine: &Engine, advised: &Advised, chosen: &Chosen) -> Vec<Volume> {
    let mut volumes: Vec<Volume> = Vec::new();
    for row in volumes_shown(&advised.site, advised.catalog(engine), chosen) {
        let disks = disks(chosen, &row);
        let transfer = if row.bytes_per_s >= 1.0 {
            BytesPerSecond::new(row.bytes_per_s).to_string()
        } else {
            "–".to_owned()
        };
        let role = Role {
            name: row.role.replace('_', " "),
            size: both_units(row.size),
            size_at_horizon: both_units(row.size_at_horizon),
            requests: match requests_shown(row.iops).as_str() {
                "–" => String::new(),
                shown => format!("{shown} IOPS"),
            },
            transfer,
            from: from(advised, chosen, &row),
            grows_by: grown(&row),
            busy: disks.map_or(String::new(), |disks| {
                let busy = share_shown(disks.utilization);
                format!("At the peak: {}, {busy} busy.", disks.resource.name)
            }),
            busy_hang: disks.and_then(|disks| {
                Hang::of(&advised.advice, &chosen.prediction, &disks.resource.name)
            }),
        };
        let volume = Volume {
            server: row.server,
            mount_point: row.mount_point,
            protocol: row.protocol,
            device: row.device,
            raid: row.raid,
            filesystem: row.filesystem,
            options: row.mount_options,
            why: row.why,
            roles: Vec::new(),
        };
        let same = |known: &&mut Volume| {
            let roles = Vec::new();
            let bare = Volume {
                roles,
                ..(**known).clone()
            };
            bare == volume
        };
        match volumes.iter_mut().find(same) {
            Some(known) => known.roles.push(role),
            None => volumes.push(Volume {
                roles: vec![role],
                ..volume
            }),
        }
    }
    volumes
}

/// Which answer moves a size most; nothing where there is nothing to hold.
fn from(advised: &Advised, chosen: &Chosen, row: &VolumeRow) -> Option<Hang> {
    let field = *advised.size_drivers.get(row.role)?;
    let of = chosen.sizes.iter().find(|size| size.role == row.role)?;
    let more = significant(row.size.get() / of.data.get(), 3);
    Some(Hang {
        id: field.to_owned(),
        words: format!(
            "{}: {}. To provide × {more} of it: headroom, snapshots, an office's share. Moves most with {field}.",
            size_shown(of.data),
            of.how
        ),
    })
}

fn grown(row: &VolumeRow) -> Option<Hang> {
    let (now, then) = (row.size.get(), row.size_at_horizon.get());
    let field = grows_by(row.role);
    (now > 0.0).then(|| Hang {
        id: field.to_owned(),
        words: format!(
            "× {} of today's at the horizon. Grows by {field}.",
            significant(then / now, 3)
        ),
    })
}

/// The disks that a row lies on, or what moves data to and from them, whichever is busier.
fn disks<'c>(chosen: &'c Chosen, row: &VolumeRow) -> Option<&'c ResourcePrediction> {
    let mount = chosen.deployment.mount_on(row.role, row.server_idx)?;
    let server = mount.is_private().then_some(row.server_idx);
    let resources = chosen.prediction.resources.iter();
    let own =
        resources.filter(|busy| busy.resource.is_set_of(mount) && busy.resource.server == server);
    own.reduce(|busier, next| {
        if next.utilization > busier.utilization {
            next
        } else {
            busier
        }
    })
}

/// "18.2 TiB" and "20.0 TB": they stand below each other.
fn both_units(bytes: Bytes) -> (String, String) {
    let shown = size_shown(bytes);
    let (binary, decimal) = shown.split_once(" (").unwrap_or((&shown, ""));
    (binary.to_owned(), decimal.trim_end_matches(')').to_owned())
}

/// The servers in a few words each.
pub(super) fn servers(d: &Deployment) -> Vec<String> {
    let memory = Bytes::new(d.memory);
    let beside = d.edges as usize - d.offices.len().min(d.edges as usize);
    let mut words = vec![
        format!("{} ({})", d.title, d.layout),
        format!("server {}", d.server),
        format!("{} cores", d.cores),
        format!("{memory} ({}) of memory", memory.si()),
        format!("{}-bit {}", d.bits, d.system),
    ];
    let links = if d.client_links > 1.0 {
        format!("{} × ", d.client_links)
    } else {
        String::new()
    };
    words.push(format!("clients over {links}{}", d.client_network));
    match beside {
        0 => {}
        1 => words.push("one edge like it".to_owned()),
        n => words.push(format!("{n} edges like it")),
    }
    words.extend(
        d.offices
            .iter()
            .map(|office| format!("an edge in {office}")),
    );
    if let Some(cache) = &d.cache {
        words.push(format!("cache {cache}"));
    }
    if d.proxies {
        words.push("proxies for build farms".to_owned());
    }
    words
}
