//! Drives in the servers: no more than fit, handed out to the sets that need them; and an array beside an edge or a standby
//! whose drives do not hold its depots.

use super::candidates::{choices_for, stores};
use super::sizing::Sizing;
use super::stores::{EXACT, Need};
use crate::catalog::{Access, Raid, Transport};
use crate::system::disk_set::sets;
use crate::system::{Deployment, DiskSet, Mount, SetId};

/// RAID level of a pair, and of several.
const MIRROR: &str = "raid1";
const MIRRORS: &str = "raid10";

/// The number of an edge's or a standby's set on an array of its own.
const ON_ARRAY: SetId = SetId::Own(2);

impl Sizing<'_> {
    /// Drives that fit in a server model.
    pub(super) fn bays(&self, server: &str) -> f64 {
        let server = self.catalog.servers.get(server);
        server.map_or(0.0, crate::catalog::Server::bays)
    }

    /// The drives that the commit server may have: those that are stated, or as many as fit.
    fn drives_most(&self, deployment: &Deployment) -> f64 {
        let server = &self.site.server;
        if server.are_drives_open() { self.bays(&deployment.server) } else { server.local_disks.value }
    }

    /// Hands drives out to the sets of the commit server that do not hold what they need until the horizon: those that are
    /// free, then those of sets that have more than they need.
    pub(super) fn apportion(&self, deployment: &mut Deployment) {
        let needs = self.needs(deployment);
        let local: Vec<Mount> = deployment.volumes.iter().filter(|m| m.is_local()).cloned().collect();
        let mut shares: Vec<(Mount, &Need)> = Vec::new();
        for mount in sets(&local) {
            let mut needs = needs.iter();
            let need = needs.find(|need| need.server == 0 && need.mount.shares_disks(mount));
            let Some(need) = need else {
                return;
            };
            shares.push((mount.clone(), need));
        }
        let has = |(mount, _): &(Mount, &Need)| mount.disks;
        let mut free = self.drives_most(deployment) - shares.iter().map(has).sum::<f64>();
        for at in 0..shares.len() {
            let (mount, need) = &shares[at];
            let Some((raid, disks)) = self.enough(deployment, mount, need) else {
                continue;
            };
            let mut more = disks - mount.disks;
            let mut given: Vec<(usize, f64)> = Vec::new();
            for (other, (donor, need)) in shares.iter().enumerate() {
                let lacks = more - free.max(0.0) - given.iter().map(|(_, gives)| gives).sum::<f64>();
                if other != at && lacks > 0.0 {
                    given.push((other, self.spare(donor, need).min(lacks)));
                }
            }
            let there = free.max(0.0) + given.iter().map(|(_, gives)| gives).sum::<f64>();
            if there < more {
                continue;
            }
            for (donor, gives) in given {
                let step = self.catalog.raid[&shares[donor].0.raid].copies.value;
                let gives = (gives / step).ceil() * step;
                shares[donor].0.disks -= gives;
                name_level(&mut shares[donor].0);
                more -= gives;
            }
            free -= more;
            shares[at].0.disks = disks;
            shares[at].0.raid = raid;
        }
        for mount in deployment.volumes.iter_mut().filter(|m| m.is_local()) {
            let mut sets = shares.iter();
            if let Some((set, _)) = sets.find(|(set, _)| set.shares_disks(mount)) {
                mount.disks = set.disks;
                mount.raid.clone_from(&set.raid);
            }
        }
    }

    /// The RAID level and the number of drives with which a set holds what it needs; `None` where it does already, or the server
    /// does not take as many. A pair that stands in for a level with parity gets the level that its layout names.
    fn enough(&self, deployment: &Deployment, mount: &Mount, need: &Need) -> Option<(String, f64)> {
        let needed = need.until(self.years());
        let size = mount.disk_bytes * self.reduction(need);
        let holds = |raid: &Raid, disks: f64| {
            disks >= raid.min_disks.value && raid.data_disks(disks) * size >= needed * (1.0 - EXACT)
        };
        let of = |id: &str| self.catalog.raid.get(id);
        if of(&mount.raid)?.data_disks(mount.disks).max(1.0) * size >= needed * (1.0 - EXACT) {
            return None;
        }
        let layout = self.catalog.layouts.get(&deployment.layout);
        let volumes = layout.into_iter().flat_map(|layout| &layout.volumes);
        let mut volumes = volumes.filter(|v| v.roles.iter().any(|role| mount.roles.contains(role)));
        let named = volumes.find_map(|volume| volume.raid.clone());
        let level = match (mount.raid.as_str(), named) {
            (MIRROR, Some(named)) => named,
            (MIRROR, None) => MIRRORS.to_owned(),
            (level, _) => level.to_owned(),
        };
        let level = if level == MIRROR { MIRRORS.to_owned() } else { level };
        let raid = of(&level)?;
        let step = raid.copies.value.max(1.0);
        let most = self.drives_most(deployment);
        let steps = std::iter::successors(Some(mount.disks), |disks| Some(disks + step));
        let mut tried = steps.take_while(|disks| *disks <= most);
        let disks = tried.find(|disks| holds(raid, *disks))?;
        Some((level, disks))
    }

    /// Drives that a set of mirrors has beyond what it needs until the horizon, by pairs.
    fn spare(&self, mount: &Mount, need: &Need) -> f64 {
        let raid = &self.catalog.raid[&mount.raid];
        let step = raid.copies.value;
        if step < 2.0 {
            return 0.0;
        }
        let size = mount.disk_bytes * self.reduction(need);
        let needed = (need.until(self.years()) / size).ceil().max(1.0) * step;
        (mount.disks - needed).max(0.0)
    }

    /// Puts the depots of edges and of a standby on an array of the site's storage where the drives that fit in their servers do
    /// not hold them; `bare` is the deployment before its sets were sized. True where anything was moved.
    pub(super) fn moved_to_arrays(&self, bare: &Deployment, sized: &Deployment) -> Option<Deployment> {
        let near = sized.edges as usize;
        let mut moved = bare.clone();
        let mut any = false;
        let needs = self.needs(sized);
        let groups: [(usize, &mut Vec<Mount>); 2] = [(1, &mut moved.office_volumes), (near, &mut moved.edge_volumes)];
        for (server, volumes) in groups {
            any |= self.is_short(sized, server, volumes, &needs) && self.move_to_array(volumes);
        }
        if let Some(standby) = &mut moved.standby {
            let server = sized.servers();
            any |= self.is_short(sized, server, &standby.volumes, &needs) && self.move_to_array(&mut standby.volumes);
        }
        any.then_some(moved)
    }

    /// Whether a server's own drives do not hold what is kept on them until the horizon.
    fn is_short(&self, sized: &Deployment, server: usize, volumes: &[Mount], needs: &[Need]) -> bool {
        let own = volumes.iter().any(|m| m.is_local() && m.roles.contains(&"depot"));
        let needs = needs.iter().filter(|need| need.server == server && need.mount.is_local());
        let short = |need: &Need| {
            let years = self.years();
            need.until(years) > self.usable(&need.mount, need) * (1.0 + EXACT)
        };
        own && sized.mount_on("depot", server).is_some_and(Mount::is_local) && needs.into_iter().any(short)
    }

    /// Moves depots and checkpoints to the first array that the site names and the servers reach; false where there is none.
    fn move_to_array(&self, volumes: &mut [Mount]) -> bool {
        let (ethernet, fabric) = choices_for(self.site, self.catalog).networks;
        let files = stores(self.site, self.catalog, Access::File);
        let blocks = stores(self.site, self.catalog, Access::Block);
        let Some((device, protocol)) = files.into_iter().chain(blocks).next() else {
            return false;
        };
        let (array, speaks) = (&self.catalog.arrays[&device], &self.catalog.protocols[&protocol]);
        for mount in volumes.iter_mut().filter(|m| m.roles.contains(&"depot")) {
            mount.set = DiskSet::shared(ON_ARRAY);
            mount.medium.clone_from(&array.medium);
            mount.raid.clone_from(&array.raid);
            mount.disks = array.disks.value;
            mount.device.clone_from(&device);
            mount.protocol.clone_from(&protocol);
            mount.network = match speaks.transport {
                Transport::Ethernet => Some(ethernet.clone()),
                Transport::FibreChannel => Some(fabric.clone()),
                Transport::None => None,
            };
            if !speaks.access.has_filesystem() {
                mount.filesystem = None;
            }
        }
        true
    }
}

/// Several pairs are striped, one is a mirror.
fn name_level(mount: &mut Mount) {
    if mount.raid == MIRRORS && mount.disks <= 2.0 {
        MIRROR.clone_into(&mut mount.raid);
    }
}
