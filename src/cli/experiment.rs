//! `plimsoll predict --experiment ID`: a published measurement as the model runs it.

use std::collections::BTreeMap;

use super::output::Outcome;
use super::{Common, Format, Library};
use crate::diag::{nearest, quoted};
use crate::experiment::{Experiments, Readings, Run};
use crate::report::{self, Tried};

pub(super) fn run(id: &str, library: &Library, common: &Common) -> Outcome {
    let format = common.format;
    let over = common.calibration.as_deref();
    let experiments = match Experiments::load(over, &library.catalog, &library.calibration) {
        Ok(experiments) => experiments,
        Err(d) => return Outcome::diagnostics(&d.render(), &d.to_json(), format),
    };
    let wanted: Vec<&Run> = experiments
        .runs
        .values()
        .filter(|run| run.id == id || run.datum.as_deref() == Some(id))
        .collect();
    if wanted.is_empty() {
        return Outcome::wrong_as(&unknown(id, &experiments), format);
    }
    let mut tried = Vec::new();
    let mut readings: BTreeMap<&str, Readings> = BTreeMap::new();
    for run in wanted {
        let found = run.deployment(&library.catalog).and_then(|deployment| {
            let found = run.predict(&library.catalog, &library.calibration, &BTreeMap::new())?;
            Ok((deployment, found))
        });
        match found {
            Ok((deployment, (read, prediction))) => {
                readings.insert(&run.id, read.clone());
                tried.push(Tried {
                    run,
                    deployment,
                    readings: read,
                    prediction,
                });
            }
            Err(error) => return Outcome::wrong_as(&error.to_string(), format),
        }
    }
    let claims: Vec<_> = experiments
        .rows
        .iter()
        .filter_map(|row| Some((row, row.predicted(&readings)?)))
        .collect();
    if format == Format::Json {
        return Outcome::json(&report::experiment_json(&tried, &claims), false);
    }
    Outcome::done(report::experiment_text(&tried, &claims))
}

fn unknown(id: &str, experiments: &Experiments) -> String {
    if let Some(why) = experiments.not_run.get(id) {
        return format!("no run predicts {}: {why}", quoted(id));
    }
    let data = experiments
        .runs
        .values()
        .filter_map(|run| run.datum.as_deref());
    let known = experiments.runs.keys().map(String::as_str).chain(data);
    match nearest(id, known) {
        Some(near) => format!("no experiment {}; did you mean {near:?}?", quoted(id)),
        None => format!(
            "no experiment {}; `plimsoll calibrate` lists them",
            quoted(id)
        ),
    }
}
