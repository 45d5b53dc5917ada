//! Capacity of each store: what it holds and needs, today and at the horizon, and what to buy.

use super::drives::{BAYS, beyond_stated};
use crate::catalog::{Catalog, Place};
use crate::site::{Answer, Site};
use crate::system::capacity::{RoleSize, provide};
use crate::system::disk_set::sets;
use crate::system::{Deployment, Interval, LOCAL_DISKS, Mount, SetId, role_in_words};
use crate::units::{Bytes, Growth, Seconds};

/// A store that fills up.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each asked by name"
)]
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// The store: its disks, with the edge where it is not the commit server's.
    pub store: String,
    /// Whose it is: "the commit server", "the edge in Lyon"; the array itself where several servers may lie on it.
    pub server: String,
    /// The set of disks.
    pub set: SetId,
    /// Its name.
    pub set_name: String,
    /// Its drives.
    pub drives: f64,
    /// What the site needs there today.
    pub needed_today: Bytes,
    /// The same by role, today and at the horizon.
    pub parts: Vec<(&'static str, [Bytes; 2])>,
    /// Further drives that hold that; 0 where it fits.
    pub more_today: f64,
    /// Further drives that hold what is needed at the horizon; 0 where it fits.
    pub more_at_horizon: f64,
    /// Usable capacity, data reduction included.
    pub usable: Bytes,
    /// Logical over physical bytes that this assumes.
    pub data_reduction: f64,
    /// Whether no drives can be added, as to a system that the site describes.
    pub is_fixed: bool,
    /// Whether nobody stated how large its drives are.
    pub is_assumed: bool,
    /// Whether sizes are shown in powers of 1000, as the site's are typed.
    pub in_powers_of_1000: bool,
    /// Whether it is enlarged while it is in use, as a provider's volume or service is.
    pub is_elastic: bool,
    /// What must be bought beyond the usual equipment, in words.
    pub to_buy: Option<String>,
    /// What the site needs there at the horizon.
    pub needed: Bytes,
    /// When it is full.
    pub full_in: Option<Seconds>,
    /// The answer by which most of what it holds grows.
    pub grows_by: &'static str,
}

/// Whose a store of the commit server is.
pub(super) const COMMIT: &str = "the commit server";
/// Whose a store of the edges is that are built alike.
pub(super) const LIKE_EDGES: &str = "each edge";

/// Relative excess that is an error of arithmetic: a store that was sized for what it needs holds it.
const EXACT: f64 = 1e-9;

impl Limit {
    /// What it needs and does not hold today, in words, with the drives to buy; `None` where it fits.
    pub(super) fn too_small_today(&self) -> Option<String> {
        (self.more_today > 0.0).then(|| {
            let words = self.lacks(self.needed_today, 0, self.more_today);
            if !self.is_fixed && self.more_at_horizon > self.more_today {
                format!(
                    "{words}, or {} to last until the horizon",
                    self.more_at_horizon
                )
            } else {
                words
            }
        })
    }

    /// What it needs at the horizon and does not hold, in words; `None` where it fits.
    pub(super) fn fills(&self) -> Option<String> {
        let is_full = self.more_at_horizon > 0.0;
        is_full.then(|| self.lacks(self.needed, 1, self.more_at_horizon))
    }

    /// `when` is 0 for today and 1 for the horizon.
    /// A size in the powers in which the site's own are typed.
    pub(super) fn shown(&self, bytes: Bytes) -> String {
        bytes.estimated_in(self.in_powers_of_1000)
    }

    fn lacks(&self, needed: Bytes, when: usize, more: f64) -> String {
        let parts = self.parts.iter();
        let parts: Vec<String> = parts
            .map(|(role, bytes)| format!("{} {}", role_in_words(role), self.shown(bytes[when])))
            .collect();
        if self.is_fixed {
            let lack = Bytes::new(needed.get() - self.usable.get());
            return format!(
                "{} holds {} and needs {} {} ({}, with free space): {} too little",
                self.server,
                self.shown(self.usable),
                self.shown(needed),
                ["today", "at the horizon"][when],
                parts.join(", "),
                self.shown(lack)
            );
        }
        format!(
            "{} holds {} on {} drives ({}) and needs {} {} ({}, with free space): buy {more} more drives",
            self.server,
            self.shown(self.usable),
            self.drives,
            self.set_name,
            self.shown(needed),
            ["today", "at the horizon"][when],
            parts.join(", ")
        )
    }
}

/// The longest time that is planned.
pub(super) const YEARS_MAX: f64 = 100.0;

/// What one role needs on a store.
#[derive(Debug)]
struct Part {
    role: &'static str,
    /// Bytes to provide today.
    now: f64,
    growth: Answer<Growth>,
    /// The field of that answer.
    field: &'static str,
}

/// What a set of disks has to provide.
#[derive(Debug)]
pub(super) struct Need {
    /// The store: its disks, with the edge where it is not the commit server's.
    pub(super) store: String,
    /// A volume on it.
    pub(super) mount: Mount,
    /// Whose it is.
    pub(super) server: usize,
    /// Whose it is, in words.
    of: String,
    parts: Vec<Part>,
}

impl Need {
    /// Bytes to provide in so many years: each part grows at its own rate.
    pub(super) fn at(&self, years: f64) -> f64 {
        self.grown(years, |growth| growth.value)
    }

    /// The most that it has to provide until the horizon, in so many years: today's where the data shrink. A sum of parts that
    /// grow or shrink steadily is largest at one of the ends.
    pub(super) fn until(&self, years: f64) -> f64 {
        self.at(0.0).max(self.at(years))
    }

    /// The same, with its range where growth was assumed.
    pub(super) fn interval_at(&self, years: f64) -> Interval {
        Interval {
            value: self.at(years),
            low: self.grown(years, |growth| growth.low),
            high: self.grown(years, |growth| growth.high),
        }
    }

    fn grown(&self, years: f64, rate: impl Fn(&Answer<Growth>) -> Growth) -> f64 {
        let time = Seconds::years(years);
        let parts = self.parts.iter();
        parts.map(|p| p.now * rate(&p.growth).over(time)).sum()
    }

    /// Bytes by role, today and in so many years.
    fn by_role(&self, years: f64) -> Vec<(&'static str, [Bytes; 2])> {
        let time = Seconds::years(years);
        let mut roles: Vec<(&'static str, [Bytes; 2])> = Vec::new();
        for part in &self.parts {
            let bytes = [part.now, part.now * part.growth.value.over(time)].map(Bytes::new);
            match roles.iter_mut().find(|(role, _)| *role == part.role) {
                Some((_, sum)) => *sum = [sum[0] + bytes[0], sum[1] + bytes[1]],
                None => roles.push((part.role, bytes)),
            }
        }
        roles
    }

    /// What takes most of it today.
    fn largest(&self) -> Option<&Part> {
        let parts = self.parts.iter();
        parts.max_by(|a, b| a.now.total_cmp(&b.now))
    }

    /// Years until it fills `usable` bytes; `None` beyond a century.
    fn years_to(&self, usable: f64) -> Option<f64> {
        if self.at(0.0) > usable * (1.0 + EXACT) {
            return Some(0.0);
        }
        if self.at(YEARS_MAX) < usable {
            return None;
        }
        let (mut before, mut after) = (0.0, YEARS_MAX);
        while after - before > 1e-3 {
            let middle = f64::midpoint(before, after);
            if self.at(middle) < usable {
                before = middle;
            } else {
                after = middle;
            }
        }
        Some(f64::midpoint(before, after))
    }
}

/// Logical over physical bytes of a store: that of its array, but for the binaries of depots, which p4d has compressed.
pub(super) fn reduction(site: &Site, catalog: &Catalog, need: &Need) -> f64 {
    let of_array = catalog.arrays[&need.mount.device].data_reduction.value;
    if !need.parts.iter().any(|part| part.role == "depot") {
        return of_array;
    }
    let binary = site.data.binary_share.value.get();
    1.0 / (binary + (1.0 - binary) / of_array)
}

/// Usable bytes of one mount's store with its disks, after data reduction.
pub(super) fn usable(site: &Site, catalog: &Catalog, mount: &Mount, need: &Need) -> f64 {
    let array = &catalog.arrays[&mount.device];
    let reduction = reduction(site, catalog, need);
    if !mount.is_private() {
        return array.usable.value.get() * reduction * mount.disks / array.disks.value;
    }
    let data = catalog.raid[&mount.raid].data_disks(mount.disks);
    mount.disk_bytes * data.max(1.0) * reduction
}

/// Bytes that each drive of a private set has to hold in so many years.
pub(super) fn per_drive(
    site: &Site,
    catalog: &Catalog,
    mount: &Mount,
    need: &Need,
    years: f64,
) -> f64 {
    let data = catalog.raid[&mount.raid].data_disks(mount.disks).max(1.0);
    need.until(years) / reduction(site, catalog, need) / data
}

/// An array that needs more than so many times its usual disks is the wrong array (assumed: three more
/// shelves or chassis).
const GROWN_MAX: f64 = 4.0;
/// Drives that are bought are at most about so many times as large as the usual one (assumed: two doublings in the life of
/// a drive series).
const LARGER_MAX: f64 = 4.0;

/// The size of a drive that has to hold so many bytes \[B\]: of those with a price the smallest that does, or else the largest.
/// Where no size has a price, the smallest that is sold, up to the largest, or else to that of two doublings; never smaller
/// than the usual one.
fn sold(site: &Site, catalog: &Catalog, mount: &Mount, bytes: f64, any: bool) -> f64 {
    // What has no price cannot be ordered.
    let priced = site.drive_sizes(&mount.medium);
    let holds = |size: &&f64| **size >= bytes * PRICED_LEAST;
    if let Some(size) = priced.iter().find(holds).or(priced.last()) {
        return *size;
    }
    if bytes <= mount.disk_bytes {
        return mount.disk_bytes;
    }
    let medium = &catalog.media[&mount.medium];
    let most = if any {
        f64::INFINITY
    } else {
        medium.capacity.value.get().max(mount.disk_bytes) * LARGER_MAX
    };
    let size = medium.sold_for(bytes.min(most)).get();
    size.max(mount.disk_bytes)
}

/// Share of what is needed that a size with a price has at least: sizes are stated with few digits.
const PRICED_LEAST: f64 = 0.999;

/// Gives each store what its volumes need until the horizon: an array more disks, a chassis larger ones of a size that is sold.
/// The edge of a distant office gets as many drives as it needs where their number is assumed; a server on which all lies
/// today gets further drives where the largest that are sold do not hold what is needed and nobody stated their size.
pub(super) fn provision(
    site: &Site,
    catalog: &Catalog,
    deployment: &mut Deployment,
    sizes: &[RoleSize],
) {
    let years = site.horizon.time.value.in_years();
    let there = drive_there(site, catalog, sizes);
    for mount in deployment.volumes.iter_mut().filter(|m| m.is_local()) {
        mount.disk_bytes = there.map_or(mount.disk_bytes, |least| {
            sold(site, catalog, mount, least, true)
        });
    }
    let needs = needs(site, catalog, deployment, sizes);
    for mount in &mut deployment.volumes {
        let mut of_set = needs.iter();
        let Some(need) = of_set.find(|need| need.server == 0 && need.mount.shares_disks(mount))
        else {
            continue;
        };
        let needed = need.until(years);
        // A cloud volume has the size that is needed; a chassis takes larger disks; an array takes more of them.
        if mount.is_cloud() {
            rent(site, catalog, mount, need, needed);
        } else if mount.is_private() {
            let share = needed / usable(site, catalog, mount, need);
            mount.disk_bytes = sold(
                site,
                catalog,
                mount,
                mount.disk_bytes * share,
                there.is_some(),
            );
            if there.is_some() {
                let more = more_drives(site, catalog, (mount, need), needed);
                add_drives(mount, more.min((BAYS - mount.disks).max(0.0)));
            }
        } else if !catalog.arrays[&mount.device].is_fixed {
            mount.disks = mount.disks.max(catalog.arrays[&mount.device].disks.value);
            let share = needed / usable(site, catalog, mount, need);
            let most = if catalog.arrays[&mount.device].elastic || is_there(site, &mount.device) {
                f64::INFINITY
            } else {
                GROWN_MAX
            };
            mount.disks = (mount.disks * share.clamp(1.0, most)).ceil();
        }
    }
    // The edges of all offices are alike, and so is what they hold.
    let of_office = |mount: &Mount| {
        let mut needs = needs.iter();
        needs.find(|need| {
            deployment.offices.len() >= need.server
                && need.server > 0
                && need.mount.shares_disks(mount)
        })
    };
    let mut office_volumes = deployment.office_volumes.clone();
    for mount in &mut office_volumes {
        if let Some(need) = of_office(mount) {
            provision_own(site, catalog, mount, need, years);
        }
    }
    let of_server = |server: usize, mount: &Mount| {
        let mut needs = needs.iter();
        needs.find(|need| need.server == server && need.mount.shares_disks(mount))
    };
    let mut edge_volumes = deployment.edge_volumes.clone();
    for mount in &mut edge_volumes {
        if let Some(need) = of_server(deployment.edges as usize, mount) {
            provision_own(site, catalog, mount, need, years);
        }
    }
    let mut standby = deployment.standby.clone();
    for mount in standby.iter_mut().flat_map(|standby| &mut standby.volumes) {
        if let Some(need) = of_server(deployment.servers(), mount) {
            provision_own(site, catalog, mount, need, years);
        }
    }
    deployment.office_volumes = office_volumes;
    deployment.edge_volumes = edge_volumes;
    deployment.standby = standby;
}

/// Gives a volume on an edge's or a standby's own disks the size and, where their number is assumed, the drives that it
/// needs.
fn provision_own(site: &Site, catalog: &Catalog, mount: &mut Mount, need: &Need, years: f64) {
    let needed = need.until(years);
    if mount.is_cloud() {
        rent(site, catalog, mount, need, needed);
        return;
    }
    if site.edge.drive_size.is_none() {
        let share = needed / usable(site, catalog, mount, need);
        mount.disk_bytes = sold(site, catalog, mount, mount.disk_bytes * share, false);
    }
    if !site.edge.local_disks.is_stated() {
        let more = more_drives(site, catalog, (mount, need), needed);
        add_drives(mount, more);
    }
}

/// Gives a volume of a cloud the size that is needed.
fn rent(site: &Site, catalog: &Catalog, mount: &mut Mount, need: &Need, needed: f64) {
    let share = needed / usable(site, catalog, mount, need);
    let least = CLOUD_LEAST / mount.disk_bytes;
    mount.disk_bytes *= share.max(least);
}

/// Gives a set of a server's own disks further drives; several pairs are striped.
fn add_drives(mount: &mut Mount, more: f64) {
    mount.disks += more;
    if mount.raid == MIRROR && mount.disks > 2.0 {
        MIRRORS.clone_into(&mut mount.raid);
    }
}

/// Gives today's system, where nobody stated the size of a drive in it, drives that hold what lies on them; they may have a
/// size that is not sold.
pub(super) fn provision_there(
    site: &Site,
    catalog: &Catalog,
    deployment: &mut Deployment,
    sizes: &[RoleSize],
) {
    let there = deployment.clone();
    provision(site, catalog, deployment, sizes);
    let years = site.horizon.time.value.in_years();
    let needs = needs(site, catalog, deployment, sizes);
    for (mount, there) in deployment.volumes.iter_mut().zip(there.volumes) {
        if !mount.is_local() {
            continue;
        }
        mount.disks = there.disks;
        mount.raid = there.raid;
        let mut of_set = needs.iter();
        if let Some(need) = of_set.find(|need| need.server == 0 && need.mount.shares_disks(mount)) {
            let each = per_drive(site, catalog, mount, need, years);
            mount.disk_bytes = mount.disk_bytes.max(each);
        }
    }
}

/// Whether data lie on an array today whose drives nobody counted: it has as many as hold them.
fn is_there(site: &Site, device: &str) -> bool {
    site.today.volumes.iter().any(|volume| {
        let array = volume.array.as_ref();
        volume.drives.is_none() && array.is_some_and(|array| array.value == device)
    })
}

/// The least size of the server's drives where a site says that everything lies on them today and not how large they are:
/// they hold today's data \[B\]. None where their size is known or nothing is said of them.
///
/// An assumed size must neither exclude a server that is there nor limit what is bought for it.
fn drive_there(site: &Site, catalog: &Catalog, sizes: &[RoleSize]) -> Option<f64> {
    let current = site.infrastructure.current_layout.as_ref();
    let layout = current.and_then(|id| catalog.layouts.get(&id.value));
    let is_local = layout.is_some_and(|l| l.volumes.iter().all(|v| v.place == Place::Local));
    let drives = &site.server.local_disks;
    let raid = &catalog.arrays[LOCAL_DISKS].raid;
    if !is_local || !drives.is_stated() || !site.today.volumes.is_empty() {
        return None;
    }
    let data: f64 = sizes.iter().map(|size| size.data.get()).sum();
    Some(data / catalog.raid[raid].data_disks(drives.value).max(1.0))
}

/// The smallest cloud volume that is bought: 1 GiB.
const CLOUD_LEAST: f64 = 1_073_741_824.0;

/// RAID level of a pair, and of several.
const MIRROR: &str = "raid1";
const MIRRORS: &str = "raid10";

/// Drives of the same size that a volume's set lacks to hold `needed` bytes; mirrors grow by pairs.
fn more_drives(site: &Site, catalog: &Catalog, (mount, need): (&Mount, &Need), needed: f64) -> f64 {
    let there = usable(site, catalog, mount, need);
    let lacking = needed - there;
    if lacking <= needed * EXACT {
        return 0.0;
    }
    if !mount.is_private() {
        return (lacking / (there / mount.disks)).ceil();
    }
    let copies = catalog.raid[&mount.raid].copies.value;
    let pair = mount.disk_bytes * reduction(site, catalog, need);
    (lacking / pair).ceil() * copies
}

/// Drives that the edge of an office has beyond what was assumed: all of them, and the assumed number.
pub(super) fn beyond_assumed(site: &Site, deployment: &Deployment) -> Option<(f64, f64)> {
    let assumed = &site.edge.local_disks;
    let sets = sets(deployment.office_volumes.iter().filter(|m| m.is_local()));
    let all: f64 = sets.iter().map(|mount| mount.disks).sum();
    let is_more = !deployment.offices.is_empty() && !assumed.is_stated() && all > assumed.value;
    is_more.then_some((all, assumed.value))
}

/// The drives that the edges of offices need beyond the assumed ones, in words; `None` where these are enough.
pub(super) fn edges_in_words(site: &Site, deployment: &Deployment) -> Option<String> {
    let (all, assumed) = beyond_assumed(site, deployment)?;
    let size = deployment.office_volumes.first()?.disk_bytes;
    let edges = match deployment.offices.as_slice() {
        [office] => format!("the edge in {office}"),
        offices => format!("each edge ({})", offices.join(", ")),
    };
    Some(format!(
        "{edges} needs {all} drives of {} to last until the horizon, {assumed} were assumed",
        Bytes::new(size).si()
    ))
}

/// What to buy for a volume's set beyond the catalogue's usual one.
fn to_buy(site: &Site, catalog: &Catalog, deployment: &Deployment, need: &Need) -> Option<String> {
    let mount = &need.mount;
    if !mount.is_private() {
        if catalog.arrays[&mount.device].is_fixed || catalog.arrays[&mount.device].elastic {
            return None;
        }
        let usual = catalog.arrays[&mount.device].disks.value;
        return (mount.disks > usual)
            .then(|| format!("{} drives instead of the usual {}", mount.disks, usual));
    }
    let drives = beyond_assumed(site, deployment).filter(|_| deployment.is_distant(need.server));
    let drives = drives
        .map(|(all, assumed)| format!("{all} drives in all instead of the assumed {assumed}"));
    let usual = catalog.media[&mount.medium].capacity.value;
    let is_larger = mount.disk_bytes > usual.get() * 1.001;
    let larger = (is_larger && (need.server == 0 || site.edge.drive_size.is_none())).then(|| {
        let size = Bytes::new(mount.disk_bytes);
        format!(
            "{} of {} each, instead of the usual {}",
            mount.medium,
            size.si(),
            usual.si()
        )
    });
    let beyond = beyond_stated(site, deployment).filter(|_| need.server == 0 && mount.is_local());
    let beyond =
        beyond.map(|(all, there)| format!("{all} drives in the server instead of {there}"));
    let words: Vec<String> = drives.into_iter().chain(beyond).chain(larger).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// The answer by which what a role holds grows.
pub fn grows_by(role: &str) -> &'static str {
    if role == "depot" {
        "data.depot_growth"
    } else {
        "data.db_growth"
    }
}

/// Each set of disks of each server with what it has to provide.
pub(super) fn needs(
    site: &Site,
    catalog: &Catalog,
    deployment: &Deployment,
    sizes: &[RoleSize],
) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    let edges = deployment.edges as usize;
    let near = edges - deployment.offices.len().min(edges);
    let mut add = |server: usize, mount: &Mount| {
        let distant = deployment.is_distant(server);
        let apart = distant || deployment.is_standby(server);
        let has_own = |role: &str| {
            let mut own = deployment.edge_volumes.iter();
            own.any(|mount| mount.roles.contains(&role))
        };
        // Edges on the same array have their own copy of everything but shared depots.
        let copies = |role: &str| match (server, mount.is_private()) {
            // What the edges keep on drives of their own takes no room there.
            (0, false) if has_own(role) => 1.0,
            (0, false) if role != "depot" || !deployment.shared_depot => near as f64 + 1.0,
            (1.., true) if role == "depot" && deployment.shared_depot && !apart => 0.0,
            _ => 1.0,
        };
        let share = |size: &RoleSize| if distant { size.at_office } else { 1.0 };
        let provide = provide(site, catalog, mount);
        let held = sizes.iter().filter(|s| mount.roles.contains(&s.role));
        let parts = held.map(|s| Part {
            role: s.role,
            now: copies(s.role) * share(s) * provide * s.data.get(),
            growth: if s.role == "depot" {
                site.data.depot_growth.clone()
            } else {
                site.data.db_growth.clone()
            },
            field: grows_by(s.role),
        });
        let known = |need: &&mut Need| need.server == server && need.mount.shares_disks(mount);
        if let Some(need) = needs.iter_mut().find(known) {
            need.parts.extend(parts);
            return;
        }
        let of = match server {
            n if n > 0 && !apart => LIKE_EDGES.to_owned(),
            n => deployment.server_in_words(n),
        };
        needs.push(Need {
            store: match server {
                0 => mount.set_name(),
                _ => format!("{} ({})", mount.set_name(), of.trim_start_matches("the ")),
            },
            mount: mount.clone(),
            server,
            of,
            parts: parts.collect(),
        });
    };
    for mount in &deployment.volumes {
        add(0, mount);
    }
    // Edges beside the commit server are alike: the last stands for all. What lies on an array was counted there.
    let beside = (near > 0).then_some(edges);
    let standby = deployment.standby.as_ref().map(|_| deployment.servers());
    for server in (1..=deployment.offices.len()).chain(beside).chain(standby) {
        let own = deployment.volumes_on(server).into_iter();
        for mount in own.filter(|mount| mount.is_private()) {
            add(server, mount);
        }
    }
    needs
}

/// Whether the site says how large the drives of a set are: those of edges, or of a volume of today's system.
fn are_stated(site: &Site, deployment: &Deployment, need: &Need) -> bool {
    let is_own = deployment.is_distant(need.server) || deployment.is_standby(need.server);
    if is_own || need.server > 0 && !deployment.edge_volumes.is_empty() {
        return site.edge.drive_size.is_some();
    }
    let holds = |role: &String| need.mount.roles.contains(&role.as_str());
    let mut volumes = site.today.volumes.iter();
    volumes.any(|v| v.drive_size.is_some() && v.roles.iter().any(holds))
}

/// Each store of each server of a deployment with what it must hold.
pub(super) fn capacity(
    site: &Site,
    catalog: &Catalog,
    deployment: &Deployment,
    sizes: &[RoleSize],
) -> Vec<Limit> {
    let years = site.horizon.time.value.in_years();
    needs(site, catalog, deployment, sizes)
        .into_iter()
        .filter_map(|need| {
            let mount = &need.mount;
            let usable = usable(site, catalog, mount, &need);
            let more = |needed| more_drives(site, catalog, (mount, &need), needed);
            Some(Limit {
                data_reduction: reduction(site, catalog, &need),
                is_fixed: catalog.arrays[&mount.device].is_fixed,
                is_assumed: mount.is_local() && !are_stated(site, deployment, &need),
                in_powers_of_1000: site.in_powers_of_1000(),
                is_elastic: mount.is_cloud() || catalog.arrays[&mount.device].elastic,
                to_buy: to_buy(site, catalog, deployment, &need),
                usable: Bytes::new(usable),
                drives: mount.disks,
                needed_today: Bytes::new(need.at(0.0)),
                parts: need.by_role(years),
                needed: Bytes::new(need.at(years)),
                more_today: more(need.at(0.0)),
                more_at_horizon: more(need.at(years)),
                full_in: need.years_to(usable).map(Seconds::years),
                grows_by: need.largest()?.field,
                set: mount.set.id,
                set_name: mount.set_name(),
                server: if mount.is_private() {
                    need.of
                } else {
                    mount.device.clone()
                },
                store: need.store,
            })
        })
        .collect()
}
