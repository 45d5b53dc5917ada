//! What `plimsoll calibrate` shows: tables of accuracy, data and parameters.

use serde::Serialize;

use super::peak::percent;
use crate::calibration::{Calibration, Dimension};
use crate::experiment::{Claim, Row};
use crate::fit::{Accuracy, Fit, LeftOut, Mover, Problem, half_width};
use crate::page::{Table, paragraph};
use crate::units::significant;

/// A fit with all that is known of its error.
pub struct Calibrated<'a> {
    /// What was predicted.
    pub problem: &'a Problem<'a>,
    /// Numbers before the fit.
    pub calibration: &'a Calibration,
    /// Where it came to rest.
    pub fit: &'a Fit,
    /// By free parameter.
    pub movers: &'a [Vec<Mover>],
    /// Errors.
    pub accuracy: &'a Accuracy,
}

/// A figure by which a calibration is judged: name, target, what it is, whether it is met.
#[derive(Serialize)]
pub struct Judged {
    /// What is judged.
    #[serde(rename = "measure")]
    pub what: &'static str,
    /// The target in words.
    pub target: &'static str,
    /// The figure in words.
    pub is: String,
    /// Whether the target is met.
    pub met: bool,
}

/// The figures by which a calibration is judged, each with its target.
pub fn judged(accuracy: &Accuracy) -> Vec<Judged> {
    let s = accuracy.summary;
    let (held, claims) = s.claims_held;
    let judged = |what, target, is, met| Judged {
        what,
        target,
        is,
        met,
    };
    let ratio = s.figures as f64 / s.parameters.max(1) as f64;
    vec![
        judged(
            "values in sample, median error",
            "≤ 3 %",
            percent(s.median),
            s.median <= 0.03,
        ),
        judged(
            "values in sample, largest error",
            "≤ 15 %",
            percent(s.worst),
            s.worst <= 0.15,
        ),
        judged(
            "each datum from the others, median error",
            "≤ 12 %",
            percent(s.left_out_median),
            s.left_out_median <= 0.12,
        ),
        judged(
            "each datum from the others, 90th percentile",
            "≤ 35 %",
            percent(s.left_out_90),
            s.left_out_90 <= 0.35,
        ),
        judged(
            "commit rates and sync times, each source from the others",
            "within 1.5 ×",
            format!("{} ×", significant(s.source_factor, 3)),
            s.source_factor <= 1.5,
        ),
        judged(
            "orderings, bounds and ranges that hold",
            "all",
            format!("{held} of {claims}"),
            held == claims,
        ),
        judged(
            "80 % intervals that hold the figure, each source from the others",
            "75 to 95 %",
            percent(s.coverage),
            (0.75..=0.95).contains(&s.coverage),
        ),
        judged(
            "the same, each mechanism from the others",
            "75 to 95 %",
            percent(s.mechanism_coverage),
            (0.75..=0.95).contains(&s.mechanism_coverage),
        ),
        judged(
            "figures to free parameters",
            "≥ 2 : 1",
            format!(
                "{} to {}: {} : 1",
                s.figures,
                s.parameters,
                significant(ratio, 2)
            ),
            ratio >= 2.0,
        ),
    ]
}

/// The tables as text.
pub fn calibration_text(calibrated: &Calibrated<'_>) -> String {
    let accuracy = calibrated.accuracy;
    let mut out = String::from("Accuracy\n════════\n");
    let mut table = Table::new(&["measure", "target", "is", ""]);
    for j in judged(accuracy) {
        let verdict = if j.met { "met" } else { "missed" };
        table.row(vec![
            j.what.to_owned(),
            j.target.to_owned(),
            j.is,
            verdict.to_owned(),
        ]);
    }
    out.push_str(&table.text());
    out.push_str(&paragraph(
        &format!(
            "besides the uncertainty of parameters and figures, the model's own error is {} (one sigma), with each datum predicted from the others; where nobody measured it is larger",
            percent(accuracy.discrepancy)
        ),
        2,
    ));
    out.push_str("\nFigures\n═══════\n");
    out.push_str(&figures(calibrated));
    out.push_str("\nOrderings, bounds and ranges\n════════════════════════════\n");
    out.push_str(&claims(calibrated));
    out.push_str("\nParameters\n══════════\n");
    out.push_str(&parameters(calibrated));
    out
}

/// A relative error with its sign: "+3.1 %".
pub(super) fn signed(error: f64) -> String {
    let sign = if error >= 0.0 { "+" } else { "-" };
    format!("{sign}{}", percent(error.abs()))
}

fn error(row: &Row, predicted: f64) -> f64 {
    row.claim.residual(predicted).exp() - 1.0
}

/// Predicted without its datum, with its interval, and whether the figure lies in it.
fn left_out(row: &Row, left: LeftOut, discrepancy: f64) -> (String, &'static str) {
    let width = half_width(row.stated_error(), left.variance, discrepancy);
    let (low, high) = (left.predicted / width.exp(), left.predicted * width.exp());
    let inside = row.claim.residual(left.predicted).abs() <= width;
    (
        format!(
            "{} ({} – {})",
            signed(error(row, left.predicted)),
            row.dimension.show(low),
            row.dimension.show(high)
        ),
        if inside { "in" } else { "out" },
    )
}

fn figures(calibrated: &Calibrated<'_>) -> String {
    let mut table = Table::new(&[
        "figure",
        ">published",
        ">predicted",
        ">error",
        ">from the others (80 % interval)",
        "",
        ">from other sources",
    ]);
    for r in &calibrated.accuracy.rows {
        let row = &calibrated.problem.rows[r.row];
        let Claim::Exactly(published) = row.claim else {
            continue;
        };
        let (others, inside) = r.left_out.map_or_else(
            || ("–".to_owned(), ""),
            |l| left_out(row, l, calibrated.accuracy.discrepancy),
        );
        let sources = r
            .source_left_out
            .map_or_else(|| "–".to_owned(), |l| signed(error(row, l.predicted)));
        table.row(vec![
            row.id.clone(),
            row.dimension.show(published),
            row.dimension.show(r.predicted),
            signed(error(row, r.predicted)),
            others,
            inside.to_owned(),
            sources,
        ]);
    }
    table.text()
}

fn claims(calibrated: &Calibrated<'_>) -> String {
    let mut table = Table::new(&["claim", ">of", ">predicted", "", "from the others"]);
    for r in &calibrated.accuracy.rows {
        let row = &calibrated.problem.rows[r.row];
        let Claim::Between(low, high) = row.claim else {
            continue;
        };
        let word = |predicted: f64| {
            if row.claim.residual(predicted) == 0.0 {
                "holds"
            } else {
                "violated"
            }
        };
        table.row(vec![
            row.id.clone(),
            range(row.dimension, low, high),
            row.dimension.show(r.predicted),
            word(r.predicted).to_owned(),
            r.left_out.map_or("–", |l| word(l.predicted)).to_owned(),
        ]);
    }
    table.text()
}

pub(super) fn range(dimension: Dimension, low: f64, high: f64) -> String {
    match (low > 0.0, high.is_finite()) {
        (true, true) => format!("{} to {}", dimension.show(low), dimension.show(high)),
        (true, false) => format!("≥ {}", dimension.show(low)),
        _ => format!("≤ {}", dimension.show(high)),
    }
}

fn parameters(calibrated: &Calibrated<'_>) -> String {
    let mut table = Table::new(&[
        "parameter",
        ">prior",
        ">posterior",
        ">80 % interval",
        "moved by",
    ]);
    let posterior = &calibrated.fit.posterior;
    for (i, free) in posterior.free.iter().enumerate() {
        let factor = posterior.shift[i].exp();
        let sigma = posterior.covariance[i][i].max(0.0).sqrt();
        let width = half_width(0.0, sigma * sigma, 0.0).exp();
        let movers: Vec<String> = calibrated.movers[i]
            .iter()
            .map(|m| format!("{} {}", m.datum, percent(m.share)))
            .collect();
        let only = if movers.len() == 1 { " (alone)" } else { "" };
        table.row(vec![
            free.id.clone(),
            format!("1 ± {}", percent(free.prior)),
            significant(factor, 3),
            format!(
                "{} – {}",
                significant(factor / width, 3),
                significant(factor * width, 3)
            ),
            if movers.is_empty() {
                "no datum: it stays at its prior".to_owned()
            } else {
                format!("{}{only}", movers.join(", "))
            },
        ]);
    }
    let mut out = table.text();
    for free in &posterior.free {
        out.push_str(&paragraph(
            &format!("{}: {}; {}", free.id, free.title, free.why),
            2,
        ));
    }
    out
}
