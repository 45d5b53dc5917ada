//! What the actions of `models/changes` do to a system: each gives another deployment, or nothing where it would change
//! nothing or the site cannot have it.

use super::change_load::{parallel, populate, widen};
use super::system::{System, provision_new};
use crate::advisor::candidates::{choices_for, filesystems};
use crate::advisor::facts::memory_to_buy;
use crate::advisor::next_server;
use crate::advisor::{proxies, standby};
use crate::calibration::Calibration;
use crate::catalog::{Action, Catalog, Change, Feature, Filesystem, Form, ReadLocks, Release};
use crate::site::{Backup, Site};
use crate::system::{Choices, Deployment, Job, Mount, Prediction, ProxyPlace, SetId, bind, estimates};
use crate::units::Bytes;
use crate::workload::{Clients, Group, Load};

/// A system with a change made.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Made {
    pub(super) deployment: Deployment,
    pub(super) load: Load,
    pub(super) upkeep: Upkeep,
}

/// How its database is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Upkeep {
    /// Whether checkpoints lock the live database.
    pub(super) is_live: bool,
    /// Whether it was built anew from a checkpoint.
    pub(super) is_rebuilt: bool,
}

/// What actions ask of.
#[derive(Clone, Copy)]
pub(super) struct Shop<'a> {
    pub(super) site: &'a Site,
    pub(super) catalog: &'a Catalog,
    pub(super) calibration: &'a Calibration,
    pub(super) system: &'a System,
    /// What is recommended: edges and proxies stand where it has them.
    pub(super) target: Option<&'a Deployment>,
    /// Today's peak, or the load that is carried, as a standby follows it; none where nothing is.
    pub(super) peak: Option<&'a Prediction>,
    /// Whether something is missed beside the work.
    pub(super) looks_beside: bool,
}

/// The newest release that is known, where it runs on the deployment's system.
fn newest(deployment: &Deployment) -> Option<Release> {
    let newest = Release::newest();
    newest.is_known_on(&deployment.system).then_some(newest)
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
        let fits = provision_new(self.site, self.catalog, self.system, &mut made.deployment, &new);
        fits.then_some(made)
    }

    fn act(&self, action: &Action, made: &mut Made, new: &mut Vec<SetId>) -> Option<()> {
        let Made { deployment, load, .. } = made;
        match action {
            Action::OwnDrives { roles, medium, drives, raid } => {
                self.own_drives(deployment, roles, medium.as_ref(), (*drives, raid), new)
            }
            Action::FlashDrives { medium, drives, raid } => self.flash_drives(deployment, medium, (*drives, raid), new),
            Action::CloudMedium { roles, class } => self.cloud_medium(deployment, roles, *class, new),
            Action::CloudVolumes { roles, class } => self.cloud_volumes(deployment, roles, *class, new),
            Action::Array { roles, array } => self.array(deployment, roles, array),
            // An instance has the network of its size; more memory is a larger instance.
            Action::ClientNetwork(_) | Action::ClientLinks(_) if self.is_instance(deployment) => None,
            Action::ClientNetwork(network) => self.client_network(deployment, network),
            Action::ClientLinks(times) => {
                let links = deployment.client_links * times;
                (links <= LINKS_MOST).then(|| deployment.client_links = links)
            }
            Action::Memory(times) => {
                // What can be ordered of it.
                let more = Bytes::new(deployment.memory * times);
                deployment.memory = memory_to_buy(self.catalog, deployment, more).get();
                Some(())
            }
            Action::Processor { family, cores } => self.processor(deployment, family.as_ref(), *cores),
            Action::Server => self.server(deployment),
            Action::OperatingSystem(system) => self.operating_system(deployment, system),
            Action::Release => {
                let is_old = !deployment.release.lockless();
                let newest = newest(deployment).filter(|_| is_old)?;
                deployment.release = newest;
                deployment.read_locks = ReadLocks::Few;
                Some(())
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
                let places = self.offices_for_proxies();
                self.proxies(deployment, places)
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
            _ => self.maintain(action, made),
        }
    }

    /// What changes nothing but failures and checkpoints, where something is missed beside the work.
    fn maintain(&self, action: &Action, made: &mut Made) -> Option<()> {
        let Made { deployment, upkeep, load } = made;
        let locks = |group: &Group| group.clients == Clients::LiveCheckpoints;
        if !self.looks_beside && !load.groups.iter().any(locks) {
            return None;
        }
        match action {
            Action::ParallelCheckpoints => {
                let has_any = deployment.release.has(Feature::ParallelCheckpoints);
                let is_next = deployment.release.lockless() && !has_any;
                deployment.release = newest(deployment).filter(|_| is_next)?;
                let by_day = self.site.workload.live_checkpoints_per_day.is_some();
                if !by_day && self.ends_at_night(deployment, load) {
                    load.groups.retain(|group| !locks(group));
                }
                Some(())
            }
            Action::OfflineCheckpoints => {
                load.groups.retain(|group| !locks(group));
                std::mem::take(&mut upkeep.is_live).then_some(())
            }
            Action::Rebuild => {
                let out_of_order = self.site.data.db_out_of_order.value.get();
                let helps = out_of_order > 0.0 && !upkeep.is_rebuilt;
                // What was timed is the old one.
                load.dump.takes = None;
                helps.then(|| upkeep.is_rebuilt = true)
            }
            Action::Standby => {
                let has_one = self.site.protection.backup.value == Backup::Replica;
                let is_new = !has_one && deployment.standby.is_none();
                let known = (self.site, self.catalog, &*self.system.sizes);
                let peak = self.peak.filter(|_| is_new)?;
                *deployment = standby::placed(known, deployment, peak)?;
                load.groups.retain(|group| !locks(group));
                upkeep.is_live = false;
                Some(())
            }
            _ => None,
        }
    }

    /// Whether a checkpoint by several threads ends within the night, as many times as fast as is estimated of the one that is stated.
    fn ends_at_night(&self, deployment: &Deployment, load: &Load) -> bool {
        let (site, catalog, calibration) = (self.site, self.catalog, self.calibration);
        let times = calibration.posterior.standing().times();
        let found = estimates(site, deployment, load, catalog, calibration, &times);
        let jobs = [Job::CheckpointParallel, Job::CheckpointLive];
        let [Some(parallel), Some(live)] = jobs.map(|job| found.time(job)) else {
            return false;
        };
        let takes = load.dump.takes.unwrap_or(live.value);
        takes * parallel.value / live.value <= site.protection.night_window.value.get()
    }

    /// Offices that get a proxy: those of the target where it has any in offices, else all.
    fn offices_for_proxies(&self) -> Vec<ProxyPlace> {
        let target = self.target.map(|target| &target.proxies);
        let wanted = target.map(|proxies| proxies.iter().map(|proxy| &proxy.place));
        let wanted: Vec<&ProxyPlace> = wanted.into_iter().flatten().collect();
        let in_offices = |place: &&ProxyPlace| matches!(place, ProxyPlace::Office(_));
        let is_wanted = |place: &ProxyPlace| !wanted.iter().any(in_offices) || wanted.contains(&place);
        let offices = self.system.choices.offices.iter();
        let places = offices.cloned().map(ProxyPlace::Office);
        places.filter(is_wanted).collect()
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

    pub(super) fn is_instance(&self, deployment: &Deployment) -> bool {
        let server = self.catalog.servers.get(&deployment.server);
        server.is_some_and(|server| server.form == Form::Instance)
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
        server.is_some_and(|server| server.systems.contains(&system)) && !(has_drives && self.is_instance(deployment))
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
            systems.iter().any(|id| id == system) || next_server::is_left_behind(self.catalog, &deployment.system);
        if deployment.system == system || !is_allowed {
            return None;
        }
        let here = filesystems(site, self.catalog);
        let here = here.iter().filter_map(|id| self.catalog.filesystems.get(id));
        let here: Vec<&Filesystem> = here.filter(|fs| runs(&fs.systems)).collect();
        let usual = here.iter().find(|fs| fs.entry.id == "xfs").or(here.first())?;
        let lists = [&mut deployment.volumes, &mut deployment.office_volumes, &mut deployment.edge_volumes];
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

    /// Another processor or more cores; nothing where the processor is at least as fast and there are no more cores.
    fn processor(&self, deployment: &mut Deployment, family: Option<&String>, times: f64) -> Option<()> {
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
            // Where another server is planned, that one is the change.
            if self.site.today.model.is_some() {
                return None;
            }
            // The model that is there has no such processor where it runs a system that none has today.
            if next_server::is_left_behind(self.catalog, &deployment.system) {
                let server = next_server::present(self.catalog, deployment.cores)?;
                deployment.server.clone_from(&server.entry.id);
                deployment.bits = server.bits.value;
                deployment.memory = deployment.memory.max(server.memory.value.get());
                deployment.cores = server.cores.value;
            }
            deployment.processor = Some(family.clone());
            deployment.clock = None;
        }
        deployment.cores *= times;
        Some(())
    }

    /// An edge in each distant office as far as the site accepts edges, or in those in which the recommended layout has one.
    fn edges(&self, deployment: &mut Deployment) -> Option<()> {
        let System { layout, choices, .. } = self.system;
        let most = self.site.infrastructure.edges_max.value as usize;
        let mut choices = choices.clone();
        let target = self.target.map(|target| &target.offices);
        if let Some(wanted) = target.filter(|offices| !offices.is_empty()) {
            choices.offices.clone_from(wanted);
        }
        let offices = choices.offices.len().min(most);
        if !deployment.release.edges() || offices <= deployment.offices.len() {
            return None;
        }
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
                let mut general = protocol.mount_options.iter().filter(|o| o.removes.is_empty());
                let more = general.find_map(|set| set.in_year(year).find(|o| o.starts_with("nconnect")));
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
