//! Sets of disks: which volumes lie on the same disks, and what these are called.

use super::deployment::{Deployment, Mount};
use crate::catalog::{Called, Catalog, Named};

/// Which set of disks of a server: a number of its own among those that the servers have in common, or of its own ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SetId {
    /// Of the volumes that are described for the commit server.
    Common(usize),
    /// Of the volumes of an edge or a standby with disks of its own.
    Own(usize),
}

/// The set of disks that a volume lies on: volumes with the same number share the disks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskSet {
    /// Which.
    pub id: SetId,
    /// What its disks are called; `None` is what they are: "local RAID 10", "Pure Storage FlashArray".
    pub called: Option<String>,
    /// What it was set apart for, in words; `None` where its device's other volumes share it.
    pub apart_for: Option<String>,
}

impl DiskSet {
    /// The set that the volumes of a device share.
    pub fn shared(id: SetId) -> Self {
        Self { id, called: None, apart_for: None }
    }

    /// A set for some volumes alone, by what these hold.
    pub fn apart(id: SetId, held: String) -> Self {
        Self { apart_for: Some(held), ..Self::shared(id) }
    }
}

impl Mount {
    /// Whether another volume of its server lies on the same disks.
    pub fn shares_disks(&self, other: &Self) -> bool {
        self.set.id == other.set.id
    }

    /// Its set of disks: "local RAID 10 for db, journal", "Pure Storage FlashArray".
    pub fn set_name(&self, catalog: &Catalog) -> Named {
        let disks = match &self.set.called {
            Some(called) => Named::from(called.clone()),
            None if self.is_local() => {
                let [id, name] = [&self.raid, catalog.raid.called(&self.raid)].map(|raid| format!("local {raid}"));
                Named { id, name }
            }
            None if self.is_cloud() => catalog.media.named(&self.medium),
            None => catalog.arrays.named(&self.device),
        };
        match &self.set.apart_for {
            Some(held) => disks.followed_by(&format!(" for {held}")),
            None => disks,
        }
    }
}

impl Deployment {
    /// One more set of disks in common.
    pub fn next_set(&self) -> SetId {
        let known = |set| self.volumes.iter().any(|mount| mount.set.id == set);
        let mut sets = (0..).map(SetId::Common);
        sets.find(|set| !known(*set)).unwrap_or(SetId::Common(0))
    }

    /// The set that the commit server's volumes on a device share.
    pub fn shared_set(&self, device: &str) -> DiskSet {
        let mut volumes = self.volumes.iter();
        let there = volumes.find(|mount| mount.device == device && mount.set.apart_for.is_none());
        there.map_or_else(|| DiskSet::shared(self.next_set()), |mount| mount.set.clone())
    }

    /// The commit server's volumes on a set.
    pub fn on_set(&mut self, set: SetId) -> impl Iterator<Item = &mut Mount> {
        self.volumes.iter_mut().filter(move |mount| mount.set.id == set)
    }
}

/// The first volume of each set of disks.
pub fn sets<'m>(volumes: impl IntoIterator<Item = &'m Mount>) -> Vec<&'m Mount> {
    let mut sets: Vec<&Mount> = Vec::new();
    for mount in volumes {
        if !sets.iter().any(|known| known.shares_disks(mount)) {
            sets.push(mount);
        }
    }
    sets
}
