//! A deployment: a layout bound to real things, every volume with its protocol, device and filesystem.

use super::disk_set::{DiskSet, SetId, sets};
use super::proxy::{Proxy, ProxyPlace};
use crate::catalog::{Access, Called, Catalog, MountOption, ReadLocks, Release};

pub use crate::catalog::LOCAL_DISKS;
/// The protocol of disks that a server sees as its own.
pub const LOCAL: &str = "local";

/// What a person calls a role of a volume.
///
/// ```
/// use plimsoll_model::system::role_in_words;
/// assert_eq!(["db", "depot", "log"].map(role_in_words), ["database", "depots", "log"]);
/// ```
pub fn role_in_words(role: &str) -> &str {
    match role {
        "db" => "database",
        "offline_db" => "offline database",
        "depot" => "depots",
        "checkpoint" => "checkpoints",
        other => other,
    }
}

/// A layout bound to servers, stores and networks; ids are the catalogue's.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an answer that is yes or no")]
pub struct Deployment {
    /// The layout's id.
    pub layout: String,
    /// The layout's title.
    pub title: String,
    /// The server model of commit server and edges.
    pub server: String,
    /// Memory of the commit server \[B\].
    pub memory: f64,
    /// Memory of each edge \[B\].
    pub edge_memory: f64,
    /// Cores of each server.
    pub cores: f64,
    /// Family of their processors; none where the costs are those of the server model's generation.
    pub processor: Option<String>,
    /// Clock of all cores \[Hz\]; none is the typical one of the family.
    pub clock: Option<f64>,
    /// Edges besides the commit server.
    pub edges: u32,
    /// Whether edges read the commit server's depots.
    pub shared_depot: bool,
    /// Proxies.
    pub proxies: Vec<Proxy>,
    /// Its volumes, the same on each server.
    pub volumes: Vec<Mount>,
    /// Distant offices with an edge of their own: the first stands with edge 1, and so on.
    pub offices: Vec<String>,
    /// The volumes of an office's edge, on its own disks; none where such an edge is built like the rest.
    pub office_volumes: Vec<Mount>,
    /// Volumes of their own of the edges beside the commit server; none where these are built as it is. What is not on
    /// them lies as on the commit server.
    pub edge_volumes: Vec<Mount>,
    /// A standby on a second site.
    pub standby: Option<StandbyServer>,
    /// A cache tier added to the stores.
    pub cache: Option<String>,
    /// The network to the clients.
    pub client_network: String,
    /// Links of it on each server.
    pub client_links: f64,
    /// Operating system: one of the site's that has the filesystem.
    pub system: String,
    /// 32 or 64.
    pub bits: f64,
    /// Whether a controller's protected memory takes the writes to the servers' own disks.
    pub write_cache: bool,
    /// Whether the arrays serve Perforce alone.
    pub dedicated: bool,
    /// Whether the servers' processors sleep while they are idle: those of virtual machines do.
    pub processors_sleep: bool,
    /// Release of p4d.
    pub release: Release,
    /// Which locks reads take.
    pub read_locks: ReadLocks,
}

/// A standby on a second site: a machine like the commit server, with everything on disks of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct StandbyServer {
    /// The way in which it is run: an id of the catalogue.
    pub kind: String,
    /// The office in which it stands; `None` is another building of the main office, or another zone of its provider.
    pub office: Option<String>,
    /// Its volumes.
    pub volumes: Vec<Mount>,
}

impl StandbyServer {
    /// "Lyon", "another building", "another zone".
    pub fn place(&self) -> &str {
        let is_rented = self.volumes.iter().any(Mount::is_cloud);
        let near = if is_rented { "another zone" } else { "another building" };
        self.office.as_deref().unwrap_or(near)
    }
}

/// A volume bound to a store.
#[expect(clippy::struct_field_names, reason = "mount point and mount option are the field's words")]
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
    /// Array, the server's own disks (`local-raid`), or a provider's block service.
    pub device: String,
    /// Its set of disks there.
    pub set: DiskSet,
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
    /// The options with which a system that is there mounts it, word for word; `None` where the catalogue's hold.
    pub stated_options: Option<String>,
    /// Storage network or fabric; `None` inside the server.
    pub network: Option<String>,
    /// What is bought with a volume of a cloud; `None` is what its medium's file says.
    pub bought: Option<Bought>,
}

/// Operations and bandwidth of one volume of a cloud.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bought {
    /// Operations a second.
    pub operations: f64,
    /// Bandwidth \[B/s\].
    pub bandwidth: f64,
    /// The size that both take: the volume is no smaller \[B\].
    pub size_least: f64,
}

/// The servers that have volumes in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The commit server, and those that are built as it is.
    Commit,
    /// Edges beside it with volumes of their own.
    Edges,
    /// Edges of offices.
    Offices,
}

impl Choices {
    /// Gives each volume of a cloud what was bought with it.
    pub(super) fn buy(&self, whose: Whose, volumes: &mut [Mount]) {
        for mount in volumes.iter_mut().filter(|mount| mount.is_cloud()) {
            let mut bought = self.bought.iter();
            let found =
                bought.find(|(of, role, _)| *of == whose && mount.roles.first().is_some_and(|first| first == role));
            mount.bought = found.map(|(_, _, bought)| *bought);
        }
    }
}

impl Mount {
    /// Whether it lies on its server's own disks.
    pub fn is_local(&self) -> bool {
        self.device == LOCAL_DISKS
    }

    /// Whether it lies on disks rented with its server: a provider's, which the server sees as its own.
    pub fn is_cloud(&self) -> bool {
        self.protocol == LOCAL && !self.is_local()
    }

    /// Whether its disks are its server's alone, and not part of an array that others may use.
    pub fn is_private(&self) -> bool {
        self.is_local() || self.is_cloud()
    }

    /// Whether it lies on something that its server has for itself: its disks, or an array beside an edge or a standby.
    pub fn is_own(&self) -> bool {
        self.is_private() || matches!(self.set.id, SetId::Own(_))
    }

    /// What a person calls its protocol; of volumes of a provider, which the server sees as disks, their service.
    pub fn reached<'a>(&'a self, catalog: &'a Catalog) -> &'a str {
        if self.is_cloud() { catalog.arrays.called(&self.device) } else { catalog.protocols.called(&self.protocol) }
    }

    /// How it is reached; of a protocol that is not known as a disk of the server.
    pub fn access(&self, catalog: &Catalog) -> Access {
        let protocol = catalog.protocols.get(&self.protocol);
        protocol.map_or(Access::Local, |protocol| protocol.access)
    }

    /// Whether it is a bucket, which p4d reads and writes without mounting it.
    pub fn is_object(&self, catalog: &Catalog) -> bool {
        self.access(catalog) == Access::Object
    }

    /// The sets of options that it is mounted with: of an export the protocol's general one and that chosen for
    /// its roles; none of a filesystem of the server's own.
    pub fn option_sets<'c>(&self, catalog: &'c Catalog) -> Vec<&'c MountOption> {
        let Some(protocol) = catalog.protocols.get(&self.protocol) else {
            return Vec::new();
        };
        if protocol.access != Access::File {
            return Vec::new();
        }
        let general = protocol.mount_options.iter().find(|o| o.removes.is_empty());
        let chosen = self.mount_option.and_then(|i| protocol.mount_options.get(i));
        let mut sets: Vec<&MountOption> = general.into_iter().collect();
        sets.extend(chosen.filter(|c| general != Some(c)));
        sets
    }

    /// The options to mount it with on a machine as old as a release of p4d of some year, as in fstab.
    pub fn options(&self, catalog: &Catalog, year: u16) -> String {
        if let Some(stated) = &self.stated_options {
            return stated.clone();
        }
        let sets = self.option_sets(catalog);
        if sets.is_empty() {
            let id = self.filesystem.as_ref();
            let fs = id.and_then(|id| catalog.filesystems.get(id));
            return fs.map_or(String::new(), |fs| fs.mount.value.clone());
        }
        let mut options: Vec<&str> = Vec::new();
        for part in sets.iter().flat_map(|set| set.in_year(year)) {
            if !options.contains(&part) {
                options.push(part);
            }
        }
        options.join(",")
    }
}

impl Deployment {
    /// The volume that holds a role.
    pub fn mount(&self, role: &str) -> Option<&Mount> {
        self.volumes.iter().find(|m| m.roles.contains(&role))
    }

    /// The volume that holds a role on a server (0 is the commit server).
    pub fn mount_on(&self, role: &str, server: usize) -> Option<&Mount> {
        let holds = |m: &&Mount| m.roles.contains(&role);
        let own = self.own_volumes(server).iter().find(holds);
        own.or_else(|| self.mount(role))
    }

    /// Whose volume holds a role on an edge or the commit server.
    pub fn whose(&self, role: &str, server: usize) -> Whose {
        let own = self.own_volumes(server).iter();
        let has_own = own.flat_map(|mount| &mount.roles).any(|held| *held == role);
        match (has_own, self.is_distant(server)) {
            (false, _) => Whose::Commit,
            (true, true) => Whose::Offices,
            (true, false) => Whose::Edges,
        }
    }

    /// The volumes of a server (0 is the commit server, the one after the last edge the standby).
    pub fn volumes_on(&self, server: usize) -> Vec<&Mount> {
        let own = self.own_volumes(server);
        let there = |role: &&'static str| own.iter().any(|m| m.roles.contains(role));
        let rest = self.volumes.iter();
        let rest = rest.filter(|m| !m.roles.iter().any(&there));
        own.iter().chain(rest).collect()
    }

    /// The volumes that a server does not have in common with the commit server's description.
    fn own_volumes(&self, server: usize) -> &[Mount] {
        if let Some(standby) = self.standby.as_ref().filter(|_| self.is_standby(server)) {
            &standby.volumes
        } else if self.is_distant(server) {
            &self.office_volumes
        } else if server > 0 {
            &self.edge_volumes
        } else {
            &[]
        }
    }

    /// Commit server, edges and, last, the standby.
    pub fn servers_and_standby(&self) -> std::ops::Range<usize> {
        0..self.servers() + self.standby.iter().count()
    }

    /// The sets of disks that are a server's alone, each by its first volume: those that have to be there for it.
    pub fn private_sets(&self, server: usize) -> Vec<&Mount> {
        // An edge that reads the depots of the commit server has none.
        let is_elsewhere = |mount: &Mount| {
            server > 0 && self.is_shared_on(mount, server) && mount.roles.iter().all(|role| *role == "depot")
        };
        let volumes = self.volumes_on(server).into_iter();
        sets(volumes.filter(|mount| mount.is_private() && !is_elsewhere(mount)))
    }

    /// Whether a server has drives of its own: no instance of a provider has.
    pub fn is_machine(&self, server: usize) -> bool {
        let sets = self.private_sets(server);
        sets.iter().any(|mount| !mount.is_cloud())
    }

    /// Whether a number is that of the standby, which comes after the last edge.
    pub fn is_standby(&self, server: usize) -> bool {
        self.standby.is_some() && server == self.servers()
    }

    /// The clock of all cores \[Hz\]: the stated one, else the typical one of the family; none where the processor costs
    /// are those of the server model's generation.
    pub fn clock(&self, catalog: &Catalog) -> Option<f64> {
        let family = catalog.processors.get(self.processor.as_ref()?)?;
        Some(self.clock.unwrap_or(family.clock.value.get()))
    }

    /// Memory of a server \[B\] (0 is the commit server). A standby is a machine like the commit server.
    pub fn memory_of(&self, server: usize) -> f64 {
        if server == 0 || self.is_standby(server) { self.memory } else { self.edge_memory }
    }

    /// "the commit server", "edge 2", "the edge in Lyon".
    pub fn server_in_words(&self, server: usize) -> String {
        let name = self.server_name(server);
        if self.is_like_edge(server) { name } else { format!("the {name}") }
    }

    /// "commit server", "edge 2", "edge in Lyon", "standby in Lyon".
    pub fn server_name(&self, server: usize) -> String {
        if let Some(standby) = self.standby.as_ref().filter(|_| self.is_standby(server)) {
            return format!("standby in {}", standby.place());
        }
        match (server, self.offices.get(server.wrapping_sub(1))) {
            (0, _) => "commit server".to_owned(),
            (_, Some(office)) => format!("edge in {office}"),
            (n, None) => format!("edge {n}"),
        }
    }

    /// Whether a server is one of the edges beside the commit server, which are built alike.
    pub fn is_like_edge(&self, server: usize) -> bool {
        server > self.offices.len() && !self.is_standby(server)
    }

    /// The server whose stores stand for those of a server: of the edges beside the commit server, which are alike, the last.
    pub fn counted_as(&self, server: usize) -> usize {
        if self.is_like_edge(server) { self.edges as usize } else { server }
    }

    /// Whether a server is the edge of a distant office.
    pub fn is_distant(&self, server: usize) -> bool {
        (1..=self.offices.len()).contains(&server)
    }

    /// The proxy through which the clients of a distant office, or builds, read content.
    pub fn proxy(&self, place: &ProxyPlace) -> Option<&Proxy> {
        self.proxies.iter().find(|proxy| proxy.place == *place)
    }

    /// Commit server and edges.
    pub fn servers(&self) -> usize {
        self.edges as usize + 1
    }

    /// "no edge", "one edge", "3 edges".
    pub fn edges_in_words(&self) -> String {
        match self.edges {
            0 => "no edge".to_owned(),
            1 => "one edge".to_owned(),
            n => format!("{n} edges"),
        }
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

/// The disks in the edge of a distant office.
#[derive(Debug, Clone, PartialEq)]
pub struct OfficeDisks {
    /// What they are.
    pub medium: String,
    /// How many.
    pub disks: f64,
    /// Size of each \[B\]; `None` is the usual one.
    pub drive: Option<f64>,
}

/// What a layout leaves open, chosen.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each asked by name")]
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// Server model.
    pub server: String,
    /// Memory of the commit server \[B\].
    pub memory: f64,
    /// Memory of each edge \[B\].
    pub edge_memory: f64,
    /// Cores.
    pub cores: f64,
    /// Family of the processors; none where the costs are those of the server model's generation.
    pub processor: Option<String>,
    /// Clock of all cores \[Hz\]; none is the typical one of the family.
    pub clock: Option<f64>,
    /// Edges.
    pub edges: u32,
    /// For volumes on the server's own disks: medium and how many disks there are.
    pub local: Option<(String, f64)>,
    /// For volumes on LUNs: array and protocol.
    pub block: Option<(String, String)>,
    /// For volumes on exports: array and protocol.
    pub file: Option<(String, String)>,
    /// For volumes in buckets: store and protocol.
    pub object: Option<(String, String)>,
    /// For volumes on a provider's block service: the provider.
    pub provider: Option<String>,
    /// Filesystem of local and block volumes.
    pub filesystem: String,
    /// Operating systems to choose from, the preferred one first.
    pub systems: Vec<String>,
    /// 32 or 64.
    pub bits: f64,
    /// Storage network for Ethernet, and fabric for fibre channel.
    pub networks: (String, String),
    /// Client network.
    pub client_network: String,
    /// Links to the clients.
    pub client_links: f64,
    /// Distant offices, in the site's order.
    pub offices: Vec<String>,
    /// Proxies, in an office until it has an edge.
    pub proxies: Vec<Proxy>,
    /// The disks in an office's edge; `None` where it has none of its own.
    pub office_disks: Option<OfficeDisks>,
    /// What is bought with volumes of a cloud, by whose they are and the first role that each holds.
    pub bought: Vec<(Whose, &'static str, Bought)>,
    /// Added cache tier.
    pub cache: Option<String>,
    /// Whether a controller's protected memory takes the writes to the servers' own disks.
    pub write_cache: bool,
    /// Whether the arrays serve Perforce alone.
    pub dedicated: bool,
    /// Whether the servers are virtual machines of the site's own.
    pub is_virtual: bool,
    /// Release of p4d.
    pub release: Release,
    /// Which locks reads take.
    pub read_locks: ReadLocks,
    /// Whether other machines are to reach the depots directly: no options for a single client then.
    pub shared_access: bool,
    /// Whether exports may be mounted with options that need a single client.
    pub tuned_mounts: bool,
}
