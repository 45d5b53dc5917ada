//! What a given layout does under a site's peak load, as `advise` would say it of its own choice.
//!
//! The best that the site can make of the layout is taken; its intervals contain the parameters, the
//! model's own error and what unanswered questions may do.

use super::candidates::{self, Candidate};
use super::drives;
use super::safety::memory_short;
use super::sensitivity::{self, Influence, Range, Subject};
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{Site, Vocabulary};
use crate::system::{Deployment, Effort, Prediction, capacity, interval, predict};
use crate::workload::from_site;

/// A layout under a site's load.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// The best that the site can make of the layout.
    pub deployment: Deployment,
    /// What it does at the peak, with intervals.
    pub prediction: Prediction,
    /// Which server lacks memory at the peak, in words; `None` where none does.
    pub short: Option<String>,
    /// Which unanswered questions matter to it, most first.
    pub influences: Vec<Influence>,
}

/// Forecasts of layouts, each by its id; in place of one that the site cannot have stands the reason.
pub fn forecasts(
    site: &Site,
    vocabulary: &Vocabulary,
    catalog: &Catalog,
    calibration: &Calibration,
    layouts: &[String],
) -> Vec<Result<Forecast, String>> {
    let ranges = sensitivity::ranges(site, vocabulary);
    let all = layouts.iter();
    all.map(|id| forecast(site, &ranges, catalog, calibration, id))
        .collect()
}

fn forecast(
    site: &Site,
    ranges: &[Range],
    catalog: &Catalog,
    calibration: &Calibration,
    id: &str,
) -> Result<Forecast, String> {
    let found = best(site, catalog, calibration, id)?;
    let Candidate {
        deployment,
        choices,
    } = found.candidate;
    let load = from_site::load(site);
    let shown = predict(&deployment, &load, catalog, calibration, Effort::Shown);
    let mut prediction = shown.map_err(|error| error.to_string())?;
    interval::add_intervals(&mut prediction, &deployment, &load, catalog, calibration);
    let subject = Subject {
        layout: id,
        choices: &choices,
        grows: found.grows,
    };
    let mut influences = sensitivity::influences(site, ranges, catalog, calibration, &subject);
    sensitivity::widen(&mut prediction, &influences);
    influences.retain(Influence::matters);
    Ok(Forecast {
        short: memory_short(calibration, &deployment, &load),
        deployment,
        prediction,
        influences,
    })
}

/// The best deployment that a site can make of one layout; for a reference layout whatever its own
/// devices need, even if the site does not have them.
pub fn best_of_layout(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    id: &str,
) -> Result<Deployment, String> {
    best(site, catalog, calibration, id).map(|found| found.candidate.deployment)
}

/// What a layout becomes at a site.
struct Found {
    candidate: Candidate,
    /// Whether its stores grow with the data.
    grows: bool,
}

fn best(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    id: &str,
) -> Result<Found, String> {
    let layout = catalog
        .layouts
        .get(id)
        .ok_or_else(|| format!("no layout {id:?}"))?;
    let load = from_site::load(site);
    let sizes = capacity::sizes(site, &load, catalog, calibration);
    let (all, reason) = candidates::of_layout(site, catalog, layout);
    let mut best: Option<(f64, Candidate)> = None;
    let mut failure = None;
    for mut candidate in all {
        drives::provision(site, catalog, &mut candidate, &sizes);
        match predict(
            &candidate.deployment,
            &load,
            catalog,
            calibration,
            Effort::Search,
        ) {
            Err(error) => failure = Some(error.to_string()),
            Ok(prediction) => {
                let judged = prediction.classes.iter().filter(|c| c.work.is_awaited());
                let score: f64 = judged.map(|c| c.p95.value.ln()).sum();
                if best.as_ref().is_none_or(|(b, _)| score < *b) {
                    best = Some((score, candidate));
                }
            }
        }
    }
    let found = match (best, failure) {
        (Some((_, candidate)), _) => Ok((candidate, true)),
        (None, Some(failure)) => Err(failure),
        (None, None) => candidates::fixed(site, catalog, layout)
            .map(|candidate| (candidate, false))
            .map_err(|error| reason.unwrap_or_else(|| error.to_string())),
    };
    found.map(|(candidate, grows)| Found { candidate, grows })
}
