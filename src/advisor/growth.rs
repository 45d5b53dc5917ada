//! Headroom: the largest load that a deployment carries, and when growth reaches it.

use super::safety::memory_short;
use super::stores::{Limit, capacity};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{Site, Target};
use crate::system::capacity::RoleSize;
use crate::system::{ClassPrediction, Deployment, Lens, PredictError, Prediction, predict_through};
use crate::units::{Growth, Seconds};
use crate::workload::{Load, Work};

/// The largest multiple of today's load that is tried.
pub(super) const FACTOR_MAX: f64 = 64.0;
/// The least multiple that is looked at.
pub const FACTOR_LEAST: f64 = 1.0 / FACTOR_MAX;
/// The limit where none is found up to `FACTOR_MAX`.
pub const NO_LIMIT: &str = "no limit was found up to 64 times today's peak load";
const _: () = assert!(FACTOR_MAX == 64.0, "NO_LIMIT names it");
/// Without a target, a response that is so many times today's is the limit.
const SLOWER_MAX: f64 = 3.0;
/// … but none within which an answer feels immediate, for nobody notices it \[s\] (MILLER1968).
const UNNOTICED: f64 = 0.1;
/// What is judged where no target is stated, in words.
pub const LIMIT_WITHOUT_TARGET: &str =
    "no target is stated; the limit is three times today's times, 0.1 s at least";
const _: () = assert!(
    SLOWER_MAX == 3.0 && UNNOTICED == 0.1,
    "LIMIT_WITHOUT_TARGET names them"
);

/// How far a deployment is from its limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Headroom {
    /// Largest multiple of today's peak load at which targets hold and nothing saturates; below 1 where they do not
    /// hold today.
    pub factor: f64,
    /// What limits it.
    pub limit: String,
    /// The kind of work that then takes too long, where that is the limit.
    pub work: Option<Work>,
    /// The busiest resource or lock at `factor`, and its busy fraction; `None` where nothing is solved there.
    pub busiest: Option<(String, f64)>,
    /// Multiple of today's load at which its busiest resource would be fully busy: where the asymptotes cross.
    pub knee: f64,
    /// When load growth reaches `factor`; `None` beyond a century or without growth.
    pub reached_in: Option<Seconds>,
    /// When memory is exhausted, first or later; `None` where it is not.
    pub memory: Option<MemoryLimit>,
    /// Capacity limits that come within the horizon or soon after.
    pub capacity: Vec<Limit>,
}

/// How far a deployment's memory carries.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryLimit {
    /// Largest multiple of today's peak load for which all servers have memory.
    pub factor: f64,
    /// Which server lacks it beyond that.
    pub why: String,
    /// When load growth reaches `factor`; `None` beyond a century or without growth.
    pub reached_in: Option<Seconds>,
}

impl Headroom {
    /// How far memory carries, where something else is the limit before.
    pub fn memory_later(&self) -> Option<&MemoryLimit> {
        let memory = self.memory.as_ref();
        memory.filter(|memory| memory.factor > self.factor)
    }
}

/// What a kind of work must not exceed \[s\], and the words for it.
pub(super) struct Bound {
    work: Work,
    limit: f64,
    /// The 95th percentile is judged; the mean where a rate is wanted.
    by_mean: bool,
    words: String,
}

/// Targets, or three times today's response times where a kind of work has none, 0.1 s at least.
pub(super) fn bounds(site: &Site, today: &Prediction) -> Vec<Bound> {
    let judged = today.classes.iter().filter(|c| c.work.target().is_some());
    judged
        .flat_map(|class| {
            let bound = |limit: f64, by_mean: bool, words: String| Bound {
                work: class.work.clone(),
                limit,
                by_mean,
                words,
            };
            let wants = wants(site, class);
            if wants.is_empty() {
                let slower = class.p95.value * SLOWER_MAX;
                let words = if slower < UNNOTICED {
                    format!("{} takes {}", class.name, Seconds::new(UNNOTICED))
                } else {
                    format!("{} takes {SLOWER_MAX} times as long as today", class.name)
                };
                return vec![bound(slower.max(UNNOTICED), false, words)];
            }
            let of_want = |want: Want| {
                let limit = Seconds::new(want.limit);
                let words = format!("{} misses its target of {limit}", class.name);
                bound(want.limit, want.by_mean, words)
            };
            wants.into_iter().map(of_want).collect()
        })
        .collect()
}

/// Whether the site states any target.
pub fn has_targets(site: &Site) -> bool {
    let t = &site.targets;
    let mut all = Target::ALL.into_iter();
    all.any(|target| t.time(target).is_some()) || t.sync_rate.is_some()
}

/// One thing that the site wants of a kind of work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Want {
    /// What it must not exceed \[s\].
    pub limit: f64,
    /// What it takes \[s\].
    pub time: f64,
    /// Whether that is the mean, for a wanted rate, and not the 95th percentile.
    pub by_mean: bool,
}

impl Want {
    /// Whether it is kept.
    pub fn is_met(&self) -> bool {
        self.time <= self.limit
    }
}

/// Everything that the site wants of a kind of work: a response time, of large syncs a rate too.
pub(super) fn wants(site: &Site, class: &ClassPrediction) -> Vec<Want> {
    let Some(target) = class.work.target() else {
        return Vec::new();
    };
    let time = site.targets.time(target).map(|limit| Want {
        limit: limit.get(),
        time: class.p95.value,
        by_mean: false,
    });
    let rate = site.targets.sync_rate.as_ref();
    let rate = rate.filter(|_| target == Target::LargeSync);
    let rate = rate.map(|rate| Want {
        limit: site.workload.concurrent_sync_size.value.get() / rate.value.get(),
        time: class.mean.value,
        by_mean: true,
    });
    time.into_iter().chain(rate).collect()
}

/// Of what the site wants of a kind of work, the one that is nearest to being missed, or missed by most.
pub fn tightest(site: &Site, class: &ClassPrediction) -> Option<Want> {
    let strain = |want: &Want| want.time / want.limit;
    let wants = wants(site, class).into_iter();
    wants.max_by(|a, b| strain(a).total_cmp(&strain(b)))
}

/// The site's target for a kind of work and the time that it judges \[s\]: the mean against a rate, the
/// 95th percentile against a time.
pub fn target(site: &Site, class: &ClassPrediction) -> Option<(f64, f64)> {
    tightest(site, class).map(|want| (want.limit, want.time))
}

/// Whether a kind of work is judged by its mean.
pub(super) fn is_by_mean(site: &Site, class: &ClassPrediction) -> bool {
    tightest(site, class).is_some_and(|want| want.by_mean)
}

/// What fails at a load, or nothing.
fn breaks(bounds: &[Bound], outcome: &Result<Prediction, PredictError>) -> Option<String> {
    match outcome {
        Err(error) => Some(error.to_string()),
        Ok(prediction) => broken(bounds, prediction),
    }
}

/// The first bound that a prediction exceeds, in words.
pub(super) fn broken(bounds: &[Bound], prediction: &Prediction) -> Option<String> {
    bounds.iter().find_map(|bound| {
        let class = prediction.class(&bound.work)?;
        let time = if bound.by_mean {
            class.mean.value
        } else {
            class.p95.value
        };
        (time > bound.limit).then(|| bound.words.clone())
    })
}

/// What a load is limited by, in words: memory, saturation, a bound.
fn limit_at(
    catalog: &Catalog,
    calibration: &Calibration,
    deployment: &Deployment,
    load: &Load,
    bounds: &[Bound],
) -> Option<String> {
    memory_short(calibration, deployment, load).or_else(|| {
        let outcome = predict_through(Lens::forgetful(), deployment, load, catalog, calibration);
        breaks(bounds, &outcome)
    })
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
        limit_at(
            catalog,
            calibration,
            deployment,
            &load.scaled(factor),
            &bounds,
        )
    };
    // Today is as it was solved and confirmed, not solved once more.
    let now = memory_short(calibration, deployment, load).or_else(|| broken(&bounds, today));
    let (factor, limit) = match now {
        Some(limit) => bisect_below(limit, at),
        None => bisect(at),
    };
    let named = bounds.iter().find(|bound| bound.words == limit);
    let growth = site.data.db_growth.value;
    let reached = |factor: f64| years_to(factor, growth).map(Seconds::years);
    Headroom {
        factor,
        work: named.map(|bound| bound.work.clone()),
        limit,
        busiest: busiest_at(factor, deployment, load, catalog, calibration),
        knee: knee(today).0,
        reached_in: reached(factor),
        memory: memory_limit(calibration, deployment, load).map(|(factor, why)| MemoryLimit {
            factor,
            why,
            reached_in: reached(factor),
        }),
        capacity: capacity(site, catalog, deployment, sizes),
    }
}

/// The largest multiple of the load at which `bounds` hold, nothing saturates and no memory is missing, and what limits
/// it. The search begins at `from`, a multiple that a similar deployment carries.
pub(super) fn carried(
    catalog: &Catalog,
    calibration: &Calibration,
    deployment: &Deployment,
    load: &Load,
    bounds: &[Bound],
    from: f64,
) -> (f64, String) {
    let at = |factor: f64| {
        limit_at(
            catalog,
            calibration,
            deployment,
            &load.scaled(factor),
            bounds,
        )
    };
    if let Some(limit) = at(from) {
        let below = |part: f64| at(from * part);
        let (part, limit) = bisect_below(limit, below);
        return (from * part, limit);
    }
    // Most changes give nothing: that is seen just above what is carried without them.
    let (mut low, mut high) = (from, from * CLOSE);
    let limit = loop {
        if low >= FACTOR_MAX {
            return (FACTOR_MAX, NO_LIMIT.to_owned());
        }
        if let Some(limit) = at(high) {
            break limit;
        }
        (low, high) = (high, (high * 2.0).min(FACTOR_MAX));
    };
    let (low, nearer) = close_in(low, high, at);
    (low, nearer.unwrap_or(limit))
}

/// How closely a limit is looked for, as a ratio.
const CLOSE: f64 = 1.02;

/// The bounds that targets set: those that do not depend on what is there today.
pub(super) fn bounds_of_targets(site: &Site, any: &Prediction) -> Vec<Bound> {
    let mut bounds = bounds(site, any);
    bounds.retain(|bound| {
        let class = any.class(&bound.work);
        class.is_some_and(|class| !wants(site, class).is_empty())
    });
    bounds
}

/// The largest multiple of the load at which all servers have enough memory, and which lacks it then; `None` where
/// none does up to the largest multiple that is tried.
fn memory_limit(
    calibration: &Calibration,
    deployment: &Deployment,
    load: &Load,
) -> Option<(f64, String)> {
    let at = |factor: f64| memory_short(calibration, deployment, &load.scaled(factor));
    at(FACTOR_MAX)?;
    Some(match at(1.0) {
        Some(short) => bisect_below(short, at),
        None => bisect(at),
    })
}

/// Multiple of the load at which the busiest resource of a prediction is fully busy, where the asymptotes cross, and which
/// that is.
pub(super) fn knee(prediction: &Prediction) -> (f64, String) {
    let (name, busiest) = prediction.bottleneck();
    let factor = if busiest > 0.0 {
        1.0 / busiest
    } else {
        FACTOR_MAX
    };
    (factor, name)
}

/// The busiest resource or lock at a multiple of the load.
fn busiest_at(
    factor: f64,
    deployment: &Deployment,
    load: &Load,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Option<(String, f64)> {
    let load = load.scaled(factor);
    let lens = Lens::forgetful();
    let prediction = predict_through(lens, deployment, &load, catalog, calibration).ok()?;
    Some(prediction.bottleneck())
}

/// What a deployment that today's load overloads does carry.
#[derive(Debug, Clone, PartialEq)]
pub struct Overload {
    /// The deployment.
    pub deployment: Deployment,
    /// What cannot keep up today.
    pub limit: String,
    /// Largest multiple of today's peak load, below 1, at which nothing saturates and no memory is missing.
    pub factor: f64,
    /// What it does then.
    pub prediction: Prediction,
}

/// What a deployment carries whose peak load cannot be solved for `limit`; `None` where it carries next to nothing.
pub(super) fn overload(
    catalog: &Catalog,
    calibration: &Calibration,
    deployment: &Deployment,
    load: &Load,
    limit: &PredictError,
) -> Option<Overload> {
    let solve = |factor: f64| {
        let load = load.scaled(factor);
        predict_through(Lens::forgetful(), deployment, &load, catalog, calibration)
    };
    let at = |factor: f64| {
        let short = memory_short(calibration, deployment, &load.scaled(factor));
        short.or_else(|| solve(factor).err().map(|error| error.to_string()))
    };
    let (factor, _) = bisect_below(limit.to_string(), at);
    Some(Overload {
        deployment: deployment.clone(),
        limit: limit.to_string(),
        factor,
        prediction: solve(factor).ok()?,
    })
}

/// The largest multiple below 1 at which nothing fails, to 2 %; `limit` fails at 1.
fn bisect_below(limit: String, at: impl Fn(f64) -> Option<String>) -> (f64, String) {
    let (mut low, mut high) = (0.5, 1.0);
    while at(low).is_some() {
        if low <= 1.0 / FACTOR_MAX {
            return (low, limit);
        }
        (low, high) = (low / 2.0, low);
    }
    let (low, _) = close_in(low, high, at);
    (low, limit)
}

fn bisect(at: impl Fn(f64) -> Option<String>) -> (f64, String) {
    let (mut low, mut high) = (1.0, 2.0);
    let limit = loop {
        match at(high) {
            Some(limit) => break limit,
            None if high >= FACTOR_MAX => {
                return (FACTOR_MAX, NO_LIMIT.to_owned());
            }
            None => {
                low = high;
                high *= 2.0;
            }
        }
    };
    let (low, nearer) = close_in(low, high, at);
    (low, nearer.unwrap_or(limit))
}

/// The largest multiple between `low`, at which nothing fails, and `high`, at which something does, to 2 %; and what
/// fails just above it, where that was looked at.
fn close_in(
    mut low: f64,
    mut high: f64,
    at: impl Fn(f64) -> Option<String>,
) -> (f64, Option<String>) {
    let mut limit = None;
    while high / low > CLOSE {
        let middle = (low * high).sqrt();
        match at(middle) {
            None => low = middle,
            failed => (high, limit) = (middle, failed),
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
