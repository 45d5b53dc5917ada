//! Which unanswered question matters most to the recommendation.
//!
//! Each assumption is moved to the low and the high end of its range, the site is read again, and the
//! recommended deployment predicted anew; what moves the times most matters most.

use super::candidates::choices_for;
use super::growth::provision;
use super::score::times;
use crate::calibration::Calibration;
use crate::catalog::Catalog;
use crate::site::{self, Site, Vocabulary};
use crate::system::{Choices, Effort, bind, capacity, commit_time, predict};
use crate::workload::from_site;

/// What one unanswered question does.
#[derive(Debug, Clone, PartialEq)]
pub struct Influence {
    /// The field.
    pub field: String,
    /// The largest ratio by which a time changes over the range, at least 1.
    pub ratio: f64,
    /// Which time.
    pub time: String,
    /// Whether an end of the range saturates a resource.
    pub saturates: bool,
}

/// Influences of all assumptions on a deployment, largest first.
pub(super) fn influences(
    site: &Site,
    vocabulary: &Vocabulary,
    catalog: &Catalog,
    calibration: &Calibration,
    layout: &str,
    choices: &Choices,
) -> Vec<Influence> {
    let reference = judge(site, catalog, calibration, layout, choices);
    let mut influences: Vec<Influence> = site
        .assumptions()
        .iter()
        .filter(|a| !a.field.starts_with("criteria") && a.low_override != a.high_override)
        .filter_map(|assumption| {
            let mut worst = Influence {
                field: assumption.field.clone(),
                ratio: 1.0,
                time: String::new(),
                saturates: false,
            };
            for end in [&assumption.low_override, &assumption.high_override] {
                let mut overrides = site.overrides.clone();
                overrides.push(format!("{}={end}", assumption.field));
                let varied = site::parse(&site.file, &site.text, &overrides, vocabulary).ok()?;
                let fresh = choices_for(&varied, catalog);
                let choices = Choices {
                    memory: fresh.memory,
                    cores: fresh.cores,
                    local: fresh.local,
                    networks: fresh.networks,
                    client_network: fresh.client_network,
                    client_links: fresh.client_links,
                    release: fresh.release,
                    lockless: fresh.lockless,
                    ..choices.clone()
                };
                match judge(&varied, catalog, calibration, layout, &choices) {
                    None => worst.saturates = true,
                    Some(times) => compare(reference.as_ref(), &times, &mut worst),
                }
            }
            (worst.saturates || worst.ratio > 1.02).then_some(worst)
        })
        .collect();
    influences.sort_by(|a, b| {
        b.saturates
            .cmp(&a.saturates)
            .then(b.ratio.total_cmp(&a.ratio))
            .then(a.field.cmp(&b.field))
    });
    influences
}

type Times = Vec<(String, f64)>;

fn judge(
    site: &Site,
    catalog: &Catalog,
    calibration: &Calibration,
    layout: &str,
    choices: &Choices,
) -> Option<Times> {
    let mut deployment = bind(catalog, catalog.layouts.get(layout)?, choices).ok()?;
    let load = from_site::load(site);
    let sizes = capacity::sizes(site, &load, catalog, calibration);
    provision(site, catalog, &mut deployment, &sizes);
    let prediction = predict(&deployment, &load, catalog, calibration, Effort::Search).ok()?;
    let files = site.workload.largest_submit_files.value;
    let commit = commit_time(&deployment, &load, files, catalog, calibration);
    Some(times(&prediction, commit))
}

fn compare(reference: Option<&Times>, times: &Times, worst: &mut Influence) {
    for (name, time) in times {
        let Some((_, before)) = reference.and_then(|r| r.iter().find(|(n, _)| n == name)) else {
            continue;
        };
        let ratio = (time / before).max(before / time);
        if ratio > worst.ratio {
            worst.ratio = ratio;
            worst.time.clone_from(name);
        }
    }
}
