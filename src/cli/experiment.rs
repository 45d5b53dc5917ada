//! `plimsoll predict --experiment ID`: a published measurement as the model runs it.

use std::collections::BTreeMap;

use super::failure::Failure;
use super::output::Outcome;
use super::session::Library;
use super::{Common, Format};
use crate::diag::{nearest, quoted};
use crate::experiment::{Experiments, Readings, Run};
use crate::report::{self, Tried};

pub(super) fn run(id: &str, library: &Library, common: &Common) -> Result<Outcome, Failure> {
    let over = common.calibration.as_deref();
    let experiments = Experiments::load(over, &library.catalog, &library.calibration)?;
    let wanted: Vec<&Run> =
        experiments.runs.values().filter(|run| run.id == id || run.datum.as_deref() == Some(id)).collect();
    if wanted.is_empty() {
        return Err(unknown(id, &experiments).into());
    }
    let mut tried = Vec::new();
    let mut readings: BTreeMap<&str, Readings> = BTreeMap::new();
    for run in wanted {
        let deployment = run.deployment(&library.catalog).map_err(Failure::wrong)?;
        let (read, prediction) =
            run.predict(&library.catalog, &library.calibration, &BTreeMap::new()).map_err(Failure::wrong)?;
        readings.insert(&run.id, read.clone());
        tried.push(Tried { run, deployment, readings: read, prediction });
    }
    let claims: Vec<_> = experiments.rows.iter().filter_map(|row| Some((row, row.predicted(&readings)?))).collect();
    Ok(match common.format {
        Format::Json => Outcome::json(&report::Experiments::of(&tried, &claims), false),
        Format::Text => Outcome::page(&report::experiment_page(id, &tried, &claims), false),
    })
}

fn unknown(id: &str, experiments: &Experiments) -> String {
    if let Some(why) = experiments.not_run.get(id) {
        return format!("no run predicts {}: {why}", quoted(id));
    }
    let data = experiments.runs.values().filter_map(|run| run.datum.as_deref());
    let known = experiments.runs.keys().map(String::as_str).chain(data);
    match nearest(id, known) {
        Some(near) => format!("no experiment {}; did you mean {near:?}?", quoted(id)),
        None => format!("no experiment {}; `plimsoll calibrate` lists them", quoted(id)),
    }
}
