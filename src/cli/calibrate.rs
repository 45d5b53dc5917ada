//! `plimsoll calibrate`: shows how well the model fitted to the published measurements does, or fits it anew.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{ArgGroup, Args};

use super::doing::Doing;
use super::failure::Failure;
use super::out::{self, Output};
use super::output::Outcome;
use super::session::Library;
use super::{Common, Format, calibrate_add, places};
use crate::experiment::Experiments;
use crate::files::{Mark, Over, Style};
use crate::fit::{self, Apart, Fit, FitError, LeftOut, Problem};
use crate::parallel;
use crate::posterior::{self, Posterior};
use crate::report::json::object;
use crate::report::{self, Calibrated, SCHEMA};

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("written").args(["write", "save"]).multiple(true))]
pub(super) struct Arguments {
    /// Only check that the accuracy is as declared in calibration/accuracy.toml and the fit as in
    /// calibration/fitted.toml: exit code 1 where it is not
    #[arg(long)]
    check: bool,
    /// Write the fitted parameters to DIR/fitted.toml and the accuracy of their predictions to DIR/accuracy.toml
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    #[command(flatten)]
    add: calibrate_add::AddArguments,
    #[command(flatten)]
    pub(super) common: Common,
}

/// A free parameter that moves by less is not named.
const MOVED: f64 = 0.001;

/// What to do where a change was meant.
const NEXT: &str = "If a measurement or the model changed, write the fit and the declared accuracy, then build again:\n  \
     plimsoll calibrate --write calibration\n\
     In the source tree `tests/renew.sh fit` does so, and renews what the tests keep.\n";

const FITTED: Mark = Mark { style: Style::Hash, kind: "a fit" };
const ACCURACY: Mark = Mark { style: Style::Hash, kind: "an accuracy table" };

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    if let Some(path) = &arguments.add.add {
        return calibrate_add::run(path, &arguments.add, &arguments.common);
    }
    let library = Library::uncalibrated(&arguments.common)?;
    let over = arguments.common.calibration.as_deref();
    let experiments = Experiments::load(over, &library.catalog, &library.calibration)?;
    let paths = paths(arguments);
    let outputs = outputs(arguments, &paths);
    places::apart([], paths.iter().filter_map(Option::as_deref))?;
    outputs.iter().flatten().try_for_each(Output::check)?;
    match stored(arguments, &library, &experiments) {
        Some(stored) => Ok(stored),
        None => fitted(arguments, &outputs, &library, &experiments),
    }
}

/// The files that this command may write: the fit and its accuracy.
fn paths(arguments: &Arguments) -> [Option<PathBuf>; 2] {
    let below = |name| arguments.write.as_ref().map(|folder| folder.join(name));
    [below("fitted.toml"), below("accuracy.toml")]
}

fn outputs<'a>(arguments: &Arguments, paths: &'a [Option<PathBuf>; 2]) -> [Option<Output<'a>>; 2] {
    let over = if arguments.add.overwrite { Over::Anything } else { Over::Unchanged };
    let [fitted, accuracy] = paths;
    [(fitted, FITTED), (accuracy, ACCURACY)]
        .map(|(path, mark)| Some(Output { path: path.as_deref()?, mark: Some(mark), over, option: "--overwrite" }))
}

/// Shows the fit inside the binary with its tables; none where a fit was asked for, or the tables are not of these data.
fn stored(arguments: &Arguments, library: &Library, experiments: &Experiments) -> Option<Outcome> {
    let common = &arguments.common;
    let is_laid_over = common.calibration.is_some() || common.models.is_some();
    if arguments.check || arguments.write.is_some() || is_laid_over {
        return None;
    }
    let posterior = Posterior::embedded();
    let (accuracy, movers) = fit::stored(&experiments.rows, &library.calibration, &posterior)?;
    let calibrated = Calibrated {
        rows: &experiments.rows,
        calibration: &library.calibration,
        posterior: &posterior,
        movers: &movers,
        accuracy: &accuracy,
    };
    Some(shown(&calibrated, common.format))
}

fn shown(calibrated: &Calibrated<'_>, format: Format) -> Outcome {
    match format {
        Format::Json => Outcome::json(&report::CalibratedJson::of(calibrated), false),
        Format::Text => Outcome::page(&report::calibration_page(calibrated), false),
    }
}

fn fitted(
    arguments: &Arguments,
    [fitted, accurate]: &[Option<Output<'_>>; 2],
    library: &Library,
    experiments: &Experiments,
) -> Result<Outcome, Failure> {
    let mut problem = Problem::new(&library.catalog, &library.calibration, experiments).map_err(Failure::wrong)?;
    let doing = &library.doing;
    doing.say(&"1 of 4: the fit");
    let fit = Fit::of_data(&mut problem).map_err(Failure::wrong)?;
    let without = |round, apart| leave_out_each(&problem, &fit, apart, (round, doing)).map_err(Failure::wrong);
    let left_out = [&without(2, Apart::Datum)?[..], &without(3, Apart::Mechanism)?, &without(4, Apart::Source)?];
    let accuracy = fit::accuracy(&problem, &fit, left_out);
    let movers = fit::movers(&problem, &fit);
    let found = fit::fitted_toml(&problem, &fit, &movers, accuracy.discrepancy);
    if let (Some(fitted), Some(accurate)) = (fitted, accurate) {
        let accuracy = fit::accuracy_toml(&problem, &accuracy, &movers);
        out::write_together([(*fitted, &found), (*accurate, &accuracy)])?;
    }
    let calibrated = Calibrated {
        rows: problem.rows,
        calibration: &library.calibration,
        posterior: &fit.posterior,
        movers: &movers,
        accuracy: &accuracy,
    };
    let shown = shown(&calibrated, arguments.common.format);
    if !arguments.check {
        return Ok(shown);
    }
    let mut worse = fit::worse_than_declared(&problem, &accuracy);
    worse.extend(fit::not_declared(&problem, &accuracy));
    if found != FITTED.off(posterior::FITTED.1) {
        worse.extend(moved(&fit));
    }
    Ok(checked(&worse, arguments.common.format))
}

/// In what a fit is not that of `calibration/fitted.toml`.
fn moved(fit: &Fit) -> Vec<String> {
    let before = Posterior::embedded();
    let mut found = vec!["the fit differs from calibration/fitted.toml".to_owned()];
    for (free, shift) in fit.posterior.free.iter().zip(&fit.posterior.shift) {
        let was = before.free.iter().position(|old| old.id == free.id);
        let Some(was) = was.and_then(|i| before.shift.get(i)) else {
            found.push(format!("the free parameter {} is new", free.id));
            continue;
        };
        let change = (shift - was).exp() - 1.0;
        if change.abs() >= MOVED {
            found.push(format!("{} moves by {:+.1} %", free.id, 100.0 * change));
        }
    }
    found
}

/// Whether the calibration is as declared.
fn checked(worse: &[String], format: Format) -> Outcome {
    let missed = !worse.is_empty();
    if format == Format::Json {
        return Outcome::json(&Checked::of(worse), missed);
    }
    let text = if missed {
        let worse = worse.join("\n  ");
        format!("the calibration is not as declared:\n  {worse}\n{NEXT}")
    } else {
        "the calibration is as declared\n".to_owned()
    };
    Outcome::judged(text, missed)
}

object! {
    /// `calibrate --check`.
    Checked of (worse: &[String]) {
        schema: u32 = SCHEMA, "Version of the form of answers.";
        as_declared: bool = worse.is_empty(), "Whether the calibration is as `calibration/accuracy.toml` declares (false: exit code 1).";
        worse: Vec<String> = worse.to_vec(), "A sentence for each figure that is worse than declared or not declared, and for each free parameter that moved.";
    }
}

/// Leaves out each set of rows; the order is that of the sets.
fn leave_out_each(
    problem: &Problem<'_>,
    fit: &Fit,
    apart: Apart,
    (round, doing): (usize, &Doing),
) -> Result<Vec<(usize, LeftOut)>, FitError> {
    let sets = fit::left_out_sets(problem, apart);
    let begun = AtomicUsize::new(0);
    let all = parallel::map(&sets, |set| {
        let number = begun.fetch_add(1, Ordering::Relaxed) + 1;
        doing.say(&format!("{round} of 4: left out {number} of {}", sets.len()));
        fit::leave_out(problem, fit, set)
    });
    let all: Result<Vec<_>, FitError> = all.into_iter().collect();
    Ok(all?.into_iter().flatten().collect())
}
