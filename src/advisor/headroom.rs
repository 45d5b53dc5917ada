//! Headroom: the largest load that a deployment carries, and when growth reaches it.

use super::confirm::{Ask, confirm};
use super::load_limit::LoadLimit;
use super::rules::SHARE_MIN;
use super::safety::{MemoryShort, memory_short};
use super::sizing::Sizing;
use super::stores::Limit;
use super::targets::first_missed;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{Office, Site};
use crate::system::capacity::RoleSize;
use crate::system::correction::Correction;
use crate::system::{
    ClassPrediction, Deployment, Lens, PredictError, Prediction, Resource, ResourceKind, Spot, predict, predict_through,
};
use crate::units::{Growth, Seconds};
use crate::workload::{Clients, Load};

/// The largest multiple of today's load that is tried.
pub(super) const FACTOR_MAX: f64 = 64.0;
/// The least multiple that is looked at.
pub const FACTOR_LEAST: f64 = 1.0 / FACTOR_MAX;
/// How far a deployment is from its limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Headroom {
    /// Largest multiple of today's peak load at which targets hold and nothing saturates; below 1 where they do not
    /// hold today.
    pub factor: f64,
    /// What limits it.
    pub limit: LoadLimit,
    /// What ends it; `None` where nothing is solved at `factor`.
    pub bottleneck: Option<Bottleneck>,
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
    pub short: MemoryShort,
    /// When load growth reaches `factor`; `None` beyond a century or without growth.
    pub reached_in: Option<Seconds>,
}

impl Headroom {
    /// Largest multiple of today's peak load that is carried; none where even the least that is looked at misses a target, which
    /// then does not come from load.
    pub fn carried(&self) -> Option<f64> {
        (self.factor > FACTOR_LEAST).then_some(self.factor)
    }

    /// How far memory carries, where something else is the limit before.
    pub fn memory_later(&self) -> Option<&MemoryLimit> {
        let memory = self.memory.as_ref();
        memory.filter(|memory| memory.factor > self.factor)
    }
}

/// What a load is limited by; nothing where a deployment carries it. `found` is what simulations found.
fn stopped_at(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    deployment: &Deployment,
    load: &Load,
    found: Option<&Correction>,
) -> Option<LoadLimit> {
    if let Some(short) = memory_short(calibration, deployment, load) {
        return Some(LoadLimit::Memory(short));
    }
    let solved = predict_through(Lens::forgetful(), deployment, load, catalog, calibration);
    let found = match found {
        Some(found) => solved.and_then(|solved| solved.confirmed_by(found)),
        None => solved,
    };
    match found {
        Err(error) => Some(LoadLimit::Overload(error)),
        Ok(prediction) => first_missed(site, &prediction),
    }
}

/// The largest multiple of the load that is carried with what simulations found so far; none where nothing limits it, or where even
/// the least that is looked at is not carried.
pub(super) fn limit(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    deployment: &Deployment,
    load: &Load,
    found: &Correction,
) -> Option<f64> {
    let at = |factor: f64| {
        let load = load.scaled(factor);
        stopped_at(site, catalog, calibration, deployment, &load, Some(found))
    };
    let (factor, _) = match at(1.0) {
        Some(stopped) => bisect_below(1.0, stopped, at),
        None => bisect(at).unwrap_or((FACTOR_MAX, LoadLimit::NotFound)),
    };
    (factor > FACTOR_LEAST && factor < FACTOR_MAX).then_some(factor)
}

/// The largest multiple of the load that is carried with what simulations found of another deployment; none where that is not above
/// `least`.
pub(super) fn limit_above(
    (site, catalog, calibration): (&Site, &Catalog, &Calibration),
    (deployment, load): (&Deployment, &Load),
    found: &Correction,
    least: f64,
) -> Option<f64> {
    let at = |factor: f64| {
        let load = load.scaled(factor);
        stopped_at(site, catalog, calibration, deployment, &load, Some(found))
    };
    (least < FACTOR_MAX && at(least).is_none()).then(|| reach(least, at).0)
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
    let at = |factor: f64| {
        let load = load.scaled(factor);
        stopped_at(site, catalog, calibration, deployment, &load, Some(&today.correction))
    };
    // Today is as it was solved and confirmed, not solved once more.
    let now = memory_short(calibration, deployment, load).map(LoadLimit::Memory);
    let now = now.or_else(|| first_missed(site, today));
    let (factor, limit) = match now {
        Some(limit) => bisect_below(1.0, limit, at),
        None => bisect(at).unwrap_or((FACTOR_MAX, LoadLimit::NotFound)),
    };
    let growth = site.data.db_growth.value;
    let reached = |factor: f64| reached_in(factor, growth);
    let load_then = load.scaled(factor);
    let lens = Lens::forgetful();
    let then = predict_through(lens, deployment, &load_then, catalog, calibration).ok();
    Headroom {
        factor,
        bottleneck: then.map(|then| Bottleneck::of(site, &then, &limit)),
        limit,
        knee: knee(today).0,
        reached_in: reached(factor),
        memory: memory_limit(calibration, deployment, load).map(|(factor, short)| MemoryLimit {
            factor,
            short,
            reached_in: reached(factor),
        }),
        capacity: Sizing::of(site, catalog, sizes).capacity(deployment),
    }
}

/// The largest multiple of the load at which targets hold, nothing saturates and no memory is missing, and what limits
/// it. The search begins at `from`, a multiple that a similar deployment carries.
pub(super) fn carried(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    deployment: &Deployment,
    load: &Load,
    from: f64,
) -> (f64, LoadLimit) {
    let at = |factor: f64| {
        let load = load.scaled(factor);
        stopped_at(site, catalog, calibration, deployment, &load, None)
    };
    reach(from, at)
}

/// The largest multiple of the load, looked for from `from` on, at which nothing saturates.
pub(super) fn steady(
    catalog: &Catalog,
    calibration: &Calibration,
    deployment: &Deployment,
    load: &Load,
    from: f64,
) -> f64 {
    let at = |factor: f64| {
        let (lens, load) = (Lens::forgetful(), load.scaled(factor));
        let solved = predict_through(lens, deployment, &load, catalog, calibration);
        solved.err().map(LoadLimit::Overload)
    };
    reach(from, at).0
}

/// The largest multiple at which nothing fails, and what does beyond; looked for from `from` on.
fn reach(from: f64, at: impl Fn(f64) -> Option<LoadLimit>) -> (f64, LoadLimit) {
    if let Some(limit) = at(from) {
        return bisect_below(from, limit, at);
    }
    // Most changes give nothing: that is seen just above what is carried without them.
    let (mut low, mut high) = (from, from * CLOSE);
    let limit = loop {
        if low >= FACTOR_MAX {
            return (FACTOR_MAX, LoadLimit::NotFound);
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
const CLOSE: f64 = 1.01;

/// The largest multiple of the load at which all servers have enough memory, and which lacks it then; `None` where
/// none does up to the largest multiple that is tried.
fn memory_limit(calibration: &Calibration, deployment: &Deployment, load: &Load) -> Option<(f64, MemoryShort)> {
    let at = |factor: f64| memory_short(calibration, deployment, &load.scaled(factor));
    at(FACTOR_MAX)?;
    Some(match at(1.0) {
        Some(short) => bisect_below(1.0, short, at),
        None => bisect(at)?,
    })
}

/// Multiple of the load at which a resource of a prediction is fully busy, where the asymptotes cross, and the first that is.
/// Live checkpoints hold locks as often with any load.
pub(super) fn knee(prediction: &Prediction) -> (f64, Resource) {
    let holds = prediction.long_holds.iter();
    let checkpoints = holds.filter(|hold| hold.holder.clients == Clients::LiveCheckpoints);
    let held: f64 = checkpoints.map(|hold| hold.rate * hold.hold).sum();
    let full_at = |(resource, busy): (&Resource, f64)| {
        let fixed = if resource.is_lock() { held.min(busy) } else { 0.0 };
        ((1.0 - fixed) / (busy - fixed), resource.clone())
    };
    let all = prediction.busy().map(full_at);
    let nothing = (FACTOR_MAX, Resource::shared(Spot::Nothing));
    let first = all.reduce(|first, next| if next.0 < first.0 { next } else { first });
    first.filter(|(factor, _)| factor.is_finite()).unwrap_or(nothing)
}

/// What ends the load that a system carries.
#[derive(Debug, Clone, PartialEq)]
pub enum Bottleneck {
    /// The busiest resource or lock, and its busy fraction.
    Busy(Resource, f64),
    /// Latency, such as round trips with a window in flight, which is there with any load.
    Latency {
        /// The work that misses its target, as printed.
        work: String,
        /// What most of its time goes to, in words.
        what: &'static str,
        /// Which share of it.
        share: f64,
    },
}

impl Bottleneck {
    /// Of a system at a load above which something ends it.
    pub fn of(site: &Site, prediction: &Prediction, limit: &LoadLimit) -> Self {
        /// The larger part of the time.
        const MOST: f64 = 0.5;
        let class = limit.work().and_then(|work| prediction.class(work));
        let latency = class.and_then(|class| {
            let (kind, share) = largest_part(class)?;
            let what = latency(site, (prediction, class), kind).filter(|_| share > MOST)?;
            Some((class, what, share))
        });
        if let Some((class, what, share)) = latency {
            let work = class.name.clone();
            return Self::Latency { work, what, share };
        }
        let (resource, busy) = prediction.bottleneck();
        Self::Busy(resource, busy)
    }
}

/// What a kind of work's time goes to, in words, where that is there with any load: the line to an office of which one connection
/// moves a small part, because its window is in flight for a round trip, is that while others do not fill the line.
fn latency(
    site: &Site,
    (prediction, class): (&Prediction, &ClassPrediction),
    kind: ResourceKind,
) -> Option<&'static str> {
    /// From about there on who uses a line waits for others.
    const BUSY: f64 = 0.5;
    match kind {
        ResourceKind::Delay | ResourceKind::Client => Some(kind.in_words()),
        // All that run at once share the line: their bytes fill it.
        ResourceKind::Wan if !class.work.is_at_once() => {
            let mut offices = site.people.sites.iter();
            let office = class.work.clients.office();
            let office = offices.find(|one| Some(one.name.as_str()) == office)?;
            let line = Resource::line_to(&office.name);
            let mut resources = prediction.resources.iter();
            let is_busy = resources.any(|r| r.resource == line && r.utilization > BUSY);
            let is_held = is_held_by_window(site, office) && !is_busy;
            is_held.then_some("the window of one connection")
        }
        _ => None,
    }
}

/// Whether one connection to an office moves clearly less than its line, because of its window.
pub(super) fn is_held_by_window(site: &Site, office: &Office) -> bool {
    let trip = office.round_trip.value.get().max(f64::MIN_POSITIVE);
    let rate = site.server.tcp_window.value.get() / trip;
    rate < SHARE_MIN * office.bandwidth.value.get()
}

/// What most of a kind of work's time goes to, and which share of it.
pub(super) fn largest_part(class: &ClassPrediction) -> Option<(ResourceKind, f64)> {
    let all: f64 = class.parts.iter().map(|(_, time)| time).sum();
    let (kind, most) = class.parts.first()?;
    (all > 0.0).then_some((*kind, most / all))
}

/// When growth reaches a multiple of today's load; `None` beyond a century or without growth.
pub(super) fn reached_in(factor: f64, growth: Growth) -> Option<Seconds> {
    years_to(factor, growth).map(Seconds::years)
}

/// What a deployment that today's load overloads does carry.
#[derive(Debug, Clone, PartialEq)]
pub struct Overload {
    /// The deployment.
    pub deployment: Deployment,
    /// What cannot keep up today.
    pub limit: PredictError,
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
        let short = short.map(LoadLimit::Memory);
        short.or_else(|| solve(factor).err().map(LoadLimit::Overload))
    };
    let (factor, _) = bisect_below(1.0, LoadLimit::Overload(limit.clone()), at);
    Some(Overload { deployment: deployment.clone(), limit: limit.clone(), factor, prediction: solve(factor).ok()? })
}

/// What a deployment carries whose peak load is not steady in the simulation: known to a fifth, since each multiple is simulated;
/// `None` where it carries next to nothing.
pub(super) fn overload_simulated(
    catalog: &Catalog,
    calibration: &Calibration,
    deployment: &Deployment,
    load: &Load,
    limit: &PredictError,
    ask: &Ask<'_>,
) -> Option<Overload> {
    /// Halvings of what is between a multiple that is carried and one that is not.
    const CLOSER: u32 = 2;
    let at = |factor: f64| {
        let load = load.scaled(factor);
        if memory_short(calibration, deployment, &load).is_some() {
            return None;
        }
        let mut prediction = predict(deployment, &load, catalog, calibration).ok()?;
        confirm(&mut prediction, deployment, &load, catalog, calibration, ask).ok()?;
        Some(prediction)
    };
    let mut factor = 0.5;
    let mut prediction = loop {
        if factor <= FACTOR_LEAST {
            return None;
        }
        if let Some(found) = at(factor) {
            break found;
        }
        factor /= 2.0;
    };
    let mut high = 2.0 * factor;
    for _ in 0..CLOSER {
        let middle = f64::midpoint(factor, high);
        match at(middle) {
            Some(found) => (factor, prediction) = (middle, found),
            None => high = middle,
        }
    }
    Some(Overload { deployment: deployment.clone(), limit: limit.clone(), factor, prediction })
}

/// The largest multiple below 1 at which nothing fails, to 2 %; `limit` fails at 1.
fn bisect_below<L>(from: f64, limit: L, at: impl Fn(f64) -> Option<L>) -> (f64, L) {
    let halved = |factor: f64| (factor / 2.0).max(FACTOR_LEAST);
    let (mut low, mut high) = (halved(from), from);
    while at(low).is_some() {
        if low <= FACTOR_LEAST {
            return (FACTOR_LEAST, limit);
        }
        (low, high) = (halved(low), low);
    }
    let (low, _) = close_in(low, high, at);
    (low, limit)
}

/// The largest multiple from 1 on at which nothing fails, and what fails above it; none where nothing does up to the largest
/// that is tried.
fn bisect<L>(at: impl Fn(f64) -> Option<L>) -> Option<(f64, L)> {
    let (mut low, mut high) = (1.0, 2.0);
    let limit = loop {
        match at(high) {
            Some(limit) => break limit,
            None if high >= FACTOR_MAX => return None,
            None => {
                low = high;
                high *= 2.0;
            }
        }
    };
    let (low, nearer) = close_in(low, high, at);
    Some((low, nearer.unwrap_or(limit)))
}

/// The largest multiple between `low`, at which nothing fails, and `high`, at which something does, to 1 %; and what
/// fails just above it, where that was looked at.
fn close_in<L>(mut low: f64, mut high: f64, at: impl Fn(f64) -> Option<L>) -> (f64, Option<L>) {
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

#[cfg(test)]
mod tests {
    use super::{CLOSE, FACTOR_LEAST, LoadLimit, reach};

    #[test]
    fn the_least_load_is_the_same_wherever_the_search_begins() {
        for from in [FACTOR_LEAST, 0.3, 1.0, 8.0, 50.0] {
            assert_eq!(reach(from, |_| Some(LoadLimit::NotFound)).0, FACTOR_LEAST);
            for limit in [0.02, 0.9, 5.0] {
                let fails = |factor: f64| (factor > limit).then_some(LoadLimit::NotFound);
                let (found, _) = reach(from, fails);
                assert!(found <= limit && found * CLOSE * CLOSE > limit, "{from}: {found} {limit}");
            }
        }
    }
}
