//! What is drawn of a recommendation: response times over the load, load and stores over the years.

use super::advise::Advice;
use super::curve::{ClassCurve, Closeness, Curve, Stop, curve};
use super::outlook::{Outlook, outlook};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::Site;
use crate::system::Prediction;

/// Solved multiples of the load: enough for a smooth line.
const POINTS: usize = 24;
/// Times at which the years are looked at.
const TIMES: usize = 37;
/// Years are drawn up to so many horizons, to show when a limit comes.
const HORIZONS: f64 = 2.0;
const HORIZONS_MAX: f64 = 3.0;

/// The curves of a recommended deployment.
#[derive(Debug, Clone, PartialEq)]
pub struct Views {
    /// Over the load.
    pub curve: Curve,
    /// Over the years.
    pub outlook: Outlook,
}

/// The curves of a recommendation; `None` where nothing is recommended.
pub fn views(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    advice: &Advice,
) -> Option<Views> {
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
    Some(Views {
        curve: Curve {
            // One limit in all of the report: that of the search for headroom, which is finer.
            limit: curve.limit.map(|_| Stop {
                factor: headroom.factor,
                why: headroom.limit.clone(),
            }),
            classes: curve
                .classes
                .into_iter()
                .map(|class| as_confirmed(class, &chosen.prediction))
                .collect(),
            ..curve
        },
        outlook: outlook(
            site,
            catalog,
            &chosen.deployment,
            &chosen.sizes,
            headroom,
            years,
            TIMES,
        ),
    })
}

/// A curve through what the advice shows of today: where that was simulated, all of the solved curve is moved by the
/// same ratio.
fn as_confirmed(mut curve: ClassCurve, today: &Prediction) -> ClassCurve {
    let mut points = curve.points.iter();
    let now = points.find(|p| (p.factor - 1.0).abs() < 1e-6).copied();
    if let (Some(now), Some(shown)) = (now, today.class(&curve.work))
        && now.mean > 0.0
        && now.p95.value > 0.0
    {
        let (mean, p95) = (shown.mean.value / now.mean, shown.p95.value / now.p95.value);
        for point in &mut curve.points {
            point.mean *= mean;
            for time in [
                &mut point.p95.value,
                &mut point.p95.low,
                &mut point.p95.high,
            ] {
                *time *= p95;
            }
        }
    }
    curve
}
