//! A deployment: a layout bound to real things, every volume with its protocol, device and filesystem.

use crate::catalog::{Access, Catalog, Layout, Volume};

/// A layout bound to servers, stores and networks; ids are the catalogue's.
#[derive(Debug, Clone, PartialEq)]
pub struct Deployment {
    /// The layout's id.
    pub layout: String,
    /// The layout's title.
    pub title: String,
    /// The server model of commit server and edges.
    pub server: String,
    /// Memory of each server \[B\].
    pub memory: f64,
    /// Cores of each server.
    pub cores: f64,
    /// Edges besides the commit server.
    pub edges: u32,
    /// Whether edges read the commit server's depots.
    pub shared_depot: bool,
    /// Whether build farms read through proxies.
    pub proxies: bool,
    /// Its volumes, the same on each server.
    pub volumes: Vec<Mount>,
    /// A cache tier added to the stores.
    pub cache: Option<String>,
    /// The network to the clients.
    pub client_network: String,
    /// Links of it on each server.
    pub client_links: f64,
    /// Whether the arrays serve Perforce alone.
    pub dedicated: bool,
    /// Whether reads take no locks (release 2013.3 and later with db.peeking 2 or 3).
    pub lockless: bool,
}

/// A volume bound to a store.
#[derive(Debug, Clone, PartialEq)]
pub struct Mount {
    /// What it holds.
    pub roles: Vec<&'static str>,
    /// Where it is mounted.
    pub mount_point: String,
    /// Why it lies there.
    pub why: String,
    /// Protocol.
    pub protocol: String,
    /// Array (or `local-raid`, `cloud-block`).
    pub device: String,
    /// Volumes of the same set share its disks.
    pub set: String,
    /// What the disks are.
    pub medium: String,
    /// RAID level.
    pub raid: String,
    /// Disks in the set.
    pub disks: f64,
    /// Size of each \[B\].
    pub disk_bytes: f64,
    /// Filesystem on it; for exports the client's view.
    pub filesystem: Option<String>,
    /// Index into the protocol's mount options.
    pub mount_option: Option<usize>,
    /// Storage network or fabric; `None` inside the server.
    pub network: Option<String>,
}

impl Deployment {
    /// The volume that holds a role.
    pub fn mount(&self, role: &str) -> Option<&Mount> {
        self.volumes.iter().find(|m| m.roles.contains(&role))
    }

    /// Commit server and edges.
    pub fn servers(&self) -> usize {
        self.edges as usize + 1
    }

    /// The distinct stores, in order of the volumes.
    pub fn devices(&self) -> Vec<&str> {
        let mut devices: Vec<&str> = Vec::new();
        for mount in &self.volumes {
            if !devices.contains(&mount.device.as_str()) {
                devices.push(&mount.device);
            }
        }
        devices
    }
}

/// What a layout leaves open, chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// Server model.
    pub server: String,
    /// Memory \[B\].
    pub memory: f64,
    /// Cores.
    pub cores: f64,
    /// Edges.
    pub edges: u32,
    /// For volumes on the server's own disks: medium and how many disks there are.
    pub local: Option<(String, f64)>,
    /// For volumes on LUNs: array and protocol.
    pub block: Option<(String, String)>,
    /// For volumes on exports: array and protocol.
    pub file: Option<(String, String)>,
    /// Filesystem of local and block volumes.
    pub filesystem: String,
    /// Storage network for Ethernet, and fabric for fibre channel.
    pub networks: (String, String),
    /// Client network.
    pub client_network: String,
    /// Links to the clients.
    pub client_links: f64,
    /// Added cache tier.
    pub cache: Option<String>,
    /// Whether the arrays serve Perforce alone.
    pub dedicated: bool,
    /// Whether reads take no locks.
    pub lockless: bool,
    /// Whether exports may be mounted with options that need a single client.
    pub tuned_mounts: bool,
}

/// Why a layout cannot be bound.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// The site has nothing of the kind.
    #[error("{role} needs {needs}, and the site has none")]
    Nothing {
        /// The volume's first role.
        role: String,
        /// What it would take.
        needs: &'static str,
    },
    /// Not enough disks for the RAID sets.
    #[error("the RAID sets need {needed} disks, and the server has {there}")]
    TooFewDisks {
        /// Disks needed.
        needed: u64,
        /// Disks there.
        there: u64,
    },
    /// The array does not serve the protocol.
    #[error("{array} does not serve {protocol}")]
    Protocol {
        /// The array.
        array: String,
        /// The protocol.
        protocol: String,
    },
}

/// Binds a layout to choices.
pub fn bind(
    catalog: &Catalog,
    layout: &Layout,
    choices: &Choices,
) -> Result<Deployment, BindError> {
    let mut volumes = Vec::new();
    for volume in &layout.volumes {
        volumes.push(bind_volume(catalog, layout, volume, choices)?);
    }
    share_local_disks(layout, choices, &mut volumes)?;
    for mount in &mut volumes {
        mount.disk_bytes = catalog.media[&mount.medium].capacity.value.get();
    }
    Ok(Deployment {
        layout: layout.entry.id.clone(),
        title: layout.entry.title.clone(),
        server: choices.server.clone(),
        memory: choices.memory,
        cores: choices.cores,
        edges: choices.edges,
        shared_depot: layout.shared_depot,
        proxies: layout.proxies,
        volumes,
        cache: layout.cache.clone().or_else(|| choices.cache.clone()),
        client_network: choices.client_network.clone(),
        client_links: choices.client_links,
        dedicated: choices.dedicated,
        lockless: choices.lockless,
    })
}

fn bind_volume(
    catalog: &Catalog,
    layout: &Layout,
    volume: &Volume,
    choices: &Choices,
) -> Result<Mount, BindError> {
    use crate::catalog::Place;
    let nothing = |needs| BindError::Nothing {
        role: volume.roles[0].to_owned(),
        needs,
    };
    let fixed = volume.device.clone();
    let chosen = |pair: &Option<(String, String)>| pair.clone();
    let (device, protocol) = match volume.place {
        Place::Local => (
            fixed.unwrap_or_else(|| "local-raid".to_owned()),
            "local".to_owned(),
        ),
        Place::Cloud => (
            fixed.unwrap_or_else(|| "cloud-block".to_owned()),
            "local".to_owned(),
        ),
        Place::Block | Place::File => {
            let wanted = if volume.place == Place::Block {
                chosen(&choices.block)
            } else {
                chosen(&choices.file)
            };
            let needs = if volume.place == Place::Block {
                "an array that serves LUNs over a protocol that it may use"
            } else {
                "a filer that serves exports over a protocol that it may use"
            };
            match (fixed, volume.protocol.clone(), wanted) {
                (Some(device), Some(protocol), _) => (device, protocol),
                (Some(device), None, Some((_, protocol))) => (device, protocol),
                (None, protocol, Some((device, chosen))) => (device, protocol.unwrap_or(chosen)),
                _ => return Err(nothing(needs)),
            }
        }
    };
    let array = catalog
        .arrays
        .get(&device)
        .ok_or_else(|| nothing("its array"))?;
    if !array.protocols.contains(&protocol) {
        return Err(BindError::Protocol {
            array: device,
            protocol,
        });
    }
    let local_medium = match volume.place {
        Place::Local => {
            let local = choices.local.as_ref().map(|(medium, _)| medium.clone());
            Some(
                volume
                    .medium
                    .clone()
                    .or(local)
                    .ok_or_else(|| nothing("disks in the server"))?,
            )
        }
        _ => volume.medium.clone(),
    };
    let access = catalog.protocols.get(&protocol).map(|p| p.access);
    let filesystem = match access {
        Some(Access::File) => None,
        _ => volume
            .filesystem
            .clone()
            .or_else(|| Some(choices.filesystem.clone())),
    };
    let transport = catalog.protocols.get(&protocol).map(|p| p.transport);
    Ok(Mount {
        roles: volume.roles.clone(),
        mount_point: volume.mount_point.clone(),
        why: volume.why.value.clone(),
        mount_option: mount_option(catalog, layout, volume, &protocol, choices),
        set: device.clone(),
        disk_bytes: 0.0,
        medium: local_medium.unwrap_or_else(|| array.medium.clone()),
        raid: volume.raid.clone().unwrap_or_else(|| array.raid.clone()),
        disks: volume.disks.unwrap_or(array.disks.value),
        device,
        protocol,
        filesystem,
        network: match transport {
            Some(crate::catalog::Transport::Ethernet) => Some(choices.networks.0.clone()),
            Some(crate::catalog::Transport::FibreChannel) => Some(choices.networks.1.clone()),
            _ => None,
        },
    })
}

/// The first set of mount options that saves something (or is made for the volume) and is safe here.
fn mount_option(
    catalog: &Catalog,
    layout: &Layout,
    volume: &Volume,
    protocol: &str,
    choices: &Choices,
) -> Option<usize> {
    let options = &catalog.protocols.get(protocol)?.mount_options;
    if let Some(fixed) = &volume.mount_options {
        return options
            .iter()
            .position(|o| fixed.contains(&o.options) || o.options == *fixed);
    }
    let many_clients = layout.shared_depot && volume.roles.contains(&"depot");
    options.iter().position(|o| {
        let safe =
            !o.requires.contains(&"single-client") || (!many_clients && choices.tuned_mounts);
        safe && o.roles.iter().any(|role| volume.roles.contains(role))
    })
}

/// Gives the server's own disks to the RAID sets: volumes with spindles of their own first, what is
/// left to the others together.
fn share_local_disks(
    layout: &Layout,
    choices: &Choices,
    mounts: &mut [Mount],
) -> Result<(), BindError> {
    let there = choices.local.as_ref().map_or(0.0, |(_, disks)| *disks);
    let mut needed = 0.0;
    let mut groups: Vec<(String, f64)> = Vec::new();
    for (mount, volume) in mounts.iter_mut().zip(&layout.volumes) {
        let own = volume.own_spindles || volume.disks.is_some();
        match mount.device.as_str() {
            "local-raid" => {
                mount.set = if own {
                    format!("local {} for {}", mount.raid, mount.roles.join(", "))
                } else {
                    format!("local {}", mount.raid)
                };
                let disks = volume.disks.unwrap_or(0.0);
                if !groups.iter().any(|(set, _)| *set == mount.set) {
                    groups.push((mount.set.clone(), disks));
                    needed += disks;
                }
            }
            "cloud-block" => mount.set = format!("{} for {}", mount.medium, mount.roles.join(", ")),
            _ if own => mount.set = format!("{} for {}", mount.device, mount.roles.join(", ")),
            _ => {}
        }
    }
    if groups.is_empty() {
        return Ok(());
    }
    let open = groups.iter().filter(|(_, disks)| *disks == 0.0).count() as f64;
    let left = there - needed;
    if left < 0.0 || (open > 0.0 && left < 2.0 * open) {
        return Err(BindError::TooFewDisks {
            needed: (needed + 2.0 * open) as u64,
            there: there as u64,
        });
    }
    for mount in mounts.iter_mut().filter(|m| m.device == "local-raid") {
        let fixed = groups
            .iter()
            .find(|(set, _)| *set == mount.set)
            .map_or(0.0, |(_, d)| *d);
        mount.disks = if fixed > 0.0 {
            fixed
        } else {
            (left / open).floor()
        };
    }
    Ok(())
}
