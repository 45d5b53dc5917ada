//! Binds a layout to what a site chose: arrays, protocols, disks, filesystems, mount options.

use super::deployment::{Choices, Deployment, LOCAL, LOCAL_DISKS, Mount, OfficeDisks, Whose};
use super::disk_set::{DiskSet, SetId};
use super::drives;
use crate::catalog::{Called, Catalog, Feature, Layout, Place, Provider, Release, Transport, Volume};

/// Why a layout cannot be bound.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// The site has nothing of the kind.
    #[error("{role} needs {needs}, which this site does not have")]
    Nothing {
        /// The volume's first role.
        role: String,
        /// What it would take.
        needs: &'static str,
    },
    /// Not enough disks for the RAID sets.
    #[error("a RAID set needs {needed} disks, and the server has only {there} for it")]
    TooFewDisks {
        /// Disks needed.
        needed: u64,
        /// Disks there.
        there: u64,
    },
    /// Not enough drives in the server for all sets together.
    #[error("it needs {needed} drives in the server, which has {there}")]
    TooFewDrives {
        /// Drives needed.
        needed: u64,
        /// Drives there.
        there: u64,
    },
    /// The release of p4d has no depots in object storage.
    #[error("it needs release {needed} for depots in object storage, and the server runs {there}")]
    Release {
        /// The first release that has them.
        needed: Release,
        /// The site's.
        there: Release,
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
pub fn bind(catalog: &Catalog, layout: &Layout, choices: &Choices) -> Result<Deployment, BindError> {
    let objects = layout.volumes.iter().any(|v| v.place == Place::Object);
    if objects && !choices.release.has(Feature::Objects) {
        return Err(BindError::Release { needed: Feature::Objects.since(), there: choices.release });
    }
    let mut volumes = Vec::new();
    for volume in &layout.volumes {
        let set = SetId::Common(volumes.len());
        volumes.push(bind_volume(catalog, layout, volume, choices, set)?);
    }
    share_disks(layout, &mut volumes);
    share_local_disks(catalog, layout, choices, &mut volumes)?;
    enough_disks(catalog, &volumes)?;
    let is_cloud = volumes.iter().all(Mount::is_cloud);
    let mut office_volumes = match &choices.office_disks {
        // In a cloud the edge of an office rents its disks there, as the commit server does here.
        _ if is_cloud => volumes.clone(),
        // All servers read the depots from one bucket: over an office's line it is no nearer than the commit server.
        _ if objects => Vec::new(),
        Some(disks) => office_volumes(catalog, layout, choices, disks),
        None => Vec::new(),
    };
    let mut edge_volumes = edge_volumes(catalog, layout, choices)?;
    // Without disks of its own an edge in another town has nothing to lie on.
    let served = if office_volumes.is_empty() { 0 } else { choices.edges as usize };
    choices.buy(Whose::Commit, &mut volumes);
    choices.buy(Whose::Offices, &mut office_volumes);
    choices.buy(Whose::Edges, &mut edge_volumes);
    let system = system(catalog, choices, layout);
    if system == drives::WINDOWS {
        drives::assign(catalog, &mut volumes);
        drives::assign_at_office(&volumes, &mut office_volumes);
        drives::assign_at_office(&volumes, &mut edge_volumes);
    }
    Ok(Deployment {
        layout: layout.entry.id.clone(),
        title: layout.entry.title.clone(),
        server: choices.server.clone(),
        memory: choices.memory,
        edge_memory: choices.edge_memory,
        cores: choices.cores,
        processor: choices.processor.clone(),
        clock: choices.clock,
        edges: choices.edges,
        shared_depot: layout.shared_depot,
        offices: choices.offices.iter().take(served).cloned().collect(),
        office_volumes,
        // Without edges beside the commit server there is nobody to have them.
        edge_volumes: if choices.edges as usize > choices.offices.len().min(served) {
            edge_volumes
        } else {
            Vec::new()
        },
        standby: None,
        proxies: choices.proxies_beside(served),
        volumes,
        cache: layout.cache.clone().or_else(|| choices.cache.clone()),
        client_network: choices.client_network.clone(),
        client_links: choices.client_links,
        system,
        bits: choices.bits,
        write_cache: choices.write_cache,
        dedicated: choices.dedicated,
        processors_sleep: choices.is_virtual || is_cloud,
        release: choices.release,
        read_locks: choices.read_locks,
    })
}

/// Array and protocol of a volume: fixed by its layout, else chosen.
fn store(catalog: &Catalog, volume: &Volume, choices: &Choices) -> Result<(String, String), BindError> {
    let inside = |usual: &str| {
        let device = volume.device.clone();
        (device.unwrap_or_else(|| usual.to_owned()), LOCAL.to_owned())
    };
    let (wanted, needs) = match volume.place {
        Place::Local => return Ok(inside(LOCAL_DISKS)),
        Place::Cloud => {
            let provider = provider(catalog, choices);
            let provider = provider.ok_or_else(|| nothing(volume, "block volumes of a provider"))?;
            return Ok(inside(&provider.block));
        }
        Place::Block => (&choices.block, "an array that serves LUNs over an allowed protocol"),
        Place::File => (&choices.file, "a filer that serves exports over an allowed protocol"),
        Place::Object => (&choices.object, "an object store over an allowed protocol"),
    };
    let (device, protocol) = wanted.clone().unzip();
    match (volume.device.clone().or(device), volume.protocol.clone().or(protocol)) {
        (Some(device), Some(protocol)) => Ok((device, protocol)),
        _ => Err(nothing(volume, needs)),
    }
}

/// The provider whose block service the site has.
fn provider<'c>(catalog: &'c Catalog, choices: &Choices) -> Option<&'c Provider> {
    catalog.providers.get(choices.provider.as_ref()?)
}

fn nothing(volume: &Volume, needs: &'static str) -> BindError {
    let role = volume.roles.first().copied().unwrap_or("a volume").to_owned();
    BindError::Nothing { role, needs }
}

fn bind_volume(
    catalog: &Catalog,
    layout: &Layout,
    volume: &Volume,
    choices: &Choices,
    set: SetId,
) -> Result<Mount, BindError> {
    let (device, protocol) = store(catalog, volume, choices)?;
    let array = catalog.arrays.get(&device).ok_or_else(|| nothing(volume, "its array"))?;
    let speaks = catalog.protocols.get(&protocol).filter(|_| array.protocols.contains(&protocol));
    let Some(speaks) = speaks else {
        return Err(BindError::Protocol {
            array: array.entry.name.clone(),
            protocol: catalog.protocols.called(&protocol).to_owned(),
        });
    };
    let medium = match (volume.medium.clone(), volume.place, &choices.local) {
        (Some(fixed), ..) => fixed,
        (None, Place::Cloud, _) => match catalog.provider_of(&device) {
            Some(provider) => provider
                .medium(volume.class)
                .ok_or_else(|| nothing(volume, "cheap block volumes, which this provider has not"))?
                .clone(),
            None => array.medium.clone(),
        },
        (None, Place::Local, Some((medium, _))) => medium.clone(),
        (None, Place::Local, None) => {
            return Err(nothing(volume, "disks in the server that may be used (protocol local)"));
        }
        (None, ..) => array.medium.clone(),
    };
    let filesystem =
        speaks.access.has_filesystem().then(|| volume.filesystem.clone().unwrap_or_else(|| choices.filesystem.clone()));
    Ok(Mount {
        roles: volume.roles.clone(),
        mount_point: volume.mount_point.clone(),
        why: volume.why.value.clone(),
        mount_option: mount_option(catalog, layout, volume, &protocol, choices),
        stated_options: None,
        set: DiskSet::shared(set),
        disk_bytes: catalog.media.get(&medium).map_or(0.0, |m| m.capacity.value.get()),
        medium,
        raid: volume.raid.clone().unwrap_or_else(|| array.raid.clone()),
        disks: volume.disks.unwrap_or(array.disks.value),
        device,
        protocol,
        filesystem,
        network: match speaks.transport {
            Transport::Ethernet => Some(choices.networks.0.clone()),
            Transport::FibreChannel => Some(choices.networks.1.clone()),
            Transport::None => None,
        },
        bought: None,
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
        return options.iter().position(|o| fixed.contains(&o.options) || o.options == *fixed);
    }
    let many_clients = (layout.shared_depot || choices.shared_access) && volume.roles.contains(&"depot");
    options.iter().position(|o| {
        let safe = !o.requires.contains(&"single-client") || (!many_clients && choices.tuned_mounts);
        safe && o.roles.iter().any(|role| volume.roles.contains(role))
    })
}

/// Sets disks apart for the volumes that have some of their own; the others share those of their device, on the server's own
/// those of their RAID level.
fn share_disks(layout: &Layout, mounts: &mut [Mount]) {
    for at in 0..mounts.len() {
        let (before, rest) = mounts.split_at_mut(at);
        let (mount, volume) = (&mut rest[0], &layout.volumes[at]);
        if volume.own_spindles || volume.disks.is_some() || mount.is_cloud() {
            mount.set = DiskSet::apart(mount.set.id, mount.roles.join(", "));
            continue;
        }
        let shared = before.iter().find(|other| {
            let is_alike = !mount.is_local() || other.raid == mount.raid;
            other.device == mount.device && is_alike && other.set.apart_for.is_none()
        });
        if let Some(shared) = shared {
            mount.set = shared.set.clone();
        }
    }
}

/// Gives the server's own disks to the RAID sets: volumes with spindles of their own first, what is
/// left to the others together.
fn share_local_disks(
    catalog: &Catalog,
    layout: &Layout,
    choices: &Choices,
    mounts: &mut [Mount],
) -> Result<(), BindError> {
    let there = choices.local.as_ref().map_or(0.0, |(_, disks)| *disks);
    let mut needed = 0.0;
    let mut groups: Vec<Group> = Vec::new();
    for (mount, volume) in mounts.iter().zip(&layout.volumes) {
        if mount.is_local() && !groups.iter().any(|group| group.set == mount.set.id) {
            let disks = volume.disks.unwrap_or(0.0);
            groups.push(Group { set: mount.set.id, raid: mount.raid.clone(), is_open: disks == 0.0, disks });
            needed += disks;
        }
    }
    if groups.is_empty() {
        return Ok(());
    }
    let open = groups.iter().filter(|group| group.is_open).count() as f64;
    let left = there - needed;
    if left < 0.0 || (open > 0.0 && left < PAIR * open) {
        return Err(BindError::TooFewDisks { needed: (needed + PAIR * open) as u64, there: there as u64 });
    }
    hand_out(catalog, &mut groups, left);
    for mount in mounts.iter_mut().filter(|m| m.is_local()) {
        if let Some(group) = groups.iter().find(|group| group.set == mount.set.id) {
            mount.disks = group.disks;
            mount.raid.clone_from(&group.raid);
        }
    }
    Ok(())
}

/// Disks of a mirrored pair: the fewest that survive the loss of one.
const PAIR: f64 = 2.0;

/// A set of the server's own disks.
struct Group {
    set: SetId,
    raid: String,
    /// Whether its layout leaves open how many disks it has.
    is_open: bool,
    disks: f64,
}

/// Hands `left` disks out to the open sets: as many to each, if that is enough for their RAID levels. Where it is not,
/// each begins as a mirrored pair, and the others go around: two to a mirror, one to a set with parity.
fn hand_out(catalog: &Catalog, groups: &mut [Group], mut left: f64) {
    let least = |raid: &str| catalog.raid.get(raid).map_or(PAIR, |raid| raid.min_disks.value);
    let mut open: Vec<&mut Group> = groups.iter_mut().filter(|group| group.is_open).collect();
    let even = (left / open.len().max(1) as f64).floor();
    let copies = |raid: &str| catalog.raid.get(raid).map_or(PAIR, |raid| raid.copies.value);
    if open.iter().all(|group| even >= least(&group.raid)) {
        for group in open {
            // A disk without its mirror holds nothing.
            group.disks = even - even % copies(&group.raid);
        }
        return;
    }
    for group in &mut open {
        group.disks = PAIR;
        left -= PAIR;
    }
    loop {
        let before = left;
        for group in &mut open {
            let step = copies(&group.raid);
            // A mirrored pair that is one already is large enough for what is appended.
            if group.raid != MIRROR && left >= step {
                group.disks += step;
                left -= step;
            }
        }
        if left >= before {
            break;
        }
    }
    for group in open {
        if group.disks < least(&group.raid) {
            MIRROR.clone_into(&mut group.raid);
            group.disks = PAIR;
        }
    }
}

/// RAID level of a pair.
const MIRROR: &str = "raid1";
/// RAID level without redundancy.
const STRIPE: &str = "raid0";
/// RAID level of several pairs.
const MIRRORS: &str = "raid10";

/// A RAID level needs its least number of disks.
fn enough_disks(catalog: &Catalog, mounts: &[Mount]) -> Result<(), BindError> {
    for mount in mounts.iter().filter(|m| m.is_local()) {
        let least = catalog.raid.get(&mount.raid).map_or(1.0, |r| r.min_disks.value);
        // A drive alone is stated as RAID 0: without redundancy it holds data as a stripe does.
        let is_alone = mount.raid == STRIPE && mount.disks == 1.0;
        if mount.disks < least && !is_alone {
            let (needed, there) = (least as u64, mount.disks as u64);
            return Err(BindError::TooFewDisks { needed, there });
        }
    }
    Ok(())
}

/// An office's edge keeps everything on its own disks, since it cannot mount an array of another town.
fn office_volumes(catalog: &Catalog, layout: &Layout, choices: &Choices, disks: &OfficeDisks) -> Vec<Mount> {
    let why = "an edge in another town cannot mount the arrays of this one";
    own_volumes(catalog, layout, choices, disks, why)
}

/// The volumes of an edge beside the commit server on its own disks, where the layout has such edges: database, journal and
/// log, and the depots too where they are not shared.
fn edge_volumes(catalog: &Catalog, layout: &Layout, choices: &Choices) -> Result<Vec<Mount>, BindError> {
    if !layout.edges_on_own_disks {
        return Ok(Vec::new());
    }
    let needs = "disks in the edges";
    let nothing = || BindError::Nothing { role: "db".to_owned(), needs };
    let disks = choices.office_disks.as_ref().ok_or_else(nothing)?;
    let why =
        "tables, workspaces and journal of an edge on drives of its own: the lowest latency, and no load on the array";
    let mut volumes = own_volumes(catalog, layout, choices, disks, why);
    if volumes.is_empty() {
        return Err(nothing());
    }
    if layout.shared_depot {
        volumes.retain(|mount| !mount.roles.contains(&"depot"));
    }
    Ok(volumes)
}

/// The volumes of a standby on a second site: everything on disks of its own, as on an office's edge, but for depots in a
/// bucket, which it reads there.
pub fn standby_volumes(catalog: &Catalog, deployment: &Deployment, disks: &OfficeDisks) -> Vec<Mount> {
    let filesystem = deployment.volumes.iter().find_map(|m| m.filesystem.clone());
    let filesystem = filesystem.unwrap_or_else(|| "xfs".to_owned());
    let why = "the second copy of everything, on another site";
    let mut volumes = set_apart(catalog, disks, &filesystem, why);
    if volumes.is_empty() && !deployment.volumes.iter().any(Mount::is_private) {
        // Without drives: on arrays of its own like those of the commit server.
        volumes.clone_from(&deployment.volumes);
        for mount in &mut volumes {
            let (SetId::Common(number) | SetId::Own(number)) = mount.set.id;
            mount.set.id = SetId::Own(number);
        }
        return volumes;
    }
    let depot = deployment.mount("depot");
    if depot.is_some_and(|mount| mount.is_object(catalog)) {
        for mount in &mut volumes {
            mount.roles.retain(|role| *role != "depot");
        }
    }
    if deployment.system == drives::WINDOWS {
        drives::assign_at_office(&deployment.volumes, &mut volumes);
    }
    volumes
}

fn own_volumes(catalog: &Catalog, layout: &Layout, choices: &Choices, disks: &OfficeDisks, why: &str) -> Vec<Mount> {
    // One that the servers' system has: that which the layout fixes decides on the system.
    let filesystem = fixed_filesystem(layout).unwrap_or(&choices.filesystem);
    set_apart(catalog, disks, filesystem, why)
}

/// Everything on a server's own disks: journal and log on a mirrored pair, and all else on mirrors beside it; everything on
/// one set where there are fewer than two pairs. What a provider rents is a volume for each, without RAID: the service keeps
/// its copies.
fn set_apart(catalog: &Catalog, disks: &OfficeDisks, filesystem: &str, why: &str) -> Vec<Mount> {
    let there = (disks.disks / PAIR).floor() * PAIR;
    if there < PAIR {
        return Vec::new();
    }
    let usual = catalog.media.get(&disks.medium);
    let size = usual.map_or(0.0, |medium| medium.capacity.value.get());
    let called = |set: DiskSet| DiskSet { called: Some("own disks".to_owned()), ..set };
    let shared = || called(DiskSet::shared(SetId::Own(0)));
    let (apart, rest) = if there < 2.0 * PAIR {
        (shared(), there)
    } else {
        let apart = DiskSet::apart(SetId::Own(1), "journal, log".to_owned());
        (called(apart), there - PAIR)
    };
    let volumes: [(&[&'static str], &str, DiskSet, f64); 3] = [
        (&["db", "offline_db"], "/hxmetadata", shared(), rest),
        (&["journal", "log"], "/hxlogs", apart, PAIR),
        (&["depot", "checkpoint"], "/hxdepots", shared(), rest),
    ];
    let volume = |(roles, mount_point, set, disks_of_it): (&[_], &str, DiskSet, f64)| Mount {
        roles: roles.to_vec(),
        mount_point: mount_point.to_owned(),
        why: why.to_owned(),
        protocol: "local".to_owned(),
        device: LOCAL_DISKS.to_owned(),
        set,
        disk_bytes: disks.drive.unwrap_or(size),
        medium: disks.medium.clone(),
        raid: if disks_of_it > PAIR { MIRRORS } else { MIRROR }.to_owned(),
        disks: disks_of_it,
        filesystem: Some(filesystem.to_owned()),
        mount_option: None,
        stated_options: None,
        network: None,
        bought: None,
    };
    let mut volumes: Vec<Mount> = volumes.into_iter().map(volume).collect();
    let provider = catalog.provider_of(&disks.medium);
    if let Some(service) = provider.and_then(|provider| catalog.arrays.get(&provider.block)) {
        for (at, mount) in volumes.iter_mut().enumerate() {
            mount.device.clone_from(&service.entry.id);
            mount.raid.clone_from(&service.raid);
            mount.disks = service.disks.value;
            mount.set = DiskSet::apart(SetId::Own(at), mount.roles.join(", "));
        }
    }
    volumes
}

fn fixed_filesystem(layout: &Layout) -> Option<&String> {
    layout.volumes.iter().find_map(|v| v.filesystem.as_ref())
}

/// The first of the systems to choose from that has the filesystem.
fn system(catalog: &Catalog, choices: &Choices, layout: &Layout) -> String {
    let filesystem = catalog.filesystems.get(fixed_filesystem(layout).unwrap_or(&choices.filesystem));
    let has = |s: &&String| filesystem.is_none_or(|fs| fs.systems.contains(&s.as_str()));
    let usual = filesystem.and_then(|fs| fs.systems.first()).map(|s| (*s).to_owned());
    choices.systems.iter().find(has).cloned().or(usual).unwrap_or_else(|| "linux".to_owned())
}
