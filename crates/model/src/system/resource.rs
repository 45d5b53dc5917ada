//! What may be busy: a station of the plant, or the lock of a table.

use std::fmt;

use super::deployment::Mount;
use super::disk_set::SetId;
use super::plant::{Plant, ResourceKind};
use crate::catalog::{Catalog, Named};

/// What a resource is, and of what beside its server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spot {
    /// The cores.
    Processor,
    /// The network to the clients.
    ClientNetwork,
    /// Round trips of transfers over it.
    ClientTrips,
    /// The clients themselves.
    Client,
    /// The link to a storage network.
    StorageLink(Named),
    /// Requests in flight to a filer.
    Requests(Named),
    /// TCP connections to a filer.
    Connections(Named),
    /// Random I/O of a set of disks.
    Disks(SetId),
    /// Sequential transfer of a set of disks.
    Transfer(SetId),
    /// Commits to a set of disks, of which those that wait are served together.
    Commits(SetId),
    /// The ports of an array.
    Ports(Named),
    /// What an array takes of requests.
    Operations(Named),
    /// What an array takes of writes.
    Writes(Named),
    /// What an instance of a cloud moves to and from all its volumes.
    Volumes,
    /// The line to an office.
    Line(String),
    /// Round trips of transfers over it.
    LineTrips(String),
    /// The store of backups.
    Backups,
    /// Round trips and cache hits.
    Trips,
    /// Waiting for table locks.
    LockWaits,
    /// Nothing is busy.
    Nothing,
    /// The lock of a table.
    Lock(String),
}

/// A resource or lock: what it is, and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// What it is, and of what.
    pub spot: Spot,
    /// Of which server; `None` where servers share it.
    pub server: Option<usize>,
    /// "disks of local RAID 10"; of a lock its table and server, "db.have on commit server".
    pub name: String,
}

impl Spot {
    /// What a resource of `of` is called: of a server, or of a set of disks.
    fn in_words(&self, of: &str) -> String {
        match self {
            Self::Processor => format!("processor of {of}"),
            Self::ClientNetwork => format!("client network of {of}"),
            Self::ClientTrips => "round trips of transfers to clients".to_owned(),
            Self::Client => "client workstation".to_owned(),
            Self::StorageLink(network) => format!("storage link {network} of {of}"),
            Self::Requests(device) => format!("NFS requests of {of} to {device}"),
            Self::Connections(device) => format!("NFS connections of {of} to {device}"),
            Self::Disks(_) => format!("disks of {of}"),
            Self::Transfer(_) => format!("transfer of {of}"),
            Self::Commits(_) => format!("commits to {of}"),
            Self::Ports(device) => format!("ports of {device}"),
            Self::Operations(device) => format!("operations of {device}"),
            Self::Writes(device) => format!("writes to {device}"),
            Self::Volumes => format!("bandwidth to the volumes of {of}"),
            Self::Line(office) => format!("line to {office}"),
            Self::LineTrips(office) => format!("round trips of transfers to {office}"),
            Self::Backups => "store of backups".to_owned(),
            Self::Trips => "round trips and cache hits".to_owned(),
            Self::LockWaits => "table locks".to_owned(),
            Self::Nothing => "nothing".to_owned(),
            Self::Lock(table) => format!("{table} on {of}"),
        }
    }
}

impl Resource {
    /// One of a server's own.
    pub fn of_server(server: usize, spot: Spot) -> Self {
        let name = spot.in_words(&Plant::server_name(server));
        Self { spot, server: Some(server), name }
    }

    /// One that servers share.
    pub fn shared(spot: Spot) -> Self {
        let name = spot.in_words("all servers");
        Self { spot, server: None, name }
    }

    /// What the array of a volume of a server limits: one that the server has for itself is its alone.
    pub(super) fn of_array(server: usize, mount: &Mount, spot: Spot) -> Self {
        if mount.is_own() { Self::of_server(server, spot) } else { Self::shared(spot) }
    }

    /// The disks that a volume of a server lies on, or what moves data to and from them: a server's own are its alone.
    pub(super) fn of_set(catalog: &Catalog, server: usize, mount: &Mount, spot: Spot) -> Self {
        let own = mount.is_own().then_some(server);
        let name = spot.in_words(&mount.set_name(catalog).name);
        let name = match own {
            Some(server) => format!("{name} ({})", Plant::server_name(server)),
            None => name,
        };
        Self { spot, server: own, name }
    }

    /// The commits of a server to the disks that a volume lies on.
    pub(super) fn commits(catalog: &Catalog, server: usize, mount: &Mount) -> Self {
        let spot = Spot::Commits(mount.set.id);
        let name = spot.in_words(&mount.set_name(catalog).name);
        Self { spot, server: Some(server), name: format!("{name} ({})", Plant::server_name(server)) }
    }

    /// The lock of a table on a server.
    pub fn lock(table: &str, server: usize) -> Self {
        Self::of_server(server, Spot::Lock(table.to_owned()))
    }

    /// The line to an office.
    pub fn line_to(office: &str) -> Self {
        Self::shared(Spot::Line(office.to_owned()))
    }

    /// What it is, for tables and findings.
    pub fn kind(&self) -> ResourceKind {
        match self.spot {
            Spot::Processor => ResourceKind::Processor,
            Spot::ClientNetwork | Spot::ClientTrips => ResourceKind::ClientNetwork,
            Spot::Client => ResourceKind::Client,
            Spot::StorageLink(_) => ResourceKind::StorageNetwork,
            Spot::Requests(_) => ResourceKind::Slots,
            Spot::Connections(_) => ResourceKind::Connections,
            Spot::Disks(_) => ResourceKind::Disks,
            Spot::Transfer(_) | Spot::Commits(_) => ResourceKind::Stream,
            Spot::Ports(_) | Spot::Operations(_) | Spot::Writes(_) | Spot::Volumes => ResourceKind::Ports,
            Spot::Line(_) | Spot::LineTrips(_) | Spot::Backups => ResourceKind::Wan,
            Spot::Trips | Spot::LockWaits | Spot::Nothing => ResourceKind::Delay,
            Spot::Lock(_) => ResourceKind::Lock,
        }
    }

    /// Whether it is a lock.
    pub fn is_lock(&self) -> bool {
        matches!(self.spot, Spot::Lock(_))
    }

    /// Whether its name is of several things: "disks of local RAID 10" are, "bandwidth to the volumes" is one.
    pub fn are_several(&self) -> bool {
        matches!(
            self.spot,
            Spot::Requests(_)
                | Spot::Connections(_)
                | Spot::Disks(_)
                | Spot::Commits(_)
                | Spot::Ports(_)
                | Spot::Operations(_)
                | Spot::Writes(_)
        )
    }

    /// Whether it is the disks that a volume lies on, or what moves data to and from them, whichever server's they are.
    pub fn is_set_of(&self, mount: &Mount) -> bool {
        matches!(
            &self.spot,
            Spot::Disks(set) | Spot::Transfer(set) | Spot::Commits(set) if *set == mount.set.id
        )
    }

    /// Whether it belongs to the array that a volume lies on, or to the way there.
    pub fn is_of_array(&self, mount: &Mount) -> bool {
        match &self.spot {
            Spot::Requests(device)
            | Spot::Connections(device)
            | Spot::Ports(device)
            | Spot::Operations(device)
            | Spot::Writes(device) => device.id == mount.device,
            _ => false,
        }
    }
}

/// "disks of local RAID 10", "lock db.have on commit server".
impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lock = if self.is_lock() { "lock " } else { "" };
        write!(f, "{lock}{}", self.name)
    }
}
