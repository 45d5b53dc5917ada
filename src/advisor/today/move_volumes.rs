//! Changes of volumes: roles that move to other drives, an array or a rented volume.

use super::action::Shop;
use super::system::words;
use crate::advisor::candidates::stores;
use crate::catalog::{Access, Class, Transport};
use crate::system::{Deployment, DiskSet, LOCAL_DISKS, Mount, SetId};

impl Shop<'_> {
    /// Whether drives can be put into the server: not into an instance of a cloud, nor where the site's protocols exclude
    /// the server's own drives.
    fn takes_drives(&self, deployment: &Deployment) -> bool {
        let is_machine = !self.is_instance(deployment);
        let protocols = &self.site.infrastructure.protocols;
        let allowed = !protocols.is_stated() || protocols.value.iter().any(|p| p == "local");
        is_machine && allowed && !deployment.volumes.iter().any(Mount::is_cloud)
    }

    fn is_flash(&self, medium: &str) -> bool {
        let medium = self.catalog.media.get(medium);
        medium.is_some_and(|medium| medium.kind == "flash")
    }

    /// A volume on another store, with the drives that the catalogue gives it there and no mount options.
    fn elsewhere(&self, deployment: &Deployment, from: &Mount, device: &str, medium: &str) -> Option<Mount> {
        let store = self.catalog.arrays.get(device)?;
        let filesystem = from.filesystem.clone();
        Some(Mount {
            roles: Vec::new(),
            protocol: "local".to_owned(),
            set: deployment.shared_set(device),
            device: device.to_owned(),
            medium: medium.to_owned(),
            raid: store.raid.clone(),
            disks: store.disks.value,
            disk_bytes: self.catalog.media.get(medium)?.capacity.value.get(),
            filesystem: filesystem.or_else(|| Some(self.system.choices.filesystem.clone())),
            mount_option: None,
            stated_options: None,
            network: None,
            bought: None,
            ..from.clone()
        })
    }

    /// Moves roles to drives of their own in the server.
    pub(super) fn own_drives(
        &self,
        deployment: &mut Deployment,
        roles: &[&'static str],
        medium: Option<&String>,
        (drives, raid): (f64, &str),
        new: &mut Vec<SetId>,
    ) -> Option<()> {
        let from = deployment.mount(roles.first()?)?.clone();
        if !self.takes_drives(deployment) {
            return None;
        }
        let there = |mount: &Mount| mount.is_local() && self.is_flash(&mount.medium);
        match medium {
            // Flash in the server that others use too is quick enough: drives of their own are another change.
            Some(medium) if from.medium == *medium || there(&from) => return None,
            Some(_) => {}
            None => {
                // What other work cannot delay needs no drives of its own.
                let mut others = deployment.volumes.iter();
                let shares =
                    others.any(|mount| mount.shares_disks(&from) && mount.roles.iter().any(|r| !roles.contains(r)));
                if !shares || !from.is_local() {
                    return None;
                }
            }
        }
        let medium = medium.unwrap_or(&from.medium).clone();
        let set = DiskSet::apart(deployment.next_set(), words(roles));
        let filesystem = from.filesystem.clone().or_else(|| {
            let fixed = deployment.volumes.iter().find_map(|m| m.filesystem.clone());
            Some(fixed.unwrap_or_else(|| self.system.choices.filesystem.clone()))
        });
        let moved = Mount {
            raid: raid.to_owned(),
            disks: drives,
            filesystem,
            set: set.clone(),
            ..self.elsewhere(deployment, &from, LOCAL_DISKS, &medium)?
        };
        relocate(deployment, roles, moved);
        new.push(set.id);
        Some(())
    }

    /// Replaces disks by flash in the server.
    pub(super) fn flash_drives(
        &self,
        deployment: &mut Deployment,
        medium: &String,
        (drives, raid): (f64, &str),
        new: &mut Vec<SetId>,
    ) -> Option<()> {
        if !self.takes_drives(deployment) {
            return None;
        }
        let capacity = self.catalog.media.get(medium)?.capacity.value.get();
        let on_disks = |mount: &Mount| !self.is_flash(&mount.medium);
        let slow: Vec<Mount> = deployment.volumes.iter().filter(|m| on_disks(m)).cloned().collect();
        if slow.is_empty() {
            return None;
        }
        for mount in &mut deployment.volumes {
            if mount.is_local() && !self.is_flash(&mount.medium) {
                mount.medium.clone_from(medium);
                mount.disk_bytes = capacity;
                new.push(mount.set.id);
            }
        }
        let outside: Vec<&'static str> =
            slow.iter().filter(|mount| !mount.is_local()).flat_map(|mount| mount.roles.clone()).collect();
        if !outside.is_empty() {
            self.own_drives(deployment, &outside, Some(medium), (drives, raid), new)?;
        }
        Some(())
    }

    /// Moves roles that lie on disks to an all-flash array that the site has.
    pub(super) fn array(&self, deployment: &mut Deployment, roles: &[&'static str], array: &String) -> Option<()> {
        let from = deployment.mount(roles.first()?)?.clone();
        let has = self.site.infrastructure.storage.value.contains(array);
        if !has || from.device == *array || self.is_flash(&from.medium) {
            return None;
        }
        let catalog = self.catalog;
        let own = stores(self.site, catalog, Access::Block);
        let (_, protocol) = own.into_iter().find(|(id, _)| id == array)?;
        let device = catalog.arrays.get(array)?;
        let (ethernet, fabric) = self.system.choices.networks.clone();
        let network = match catalog.protocols.get(&protocol)?.transport {
            Transport::Ethernet => Some(ethernet),
            Transport::FibreChannel => Some(fabric),
            Transport::None => None,
        };
        let moved = Mount { protocol, network, ..self.elsewhere(deployment, &from, array, &device.medium)? };
        relocate(deployment, roles, moved);
        Some(())
    }

    /// Moves roles of an instance from a file service or an array to a rented volume.
    pub(super) fn cloud_volumes(
        &self,
        deployment: &mut Deployment,
        roles: &[&'static str],
        class: Class,
        new: &mut Vec<SetId>,
    ) -> Option<()> {
        let from = deployment.mount(roles.first()?)?.clone();
        if !self.is_instance(deployment) || from.is_cloud() {
            return None;
        }
        let server = self.catalog.servers.get(&deployment.server)?;
        let provider = self.catalog.providers.get(server.provider.as_ref()?)?;
        let set = DiskSet::apart(deployment.next_set(), words(roles));
        let moved =
            Mount { set: set.clone(), ..self.elsewhere(deployment, &from, &provider.block, provider.medium(class)?)? };
        relocate(deployment, roles, moved);
        new.push(set.id);
        Some(())
    }

    /// Another class of rented disks for roles that lie on such.
    pub(super) fn cloud_medium(
        &self,
        deployment: &mut Deployment,
        roles: &[&'static str],
        class: Class,
        new: &mut Vec<SetId>,
    ) -> Option<()> {
        let from = deployment.mount(roles.first()?).filter(|mount| mount.is_cloud())?.clone();
        let medium = self.catalog.provider_of(&from.device)?.medium(class)?;
        if from.medium == *medium {
            return None;
        }
        let set = DiskSet::apart(deployment.next_set(), words(roles));
        let moved = Mount { roles: Vec::new(), medium: medium.clone(), set: set.clone(), ..from };
        relocate(deployment, roles, moved);
        new.push(set.id);
        Some(())
    }
}

/// Takes roles from the volumes that hold them, and gives them to another.
fn relocate(deployment: &mut Deployment, roles: &[&'static str], mut to: Mount) {
    for mount in &mut deployment.volumes {
        mount.roles.retain(|role| {
            let moves = roles.contains(role);
            if moves {
                to.roles.push(role);
            }
            !moves
        });
    }
    deployment.volumes.retain(|mount| !mount.roles.is_empty());
    to.mount_point = format!("{}-new", to.mount_point);
    deployment.volumes.push(to);
}
