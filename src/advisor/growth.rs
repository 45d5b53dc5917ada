//! How much more load a deployment carries, and when growth gets there.

use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::Site;
use crate::system::capacity::{RoleSize, provide};
use crate::system::{
    ClassPrediction, Deployment, Effort, Mount, PredictError, Prediction, predict,
};
use crate::units::{Bytes, Growth, Seconds};
use crate::workload::Load;

/// The largest multiple of today's load that is tried.
const FACTOR_MAX: f64 = 64.0;
/// Without a target, a response that is so many times today's is taken as the limit.
const SLOWER_MAX: f64 = 3.0;

/// How far a deployment is from its limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Headroom {
    /// Largest multiple of today's peak load at which targets hold and nothing saturates.
    pub factor: f64,
    /// What gives way first.
    pub limit: String,
    /// Multiple of the work other than large syncs at which its busiest resource would be fully busy:
    /// where the asymptotes cross.
    pub knee: f64,
    /// When load growth reaches `factor`; `None` beyond a century or without growth.
    pub reached_in: Option<Seconds>,
    /// Capacity limits that come within the horizon or soon after.
    pub capacity: Vec<Limit>,
}

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
}

/// What a kind of work must not exceed \[s\], and what to say when it does.
struct Bound {
    class: String,
    limit: f64,
    /// The 95th percentile is judged; the mean where a rate is wanted.
    by_mean: bool,
    words: String,
}

/// Targets, or three times today's response times where a kind of work has none.
fn bounds(site: &Site, today: &Prediction) -> Vec<Bound> {
    today
        .classes
        .iter()
        .filter(|c| c.response != "none" && !c.name.contains("(automation)"))
        .map(|c| match target(site, c) {
            Some((limit, _)) => Bound {
                class: c.name.clone(),
                limit,
                by_mean: by_rate(site, c).is_some(),
                words: format!("{} misses its target of {}", c.name, Seconds::new(limit)),
            },
            None => Bound {
                class: c.name.clone(),
                limit: c.p95.value * SLOWER_MAX,
                by_mean: false,
                words: format!("{} takes {SLOWER_MAX} times as long as today", c.name),
            },
        })
        .collect()
}

/// Whether the site states any target.
pub(super) fn has_targets(site: &Site) -> bool {
    let t = &site.targets;
    let times = [&t.submit, &t.edit, &t.browse, &t.sync];
    times.iter().any(|t| t.is_some()) || t.sync_rate.is_some()
}

/// The time that a wanted rate leaves one large sync \[s\].
fn by_rate(site: &Site, class: &ClassPrediction) -> Option<f64> {
    let rate = site
        .targets
        .sync_rate
        .as_ref()
        .filter(|_| is_large(class))?;
    Some(site.workload.concurrent_sync_size.value.get() / rate.value.get())
}

fn is_large(class: &ClassPrediction) -> bool {
    class.name.starts_with("large sync")
}

/// The site's target for a kind of work and the time that it judges \[s\]: the mean against a rate, the
/// 95th percentile against a time.
pub(super) fn target(site: &Site, class: &ClassPrediction) -> Option<(f64, f64)> {
    if let Some(limit) = by_rate(site, class) {
        return Some((limit, class.mean.value));
    }
    let t = &site.targets;
    let target = match class.response {
        "browse" => &t.browse,
        "edit" => &t.edit,
        "sync" => &t.sync,
        "submit" => &t.submit,
        _ => return None,
    };
    target.as_ref().map(|s| (s.value.get(), class.p95.value))
}

/// What gives way at a load, or nothing.
fn breaks(bounds: &[Bound], outcome: &Result<Prediction, PredictError>) -> Option<String> {
    match outcome {
        Err(error) => Some(error.to_string()),
        Ok(prediction) => bounds.iter().find_map(|bound| {
            let class = prediction.class(&bound.class)?;
            let time = if bound.by_mean {
                class.mean.value
            } else {
                class.p95.value
            };
            (time > bound.limit).then(|| bound.words.clone())
        }),
    }
}

/// Finds headroom by bisection over multiples of the load.
pub(super) fn headroom(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    deployment: &Deployment,
    load: &Load,
    today: &Prediction,
    sizes: &[RoleSize],
) -> Headroom {
    let bounds = bounds(site, today);
    let at = |factor: f64| {
        let outcome = predict(
            deployment,
            &load.scaled(factor),
            catalog,
            calibration,
            Effort::Search,
        );
        breaks(&bounds, &outcome)
    };
    let (factor, limit) = match at(1.0) {
        Some(limit) => (1.0, limit),
        None => bisect(at),
    };
    let growth = site.data.db_growth.value;
    let reached_in = years_to(factor, growth).map(Seconds::years);
    // Large syncs take what there is, so that something is always full: the knee is that of the rest.
    let mut rest = load.clone();
    rest.groups.retain(|g| g.name != "large syncs");
    let busiest = predict(deployment, &rest, catalog, calibration, Effort::Search)
        .map_or(1.0, |p| p.bottleneck().1);
    Headroom {
        factor,
        limit,
        knee: if busiest > 0.0 {
            1.0 / busiest
        } else {
            FACTOR_MAX
        },
        reached_in,
        capacity: capacity(site, catalog, deployment, sizes),
    }
}

fn bisect(at: impl Fn(f64) -> Option<String>) -> (f64, String) {
    let (mut low, mut high) = (1.0, 2.0);
    let mut limit = loop {
        match at(high) {
            Some(limit) => break limit,
            None if high >= FACTOR_MAX => {
                return (
                    FACTOR_MAX,
                    "nothing gave way up to that multiple".to_owned(),
                );
            }
            None => {
                low = high;
                high *= 2.0;
            }
        }
    };
    while high / low > 1.02 {
        let middle = (low * high).sqrt();
        match at(middle) {
            Some(l) => {
                limit = l;
                high = middle;
            }
            None => low = middle,
        }
    }
    (low, limit)
}

/// Years until growth multiplies by `factor`.
fn years_to(factor: f64, growth: Growth) -> Option<f64> {
    if factor <= 1.0 {
        return Some(0.0);
    }
    if growth.get() <= 0.0 {
        return None;
    }
    let years = factor.ln() / growth.get().ln_1p();
    (years <= 100.0).then_some(years)
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
    let needs = needs(site, catalog, deployment, sizes);
    for mount in &mut deployment.volumes {
        let needed = needs
            .iter()
            .find(|(set, ..)| *set == mount.set)
            .map_or(0.0, |(.., n)| *n);
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

/// Each set of disks with the bytes to provide on it today and at the horizon.
fn needs(
    site: &Site,
    catalog: &Catalog,
    deployment: &Deployment,
    sizes: &[RoleSize],
) -> Vec<(String, f64, f64)> {
    let mut needs: Vec<(String, f64, f64)> = Vec::new();
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
        let (now, then) = held.fold((0.0, 0.0), |(now, then), s| {
            let n = copies(s.role, mount) * provide;
            (now + n * s.data.get(), then + n * s.data_at_horizon.get())
        });
        match needs.iter_mut().find(|(set, ..)| *set == mount.set) {
            Some((_, a, b)) => {
                *a += now;
                *b += then;
            }
            None => needs.push((mount.set.clone(), now, then)),
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
    needs(site, catalog, deployment, sizes)
        .into_iter()
        .filter_map(|(set, now, needed)| {
            let mount = deployment.volumes.iter().find(|m| m.set == set)?;
            let usable = usable(catalog, mount);
            let years = site.horizon.time.value.in_years().max(1e-9);
            let growth = Growth::new((needed / now.max(1.0)).powf(1.0 / years) - 1.0);
            Some(Limit {
                store: set,
                data_reduction: catalog.arrays[&mount.device].data_reduction.value,
                to_buy: to_buy(catalog, mount),
                usable: Bytes::new(usable),
                needed: Bytes::new(needed),
                full_in: years_to(usable / now.max(1.0), growth).map(Seconds::years),
            })
        })
        .collect()
}
