//! How many large syncs there are a day, where the site says how many are in flight.
//!
//! What is stated of the number in flight is an observation of today's system: their rate is the one at which the model has so
//! many in flight there (Little 1961). Found once, before anything is judged: layouts, changes and what-ifs keep it.

use super::today::{self, System};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{Observed, Site, Vocabulary};
use crate::system::predict;
use crate::units::Seconds;
use crate::workload::Load;

/// How closely the rate is looked for, as a ratio.
const CLOSE: f64 = 1.01;
/// The least part of what clients and lines allow that is looked at.
const LEAST: f64 = 1.0 / 256.0;
/// How much more there may be than where all share a link at 80 %, on a system that is stated.
const MOST: f64 = 1.25;

/// Times that the system is made anew: what is assumed of it, such as the drives of an array, may follow from how many there are.
const ROUNDS: usize = 4;

/// The site with as many large syncs a day as today's system has, where the site says how many are in flight there; that system is
/// what is stated, else everything on one volume.
pub(super) fn counted(
    site: &Site,
    vocabulary: &Vocabulary,
    catalog: &Catalog,
    calibration: &Calibration,
) -> Option<Site> {
    if !site.counts_large_syncs() || site.today.large_sync_time.is_some() {
        return None;
    }
    let mut found: Option<Site> = None;
    for round in 0..ROUNDS {
        let before = found.as_ref().unwrap_or(site);
        let Ok(there) = today::as_answered(before, catalog, calibration) else {
            break;
        };
        let most = if there.is_assumed && round == 0 { 1.0 } else { MOST };
        let Some(rate) = rate(before, (&there, most), catalog, calibration) else {
            break;
        };
        let each = Some((Seconds::new(rate.time), there.is_assumed));
        let observed =
            Observed { moved: before.counted(rate.times, each).into_iter().collect(), ..Observed::default() };
        found = Some(before.with_observed(observed, vocabulary)?);
        if (1.0 / CLOSE..CLOSE).contains(&rate.times) {
            break;
        }
    }
    found
}

/// What is observed.
struct Rate {
    /// Over the rate that the site has without it.
    times: f64,
    /// How long a large sync takes at it, by the model \[s\].
    time: f64,
}

/// The rate at which as many are in flight on a system as are stated, at most so many times that of the site; none where it carries
/// nothing.
fn rate(site: &Site, (there, most): (&System, f64), catalog: &Catalog, calibration: &Calibration) -> Option<Rate> {
    let count = site.workload.concurrent_syncs.as_ref()?.value;
    let in_flight = |times: f64| {
        let load = with_large_syncs(&there.load, times);
        let found = predict(&there.deployment, &load, catalog, calibration).ok()?;
        Some(found.large_syncs_in_flight())
    };
    // The more come, the more are in flight.
    let (mut low, mut high) = (LEAST, most);
    if in_flight(high).is_some_and(|most| most < count) {
        low = high;
    } else if in_flight(low).is_none_or(|least| least > count) {
        return None;
    }
    while high / low > CLOSE {
        let tried = (low * high).sqrt();
        if in_flight(tried).is_some_and(|found| found < count) {
            low = tried;
        } else {
            high = tried;
        }
    }
    let at_peak = site.workload.large_syncs_at_peak() * low;
    Some(Rate { times: low, time: in_flight(low)? / at_peak })
}

/// The load with so many times as many large syncs.
fn with_large_syncs(load: &Load, times: f64) -> Load {
    let mut load = load.clone();
    let large = load.groups.iter_mut();
    for group in large.filter(|group| group.clients.are_large_syncs()) {
        group.arrival = group.arrival.scaled(times);
    }
    load
}
