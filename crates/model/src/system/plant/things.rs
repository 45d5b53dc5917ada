//! The catalogue's entries behind each volume, found once.

use super::Plant;
use crate::catalog::{Array, Catalog, Filesystem, Medium, Network, Protocol, Raid};
use crate::system::deployment::{Deployment, Mount};

/// What a volume is made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Things<'a> {
    pub(super) array: &'a Array,
    pub(super) protocol: &'a Protocol,
    pub(super) medium: &'a Medium,
    pub(super) raid: &'a Raid,
    pub(super) filesystem: Option<&'a Filesystem>,
    pub(super) network: Option<&'a Network>,
}

/// Where a volume's description lies: a deployment's volumes stay where they are.
pub(super) fn place(mount: &Mount) -> usize {
    std::ptr::from_ref(mount).addr()
}

/// Things of each volume, by its place.
pub(super) fn things_of<'a>(deployment: &'a Deployment, catalog: &'a Catalog) -> Vec<(usize, Things<'a>)> {
    let own = deployment.office_volumes.iter();
    let own = own.chain(&deployment.edge_volumes);
    let volumes = deployment.volumes.iter().chain(own);
    let things = volumes.map(|mount| {
        let things = Things {
            array: &catalog.arrays[&mount.device],
            protocol: &catalog.protocols[&mount.protocol],
            medium: &catalog.media[&mount.medium],
            raid: &catalog.raid[&mount.raid],
            filesystem: mount.filesystem.as_ref().map(|id| &catalog.filesystems[id]),
            network: mount.network.as_ref().map(|id| &catalog.networks[id]),
        };
        (place(mount), things)
    });
    things.collect()
}

impl<'a> Plant<'a> {
    pub(super) fn things(&self, mount: &Mount) -> Things<'a> {
        let place = place(mount);
        let mut all = self.things.iter();
        let found = all.find(|(at, _)| *at == place);
        found.expect("a volume of this deployment").1
    }

    pub(in crate::system) fn array(&self, mount: &Mount) -> &'a Array {
        self.things(mount).array
    }

    pub(in crate::system) fn protocol(&self, mount: &Mount) -> &'a Protocol {
        self.things(mount).protocol
    }

    pub(super) fn filesystem(&self, mount: &Mount) -> Option<&'a Filesystem> {
        self.things(mount).filesystem
    }

    /// The device of its filesystem's intent log, where that has one of its own.
    pub(super) fn log_device(&self, mount: &Mount) -> Option<&'a Medium> {
        let log = self.filesystem(mount)?.log_device.as_ref()?;
        self.catalog.media.get(log)
    }
}
