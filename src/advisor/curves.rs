//! What is drawn of a recommendation: response times over the load, load and stores over the years.

use super::advice::Advice;
use super::load_and_stores::{LoadAndStores, load_and_stores};
use super::over_load::{Closeness, Curve, Stop, curve};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::Site;

/// Solved multiples of the load: enough for a smooth line.
const POINTS: usize = 24;
/// Times at which the years are looked at.
const TIMES: usize = 37;
/// Years are drawn up to so many horizons, to show when a limit comes.
const HORIZONS: f64 = 2.0;
const HORIZONS_MAX: f64 = 3.0;

/// The curves of a recommended deployment.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// Over the load.
    pub curve: Curve,
    /// Over the years.
    pub load_and_stores: LoadAndStores,
}

/// The curves of a recommendation; `None` where nothing is recommended.
pub fn curves(site: &Site, catalog: &Catalog, calibration: &Calibration, advice: &Advice) -> Option<Curves> {
    let chosen = advice.chosen.as_ref()?;
    let headroom = &chosen.headroom;
    let curve = curve(
        site,
        catalog,
        calibration,
        &chosen.deployment,
        &advice.load,
        Some(&chosen.prediction),
        POINTS,
        Closeness::Fine,
    );
    let horizon = site.horizon.time.value.in_years();
    let reached = headroom.reached_in.map(|t| t.in_years() * 1.1);
    let near = reached.filter(|years| *years <= horizon * HORIZONS_MAX);
    let years = near.unwrap_or(0.0).max(horizon * HORIZONS).max(1.0).ceil();
    Some(Curves {
        curve: Curve {
            // One limit in all of the report: that of the search for headroom, which is finer.
            limit: curve.limit.map(|_| Stop { factor: headroom.factor, why: headroom.limit.to_string() }),
            ..curve
        },
        load_and_stores: load_and_stores(site, catalog, &chosen.deployment, &chosen.sizes, headroom, years, TIMES),
    })
}
