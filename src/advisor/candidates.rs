//! Every deployment that the site allows, and the dropped layouts with the reasons.

use std::collections::BTreeSet;

use super::drives;
use crate::catalog::{
    Access, Array, Called, Catalog, Layout, Place, Protocol, Provider, ReadLocks, Server, Volume, usual_server,
};
use crate::site::{Office, Site};
use crate::system::{BindError, Choices, Deployment, LOCAL_DISKS, Mount, OfficeDisks};

/// A deployment that may be recommended.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The layout bound to things.
    pub deployment: Deployment,
    /// What was chosen for it.
    pub choices: Choices,
}

/// A layout that was not even solved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// The layout's id.
    pub layout: String,
    /// Why.
    pub reason: String,
    /// How many drives it needs in the server, where that is the reason; else 0.
    pub drives: u64,
}

/// The server model of a site: its own, or the usual one of its time.
fn server<'c>(site: &Site, catalog: &'c Catalog) -> &'c str {
    let own = site.server.model.as_ref().map(|m| m.value.as_str());
    let own = own.and_then(|id| catalog.servers.get(id));
    own.map_or_else(|| usual_model(site, catalog), |server| &server.entry.id)
}

/// The usual server model of a site's time.
pub(super) fn usual_model<'c>(site: &Site, catalog: &'c Catalog) -> &'c str {
    let systems = &site.infrastructure.operating_systems.value;
    let usual = usual_server(catalog.servers.values(), site.server.release.value, systems);
    usual.map_or("present-16c", |server| &server.entry.id)
}

/// The family of a server's processor, as the site has it; none where the costs of an older model's generation hold:
/// those of releases before 2013.3, whose commit cost more, are in the generations.
fn processor(site: &Site, server: Option<&Server>) -> Option<String> {
    let server = server?;
    let answer = site.server.processor.as_ref();
    let is_named = site.names_server();
    let counts = server.is_of_today() || !is_named && site.server.release.value.lockless();
    match answer.filter(|_| counts) {
        Some(answer) => Some(answer.value.clone()),
        None => server.processor().map(str::to_owned),
    }
}

/// The clock that the site or its named model states \[Hz\].
fn clock(site: &Site) -> Option<f64> {
    let is_named = site.names_server();
    let answer = site.server.clock.as_ref();
    let stated = answer.filter(|clock| is_named || clock.is_stated());
    stated.map(|clock| clock.value.get())
}

/// The choices of a site before arrays, filesystems and edges are picked.
pub fn choices_for(site: &Site, catalog: &Catalog) -> Choices {
    let infrastructure = &site.infrastructure;
    let storage_network = infrastructure.storage_network.value.clone();
    let kind = catalog.networks.get(&storage_network).map(|n| n.kind);
    let old = site.server.release.value.year() < 2014;
    let networks = if kind == Some("fibre-channel") {
        (infrastructure.client_network.value.clone(), storage_network)
    } else {
        (storage_network, if old { "fc-4g" } else { "fc-8g" }.to_owned())
    };
    let server = server(site, catalog);
    let speaks_local = infrastructure.protocols.value.iter().any(|p| p == "local");
    let disks = site.server.local_disks.value;
    Choices {
        server: server.to_owned(),
        memory: site.server.ram.value.get(),
        edge_memory: site.edge.ram.value.get(),
        cores: site.server.cores.value,
        processor: processor(site, catalog.servers.get(server)),
        clock: clock(site),
        edges: 0,
        local: (speaks_local && has_drives(site) && !is_rented(site, catalog))
            .then(|| (site.server.local_medium.value.clone(), disks)),
        block: None,
        file: None,
        object: None,
        provider: provider(site, catalog).map(|provider| provider.entry.id.clone()),
        filesystem: "xfs".to_owned(),
        systems: infrastructure.operating_systems.value.clone(),
        bits: site.server.bits.value,
        networks,
        client_network: infrastructure.client_network.value.clone(),
        client_links: infrastructure.client_links.value,
        offices: offices(site),
        proxies: Vec::new(),
        office_disks: (site.edge.local_disks.value >= 1.0).then(|| OfficeDisks {
            medium: site.edge.local_medium.value.clone(),
            disks: site.edge.local_disks.value,
            drive: site.edge.drive_size.as_ref().map(|size| size.value.get()),
        }),
        bought: Vec::new(),
        cache: None,
        write_cache: site.server.write_cache.value,
        dedicated: infrastructure.dedicated.value,
        is_virtual: site.server.is_virtual.as_ref().is_some_and(|is| is.value),
        release: site.server.release.value,
        read_locks: ReadLocks::of(site.server.release.value, site.server.peeking.value),
        shared_access: site.criteria.direct_file_access.value > 0.0,
        tuned_mounts: true,
    }
}

/// Whether the server has drives, or the site says how many of those that it offers there are, if none.
fn has_drives(site: &Site) -> bool {
    let drives = &site.server.local_disks;
    let mut storage = site.infrastructure.storage.value.iter();
    drives.value >= 1.0 || drives.is_stated() && storage.any(|id| id == LOCAL_DISKS)
}

/// Whether the server is an instance of a cloud though no model is named: volumes of a provider are among its storage, drives
/// of its own are not, and nobody stated any. Such an instance has none.
fn is_rented(site: &Site, catalog: &Catalog) -> bool {
    let storage = &site.infrastructure.storage;
    let has = |id: &str| storage.value.iter().any(|one| one == id);
    let is_named = site.names_server();
    storage.is_stated()
        && provider(site, catalog).is_some()
        && !has(LOCAL_DISKS)
        && !is_named
        && site.server.are_drives_open()
}

/// The provider whose block service is among the site's storage.
pub(super) fn provider<'c>(site: &Site, catalog: &'c Catalog) -> Option<&'c Provider> {
    let storage = &site.infrastructure.storage.value;
    storage.iter().find_map(|id| catalog.providers.values().find(|provider| provider.block == *id))
}

/// Offices that are not in the same town, in the order in which they get an edge: first those where it saves people
/// most waiting, however the offices are listed.
fn offices(site: &Site) -> Vec<String> {
    let offices = site.people.sites.iter();
    let mut distant: Vec<_> = offices.filter(|o| o.is_distant() && o.has_room()).collect();
    let saved = |office: &Office| office.developers.value * office.round_trip.value.get();
    distant.sort_by(|a, b| {
        let most = saved(b).total_cmp(&saved(a));
        most.then_with(|| a.name.cmp(&b.name))
    });
    distant.into_iter().map(|o| o.name.clone()).collect()
}

/// Array and protocol pairs of one access that the site has.
pub(super) fn stores(site: &Site, catalog: &Catalog, access: Access) -> Vec<(String, String)> {
    let allowed = &site.infrastructure.protocols.value;
    let mut pairs = Vec::new();
    for id in &site.infrastructure.storage.value {
        let Some(array) = catalog.arrays.get(id) else {
            continue;
        };
        for protocol in array.protocols.iter().filter(|p| allowed.contains(p)) {
            if catalog.protocols.get(protocol).is_some_and(|p| p.access == access && runs(site, &p.systems)) {
                pairs.push((id.clone(), protocol.clone()));
            }
        }
    }
    pairs
}

/// The arrays of a site on which no layout can put a volume, each with the reason.
pub(super) fn unused_arrays(site: &Site, catalog: &Catalog) -> Vec<(String, String)> {
    let (found, dropped) = candidates(site, catalog);
    let mounts = || found.iter().flat_map(|c| &c.deployment.volumes);
    let named = site.infrastructure.storage.value.iter();
    // The server's own disks are no array: each layout states what it needs of them.
    let named = named.filter(|id| *id != LOCAL_DISKS);
    let unused = named.filter(|id| !mounts().any(|mount| mount.device == **id));
    let arrays = unused.filter_map(|id| Some((id, catalog.arrays.get(id)?)));
    arrays.map(|(id, array)| (id.clone(), why_unused(site, catalog, array, &dropped))).collect()
}

/// Why no layout puts a volume on an array.
fn why_unused(site: &Site, catalog: &Catalog, array: &Array, dropped: &[Dropped]) -> String {
    let allowed = &site.infrastructure.protocols.value;
    let spoken = protocols_in_words(catalog, &array.protocols);
    let open: Vec<&String> = array.protocols.iter().filter(|p| allowed.contains(p)).collect();
    if open.is_empty() {
        let allowed = protocols_in_words(catalog, allowed);
        return format!("it supports {spoken}, but infrastructure.protocols allows only {allowed}");
    }
    let protocols = open.iter().filter_map(|id| catalog.protocols.get(*id));
    let usable: Vec<&Protocol> = protocols.filter(|p| runs(site, &p.systems)).collect();
    if usable.is_empty() {
        let systems = site.infrastructure.operating_systems.value.join(", ");
        return format!("p4d on {systems} cannot use {spoken}");
    }
    let takes = |place: Place| match place {
        Place::Block => usable.iter().any(|p| p.access == Access::Block),
        Place::File => usable.iter().any(|p| p.access == Access::File),
        Place::Object => usable.iter().any(|p| p.access == Access::Object),
        // These have their store by name.
        Place::Local | Place::Cloud => false,
    };
    let out = dropped.iter().find(|out| {
        let layout = catalog.layouts.get(&out.layout);
        layout.is_some_and(|l| l.volumes.iter().any(|v| takes(v.place)))
    });
    match out {
        Some(Dropped { layout, reason, .. }) => {
            let layout = catalog.layouts.called(layout);
            format!("the layouts for {spoken} are excluded; \"{layout}\", for example: {reason}")
        }
        None => format!("no layout has a volume for an array with {spoken}"),
    }
}

/// Whether the site runs one of these operating systems.
fn runs(site: &Site, systems: &[&str]) -> bool {
    let have = &site.infrastructure.operating_systems.value;
    systems.iter().any(|s| have.iter().any(|h| h == s))
}

/// Filesystems of the operating systems that the site runs.
pub(super) fn filesystems(site: &Site, catalog: &Catalog) -> Vec<String> {
    let systems = &site.infrastructure.operating_systems.value;
    let wanted = site.infrastructure.filesystems.as_ref().map(|f| &f.value);
    catalog
        .filesystems
        .values()
        .filter(|fs| fs.is_on(systems, site.server.release.value.year()))
        .filter(|fs| wanted.is_none_or(|ids| ids.contains(&fs.entry.id)))
        .map(|fs| fs.entry.id.clone())
        .collect()
}

/// Enumerates layouts × arrays and protocols × filesystems × caches × edges.
pub fn candidates(site: &Site, catalog: &Catalog) -> (Vec<Candidate>, Vec<Dropped>) {
    let mut found: Vec<Candidate> = Vec::new();
    let mut known = BTreeSet::new();
    let mut dropped = Vec::new();
    let base = choices_for(site, catalog);
    for layout in catalog.layouts.values().filter(|l| !l.reference) {
        let before = found.len();
        let mut reasons: Vec<String> = Vec::new();
        let mut drives = 0;
        for choices in variants(site, catalog, layout, &base, &mut reasons) {
            match drives::bound(site, catalog, layout, choices) {
                Ok(candidate) => {
                    if known.insert(built(&candidate.deployment)) {
                        found.push(candidate);
                    }
                }
                Err(error) => {
                    if let BindError::TooFewDrives { needed, .. } = error {
                        drives = needed;
                    }
                    reasons.push(error.to_string());
                }
            }
        }
        if found.len() == before {
            reasons.dedup();
            let reason = reasons
                .first()
                .cloned()
                .unwrap_or_else(|| "with this site's equipment it is the same as another layout".to_owned());
            dropped.push(Dropped { layout: layout.entry.id.clone(), reason, drives });
        }
    }
    (found, dropped)
}

/// Whether any layout of a site has volumes of a cloud.
pub fn can_rent(site: &Site, catalog: &Catalog) -> bool {
    let (found, _) = candidates(site, catalog);
    let mut volumes = found.iter().flat_map(|one| &one.deployment.volumes);
    volumes.any(Mount::is_cloud)
}

/// How many kinds of storage that a layout needs the site does not have at all, whatever the protocols: those with the fewest
/// come nearest to what it has.
pub(super) fn lacking(site: &Site, catalog: &Catalog, layout: &str) -> usize {
    let storage = &site.infrastructure.storage.value;
    let has = |id: &str| storage.iter().any(|one| one == id);
    let serves = |access: Access| {
        let arrays = storage.iter().filter_map(|id| catalog.arrays.get(id));
        let mut protocols = arrays.flat_map(|array| &array.protocols);
        protocols.any(|id| catalog.protocols.get(id).is_some_and(|p| p.access == access))
    };
    let is_there = |volume: &Volume| match (&volume.device, volume.place) {
        (Some(device), _) => has(device),
        (None, Place::Local) => has(LOCAL_DISKS),
        (None, Place::Cloud) => provider(site, catalog).is_some(),
        (None, Place::Block) => serves(Access::Block),
        (None, Place::File) => serves(Access::File),
        (None, Place::Object) => serves(Access::Object),
    };
    let volumes = catalog.layouts.get(layout).map(|layout| &layout.volumes);
    let lacking = volumes.into_iter().flatten().filter(|v| !is_there(v));
    lacking.count()
}

/// Every deployment of one layout, and why there is none.
pub(super) fn of_layout(site: &Site, catalog: &Catalog, layout: &Layout) -> (Vec<Candidate>, Option<String>) {
    let mut reasons = Vec::new();
    let mut found = Vec::new();
    for choices in variants(site, catalog, layout, &choices_for(site, catalog), &mut reasons) {
        match drives::bound(site, catalog, layout, choices) {
            Ok(candidate) => found.push(candidate),
            Err(error) => reasons.push(error.to_string()),
        }
    }
    (found, reasons.into_iter().next())
}

/// A layout with devices of its own, on the site's server and networks.
pub(super) fn fixed(site: &Site, catalog: &Catalog, layout: &Layout) -> Result<Candidate, BindError> {
    let mut choices = choices_for(site, catalog);
    choices.edges = layout.edges.iter().copied().max().unwrap_or(0);
    if choices.local.is_none() {
        choices.local = Some((site.server.local_medium.value.clone(), site.server.local_disks.value));
    }
    drives::bound(site, catalog, layout, choices)
}

/// What two deployments have in common that differ only in the name of their layout.
fn built(d: &Deployment) -> impl Ord + use<> {
    let mounts = d.volumes.iter();
    let roles = mounts.flat_map(|m| m.roles.iter().map(move |role| (*role, m)));
    let mut volumes: Vec<_> = roles
        .map(|(role, m)| {
            let on = (m.protocol.clone(), m.device.clone(), m.is_cloud().then(|| m.medium.clone()));
            let disks = (m.set.apart_for.clone(), m.raid.clone(), m.disks as u64);
            (role, on, disks, m.filesystem.clone())
        })
        .collect();
    volumes.sort();
    // Edges that have drives of their own differ from those that are built as the commit server.
    let own = d.edge_volumes.iter();
    let own: Vec<_> = own.map(|m| (m.roles.clone(), m.medium.clone())).collect();
    let shared = (d.shared_depot, d.cache.clone());
    (volumes, own, d.edges, shared)
}

fn variants(
    site: &Site,
    catalog: &Catalog,
    layout: &Layout,
    base: &Choices,
    reasons: &mut Vec<String>,
) -> Vec<Choices> {
    let uses = |place: Place| layout.volumes.iter().any(|v| v.place == place);
    if let Some(reason) = excluded(site, catalog, layout) {
        reasons.push(reason);
        return Vec::new();
    }
    let pairs = |place, access| {
        if uses(place) { stores(site, catalog, access).into_iter().map(Some).collect() } else { vec![None] }
    };
    let blocks: Vec<Option<(String, String)>> = pairs(Place::Block, Access::Block);
    let files: Vec<Option<(String, String)>> = pairs(Place::File, Access::File);
    let objects: Vec<Option<(String, String)>> = pairs(Place::Object, Access::Object);
    let offers = || offered(site, catalog);
    if blocks.is_empty() {
        reasons
            .push(format!("it needs an array that serves LUNs over an allowed protocol; this site has {}", offers()));
    }
    if files.is_empty() {
        reasons
            .push(format!("it needs a filer that serves exports over an allowed protocol; this site has {}", offers()));
    }
    if objects.is_empty() {
        reasons.push(format!("it needs an object store over an allowed protocol; this site has {}", offers()));
    }
    let all = filesystems(site, catalog);
    let fixed = layout.volumes.iter().find_map(|v| v.filesystem.clone());
    let filesystems = match fixed {
        Some(fixed) if all.contains(&fixed) => vec![fixed],
        Some(fixed) => {
            reasons.push(format!(
                "its filesystem {} does not run on this site's operating systems",
                catalog.filesystems.called(&fixed)
            ));
            Vec::new()
        }
        None if layout.volumes.iter().all(|v| v.place == Place::File) => vec!["xfs".to_owned()],
        // Beside those of the layouts that are made of one, no copy on write under a database.
        None => {
            let is_usual = |id: &String| !catalog.filesystems[id].copy_on_write;
            all.into_iter().filter(is_usual).collect()
        }
    };
    let mut choices = Vec::new();
    let mut stores = Vec::new();
    for block in &blocks {
        for file in &files {
            stores.extend(objects.iter().map(|object| (block, file, object)));
        }
    }
    for (block, file, object) in stores {
        for filesystem in &filesystems {
            for edges in edge_counts(site, layout, reasons) {
                for cache in caches(site, catalog, layout, block.as_ref().or(file.as_ref())) {
                    choices.push(Choices {
                        edges,
                        block: block.clone(),
                        file: file.clone(),
                        object: object.clone(),
                        filesystem: filesystem.clone(),
                        cache,
                        ..base.clone()
                    });
                }
            }
        }
    }
    choices
}

/// "Fibre Channel, NFS version 3".
pub(super) fn protocols_in_words(catalog: &Catalog, ids: &[String]) -> String {
    let names = ids.iter().map(|id| catalog.protocols.called(id));
    names.collect::<Vec<_>>().join(", ")
}

/// The arrays of a site with their protocols: "none", or "Acme box (Fibre Channel), and allows NFS version 3".
pub fn offered(site: &Site, catalog: &Catalog) -> String {
    let named = site.infrastructure.storage.value.iter();
    let arrays = named.filter(|id| *id != LOCAL_DISKS && catalog.provider_of(id).is_none());
    let arrays = arrays.filter_map(|id| catalog.arrays.get(id));
    let words: Vec<String> = arrays
        .map(|array| format!("{} ({})", array.entry.name, protocols_in_words(catalog, &array.protocols)))
        .collect();
    if words.is_empty() {
        return "none".to_owned();
    }
    let allowed = protocols_in_words(catalog, &site.infrastructure.protocols.value);
    format!("{}, and allows {allowed}", words.join(", "))
}

/// A reason that excludes a layout whatever is chosen for it.
fn excluded(site: &Site, catalog: &Catalog, layout: &Layout) -> Option<String> {
    let has = |id: &str| site.infrastructure.storage.value.iter().any(|s| s == id);
    let allows = |id: &str| site.infrastructure.protocols.value.iter().any(|p| p == id);
    for volume in &layout.volumes {
        if let Some(device) = volume.device.as_ref().filter(|d| !has(d)) {
            let device = catalog.arrays.called(device);
            return Some(format!("it needs {device}, which this site does not have"));
        }
        if let Some(protocol) = volume.protocol.as_ref().filter(|p| !allows(p)) {
            let protocol = catalog.protocols.called(protocol);
            return Some(format!("it needs {protocol}, which this site does not allow"));
        }
        if volume.place == Place::Local && has(LOCAL_DISKS) && !allows("local") {
            return Some(format!(
                "the drives in the server are reached by the protocol local, and infrastructure.protocols allows only {}",
                protocols_in_words(catalog, &site.infrastructure.protocols.value)
            ));
        }
        if volume.place == Place::Cloud && provider(site, catalog).is_none() {
            return Some("it needs block volumes of a provider, which this site does not have".to_owned());
        }
        if let Some(medium) = volume.medium.as_ref().filter(|_| volume.place == Place::Local)
            && !site.server.may_have(medium)
        {
            let [medium, has] = [medium, &site.server.local_medium.value].map(|id| catalog.media.called(id));
            return Some(format!("it needs {medium} in the server, and this site's server has {has}"));
        }
    }
    let cache = layout.cache.as_ref();
    let offered = |c: &String| site.infrastructure.caches.value.contains(c);
    cache
        .filter(|c| !offered(c))
        .map(|c| catalog.caches.called(c))
        .map(|c| format!("it needs {c}, which this site does not offer"))
}

fn edge_counts(site: &Site, layout: &Layout, reasons: &mut Vec<String>) -> Vec<u32> {
    let most = site.infrastructure.edges_max.value;
    let release = site.server.release.value;
    let counts: Vec<u32> =
        layout.edges.iter().copied().filter(|e| *e == 0 || (f64::from(*e) <= most && release.edges())).collect();
    if counts.is_empty() {
        reasons.push(if release.edges() {
            match most {
                0.0 => "it needs edge servers, which this site does not allow".to_owned(),
                most => format!("it needs edge servers, and this site allows at most {most}"),
            }
        } else {
            format!("it needs edge servers, which release {release} does not have")
        });
    }
    counts
}

fn caches(site: &Site, catalog: &Catalog, layout: &Layout, block: Option<&(String, String)>) -> Vec<Option<String>> {
    let mut caches = vec![None];
    if layout.cache.is_none()
        && let Some(array) = block.and_then(|(id, _)| catalog.arrays.get(id))
    {
        let offered = site.infrastructure.caches.value.iter();
        caches.extend(offered.filter(|c| array.cache_options.contains(c)).cloned().map(Some));
    }
    caches
}
