//! The declared accuracy: what the calibration must not fall behind (`calibration/accuracy.toml`).

use std::fmt::Write as _;

use super::accuracy::{Accuracy, LeftOut, RowAccuracy, Summary};
use super::influence::Mover;
use super::problem::Problem;
use crate::calibration::Calibration;
use crate::diag::Diagnostics;
use crate::document::{self, Item, Reader};
use crate::experiment::{Claim, Row};
use crate::posterior::Posterior;
use crate::system::unmeasured::sigma;

/// The file inside the binary.
const TEXT: &str = include_str!("../../../../calibration/accuracy.toml");
/// An error may grow by so much before it counts as worse: what other machines round differently.
const SLACK: f64 = 0.005;

/// The figures of a summary by name, with whether less is better.
fn measures(s: &Summary) -> [(&'static str, f64, bool); 11] {
    [
        ("median_error", s.median, true),
        ("largest_error", s.worst, true),
        ("left_out_median", s.left_out_median, true),
        ("left_out_90", s.left_out_90, true),
        ("source_factor", s.source_factor, true),
        ("claims_violated", (s.claims_held.1 - s.claims_held.0) as f64, true),
        ("coverage_80", s.coverage, false),
        ("coverage_80_mechanism", s.mechanism_coverage, false),
        ("interval_score", s.interval_score, true),
        ("brier", s.brier, true),
        ("figures_a_parameter", s.figures as f64 / s.parameters.max(1) as f64, false),
    ]
}

/// The text of `accuracy.toml` for an accuracy, with the data that move each free parameter.
pub fn accuracy_toml(problem: &Problem<'_>, accuracy: &Accuracy, movers: &[Vec<Mover>]) -> String {
    let mut out = String::from(
        "# The declared accuracy: written by `plimsoll calibrate --write`, kept by `plimsoll calibrate --check`, shown by\n\
         # `plimsoll calibrate`. A figure that gets worse needs a line in the changelog. Errors are shares: 0.05 is 5 %.\n\
         # Predictions are in base units; one without the datum, its mechanism or its source has the variance of its logarithm\n\
         # beside it, the parts of that which come from the parameters and from kinds of resource without a\n\
         # measurement, and the model's own error as the rest shows it.\nschema = 1\n\n",
    );
    for (name, value, _) in measures(&accuracy.summary) {
        let _infallible = writeln!(out, "{name} = {value:.4}");
    }
    let s = &accuracy.summary;
    let _infallible = writeln!(out, "interval_score_constant = {:.4}", s.constant_score);
    let _infallible = writeln!(out, "parameters = {}", s.parameters);
    for r in &accuracy.rows {
        let row = &problem.rows[r.row];
        let table = if let Claim::Exactly(_) = row.claim {
            let error = row.claim.residual(r.predicted).exp() - 1.0;
            format!("[[figure]]\nid = \"{}\"\nerror = {error:.4}", row.id)
        } else {
            format!("[[claim]]\nid = \"{}\"", row.id)
        };
        let _infallible = write!(out, "\n{table}\npredicted = {:.6e}\n", r.predicted);
        let left_out = [r.left_out, r.mechanism_left_out, r.source_left_out];
        for (key, left) in WITHOUT.into_iter().zip(left_out) {
            let Some(left) = left.filter(|left| left.predicted.is_finite()) else {
                continue;
            };
            let LeftOut { predicted, variance, of_parameters, of_unmeasured, discrepancy } = left;
            let _infallible = writeln!(
                out,
                "{key} = [{predicted:.6e}, {variance:.6}, {of_parameters:.6}, {of_unmeasured:.6}, {discrepancy:.6}]"
            );
        }
    }
    for (free, movers) in problem.prior.free.iter().zip(movers) {
        let movers = movers.iter();
        let movers: Vec<String> = movers.map(|mover| format!("\"{}\" = {:.6}", mover.datum, mover.share)).collect();
        let (id, movers) = (&free.id, movers.join(", "));
        let _infallible = write!(out, "\n[[parameter]]\nid = \"{id}\"\nmoved_by = {{ {movers} }}\n");
    }
    out
}

/// What is left out, by key of a row.
const WITHOUT: [&str; 3] = ["without_datum", "without_mechanism", "without_source"];

/// The accuracy inside the binary, and the data that move each free parameter of the `posterior` inside it.
///
/// None where it is not that of these rows and parameters: a source was added since.
pub fn stored(rows: &[Row], calibration: &Calibration, posterior: &Posterior) -> Option<(Accuracy, Vec<Vec<Mover>>)> {
    let mut diagnostics = Diagnostics::default();
    let source = diagnostics.add_source("calibration/accuracy.toml".to_owned(), TEXT.to_owned());
    let root = document::parse(source, &diagnostics)?;
    let reader = Reader::new(&root, &diagnostics);
    let tables = ["figure", "claim"].map(|key| reader.tables(key));
    let tables: Vec<(String, &Reader<'_>)> =
        tables.iter().flatten().filter_map(|table| Some((table.text("id")?.value, table))).collect();
    let accuracies = rows.iter().enumerate().map(|(row, claimed)| {
        let (_, table) = tables.iter().find(|(id, _)| *id == claimed.id)?;
        let left_out = |key| match numbers(table, key)[..] {
            [predicted, variance, of_parameters, of_unmeasured, discrepancy] => {
                Some(LeftOut { predicted, variance, of_parameters, of_unmeasured, discrepancy })
            }
            _ => None,
        };
        let [datum, mechanism, source] = WITHOUT.map(left_out);
        Some(RowAccuracy {
            row,
            predicted: table.number("predicted")?.value,
            left_out: datum,
            mechanism_left_out: mechanism,
            source_left_out: source,
        })
    });
    let accuracies: Vec<RowAccuracy> = accuracies.collect::<Option<_>>()?;
    let parameters = reader.number("parameters")?.value as usize;
    let tables = reader.tables("parameter");
    let movers = posterior.free.iter().map(|free| {
        let is_its = |table: &&Reader<'_>| table.text("id").is_some_and(|id| id.value == free.id);
        let moved_by = tables.iter().find(is_its)?.table("moved_by")?;
        let mut movers: Vec<Mover> = moved_by
            .entries()
            .iter()
            .filter_map(|item| Some(Mover { datum: item.name.clone(), share: item.number()?.value }))
            .collect();
        movers.sort_by(|a, b| b.share.total_cmp(&a.share));
        Some(movers)
    });
    let movers = movers.collect::<Option<_>>()?;
    let discrepancy = posterior.discrepancy;
    Some((Accuracy::of(rows, parameters, accuracies, discrepancy, sigma(calibration)), movers))
}

fn numbers(reader: &Reader<'_>, key: &'static str) -> Vec<f64> {
    let items = reader.item(key).and_then(|item| item.list("numbers"));
    let items: Vec<Item<'_>> = items.unwrap_or_default();
    let numbers = items.iter().filter_map(Item::number);
    numbers.map(|number| number.value).collect()
}

/// What `calibration/accuracy.toml` declares; errors are shares.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// Median error of the values in sample.
    pub median_error: f64,
    /// Largest error of a value in sample.
    pub largest_error: f64,
    /// Median error, each datum from the others.
    pub left_out_median: f64,
    /// 90th percentile of the same.
    pub left_out_90: f64,
    /// Largest factor of a commit rate or sync time, its source from the others.
    pub source_factor: f64,
    /// Orderings, bounds and ranges that do not hold; a count.
    pub claims_violated: f64,
    /// Share of 80 % intervals that hold the figure, each source from the others.
    pub coverage_80: f64,
    /// The same, each mechanism from the others.
    pub coverage_80_mechanism: f64,
    /// Mean score of 80 % intervals, each source from the others.
    pub interval_score: f64,
    /// The same of the constant factor that scores best.
    pub interval_score_constant: f64,
    /// Mean Brier score of bounds and orders, each source from the others.
    pub brier: f64,
    /// Figures to a free parameter.
    pub figures_a_parameter: f64,
    /// Each figure with its error in sample.
    pub figures: Vec<(String, f64)>,
}

/// The declared accuracy inside the binary. A broken file is a bug, found by a test: it panics with the
/// report.
///
/// ```
/// let declared = plimsoll_model::fit::declared();
/// assert!(declared.median_error < 0.05 && declared.figures.len() > 40);
/// ```
pub fn declared() -> Declared {
    let mut diagnostics = Diagnostics::default();
    let source = diagnostics.add_source("calibration/accuracy.toml".to_owned(), TEXT.to_owned());
    let root = document::parse(source, &diagnostics);
    let number = |name: &'static str| {
        let reader = Reader::new(root.as_ref()?, &diagnostics);
        Some(reader.number(name)?.value)
    };
    let one =
        |name: &'static str| number(name).unwrap_or_else(|| panic!("accuracy.toml, {name}:\n{}", diagnostics.render()));
    let figures = root.as_ref().map_or_else(Vec::new, |root| {
        let tables = Reader::new(root, &diagnostics).tables("figure");
        let pair = |t: &Reader<'_>| Some((t.text("id")?.value, t.number("error")?.value));
        tables.iter().filter_map(pair).collect()
    });
    Declared {
        median_error: one("median_error"),
        largest_error: one("largest_error"),
        left_out_median: one("left_out_median"),
        left_out_90: one("left_out_90"),
        source_factor: one("source_factor"),
        claims_violated: one("claims_violated"),
        coverage_80: one("coverage_80"),
        coverage_80_mechanism: one("coverage_80_mechanism"),
        interval_score: one("interval_score"),
        interval_score_constant: one("interval_score_constant"),
        brier: one("brier"),
        figures_a_parameter: one("figures_a_parameter"),
        figures,
    }
}

/// A sentence for each figure that has no declared error: those of a source or run that was added.
pub fn not_declared(problem: &Problem<'_>, accuracy: &Accuracy) -> Vec<String> {
    let declared = declared().figures;
    let rows = accuracy.rows.iter().map(|r| (r, &problem.rows[r.row]));
    let new =
        rows.filter(|(_, row)| matches!(row.claim, Claim::Exactly(_)) && declared.iter().all(|(id, _)| *id != row.id));
    new.map(|(r, row)| {
        let error = row.claim.residual(r.predicted).exp() - 1.0;
        format!("{} is new: errs by {error:+.4}", row.id)
    })
    .collect()
}

/// A sentence for each figure that is worse than declared.
pub fn worse_than_declared(problem: &Problem<'_>, accuracy: &Accuracy) -> Vec<String> {
    let mut diagnostics = Diagnostics::default();
    let source = diagnostics.add_source("calibration/accuracy.toml".to_owned(), TEXT.to_owned());
    let Some(root) = document::parse(source, &diagnostics) else {
        return vec![diagnostics.render()];
    };
    let reader = Reader::new(&root, &diagnostics);
    let mut worse = Vec::new();
    for (name, value, less_is_better) in measures(&accuracy.summary) {
        let Some(declared) = reader.number(name) else {
            worse.push(format!("calibration/accuracy.toml declares no {name}"));
            continue;
        };
        let lost = if less_is_better { value - declared.value } else { declared.value - value };
        if lost > SLACK {
            let declared = declared.value;
            worse.push(format!("{name} is {value:.4}; declared is {declared:.4}"));
        }
    }
    for table in reader.tables("figure") {
        let (Some(id), Some(declared)) = (table.text("id"), table.number("error")) else {
            continue;
        };
        let rows = accuracy.rows.iter();
        let found = rows.map(|r| (r, &problem.rows[r.row])).find(|(_, row)| row.id == id.value);
        let Some((r, row)) = found else {
            worse.push(format!("{} is declared and no longer predicted", id.value));
            continue;
        };
        let error = row.claim.residual(r.predicted).exp() - 1.0;
        if error.abs() - declared.value.abs() > SLACK {
            let declared = declared.value;
            worse.push(format!("{} has an error of {error:+.4}; declared is {declared:+.4}", row.id));
        }
    }
    worse
}
