//! Simulates a deployment near the load at which something gives way: where its limit lies is found there, and does not hang on
//! how far today's load is from it.

use super::confirm::{Ask, confirm};
use super::headroom;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::Site;
use crate::system::correction::Correction;
use crate::system::{Confirmation, Deployment, PredictError, Prediction, predict};
use crate::workload::Load;

/// Loads that may be simulated beside today's: the solved limit, and where it lies once that is corrected.
const ROUNDS: usize = 2;
/// Simulated loads stand on a grid of this ratio, whatever today's load is, at or just below the limit.
const GRID: f64 = 1.05;
/// A limit that is as near to a simulated load is not simulated again, as a ratio.
const NEAR: f64 = 1.1;
/// How far below a load that is not steady in the simulation the next is tried, as a ratio.
const STEP: f64 = 1.25;

/// Confirms a prediction of today's peak, and adds what is found near the limit: half of what may be simulated is for each.
///
/// # Errors
///
/// Work arrives faster than it is completed at today's peak.
pub(super) fn confirm_with_limit(
    (site, catalog, calibration): (&Site, &Catalog, &Calibration),
    today: &mut Prediction,
    deployment: &Deployment,
    load: &Load,
    ask: &Ask<'_>,
) -> Result<(), PredictError> {
    let half = ask.over(2);
    confirm(today, deployment, load, catalog, calibration, &half)?;
    if !matches!(today.confirmed, Some(Confirmation::Steady(_))) {
        return Ok(());
    }
    let peak = today.cycles();
    let mut simulated = vec![1.0];
    let mut found = Correction::default();
    for _ in 0..ROUNDS {
        let limit = headroom::limit(site, catalog, calibration, deployment, load, &found);
        let Some(mut factor) = limit.map(|limit| on_grid(peak * limit) / peak) else {
            break;
        };
        loop {
            let is_near = |known: &f64| (factor / known).ln().abs() < NEAR.ln();
            if simulated.iter().any(is_near) {
                break;
            }
            simulated.push(factor);
            let load = load.scaled(factor);
            let Ok(mut there) = predict(deployment, &load, catalog, calibration) else {
                break;
            };
            match confirm(&mut there, deployment, &load, catalog, calibration, &half) {
                Ok(()) => {
                    today.correction.extend(there.correction);
                    break;
                }
                Err(why) => {
                    factor /= STEP;
                    today.correction.unsteady_beyond(peak * factor.max(1.0), why);
                }
            }
        }
        found.clone_from(&today.correction);
    }
    Ok(())
}

/// The load on the grid that is at most so large.
fn on_grid(load: f64) -> f64 {
    GRID.powf((load.ln() / GRID.ln()).floor())
}
