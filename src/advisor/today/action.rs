//! What the actions of `models/changes` do to a system: each gives another deployment, or nothing where it would change
//! nothing or the site cannot have it.

use super::super::rules::SHARE_MIN;
use super::system::{System, provision_new, words};
use crate::advisor::candidates::{choices_for, filesystems};
use crate::advisor::proxies;
use crate::catalog::{
    Access, Action, Catalog, Change, Class, Feature, Filesystem, Form, ReadLocks, Release,
    Transport,
};
use crate::site::Site;
use crate::system::{Choices, Deployment, DiskSet, LOCAL_DISKS, Mount, ProxyPlace, SetId, bind};
use crate::workload::{Clients, Load};

/// A system with a change made.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Made {
    pub(super) deployment: Deployment,
    pub(super) load: Load,
}

/// What actions ask of.
#[derive(Clone, Copy)]
pub(super) struct Shop<'a> {
    pub(super) site: &'a Site,
    pub(super) catalog: &'a Catalog,
    pub(super) system: &'a System,
}

/// The most links of a server, as `infrastructure.client_links` has it.
const LINKS_MOST: f64 = 64.0;

impl Shop<'_> {
    /// Makes a change; `None` where one of its actions changes nothing, the site cannot have it, or what it adds does not
    /// fit in the server.
    pub(super) fn make(&self, change: &Change, made: &Made) -> Option<Made> {
        let mut made = made.clone();
        let mut new = Vec::new();
        for action in &change.actions {
            self.act(action, &mut made, &mut new)?;
        }
        if !self.runs(&made.deployment) {
            return None;
        }
        let fits = provision_new(
            self.site,
            self.catalog,
            self.system,
            &mut made.deployment,
            &new,
        );
        fits.then_some(made)
    }

    fn act(&self, action: &Action, made: &mut Made, new: &mut Vec<SetId>) -> Option<()> {
        let Made { deployment, load } = made;
        match action {
            Action::OwnDrives {
                roles,
                medium,
                drives,
                raid,
            } => self.own_drives(deployment, roles, medium.as_ref(), (*drives, raid), new),
            Action::FlashDrives {
                medium,
                drives,
                raid,
            } => self.flash_drives(deployment, medium, (*drives, raid), new),
            Action::CloudMedium { roles, class } => {
                self.cloud_medium(deployment, roles, *class, new)
            }
            Action::CloudVolumes { roles, class } => {
                self.cloud_volumes(deployment, roles, *class, new)
            }
            Action::Array { roles, array } => self.array(deployment, roles, array),
            // An instance has the network of its size; more memory is a larger instance.
            Action::ClientNetwork(_) | Action::ClientLinks(_) if self.is_instance(deployment) => {
                None
            }
            Action::ClientNetwork(network) => self.client_network(deployment, network),
            Action::ClientLinks(times) => {
                let links = deployment.client_links * times;
                (links <= LINKS_MOST).then(|| deployment.client_links = links)
            }
            Action::Memory(times) => {
                deployment.memory *= times;
                Some(())
            }
            Action::Processor { family, cores } => {
                self.processor(deployment, family.as_ref(), *cores)
            }
            Action::Server => self.server(deployment),
            Action::OperatingSystem(system) => self.operating_system(deployment, system),
            Action::Release => {
                let is_old = !deployment.release.lockless();
                let runs = Release::newest().is_known_on(&deployment.system);
                (is_old && runs).then(|| {
                    deployment.release = Release::newest();
                    deployment.read_locks = ReadLocks::Few;
                })
            }
            Action::Peeking(locks) => {
                // From 2 to 3 is a change of its own; 3 is not tried before 2.
                let before = match locks {
                    ReadLocks::None => ReadLocks::Few,
                    ReadLocks::All | ReadLocks::Few => ReadLocks::All,
                };
                (deployment.release.lockless() && deployment.read_locks == before)
                    .then(|| deployment.read_locks = *locks)
            }
            Action::Edges => self.edges(deployment),
            Action::Proxies => {
                let reads = load.groups.iter().any(|group| group.of_builds > 0.0);
                let builds = reads.then_some(ProxyPlace::Builds);
                self.proxies(deployment, builds.into_iter().collect())
            }
            Action::OfficeProxies => {
                let offices = self.system.choices.offices.iter();
                let places = offices.cloned().map(ProxyPlace::Office);
                self.proxies(deployment, places.collect())
            }
            Action::Mounts { connections_only } => self.mounts(deployment, *connections_only),
            Action::ParallelSyncs(threads) => {
                let has_any = deployment.release.has(Feature::ParallelSyncs);
                has_any.then(|| parallel(load, *threads)).flatten()
            }
            Action::TcpWindow => widen(load),
            Action::BuildSyncs => {
                let share = self.site.workload.automation_share.value.get();
                let can = deployment.release.has(Feature::Populate) && share > 0.0;
                can.then(|| populate(load, share)).flatten()
            }
        }
    }

    /// One link of another network, where it is wider than what is there.
    fn client_network(&self, deployment: &mut Deployment, network: &String) -> Option<()> {
        let rate = |id: &str| {
            let network = self.catalog.networks.get(id)?;
            Some(network.bandwidth.value.get())
        };
        let now = rate(&deployment.client_network)? * deployment.client_links;
        (rate(network)? > now).then(|| {
            deployment.client_network.clone_from(network);
            deployment.client_links = 1.0;
        })
    }

    fn is_instance(&self, deployment: &Deployment) -> bool {
        let server = self.catalog.servers.get(&deployment.server);
        server.is_some_and(|server| server.form == Form::Instance)
    }

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
    fn elsewhere(
        &self,
        deployment: &Deployment,
        from: &Mount,
        device: &str,
        medium: &str,
    ) -> Option<Mount> {
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
    fn own_drives(
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
                let shares = others.any(|mount| {
                    mount.shares_disks(&from) && mount.roles.iter().any(|r| !roles.contains(r))
                });
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
    fn flash_drives(
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
        let slow: Vec<Mount> = deployment
            .volumes
            .iter()
            .filter(|m| on_disks(m))
            .cloned()
            .collect();
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
        let outside: Vec<&'static str> = slow
            .iter()
            .filter(|mount| !mount.is_local())
            .flat_map(|mount| mount.roles.clone())
            .collect();
        if !outside.is_empty() {
            self.own_drives(deployment, &outside, Some(medium), (drives, raid), new)?;
        }
        Some(())
    }

    /// Moves roles that lie on disks to an all-flash array that the site has.
    fn array(
        &self,
        deployment: &mut Deployment,
        roles: &[&'static str],
        array: &String,
    ) -> Option<()> {
        let from = deployment.mount(roles.first()?)?.clone();
        let has = self.site.infrastructure.storage.value.contains(array);
        if !has || from.device == *array || self.is_flash(&from.medium) {
            return None;
        }
        let catalog = self.catalog;
        let own = crate::advisor::candidates::stores(self.site, catalog, Access::Block);
        let (_, protocol) = own.into_iter().find(|(id, _)| id == array)?;
        let device = catalog.arrays.get(array)?;
        let (ethernet, fabric) = self.system.choices.networks.clone();
        let network = match catalog.protocols.get(&protocol)?.transport {
            Transport::Ethernet => Some(ethernet),
            Transport::FibreChannel => Some(fabric),
            Transport::None => None,
        };
        let moved = Mount {
            protocol,
            network,
            ..self.elsewhere(deployment, &from, array, &device.medium)?
        };
        relocate(deployment, roles, moved);
        Some(())
    }

    /// Moves roles of an instance from a file service or an array to a rented volume.
    fn cloud_volumes(
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
        let moved = Mount {
            set: set.clone(),
            ..self.elsewhere(deployment, &from, &provider.block, provider.medium(class)?)?
        };
        relocate(deployment, roles, moved);
        new.push(set.id);
        Some(())
    }

    /// Another class of rented disks for roles that lie on such.
    fn cloud_medium(
        &self,
        deployment: &mut Deployment,
        roles: &[&'static str],
        class: Class,
        new: &mut Vec<SetId>,
    ) -> Option<()> {
        let from = deployment
            .mount(roles.first()?)
            .filter(|mount| mount.is_cloud())?
            .clone();
        let medium = self.catalog.provider_of(&from.device)?.medium(class)?;
        if from.medium == *medium {
            return None;
        }
        let set = DiskSet::apart(deployment.next_set(), words(roles));
        let moved = Mount {
            roles: Vec::new(),
            medium: medium.clone(),
            set: set.clone(),
            ..from
        };
        relocate(deployment, roles, moved);
        new.push(set.id);
        Some(())
    }

    /// Whether the server runs the deployment's system and can have its volumes, or is that of today.
    fn runs(&self, deployment: &Deployment) -> bool {
        let before = &self.system.deployment;
        if (&deployment.server, &deployment.system) == (&before.server, &before.system) {
            return true;
        }
        let server = self.catalog.servers.get(&deployment.server);
        let system = deployment.system.as_str();
        let has_drives = deployment.volumes.iter().any(Mount::is_local);
        server.is_some_and(|server| server.systems.contains(&system))
            && !(has_drives && self.is_instance(deployment))
    }

    /// The server of the site's `[server]` in place of one that `[today]` names.
    fn server(&self, deployment: &mut Deployment) -> Option<()> {
        self.site.today.model.as_ref()?;
        let next = choices_for(self.site, self.catalog);
        if next.server == deployment.server {
            return None;
        }
        deployment.server = next.server;
        deployment.memory = next.memory;
        deployment.cores = next.cores;
        deployment.processor = next.processor;
        deployment.clock = next.clock;
        deployment.bits = next.bits;
        Some(())
    }

    /// Another operating system that the site allows, with a filesystem and protocols that it has.
    fn operating_system(&self, deployment: &mut Deployment, system: &str) -> Option<()> {
        let site = self.site;
        let runs = |systems: &[&str]| systems.contains(&system);
        let systems = &site.infrastructure.operating_systems.value;
        // With a system that no present server runs the choice goes with the server.
        let is_allowed =
            systems.iter().any(|id| id == system) || self.is_left_behind(&deployment.system);
        if deployment.system == system || !is_allowed {
            return None;
        }
        let here = filesystems(site, self.catalog);
        let here = here
            .iter()
            .filter_map(|id| self.catalog.filesystems.get(id));
        let here: Vec<&Filesystem> = here.filter(|fs| runs(&fs.systems)).collect();
        let usual = here
            .iter()
            .find(|fs| fs.entry.id == "xfs")
            .or(here.first())?;
        let lists = [
            &mut deployment.volumes,
            &mut deployment.office_volumes,
            &mut deployment.edge_volumes,
        ];
        for mount in lists.into_iter().flatten() {
            let has = mount.filesystem.as_ref();
            let has = has.and_then(|id| self.catalog.filesystems.get(id));
            if has.is_some_and(|fs| !runs(&fs.systems)) {
                mount.filesystem = Some(usual.entry.id.clone());
            }
            let protocol = self.catalog.protocols.get(&mount.protocol)?;
            if !runs(&protocol.systems) {
                let spoken = self.catalog.arrays.get(&mount.device)?.protocols.iter();
                let mut spoken = spoken.filter_map(|id| self.catalog.protocols.get(id));
                let other = spoken.find(|p| p.access == protocol.access && runs(&p.systems))?;
                mount.protocol.clone_from(&other.entry.id);
                mount.mount_option = None;
                mount.stated_options = None;
            }
            let role = mount.roles.first().copied().unwrap_or("data");
            mount.mount_point = format!("/{role}");
        }
        system.clone_into(&mut deployment.system);
        Some(())
    }

    /// Whether no server that is sold today runs an operating system.
    fn is_left_behind(&self, system: &str) -> bool {
        let mut servers = self.catalog.servers.values();
        !servers.any(|server| server.is_of_today() && server.systems.contains(&system))
    }

    /// Another processor or more cores; nothing where the processor is at least as fast and there are no more cores.
    fn processor(
        &self,
        deployment: &mut Deployment,
        family: Option<&String>,
        times: f64,
    ) -> Option<()> {
        let catalog = self.catalog;
        let speed = |id: &str, clock: Option<f64>| {
            let family = catalog.processors.get(id)?;
            Some(family.ipc.value * clock.unwrap_or(family.clock.value.get()))
        };
        if self.is_instance(deployment) {
            return None;
        }
        let now = deployment.processor.as_deref();
        let now = now.and_then(|id| speed(id, deployment.clock));
        let family = family.filter(|id| {
            let new = speed(id, None);
            now.is_none_or(|now| new.is_some_and(|new| new > now))
        });
        if family.is_none() && times <= 1.0 {
            return None;
        }
        if let Some(family) = family {
            // The model that is there has no such processor where it runs a system that none has today.
            if self.is_left_behind(&deployment.system) {
                // Where another server is planned, that one is the change.
                if self.site.today.model.is_some() {
                    return None;
                }
                let servers = self.catalog.servers.values();
                let present = servers.filter(|one| {
                    let is_enough = one.cores.value >= deployment.cores;
                    one.is_of_today() && one.form == Form::Machine && is_enough
                });
                let server = present.min_by(|a, b| a.cores.value.total_cmp(&b.cores.value))?;
                deployment.server.clone_from(&server.entry.id);
                deployment.bits = server.bits.value;
            }
            deployment.processor = Some(family.clone());
            deployment.clock = None;
        }
        deployment.cores *= times;
        Some(())
    }

    /// An edge in each distant office, as far as the site accepts edges.
    fn edges(&self, deployment: &mut Deployment) -> Option<()> {
        let System {
            layout, choices, ..
        } = self.system;
        let most = self.site.infrastructure.edges_max.value as usize;
        let offices = choices.offices.len().min(most);
        if !deployment.release.edges() || offices <= deployment.offices.len() {
            return None;
        }
        let mut choices = choices.clone();
        choices.edges = u32::try_from(offices).ok()?;
        let served = bind(self.catalog, layout, &choices).ok()?;
        if served.offices.len() < offices {
            return None;
        }
        deployment.edges = served.edges;
        deployment
            .proxies
            .retain(|proxy| !matches!(&proxy.place, ProxyPlace::Office(office) if served.offices.contains(office)));
        deployment.offices = served.offices;
        deployment.office_volumes = served.office_volumes;
        Some(())
    }

    /// Proxies in those of the places that have none and no edge.
    fn proxies(&self, deployment: &mut Deployment, places: Vec<ProxyPlace>) -> Option<()> {
        if !self.site.infrastructure.proxies.value {
            return None;
        }
        let served = deployment.offices.len();
        let choices = Choices {
            edges: deployment.edges,
            offices: deployment.offices.clone(),
            proxies: places
                .into_iter()
                .filter(|place| deployment.proxy(place).is_none())
                .map(|place| proxies::proxy(self.site, self.catalog, place))
                .collect(),
            ..self.system.choices.clone()
        };
        let more = choices.proxies_beside(served);
        let changes = !more.is_empty();
        deployment.proxies.extend(more);
        changes.then_some(())
    }

    /// The catalogue's mount options in place of those that are stated.
    fn mounts(&self, deployment: &mut Deployment, connections_only: bool) -> Option<()> {
        let mut changed = None;
        let many = deployment.shared_depot || self.system.choices.shared_access;
        let year = deployment.release.year();
        for mount in &mut deployment.volumes {
            let Some(stated) = mount.stated_options.clone() else {
                continue;
            };
            let Some(protocol) = self.catalog.protocols.get(&mount.protocol) else {
                continue;
            };
            let is_depot = mount.roles.contains(&"depot");
            if connections_only {
                let mut general = protocol
                    .mount_options
                    .iter()
                    .filter(|o| o.removes.is_empty());
                let more =
                    general.find_map(|set| set.in_year(year).find(|o| o.starts_with("nconnect")));
                if let Some(more) = more.filter(|_| !stated.contains("nconnect")) {
                    mount.stated_options = Some(format!("{stated},{more}"));
                    changed = Some(());
                }
                continue;
            }
            let best = protocol.mount_options.iter().position(|o| {
                let safe = !(o.requires.contains(&"single-client") && many && is_depot);
                safe && o.roles.iter().any(|role| mount.roles.contains(role))
            });
            if best != mount.mount_option && best.is_some() {
                mount.mount_option = best;
                mount.stated_options = None;
                changed = Some(());
            }
        }
        changed
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

/// Has each connection to a distant office keep in flight what fills its line; `None` where it fills half of it today.
fn widen(load: &mut Load) -> Option<()> {
    let lines = load.groups.iter().filter_map(|group| group.remote.as_ref());
    let fills = lines.map(|line| line.bandwidth * line.round_trip);
    let window = fills.fold(0.0, f64::max);
    let now = load.distance.tcp_window;
    (now < SHARE_MIN * window).then(|| load.distance.tcp_window = window)
}

/// Lets the builds' share of syncs leave db.have alone; `None` where there are none.
fn populate(load: &mut Load, share: f64) -> Option<()> {
    let mut changed = None;
    for group in &mut load.groups {
        let share = match group.clients {
            Clients::Automation => 1.0,
            Clients::LargeSyncs => share,
            _ => continue,
        };
        let mut alone = Vec::new();
        for call in group.calls.iter_mut().filter(|call| call.command == "sync") {
            let mut other = call.clone();
            "sync-p".clone_into(&mut other.command);
            other.weight *= share;
            call.weight *= 1.0 - share;
            alone.push(other);
            changed = Some(());
        }
        group.calls.extend(alone);
        group.calls.retain(|call| call.weight > 0.0);
    }
    changed
}

/// So many threads for each large sync; `None` where all have as many.
fn parallel(load: &mut Load, threads: f64) -> Option<()> {
    let mut changed = None;
    for group in &mut load.groups {
        if group.clients.are_large_syncs() && group.threads < threads {
            group.threads = threads;
            changed = Some(());
        }
    }
    changed
}
