//! What each store holds and must hold, today and in years, and what has to be bought for it.

use crate::catalog::Catalog;
use crate::site::{Answer, Site};
use crate::system::capacity::{RoleSize, provide};
use crate::system::{Deployment, Interval, Mount};
use crate::units::{Bytes, Growth, Seconds};

/// A store that fills up.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// The store.
    pub store: String,
    /// What it holds usably, data reduction included.
    pub usable: Bytes,
    /// Logical over physical bytes that this counts on.
    pub data_reduction: f64,
    /// What must be bought beyond the usual equipment, in words.
    pub to_buy: Option<String>,
    /// What the site needs there at the horizon.
    pub needed: Bytes,
    /// When it is full.
    pub full_in: Option<Seconds>,
    /// The answer by which most of what it holds grows.
    pub grows_by: &'static str,
}

/// Nobody plans further.
pub(super) const YEARS_MAX: f64 = 100.0;

/// What one role needs on a store.
#[derive(Debug)]
struct Part {
    /// Bytes to provide today.
    now: f64,
    growth: Answer<Growth>,
    /// The field of that answer.
    field: &'static str,
}

/// What a set of disks has to provide.
#[derive(Debug)]
pub(super) struct Need {
    pub(super) set: String,
    parts: Vec<Part>,
}

impl Need {
    /// Bytes to provide in so many years: each part grows at its own rate.
    pub(super) fn at(&self, years: f64) -> f64 {
        self.grown(years, |growth| growth.value)
    }

    /// The same, with what it may be in truth where growth was assumed.
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

    /// What takes most of it today.
    fn largest(&self) -> Option<&Part> {
        let parts = self.parts.iter();
        parts.max_by(|a, b| a.now.total_cmp(&b.now))
    }

    /// Years until it fills `usable` bytes; `None` beyond a century.
    fn years_to(&self, usable: f64) -> Option<f64> {
        if self.at(0.0) >= usable {
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

/// Usable bytes of one mount's store with its disks, after data reduction.
pub(super) fn usable(catalog: &Catalog, mount: &Mount) -> f64 {
    let array = &catalog.arrays[&mount.device];
    let reduction = array.data_reduction.value;
    if !mount.is_private() {
        return array.usable.value.get() * reduction * mount.disks / array.disks.value;
    }
    let data = catalog.raid[&mount.raid].data_disks(mount.disks);
    mount.disk_bytes * data.max(1.0) * reduction
}

/// An array that needs more than so many times its usual disks is the wrong array (assumed: three more
/// shelves or chassis).
const GROWN_MAX: f64 = 4.0;
/// Disks of one kind are sold in sizes up to about so many times the usual one (assumed: two doublings
/// in the life of a drive series).
const LARGER_MAX: f64 = 4.0;

/// Gives each store what its volumes need at the horizon: an array more disks, a chassis larger ones.
pub(super) fn provision(
    site: &Site,
    catalog: &Catalog,
    deployment: &mut Deployment,
    sizes: &[RoleSize],
) {
    let years = site.horizon.time.value.in_years();
    let needs = needs(site, catalog, deployment, sizes);
    for mount in &mut deployment.volumes {
        let needed = needs
            .iter()
            .find(|need| need.set == mount.set)
            .map_or(0.0, |need| need.at(years));
        // A chassis takes larger disks; an array takes more of them.
        if mount.is_private() {
            let share = needed / usable(catalog, mount);
            mount.disk_bytes *= share.clamp(1.0, LARGER_MAX);
        } else {
            mount.disks = mount.disks.max(catalog.arrays[&mount.device].disks.value);
            let share = needed / usable(catalog, mount);
            mount.disks = (mount.disks * share.clamp(1.0, GROWN_MAX)).ceil();
        }
    }
}

/// What a volume's set has beyond the catalogue's usual one.
fn to_buy(catalog: &Catalog, mount: &Mount) -> Option<String> {
    if !mount.is_private() {
        let usual = catalog.arrays[&mount.device].disks.value;
        return (mount.disks > usual)
            .then(|| format!("{} devices where {} are usual", mount.disks, usual));
    }
    let usual = catalog.media[&mount.medium].capacity.value;
    (mount.disk_bytes > usual.get() * 1.001).then(|| {
        let size = Bytes::new(mount.disk_bytes);
        format!(
            "{} of at least {} where {} is usual",
            mount.medium,
            size.si(),
            usual.si()
        )
    })
}

/// The answer by which what a role holds grows.
pub fn grows_by(role: &str) -> &'static str {
    if role == "depot" {
        "data.depot_growth"
    } else {
        "data.db_growth"
    }
}

/// Each set of disks with what it has to provide.
pub(super) fn needs(
    site: &Site,
    catalog: &Catalog,
    deployment: &Deployment,
    sizes: &[RoleSize],
) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    // Edges on the same array have their own copy of everything but shared depots and checkpoints' depots.
    let copies = |role: &str, mount: &Mount| {
        let own = role != "depot" || !deployment.shared_depot;
        if own && !mount.is_private() {
            f64::from(deployment.edges) + 1.0
        } else {
            1.0
        }
    };
    for mount in &deployment.volumes {
        let held = sizes.iter().filter(|s| mount.roles.contains(&s.role));
        let provide = provide(site, catalog, mount);
        let parts = held.map(|s| Part {
            now: copies(s.role, mount) * provide * s.data.get(),
            growth: if s.role == "depot" {
                site.data.depot_growth.clone()
            } else {
                site.data.db_growth.clone()
            },
            field: grows_by(s.role),
        });
        match needs.iter_mut().find(|need| need.set == mount.set) {
            Some(need) => need.parts.extend(parts),
            None => needs.push(Need {
                set: mount.set.clone(),
                parts: parts.collect(),
            }),
        }
    }
    needs
}

/// Each store of a deployment with what it must hold.
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
            let mount = deployment.volumes.iter().find(|m| m.set == need.set)?;
            let usable = usable(catalog, mount);
            Some(Limit {
                data_reduction: catalog.arrays[&mount.device].data_reduction.value,
                to_buy: to_buy(catalog, mount),
                usable: Bytes::new(usable),
                needed: Bytes::new(need.at(years)),
                full_in: need.years_to(usable).map(Seconds::years),
                grows_by: need.largest()?.field,
                store: need.set,
            })
        })
        .collect()
}
