//! What may be busy: a station of the plant, or the lock of a table.

use std::fmt;

use super::plant::ResourceKind;

/// A resource or lock by what it is and by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// What it is.
    pub kind: ResourceKind,
    /// "disks of local RAID 10"; of a lock its table and server, "db.have on commit server".
    pub name: String,
}

impl Resource {
    /// A station of the plant.
    pub fn new(kind: ResourceKind, name: &str) -> Self {
        let name = name.to_owned();
        Self { kind, name }
    }

    /// The lock of a table on a server.
    pub fn lock(name: &str) -> Self {
        Self::new(ResourceKind::Lock, name)
    }

    /// Whether it is a lock.
    pub fn is_lock(&self) -> bool {
        self.kind == ResourceKind::Lock
    }

    /// Whether the plant gives it a noun of several things: "disks of local RAID 10" are, "bandwidth to the volumes" is one.
    pub fn are_several(&self) -> bool {
        let noun = self.name.split(" of ").next().unwrap_or(&self.name);
        let noun = noun.split(" to ").next().unwrap_or(noun);
        !self.is_lock() && noun.ends_with('s')
    }
}

/// "disks of local RAID 10", "lock db.have on commit server".
impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lock = if self.is_lock() { "lock " } else { "" };
        write!(f, "{lock}{}", self.name)
    }
}
