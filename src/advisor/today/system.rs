//! The system that is there: the site's `[today]` and `current_layout` as a deployment, with what nobody stated.

use std::borrow::Cow;

use super::volumes::{apart, filesystem, local, name_sets, unstated, volume, with_roles};
use crate::advisor::candidates::{self, Candidate, choices_for};
use crate::advisor::equip;
use crate::advisor::proxies;
use crate::advisor::ranking::{Ranked, solve_all};
use crate::advisor::rented;
use crate::advisor::rules::BUSY_DISKS;
use crate::advisor::search::Search;
use crate::advisor::sizing::Sizing;
use crate::advisor::stores::Limit;
use crate::calibration::Calibration;
use crate::catalog::layout::ROLES;
use crate::catalog::{Access, Called, Catalog, Entry, Feature, Layout, Volume};
use crate::origin::Origin;
use crate::site::{Answer, Server, Site, Today, TodayVolume};
use crate::system::capacity::{self, RoleSize};
use crate::system::disk_set::sets;
use crate::system::{Choices, Deployment, Lens, Mount, ResourceKind, SetId, bind, predict_through, role_in_words};
use crate::workload::{Clients, Load, from_site};

/// The id that stands in place of a layout's.
const ID: &str = "today";

/// The system that is there.
#[derive(Debug, Clone)]
pub struct System {
    /// What it is.
    pub deployment: Deployment,
    /// The layout that its volumes are.
    pub layout: Layout,
    /// What was chosen for it.
    pub choices: Choices,
    /// What it is asked to do at the peak.
    pub load: Load,
    /// Sizes of its volumes by role.
    pub sizes: Vec<RoleSize>,
    /// What no `[[today.volume]]` states, and where it is taken from.
    pub taken: Vec<Taken>,
    /// Whether nobody said what is there: everything on one volume is assumed.
    pub is_assumed: bool,
    /// Drives of the server that nobody counted, where its load needs more than are usually assumed: their number and medium.
    pub drives_for_load: Option<(f64, String)>,
}

/// Something that nobody stated of the system that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Of what: "database, log".
    pub of: String,
    /// What: "drives".
    pub what: &'static str,
    /// What is taken, ids as they are.
    pub value: String,
    /// From where: an answer of the site, a file of the catalogue.
    pub from: String,
}

/// Why there is no system to begin with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSystem {
    /// It cannot be had so.
    #[error("today's system cannot be as it is stated: {0}")]
    Impossible(String),
}

/// Makes the system that is there of a site's answers; drives that nobody counted are as many as its load needs. Where nobody
/// said what is there, everything lies on one volume.
pub fn system(site: &Site, catalog: &Catalog, calibration: &Calibration) -> Result<System, NoSystem> {
    let mut system = as_answered(site, catalog, calibration)?;
    system.carry_the_load(site, catalog, calibration);
    Ok(system)
}

/// The site with the server and the operating system that are there in place of those that are allowed next.
fn on_its_server<'s>(site: &'s Site, catalog: &Catalog) -> Cow<'s, Site> {
    let Today { model, operating_system, .. } = &site.today;
    if model.is_none() && operating_system.is_none() {
        return Cow::Borrowed(site);
    }
    let mut there = site.clone();
    let named = model.as_ref().and_then(|model| Some((model, catalog.servers.get(&model.value)?)));
    if let Some(server) = &site.today.server {
        there.server = Server::clone(server);
    } else if let Some((model, machine)) = named {
        there.server = there.server.on(machine, &model.origin);
    }
    if let Some(system) = operating_system {
        there.infrastructure.operating_systems.value = vec![system.value.clone()];
        // Those that are stated are for what comes next.
        there.infrastructure.filesystems = None;
    }
    Cow::Owned(there)
}

/// The same with the drives that are assumed.
pub(in crate::advisor) fn as_answered(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Result<System, NoSystem> {
    let site = &*on_its_server(site, catalog);
    let mut system = on_its_volumes(site, catalog, calibration)?;
    rented::without_credits(catalog, calibration, &mut system.deployment, &system.load);
    let proxies = proxies::of_today(site, catalog);
    system.deployment.proxies.clone_from(&proxies);
    system.choices.proxies = proxies;
    Ok(system)
}

/// The same without proxies.
fn on_its_volumes(site: &Site, catalog: &Catalog, calibration: &Calibration) -> Result<System, NoSystem> {
    let load = load(site);
    let sizes = capacity::sizes(site, &load, catalog, calibration);
    let current = site.infrastructure.current_layout.as_ref();
    let base = current.and_then(|id| Some((id, catalog.layouts.get(&id.value)?)));
    let base = match base {
        None => None,
        Some((answer, layout)) => {
            let found = of_layout(site, catalog, calibration, layout, &load, &sizes);
            if found.is_err() && is_one_volume(layout) && site.today.volumes.is_empty() {
                // A server without drives of its own, as those of clouds: one volume of the storage that it has.
                return built(site, catalog, None, &[one_volume(site)], load, sizes);
            }
            let candidate = found?;
            let from = format!("the layout {} (infrastructure.current_layout, {})", answer.value, answer.origin);
            Some(Base { layout, candidate, from })
        }
    };
    let stated = &site.today.volumes;
    let Some(base) = base else {
        if stated.is_empty() {
            let mut system = built(site, catalog, None, &[one_volume(site)], load, sizes)?;
            system.is_assumed = true;
            return Ok(system);
        }
        return built(site, catalog, None, stated, load, sizes);
    };
    if !stated.is_empty() {
        return built(site, catalog, Some(&base), stated, load, sizes);
    }
    let taken = base.candidate.deployment.volumes.iter();
    let taken = taken.map(|mount| Taken {
        of: words(&mount.roles),
        what: "the whole volume",
        value: catalog.arrays.called(&mount.device).to_owned(),
        from: base.from.clone(),
    });
    Ok(System {
        is_assumed: false,
        drives_for_load: None,
        taken: taken.collect(),
        layout: base.layout.clone(),
        deployment: base.candidate.deployment,
        choices: base.candidate.choices,
        load,
        sizes,
    })
}

/// Whether a layout puts everything on one volume.
fn is_one_volume(layout: &Layout) -> bool {
    matches!(&layout.volumes[..], [volume] if volume.roles.len() == ROLES.len())
}

/// What is assumed where nobody said what is there: everything on one volume of the storage that the site names first.
fn one_volume(site: &Site) -> TodayVolume {
    let storage = &site.infrastructure.storage;
    let own = site.equipment.first().map(|own| &own.id);
    let first = storage.value.first().filter(|_| storage.is_stated()).or(own);
    TodayVolume {
        roles: ROLES.map(str::to_owned).to_vec(),
        medium: None,
        array: first.map(|id| Answer {
            value: id.clone(),
            low: id.clone(),
            high: id.clone(),
            origin: storage.origin.clone(),
        }),
        protocol: None,
        drives: None,
        drive_size: None,
        raid: None,
        filesystem: None,
        mount_options: None,
    }
}

/// The load of today: with the checkpoint of the night that locks the tables into the day, without builds that read from a replica,
/// with the threads of parallel syncs that are stated, which no release before 2014.1 has.
pub(in crate::advisor) fn load(site: &Site) -> Load {
    let mut load = from_site::load(site);
    load.groups.extend(from_site::checkpoint_into_the_day(site));
    if site.today.build_replica.as_ref().is_some_and(|has| has.value) {
        let builds = site.workload.automation_share.value.get();
        load.groups.retain(|group| group.clients != Clients::Automation);
        for group in &mut load.groups {
            if group.clients == Clients::LargeSyncs {
                group.arrival = group.arrival.scaled(1.0 - builds);
                group.of_builds = 0.0;
            }
        }
    }
    let stated = site.today.parallel_threads.as_ref();
    let has_any = site.server.release.value.has(Feature::ParallelSyncs);
    if let Some(threads) = stated.filter(|_| has_any) {
        for group in &mut load.groups {
            if group.clients.are_large_syncs() {
                group.threads = threads.value.max(1.0);
            }
        }
    }
    load
}

/// The layout nearest to today's, as the site has it.
pub(super) struct Base<'c> {
    pub(super) layout: &'c Layout,
    pub(super) candidate: Candidate,
    /// Where it is named.
    pub(super) from: String,
}

impl Base<'_> {
    /// The volume that holds most of these roles, as the layout has it and as it is bound.
    pub(super) fn like(&self, roles: &[&'static str]) -> Option<(&Volume, &Mount)> {
        let role = roles.iter().find(|role| self.layout.volume(role).is_some())?;
        let mount = self.candidate.deployment.mount(role)?;
        Some((self.layout.volume(role)?, mount))
    }
}

/// The best that the site makes of a layout; for one that the site cannot build, what its own devices need.
fn of_layout(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    layout: &Layout,
    load: &Load,
    sizes: &[RoleSize],
) -> Result<Candidate, NoSystem> {
    /// Part of the load at which one of what the site makes of the layout is taken for what is there: that does not depend on how
    /// much it has to do, and nothing is overloaded then.
    const LIGHT: f64 = 0.1;
    let (mut own, _) = candidates::of_layout(site, catalog, layout);
    // Edges are there where the layout has them.
    let edges = |candidate: &Candidate| candidate.deployment.edges;
    let fewest = own.iter().map(edges).min();
    own.retain(|candidate| Some(edges(candidate)) == fewest);
    let light = load.scaled(LIGHT);
    let Ranked { solved, failed, .. } =
        solve_all(&Search::of_today((site, catalog, calibration), &light, sizes), &own, &[]);
    let solved = solved.into_iter().map(|(solved, _)| solved.candidate);
    let failed = failed.into_iter().map(|(candidate, _)| candidate);
    if let Some(mut found) = solved.chain(failed).next() {
        equip::as_there(site, catalog, &mut found);
        // What is there has the drives that are stated, not those that would be bought.
        if !site.server.are_drives_open()
            && let Ok(there) = bind(catalog, layout, &found.choices)
        {
            found.deployment = there;
            Sizing::of(site, catalog, sizes).provision_there(&mut found.deployment);
        }
        return Ok(found);
    }
    let impossible = |reason: String| NoSystem::Impossible(reason);
    candidates::fixed(site, catalog, layout).map_err(|error| impossible(error.to_string()))
}

/// "database, log".
pub fn words(roles: &[&'static str]) -> String {
    let shown = roles.iter().filter(|role| **role != "offline_db");
    let shown: Vec<&str> = shown.map(|role| role_in_words(role)).collect();
    shown.join(", ")
}

/// The system of the volumes that are stated.
fn built(
    site: &Site,
    catalog: &Catalog,
    base: Option<&Base<'_>>,
    stated: &[TodayVolume],
    load: Load,
    sizes: Vec<RoleSize>,
) -> Result<System, NoSystem> {
    let mut taken = Vec::new();
    let mut volumes = Vec::new();
    let all = with_roles(stated, base, &mut taken);
    for (stated, roles) in &all {
        volumes.push(volume(site, catalog, base, stated, roles, &mut taken)?);
    }
    if let Some(base) = base {
        volumes.extend(unstated(catalog, base, &all, &mut taken));
    }
    apart(&mut volumes);
    let mut choices = base.map_or_else(|| choices_for(site, catalog), |base| base.candidate.choices.clone());
    choices.local = Some(local(site, &volumes, &choices));
    choices.filesystem = filesystem(site, catalog);
    let layout = Layout {
        entry: Entry {
            id: ID.to_owned(),
            title: "Today's system".to_owned(),
            name: "Today's system".to_owned(),
            ..Entry::default()
        },
        origin: Origin::Assumed { why: "stated as [today]".to_owned() },
        edges: vec![choices.edges],
        edges_on_own_disks: base.is_some_and(|base| base.layout.edges_on_own_disks),
        shared_depot: base.is_some_and(|base| base.layout.shared_depot),
        reference: true,
        cache: base.and_then(|base| base.layout.cache.clone()),
        volumes,
    };
    let deployment = bind(catalog, &layout, &choices);
    let mut deployment = deployment.map_err(|error| NoSystem::Impossible(error.to_string()))?;
    name_sets(&mut deployment.volumes);
    let mut candidate = Candidate { deployment, choices };
    let sizing = Sizing::of(site, catalog, &sizes);
    if site.server.are_drives_open() {
        sizing.provision(&mut candidate.deployment);
    } else {
        sizing.provision_there(&mut candidate.deployment);
    }
    let mut system = System {
        deployment: candidate.deployment,
        layout,
        choices: candidate.choices,
        load,
        sizes,
        taken,
        is_assumed: false,
        drives_for_load: None,
    };
    for (stated, roles) in &all {
        system.as_stated(catalog, stated, roles);
        system.note_drives(site, stated, roles);
    }
    Ok(system)
}

impl System {
    /// The store that does not hold today's data, or else one that is full before the horizon, in words; `None` where
    /// there is room.
    pub fn space(&self, site: &Site, catalog: &Catalog) -> Option<String> {
        let limits = self.stores(site, catalog);
        let too_small = limits.iter().find_map(Limit::too_small_today);
        too_small.or_else(|| limits.iter().find_map(Limit::fills))
    }

    /// Its stores.
    pub(super) fn stores(&self, site: &Site, catalog: &Catalog) -> Vec<Limit> {
        self.stores_of(site, catalog, &self.deployment)
    }

    /// Those of it as it is changed; none where nobody stated the size of a drive: nobody can say that they are full.
    pub(super) fn stores_of(&self, site: &Site, catalog: &Catalog, deployment: &Deployment) -> Vec<Limit> {
        let mut volumes = site.today.volumes.iter();
        if volumes.any(|volume| volume.drive_size.is_some()) {
            Sizing::of(site, catalog, &self.sizes).capacity(deployment)
        } else {
            Vec::new()
        }
    }

    /// A system that runs has the drives for its load: where nobody counted those of the server, as many as keep them below the
    /// limit of a rule ([`BUSY_DISKS`]), of the medium at the other end of its range where no number of those that are
    /// assumed does. Unchanged where none is enough.
    fn carry_the_load(&mut self, site: &Site, catalog: &Catalog, calibration: &Calibration) {
        /// More than a server and its shelves hold (`today.volume.drives`).
        const DRIVES_MOST: f64 = 1000.0;
        if !site.server.are_drives_open() {
            return;
        }
        let stated = |mount: &Mount| {
            let mut volumes = site.today.volumes.iter();
            volumes.find(|v| v.roles.iter().any(|r| mount.roles.iter().any(|m| m == r)))
        };
        let is_open = |mount: &Mount| mount.is_local() && stated(mount).is_none_or(|volume| volume.drives.is_none());
        let has_open_medium = |mount: &Mount| {
            !site.server.local_medium.is_stated() && stated(mount).is_none_or(|volume| volume.medium.is_none())
        };
        let other = site.server.local_medium.high.clone();
        let with = |times: f64, medium: Option<&String>| {
            let mut deployment = self.deployment.clone();
            for mount in deployment.volumes.iter_mut().filter(|mount| is_open(mount)) {
                // Mirrors and stripes of mirrors take them in pairs.
                mount.disks = match times {
                    1.0 => mount.disks,
                    times => (mount.disks * times / 2.0).ceil() * 2.0,
                };
                if let Some(medium) = medium.filter(|_| has_open_medium(mount)) {
                    mount.medium.clone_from(medium);
                }
            }
            deployment
        };
        let is_enough = |deployment: &Deployment| {
            let lens = Lens::forgetful();
            let found = predict_through(lens, deployment, &self.load, catalog, calibration);
            found.is_ok_and(|found| {
                let mut busy = found.resources.iter();
                !busy.any(|r| r.resource.kind() == ResourceKind::Disks && r.utilization > BUSY_DISKS)
            })
        };
        let volumes = self.deployment.volumes.iter();
        let open = volumes.filter(|mount| is_open(mount));
        let most = open.map(|mount| mount.disks).fold(0.0, f64::max);
        if most == 0.0 || is_enough(&self.deployment) {
            return;
        }
        let all = DRIVES_MOST / most;
        let media = [None, Some(&other)].into_iter();
        let mut media = media.filter(|medium| is_enough(&with(all, *medium)));
        let Some(medium) = media.next() else { return };
        let (mut few, mut enough) = (1.0, all);
        if is_enough(&with(few, medium)) {
            enough = few;
        }
        while enough - few > 1.0 / most {
            let middle = f64::midpoint(few, enough);
            if is_enough(&with(middle, medium)) {
                enough = middle;
            } else {
                few = middle;
            }
        }
        self.deployment = with(enough, medium);
        let mounts = self.deployment.volumes.iter();
        let Some(mount) = mounts.filter(|m| is_open(m)).max_by(|a, b| a.disks.total_cmp(&b.disks)) else {
            return;
        };
        self.drives_for_load = Some((mount.disks, mount.medium.clone()));
        if let Some((_, drives)) = &mut self.choices.local {
            *drives = mount.disks;
        }
        for taken in self.taken.iter_mut().filter(|taken| taken.what == "drives") {
            if taken.of == words(&mount.roles) {
                taken.value = format!("{}", mount.disks);
                "nobody stated them: as many as the load needs".clone_into(&mut taken.from);
            }
        }
    }

    /// Gives a volume what is stated of it and no layout can say.
    fn as_stated(&mut self, catalog: &Catalog, stated: &TodayVolume, roles: &[&'static str]) {
        let mounts = self.deployment.volumes.iter();
        let mut mounts = mounts.filter(|mount| roles.iter().any(|r| mount.roles.contains(r)));
        let Some(set) = mounts.next().map(|mount| mount.set.id) else {
            return;
        };
        for mount in self.deployment.on_set(set) {
            if let Some(drives) = &stated.drives {
                mount.disks = drives.value;
            }
            if let Some(size) = &stated.drive_size {
                mount.disk_bytes = size.value.get();
                mount.bought = rented::of_size(catalog, mount).or(mount.bought);
            }
            let is_mine = roles.iter().any(|role| mount.roles.contains(role));
            let is_export = mount.access(catalog) == Access::File;
            if is_mine && is_export {
                mount.stated_options.clone_from(&stated.mount_options);
            }
        }
    }

    /// Notes the drives of a volume that states none.
    fn note_drives(&mut self, site: &Site, stated: &TodayVolume, roles: &[&'static str]) {
        let mut mounts = self.deployment.volumes.iter();
        let mount = mounts.find(|m| roles.iter().any(|r| m.roles.contains(r)));
        let Some(mount) = mount.filter(|_| stated.drives.is_none()) else {
            return;
        };
        let from = if mount.is_local() {
            let disks = &site.server.local_disks;
            format!("server.local_disks = {} ({})", disks.value, disks.origin)
        } else {
            format!("models/arrays/{}.toml", mount.device)
        };
        self.taken.push(Taken { of: words(roles), what: "drives", value: format!("{}", mount.disks), from });
    }
}

/// Gives the drives that were added to a deployment what their volumes need at the horizon; what is there stays. False where more
/// drives are added than fit in the server, or these do not hold today's data.
pub(super) fn provision_new(
    site: &Site,
    catalog: &Catalog,
    system: &System,
    deployment: &mut Deployment,
    new: &[SetId],
) -> bool {
    let mut larger = deployment.clone();
    let sizing = Sizing::of(site, catalog, &system.sizes);
    sizing.provision(&mut larger);
    for (mount, larger) in deployment.volumes.iter_mut().zip(larger.volumes) {
        if new.contains(&mount.set.id) {
            mount.disk_bytes = larger.disk_bytes;
            mount.disks = mount.disks.max(larger.disks);
        }
    }
    if system.deployment.offices != deployment.offices {
        deployment.office_volumes = larger.office_volumes;
    }
    let added = deployment.volumes.iter().filter(|m| m.is_local() && new.contains(&m.set.id));
    let drives: f64 = sets(added).iter().map(|mount| mount.disks).sum();
    let mut full = sizing.capacity(deployment).into_iter().filter(|limit| new.contains(&limit.set));
    drives <= sizing.bays(&deployment.server) && full.all(|limit| limit.too_small_today().is_none())
}
