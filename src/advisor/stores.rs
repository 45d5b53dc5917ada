//! Capacity of each store: what it holds and needs, today and at the horizon, and what to buy.

use super::drives::beyond_stated;
use super::sizing::Sizing;
use crate::catalog::{Called, Catalog, Named};
use crate::site::{Answer, BEYOND, Horizon, SIZE_SHOWN, Site};
use crate::system::disk_set::sets;
use crate::system::{Deployment, Interval, Mount, SetId, role_in_words};
use crate::units::{Bytes, Growth, Seconds, grouped};

/// A store that fills up.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each asked by name")]
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// The store: its disks, with the edge where it is not the commit server's.
    pub store: Named,
    /// Whose it is: "the commit server", "the edge in Lyon"; the array itself where several servers may lie on it.
    pub server: String,
    /// The server that it was counted for: 0 is the commit server, the last edge stands for those that are alike.
    pub server_idx: usize,
    /// The set of disks.
    pub set: SetId,
    /// Its name.
    pub set_name: String,
    /// Its drives.
    pub drives: f64,
    /// What is ordered of it now: of what is rented, what the first month needs.
    pub ordered: Bytes,
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

/// More drives than a server and its shelves, or an array, take (the limit of `today.volume.drives`).
const DRIVES_MOST: f64 = 1000.0;

/// Relative excess that is an error of arithmetic: a store that was sized for what it needs holds it.
pub(super) const EXACT: f64 = 1e-9;

impl Limit {
    /// What it needs and does not hold today, in words, with the drives to buy; `None` where it fits.
    pub(super) fn too_small_today(&self) -> Option<String> {
        (self.more_today > 0.0).then(|| {
            let words = self.lacks(self.needed_today, 0, self.more_today);
            if !self.is_fixed && self.more_at_horizon > self.more_today {
                format!("{words}, or {} to last until the horizon", grouped(self.more_at_horizon))
            } else {
                words
            }
        })
    }

    /// Whether it is full in the year that follows the horizon: it was sized for that, and what ends then is no surprise.
    pub fn is_full_at(&self, horizon: &Horizon) -> bool {
        let most = horizon.time.value + Seconds::years(1.0);
        let full = self.full_in;
        full.is_some_and(|full| !horizon.outlasts(full) && full <= most)
    }

    /// What must be bought beyond the usual equipment so that it lasts until the horizon, in words; none of what lasts far longer,
    /// nor of what is full before all the same.
    pub fn to_buy_until(&self, horizon: &Horizon) -> Option<&String> {
        let most = horizon.time.value + Seconds::years(1.0);
        let is_needed = self.full_in.is_some_and(|full| full <= most);
        let is_enough = self.is_large_enough();
        self.to_buy.as_ref().filter(|_| is_needed && is_enough)
    }

    /// Whether no number of drives that one store takes holds what is needed at the horizon.
    pub fn is_beyond_drives(&self) -> bool {
        self.more_at_horizon > DRIVES_MOST
    }

    /// Whether it holds what is needed until the horizon.
    pub fn is_large_enough(&self) -> bool {
        self.more_at_horizon <= 0.0
    }

    /// What it needs at the horizon and does not hold, in words; `None` where it fits.
    pub(super) fn fills(&self) -> Option<String> {
        (!self.is_large_enough()).then(|| self.lacks(self.needed, 1, self.more_at_horizon))
    }

    /// A size in the powers in which the site's own are typed.
    pub fn shown(&self, bytes: Bytes) -> String {
        if bytes.get() > SIZE_SHOWN {
            return BEYOND.to_owned();
        }
        bytes.estimated_in(self.in_powers_of_1000)
    }

    /// `when` is 0 for today and 1 for the horizon.
    fn lacks(&self, needed: Bytes, when: usize, more: f64) -> String {
        let parts = self.parts.iter();
        let parts: Vec<String> =
            parts.map(|(role, bytes)| format!("{} {}", role_in_words(role), self.shown(bytes[when]))).collect();
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
        let buy = if more > DRIVES_MOST {
            "more drives than one store takes".to_owned()
        } else {
            format!("buy {} more drives", grouped(more))
        };
        format!(
            "{} holds {} on {} drives ({}) and needs {} {} ({}, with free space): {buy}",
            self.server,
            self.shown(self.usable),
            grouped(self.drives),
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
pub(super) struct Part {
    pub(super) role: &'static str,
    /// Bytes to provide today.
    pub(super) now: f64,
    pub(super) growth: Answer<Growth>,
    /// The field of that answer.
    pub(super) field: &'static str,
}

/// What a set of disks has to provide.
#[derive(Debug)]
pub(super) struct Need {
    /// The store: its disks, with the edge where it is not the commit server's.
    pub(super) store: Named,
    /// A volume on it.
    pub(super) mount: Mount,
    /// Whose it is.
    pub(super) server: usize,
    /// Whose it is, in words.
    pub(super) of: String,
    pub(super) parts: Vec<Part>,
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
    let sizes = drives_of_edges(deployment);
    let edges = match deployment.offices.as_slice() {
        [office] => format!("the edge in {office}"),
        offices => format!("each edge ({})", offices.join(", ")),
    };
    Some(format!("{edges} needs {all} drives ({sizes}) to last until the horizon, {assumed} were assumed"))
}

/// "6 of 15.4 TB and 2 of 3.84 TB": the drives of the edge of an office.
pub(super) fn drives_of_edges(deployment: &Deployment) -> String {
    let mut drives: Vec<(f64, String)> = Vec::new();
    for mount in sets(deployment.office_volumes.iter().filter(|m| m.is_local())) {
        let size = Bytes::new(mount.disk_bytes).si();
        match drives.iter_mut().find(|(_, known)| *known == size) {
            Some((count, _)) => *count += mount.disks,
            None => drives.push((mount.disks, size)),
        }
    }
    let words = drives.iter().map(|(count, size)| format!("{count} of {size}"));
    words.collect::<Vec<_>>().join(" and ")
}

/// What to buy for a volume's set beyond the catalogue's usual one.
fn to_buy(site: &Site, catalog: &Catalog, deployment: &Deployment, need: &Need) -> Option<String> {
    let mount = &need.mount;
    if !mount.is_private() {
        if catalog.arrays[&mount.device].is_fixed || catalog.arrays[&mount.device].elastic {
            return None;
        }
        let usual = catalog.arrays[&mount.device].disks.value;
        return (mount.disks > usual).then(|| format!("{} drives instead of the usual {}", mount.disks, usual));
    }
    // What the edge has more of are the drives of its depots.
    let is_depot_of_edge = deployment.is_distant(need.server) && mount.roles.contains(&"depot");
    let drives = beyond_assumed(site, deployment).filter(|_| is_depot_of_edge);
    let drives = drives.map(|(all, assumed)| format!("{all} drives in all instead of the assumed {assumed}"));
    let usual = catalog.media[&mount.medium].capacity.value;
    let is_larger = mount.disk_bytes > usual.get() * 1.001;
    let larger = (is_larger && (need.server == 0 || site.edge.drive_size.is_none())).then(|| {
        let size = Bytes::new(mount.disk_bytes);
        format!("{} of {} each, instead of the usual {}", catalog.media.called(&mount.medium), size.si(), usual.si())
    });
    let beyond = beyond_stated(site, deployment).filter(|_| need.server == 0 && mount.is_local());
    let beyond = beyond.map(|(all, there)| format!("{all} drives in the server instead of {there}"));
    let words: Vec<String> = drives.into_iter().chain(beyond).chain(larger).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// The answer by which what a role holds grows.
pub fn grows_by(role: &str) -> &'static str {
    if role == "depot" { "data.depot_growth" } else { "data.db_growth" }
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

impl Sizing<'_> {
    /// Each store of each server of a deployment with what it must hold.
    pub(super) fn capacity(&self, deployment: &Deployment) -> Vec<Limit> {
        let Self { site, catalog, .. } = *self;
        let years = self.years();
        self.needs(deployment)
            .into_iter()
            .filter_map(|need| {
                let mount = &need.mount;
                let usable = self.usable(mount, &need);
                let more = |needed| self.more_drives(mount, &need, needed);
                Some(Limit {
                    data_reduction: self.reduction(&need),
                    is_fixed: catalog.arrays[&mount.device].is_fixed,
                    is_assumed: mount.is_local() && !are_stated(site, deployment, &need),
                    in_powers_of_1000: site.in_powers_of_1000(),
                    is_elastic: mount.is_cloud() || catalog.arrays[&mount.device].elastic,
                    to_buy: to_buy(site, catalog, deployment, &need),
                    usable: Bytes::new(usable),
                    ordered: Bytes::new(self.ordered(mount, &need, self.first_month())),
                    drives: mount.disks,
                    needed_today: Bytes::new(need.at(0.0)),
                    parts: need.by_role(years),
                    needed: Bytes::new(need.at(years)),
                    more_today: more(need.at(0.0)),
                    more_at_horizon: more(need.at(years)),
                    full_in: need.years_to(usable).map(Seconds::years),
                    grows_by: need.largest()?.field,
                    server_idx: need.server,
                    set: mount.set.id,
                    set_name: mount.set_name(catalog).name,
                    server: if mount.is_own() { need.of } else { catalog.arrays.called(&mount.device).to_owned() },
                    store: need.store,
                })
            })
            .collect()
    }
}
